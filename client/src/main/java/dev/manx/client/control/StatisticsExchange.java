/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import dev.manx.shares.WindowStatistics;
import java.util.Optional;

/**
 * How the statistics of this application server and of the others come together.
 *
 * <p>Called by the control thread alone, once a tick. An implementation that asks a server bounds
 * its waiting well below a tick and never throws for a server that is gone: it answers nothing, and
 * the shares stay as they are until it answers again.
 */
public interface StatisticsExchange extends AutoCloseable {
  /**
   * What was received.
   *
   * @param window the last tick's statistics of all application servers, this one's included
   * @param asOfNanos when they were merged, on this process's clock
   */
  record Merged(WindowStatistics window, long asOfNanos) {}

  /**
   * Hands in this server's window and takes what all saw.
   *
   * @param nowNanos this process's clock
   * @param own what was recorded since the last call
   * @return empty if nothing new can be had now: no decision is taken on old statistics
   */
  Optional<Merged> exchange(long nowNanos, WindowStatistics own);

  /** Why the last exchange had no new statistics; empty if it had, or if the reason is unknown. */
  default String lastFailure() {
    return "";
  }

  /** Lets go of connections. */
  @Override
  default void close() {}

  /** One application server on its own: all there is is what it saw. */
  static StatisticsExchange inProcess() {
    return (now, own) -> Optional.of(new Merged(own, now));
  }
}
