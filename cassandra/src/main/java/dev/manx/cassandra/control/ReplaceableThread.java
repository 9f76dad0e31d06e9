/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import dev.manx.policy.NanoClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * A daemon thread that repeats a pass of policy code and a rest. If it died, or has been in one
 * pass for two seconds, {@link #ensure} starts another; a hung thread ends when its pass returns.
 * Any thread.
 */
public final class ReplaceableThread {
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final String name;
  private final NanoClock clock;
  private final LongConsumer pass;
  private final Runnable rest;
  // None until the first start.
  private volatile Thread thread;
  // When the pass began; 0 while it rests.
  private volatile long beganNanos;

  /**
   * Starts no thread yet.
   *
   * @param name name of its thread
   * @param pass does all due work; gets the time of its begin
   * @param rest parks until there may be work again; ends early at a {@link #wake}
   */
  public ReplaceableThread(String name, NanoClock clock, LongConsumer pass, Runnable rest) {
    this.name = name;
    this.clock = clock;
    this.pass = pass;
    this.rest = rest;
  }

  /** Whether a thread was ever started. */
  public boolean isStarted() {
    return thread != null;
  }

  /** Starts a thread, unless a living one works. */
  public synchronized void ensure() {
    long began = beganNanos;
    Thread last = thread;
    if (last != null && last.isAlive() && (began == 0 || clock.nanoTime() - began < STUCK_NANOS)) {
      return;
    }
    Thread next = new Thread(this::loop, name);
    next.setDaemon(true);
    thread = next;
    next.start();
  }

  /** Ends the rest; starts the first thread. */
  public void wake() {
    Thread resting = thread;
    if (resting == null) {
      ensure();
    } else {
      LockSupport.unpark(resting);
    }
  }

  private void loop() {
    Thread self = Thread.currentThread();
    while (thread == self) {
      long now = clock.nanoTime();
      beganNanos = now == 0 ? 1 : now;
      pass.accept(now);
      if (thread != self) {
        return;
      }
      beganNanos = 0;
      rest.run();
    }
  }
}
