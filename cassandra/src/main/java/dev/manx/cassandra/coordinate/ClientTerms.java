/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import java.util.function.Supplier;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;

/**
 * Evaluates terms of a client's statement before Cassandra has evaluated them. Any exception is the
 * client's fault, and is counted but never reported to the breaker: Cassandra will refuse the
 * statement with its own error.
 */
final class ClientTerms {
  private ClientTerms() {}

  /**
   * Evaluates terms.
   *
   * @return the result of {@code terms}; null if any term is invalid
   * @throws Unanswered if the client's rights could not be determined in time
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
      // Malformed values throw many kinds of exceptions: marshalling, number format, null pointers.
    }
    engine.counters().count(Counter.REQUESTS_MALFORMED);
    return null;
  }
}
