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
  // Null until the first start.
  private volatile Worker worker;

  /**
   * Starts no thread yet.
   *
   * @param name name of its thread
   * @param pass does all due work; receives its start time
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
    return worker != null;
  }

  /** Starts a thread, unless a living one works. */
  public synchronized void ensure() {
    Worker last = worker;
    if (last != null && last.works()) {
      return;
    }
    Worker next = new Worker();
    worker = next;
    next.thread.start();
  }

  /** Ends the rest; starts the first thread. */
  public void wake() {
    Worker resting = worker;
    if (resting == null) {
      ensure();
    } else {
      LockSupport.unpark(resting.thread);
    }
  }

  /** One thread; a hung one that returns late does not touch its successor's state. */
  private final class Worker {
    private final Thread thread = new Thread(this::loop, name);
    // When the pass began; 0 while it rests.
    private volatile long beganNanos;

    private Worker() {
      thread.setDaemon(true);
    }

    private boolean works() {
      long began = beganNanos;
      return thread.isAlive() && (began == 0 || clock.nanoTime() - began < STUCK_NANOS);
    }

    private void loop() {
      while (worker == this) {
        long now = clock.nanoTime();
        beganNanos = now == 0 ? 1 : now;
        pass.accept(now);
        beganNanos = 0;
        if (worker == this) {
          rest.run();
        }
      }
    }
  }
}
