/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import dev.manx.load.LoadProgress;
import java.util.function.Supplier;

/**
 * Reads a value once, when a turn's window begins: at the report that {@link
 * dev.manx.load.LoadSettings#progressEveryNanos} places there. Thread-safe.
 *
 * @param <T> the value, not null
 */
public final class WindowStart<T> implements LoadProgress.Listener {
  private final Supplier<T> read;
  private T value;

  /** Creates it for a turn that begins now; reads at once if the turn has no warm-up. */
  public WindowStart(long warmUpNanos, Supplier<T> read) {
    this.read = read;
    if (warmUpNanos == 0) {
      value = read.get();
    }
  }

  @Override
  public synchronized void accept(LoadProgress look) {
    if (value == null && look.sinceWindowNanos() >= 0) {
      value = read.get();
    }
  }

  /** The value at the start of the window; null before that. */
  public synchronized T value() {
    return value;
  }
}
