/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra;

import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.aggregation.AggregationSpecification;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.messages.ResultMessage;

/** A SELECT without a limit that Cassandra's query processor executes without reading anything. */
public class TestSelect extends SelectStatement {
  /**
   * @param parsed the parsed statement
   */
  public TestSelect(SelectStatement parsed) {
    super(
        parsed.table,
        parsed.bindVariables,
        parsed.parameters,
        parsed.getSelection(),
        parsed.getRestrictions(),
        false,
        parsed.getSelection().isAggregate()
            ? AggregationSpecification.AGGREGATE_EVERYTHING_FACTORY
            : null,
        null,
        null,
        null);
  }

  @Override
  public ResultMessage.Rows execute(
      QueryState state, QueryOptions options, Dispatcher.RequestTime requestTime) {
    return null;
  }
}
