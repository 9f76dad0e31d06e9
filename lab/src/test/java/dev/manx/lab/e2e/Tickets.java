/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The counts of a coordinator's tickets. */
final class Tickets {
  private Tickets() {}

  /**
   * Waits until every ticket has come to one end. A ticket leaves the table before its end is
   * counted, so that an empty table is not enough.
   *
   * @param counters the rows of {@code manx.counters}, read anew at each call
   */
  static void awaitBalance(Supplier<Map<String, ?>> counters) {
    Waiting.until(
        "every ticket has come to one end, " + counters.get(),
        () -> {
          Map<String, ?> counts = counters.get();
          return count(counts, "opened")
              == Stream.of("answered", "failed", "timed_out", "cancelled")
                  .mapToLong(end -> count(counts, end))
                  .sum();
        });
  }

  private static long count(Map<String, ?> counters, String name) {
    return Long.parseLong(String.valueOf(counters.get("tickets_" + name)));
  }
}
