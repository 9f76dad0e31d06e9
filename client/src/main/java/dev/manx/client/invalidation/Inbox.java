/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * For channels: hands on what arrives, in order and on a thread of its own, which ends when idle.
 * Carrying out an invalidation runs code of the application ({@link KeyText}, keys' {@code
 * hashCode}), which may hang and must not hold up the channel. Any thread calls it, and no method
 * blocks.
 */
public final class Inbox implements InvalidationChannel.Listener, AutoCloseable {
  /** Bytes that wait; one message more, and all that waits counts as lost. */
  static final int MOST_BYTES = 4 << 20;

  /** Of one message: its entry, the array's head, and a place in the queue. */
  private static final int OVERHEAD_BYTES = 64;

  private static final long IDLE_SECONDS = 10;

  /** A message, or why some may have been lost. */
  private record Arrival(byte[] message, String broken) {
    int heldBytes() {
      return OVERHEAD_BYTES + (message == null ? 0 : message.length);
    }
  }

  private final InvalidationChannel.Listener listener;
  private final ThreadPoolExecutor thread;

  // Guarded by this.
  private final Queue<Arrival> waiting = new ArrayDeque<>();
  private int bytes;
  private boolean running;
  private boolean closed;

  /**
   * Starts no thread before something arrives.
   *
   * @param listener called on the thread alone
   */
  public Inbox(InvalidationChannel.Listener listener) {
    this.listener = listener;
    thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread daemon = new Thread(work, "manx-received");
              daemon.setDaemon(true);
              return daemon;
            });
    thread.allowCoreThreadTimeOut(true);
  }

  @Override
  public void received(byte[] message) {
    arrived(new Arrival(message, null));
  }

  @Override
  public void broken(String why) {
    arrived(new Arrival(null, why));
  }

  private void arrived(Arrival arrival) {
    synchronized (this) {
      if (closed) {
        return;
      }
      add(arrival);
      if (bytes > MOST_BYTES) {
        // All that they invalidate is forgotten with the rest.
        clear();
        add(new Arrival(null, "too many messages of other servers wait to be carried out"));
      }
      if (running) {
        return;
      }
      running = true;
    }
    try {
      thread.execute(this::handOn);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // Closed, or no thread can be made: the next that arrives tries again.
      idle();
    }
  }

  private void add(Arrival arrival) {
    waiting.add(arrival);
    bytes += arrival.heldBytes();
  }

  private void clear() {
    waiting.clear();
    bytes = 0;
  }

  private void handOn() {
    for (Arrival next = next(); next != null; next = next()) {
      try {
        if (next.message == null) {
          listener.broken(next.broken);
        } else {
          listener.received(next.message);
        }
      } catch (Throwable e) {
        // The others must be carried out all the same; their numbers show what is missing.
        Thread here = Thread.currentThread();
        here.getUncaughtExceptionHandler().uncaughtException(here, e);
      }
    }
  }

  private synchronized Arrival next() {
    Arrival next = waiting.poll();
    running = next != null;
    bytes -= next == null ? 0 : next.heldBytes();
    return next;
  }

  private synchronized void idle() {
    running = false;
  }

  /** What waits is dropped. Idempotent. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      clear();
    }
    thread.shutdown();
  }
}
