/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.own;

import dev.manx.load.LoadProgress;
import dev.manx.load.LoadSettings;
import java.util.Map;
import java.util.function.Supplier;

/** Reads the nodes' counters once, when a turn's window begins. Thread-safe. */
final class WindowCounters implements LoadProgress.Listener {
  private static final long SECOND = 1_000_000_000L;

  private final Supplier<Map<String, Map<String, Long>>> nodes;
  private Map<String, Map<String, Long>> atStart;

  /**
   * For a turn that begins now; reads at once if it has no warm-up.
   *
   * @param nodes reads the counters of every node, by node
   */
  WindowCounters(long warmUpNanos, Supplier<Map<String, Map<String, Long>>> nodes) {
    this.nodes = nodes;
    if (warmUpNanos == 0) {
      atStart = nodes.get();
    }
  }

  /** The interval of reports, at most a second, one of which comes when the warm-up ends. */
  static long everyNanos(long windowNanos) {
    return LoadSettings.progressEveryNanos(windowNanos, SECOND);
  }

  @Override
  public synchronized void accept(LoadProgress look) {
    if (atStart == null && look.sinceWindowNanos() >= 0) {
      atStart = nodes.get();
    }
  }

  /** The counters at the start of the window, by node; for a run that has ended. */
  synchronized Map<String, Map<String, Long>> atStart() {
    return atStart;
  }
}
