/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;

/** The parts of a SELECT that Manx may change, as far as its form shows; determined once. */
enum Concern {
  /** None: it is not of the simple form that Manx plans. */
  NONE,
  /** The replicas and the order of its reads. */
  READS,
  /** Those, and its paging. */
  PAGING;

  /** Determines it without evaluating any term. */
  static Concern of(Engine engine, SelectStatement select, QueryOptions options) {
    if (!Plannable.isPlain(select, options)) {
      return NONE;
    }
    return Unpaging.mayApply(engine, select, options) ? PAGING : READS;
  }
}
