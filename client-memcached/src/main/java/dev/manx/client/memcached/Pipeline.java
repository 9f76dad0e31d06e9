/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import dev.manx.client.level.LevelLink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A connection to one memcached, with one thread, which ends when idle. Commands that wait leave
 * together, and their answers come in the same order. Connects when it is needed; any failure
 * closes the connection and fails all that waits. Any thread calls it, and no method blocks.
 */
final class Pipeline implements AutoCloseable {
  /* xmemcached waits for the answer to each command. The leases of a page of 300 keys would be 300
   * round trips, and are one here. */

  /** More leave only after the answers to these, unless it is one command. */
  private static final int MOST_BATCH_BYTES = 32 << 10;

  /**
   * Holds a batch, so that sending it never waits for the server: one that waits until its own
   * answers are read would else wait for ever.
   */
  private static final int SEND_BUFFER_BYTES = 4 * MOST_BATCH_BYTES;

  private static final long IDLE_SECONDS = 10;
  private static final long NEVER = Long.MAX_VALUE;

  private final InetSocketAddress address;
  private final long timeoutNanos;
  private final int timeoutMillis;
  private final ThreadPoolExecutor thread;

  // Guarded by this.
  private final Queue<Sent<?>> queue = new ArrayDeque<>();
  private boolean draining;
  private boolean closed;
  private Socket socket;
  // When the batch under way must have ended; NEVER: there is none.
  private long dueNanos = NEVER;

  // Of the thread.
  private TextAnswers answers;

  private record Sent<T>(Command<T> command, long deadlineNanos, CompletableFuture<T> answer) {
    /** Whether the connection is still of use. */
    void read(TextAnswers in) throws IOException {
      T value;
      try {
        value = command.reader().read(in);
      } catch (LevelLink.RefusedException e) {
        answer.completeExceptionally(e);
        return;
      }
      answer.complete(value);
    }
  }

  /**
   * Does not connect yet.
   *
   * @param address looked up at each connection if it is unresolved
   */
  Pipeline(InetSocketAddress address, Duration timeout) {
    this.address = address;
    timeoutNanos = timeout.toNanos();
    timeoutMillis = (int) Math.max(1, Math.min(Integer.MAX_VALUE, timeout.toMillis()));
    thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread daemon = new Thread(work, "manx-memcached-level");
              daemon.setDaemon(true);
              return daemon;
            });
    thread.allowCoreThreadTimeOut(true);
  }

  /** Sends a command; one that waits for longer than the time-out is not sent. */
  <T> CompletableFuture<T> send(Command<T> command) {
    Sent<T> sent = new Sent<>(command, System.nanoTime() + timeoutNanos, new CompletableFuture<>());
    synchronized (this) {
      if (closed) {
        return CompletableFuture.failedFuture(new IOException("closed"));
      }
      queue.add(sent);
      if (draining) {
        return sent.answer;
      }
      draining = true;
    }
    try {
      thread.execute(this::drain);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // Closed, or no thread can be made.
      fail(takeAll(), e);
    }
    return sent.answer;
  }

  private void drain() {
    List<Sent<?>> batch = new ArrayList<>();
    List<Sent<?>> late = new ArrayList<>();
    try {
      do {
        batch.clear();
        late.clear();
        next(batch, late);
        if (!late.isEmpty()) {
          fail(late, new TimeoutException("waited too long for its turn"));
        }
        if (!batch.isEmpty()) {
          exchange(batch);
        }
      } while (!batch.isEmpty());
    } catch (Throwable e) {
      // Out of memory, say. Whatever it is, else nothing would be sent any more.
      List<Sent<?>> waits = takeAll();
      disconnect();
      fail(batch, e);
      fail(late, e);
      fail(waits, e);
    }
  }

  /**
   * Takes the commands that leave together; none: nothing waits.
   *
   * @param late takes those that have waited for too long
   */
  private void next(List<Sent<?>> batch, List<Sent<?>> late) {
    synchronized (this) {
      long now = System.nanoTime();
      int bytes = 0;
      while (!queue.isEmpty()) {
        Sent<?> head = queue.peek();
        boolean isLate = now - head.deadlineNanos > 0;
        bytes += isLate ? 0 : head.command.bytes().length;
        if (bytes > MOST_BATCH_BYTES && !batch.isEmpty()) {
          break;
        }
        (isLate ? late : batch).add(head);
        queue.remove();
      }
      draining = !batch.isEmpty();
      dueNanos = batch.isEmpty() ? NEVER : now + 2 * timeoutNanos;
    }
  }

  private void exchange(List<Sent<?>> batch) {
    int answered = 0;
    try {
      Socket to = connected();
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      batch.forEach(sent -> bytes.writeBytes(sent.command.bytes()));
      bytes.writeTo(to.getOutputStream());
      for (Sent<?> sent : batch) {
        sent.read(answers);
        answered++;
      }
    } catch (Throwable e) {
      disconnect();
      // What waits would only wait for the next attempt to connect; what comes from now on is that.
      List<Sent<?>> waits = takeQueued();
      fail(batch.subList(answered, batch.size()), e);
      fail(waits, e);
    }
  }

  private static void fail(List<Sent<?>> some, Throwable why) {
    some.forEach(sent -> sent.answer.completeExceptionally(why));
  }

  private synchronized List<Sent<?>> takeQueued() {
    List<Sent<?>> all = new ArrayList<>(queue);
    queue.clear();
    return all;
  }

  private synchronized List<Sent<?>> takeAll() {
    draining = false;
    dueNanos = NEVER;
    return takeQueued();
  }

  private Socket connected() throws IOException {
    synchronized (this) {
      if (socket != null) {
        return socket;
      }
    }
    Socket fresh = new Socket();
    boolean kept = false;
    try {
      fresh.setTcpNoDelay(true);
      fresh.setSendBufferSize(SEND_BUFFER_BYTES);
      fresh.setSoTimeout(timeoutMillis);
      fresh.connect(Addresses.lookedUp(address), timeoutMillis);
      answers = new TextAnswers(fresh.getInputStream(), address.toString());
      kept = keep(fresh);
    } finally {
      if (!kept) {
        fresh.close();
      }
    }
    if (!kept) {
      throw new IOException("closed");
    }
    return fresh;
  }

  private synchronized boolean keep(Socket fresh) {
    if (closed) {
      return false;
    }
    socket = fresh;
    return true;
  }

  /** Closes a connection on which nothing comes to an end: a large value that is not taken, say. */
  void renew() {
    boolean hangs;
    synchronized (this) {
      hangs = dueNanos != NEVER && System.nanoTime() - dueNanos > 0;
    }
    if (hangs) {
      disconnect();
    }
  }

  private void disconnect() {
    Socket old;
    synchronized (this) {
      old = socket;
      socket = null;
    }
    if (old != null) {
      try {
        old.close();
      } catch (IOException e) {
        // It is of no use any more.
      }
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    disconnect();
    fail(takeQueued(), new IOException("closed"));
    thread.shutdown();
  }
}
