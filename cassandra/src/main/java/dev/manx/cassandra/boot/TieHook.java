/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.tied.Ties;
import dev.manx.cassandra.wire.TieFilter;
import java.util.function.Supplier;
import org.apache.cassandra.net.MessagingService;

/**
 * Puts the filter of tied copies into Cassandra's inbound sink. When Manx goes off, the filter
 * stays until all reads have ended that their first replicas had already left to a copy: for
 * milliseconds, and at most for the time-out of a read. Any thread.
 */
final class TieHook {
  private final Ties ties;
  private final TieFilter filter;
  private boolean installed;
  private boolean leaving;

  /**
   * @param engines the present engine; null while Manx is off
   */
  TieHook(Supplier<Engine> engines, Ties ties) {
    this.ties = ties;
    filter = new TieFilter(engines, ties);
  }

  synchronized void enter() {
    leaving = false;
    if (!installed) {
      MessagingService.instance().inboundSink.add(filter);
      installed = true;
    }
  }

  /** Stops tying reads; the filter is removed when the tied reads have ended. */
  synchronized void leave() {
    ties.leave();
    leaving = true;
    leaveIfDone();
  }

  /** Called by the timer, some ten times a second, also when Manx is off. */
  synchronized void tick() {
    if (installed) {
      ties.sweep();
      leaveIfDone();
    }
  }

  private void leaveIfDone() {
    if (leaving && installed && ties.isDone()) {
      MessagingService.instance().inboundSink.remove(filter);
      installed = false;
    }
  }
}
