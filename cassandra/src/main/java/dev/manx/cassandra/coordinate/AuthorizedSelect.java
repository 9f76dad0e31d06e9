/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import java.util.List;
import org.apache.cassandra.audit.AuditLogContext;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.functions.Function;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.messages.ResultMessage;

/**
 * A SELECT on its way through Cassandra's own query processor, which checks the number of bound
 * values, authorizes the client, validates the statement and then executes it. Manx analyses it
 * only then, so permissions are checked once and statements that Cassandra refuses are never
 * planned.
 */
final class AuthorizedSelect implements CQLStatement.SingleKeyspaceCqlStatement {
  private final PlanningHandler handler;
  private final SelectStatement select;
  private final Concern concern;
  private final boolean sampled;

  /**
   * @param sampled whether it is followed even if all is calm
   */
  AuthorizedSelect(
      PlanningHandler handler, SelectStatement select, Concern concern, boolean sampled) {
    this.handler = handler;
    this.select = select;
    this.concern = concern;
    this.sampled = sampled;
  }

  @Override
  public ResultMessage execute(
      QueryState state, QueryOptions options, Dispatcher.RequestTime requestTime) {
    return handler.execute(select, concern, sampled, state, options, requestTime);
  }

  @Override
  public String keyspace() {
    return select.keyspace();
  }

  @Override
  public void authorize(ClientState client) {
    select.authorize(client);
  }

  @Override
  public void validate(ClientState client) {
    select.validate(client);
  }

  @Override
  public ResultMessage executeLocally(QueryState state, QueryOptions options) {
    return select.executeLocally(state, options);
  }

  @Override
  public List<ColumnSpecification> getBindVariables() {
    return select.getBindVariables();
  }

  @Override
  public short[] getPartitionKeyBindVariableIndexes() {
    return select.getPartitionKeyBindVariableIndexes();
  }

  @Override
  public Iterable<Function> getFunctions() {
    return select.getFunctions();
  }

  @Override
  public AuditLogContext getAuditLogContext() {
    return select.getAuditLogContext();
  }

  @Override
  public boolean hasConditions() {
    return select.hasConditions();
  }

  @Override
  public String toString() {
    return select.toString();
  }
}
