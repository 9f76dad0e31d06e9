/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import dev.manx.shares.WindowStatistics;
import java.util.Optional;

/**
 * Merges the statistics of this application server and the others.
 *
 * <p>Called only by the control thread, once a tick. An implementation that contacts a server must
 * bound its waiting well below a tick and must not throw if the server is unreachable: it returns
 * empty, and the shares stay as they are until the server answers again.
 */
public interface StatisticsExchange extends AutoCloseable {
  /**
   * The received statistics.
   *
   * @param window the last tick's statistics of all application servers, including this one
   * @param asOfNanos when they were merged, on this process's clock
   */
  record Merged(WindowStatistics window, long asOfNanos) {}

  /**
   * Submits this server's window and returns the merged windows of all servers.
   *
   * @param nowNanos this process's clock
   * @param own statistics recorded since the last call
   * @return empty without new statistics: no decision is based on old ones
   */
  Optional<Merged> exchange(long nowNanos, WindowStatistics own);

  /**
   * The reason why the last exchange brought no new statistics; empty if it did, or if the reason
   * is unknown.
   */
  default String lastFailure() {
    return "";
  }

  /** Closes connections. */
  @Override
  default void close() {}

  /** An exchange for a single application server: returns its own statistics. */
  static StatisticsExchange inProcess() {
    return (now, own) -> Optional.of(new Merged(own, now));
  }
}
