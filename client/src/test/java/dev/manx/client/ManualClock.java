/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.policy.NanoClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that changes only when moved, in either direction. */
public final class ManualClock implements NanoClock {
  private final AtomicLong now = new AtomicLong(1_000_000_000_000L);

  @Override
  public long nanoTime() {
    return now.get();
  }

  /** Moves it. */
  public void pass(Duration duration) {
    now.addAndGet(duration.toNanos());
  }
}
