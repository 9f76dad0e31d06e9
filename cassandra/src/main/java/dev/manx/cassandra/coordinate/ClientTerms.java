/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import java.util.function.Supplier;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;

/**
 * Evaluates terms of a client's statement before Cassandra has evaluated them. Whatever that throws
 * is the client's doing, counted and never held against Manx: Cassandra will refuse the statement
 * in its own words.
 */
final class ClientTerms {
  private ClientTerms() {}

  /**
   * Evaluates.
   *
   * @return what {@code terms} gives; null if anything is wrong with them
   * @throws Unanswered if the client's rights could not be found out in time
   */
  static <T> T evaluate(
      Engine engine, CQLStatement statement, QueryOptions options, Supplier<T> terms) {
    try {
      options.prepare(statement.getBindVariables());
      if (options.getValues().size() == statement.getBindVariables().size()) {
        return terms.get();
      }
    } catch (Unanswered e) {
      throw e;
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      // Malformed values throw nearly anything: marshalling, number format, null pointers.
    }
    engine.counters().count(Counter.REQUESTS_MALFORMED);
    return null;
  }
}
