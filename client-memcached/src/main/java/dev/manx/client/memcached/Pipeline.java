/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import dev.manx.client.level.LevelLink;
import dev.manx.client.log.SparseLog;
import dev.manx.client.timer.Daemons;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A connection to one memcached, with one thread, which ends when idle. Waiting commands are sent
 * together, and responses arrive in order. Connects when needed; any failure closes the connection
 * and fails all waiting commands, except that the repeatable ones of a batch for which an earlier
 * connection turns out to be closed are sent once more on a fresh one. Thread-safe; no method
 * blocks.
 */
final class Pipeline implements AutoCloseable {
  /* xmemcached waits for the response to each command. The leases of a page of 300 keys would take
   * 300 round trips instead of one. */

  /**
   * Maximum size of a batch, unless it is a single command; the next batch follows its responses.
   */
  private static final int MOST_BATCH_BYTES = 32 << 10;

  /**
   * Holds a whole batch, so that sending never waits for the server: a server that waits until its
   * responses are read would otherwise cause a deadlock.
   */
  private static final int SEND_BUFFER_BYTES = 4 * MOST_BATCH_BYTES;

  private static final long IDLE_SECONDS = 10;
  private static final long NEVER = Long.MAX_VALUE;

  private final InetSocketAddress address;
  private final long timeoutNanos;
  private final int timeoutMillis;
  private final ThreadPoolExecutor thread;
  private final SparseLog log = new SparseLog(MemcachedLevel.class);

  // Guarded by this.
  private final Queue<Sent<?>> queue = new ArrayDeque<>();
  private boolean draining;
  private boolean closed;
  private Socket socket;
  // Deadline of the batch in progress; NEVER: none.
  private long dueNanos = NEVER;

  // Used by the thread only.
  private TextAnswers answers;

  private record Sent<T>(Command<T> command, long deadlineNanos, CompletableFuture<T> answer) {
    /** Completes the command; returns whether the connection can still be used. */
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
   * Creates a pipeline that is not yet connected.
   *
   * @param address resolved at each connection if unresolved
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
            Daemons.single("manx-memcached-level"));
    thread.allowCoreThreadTimeOut(true);
  }

  /** Sends a command; one that waits longer than the time-out is not sent. */
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
      // Closed, or no thread can be created.
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
          fail(late, new TimeoutException("waited too long to be sent"));
        }
        if (!batch.isEmpty()) {
          exchange(batch);
        }
      } while (!batch.isEmpty());
    } catch (Throwable e) {
      // For example, out of memory. Catches everything, else no command would be sent any more.
      List<Sent<?>> waits = takeAll();
      disconnect();
      fail(batch, e);
      fail(late, e);
      fail(waits, e);
    }
  }

  /**
   * Takes the next batch; empty if no command waits.
   *
   * @param late receives commands that have waited too long
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
    Queue<Sent<?>> left = new ArrayDeque<>(batch);
    boolean earlier = isConnected();
    try {
      try {
        begin(left);
      } catch (EOFException | SocketException e) {
        if (!earlier || !isConnected()) {
          // A fresh connection, or one that renew() or close() has closed.
          throw e;
        }
        // The server may have executed all of them.
        disconnect();
        failUnlessRepeatable(left, e);
        if (left.isEmpty()) {
          return;
        }
        begin(left);
      }
      while (!left.isEmpty()) {
        readNext(left);
      }
    } catch (Throwable e) {
      disconnect();
      // Waiting commands would only wait for the next attempt to connect, which a later command
      // starts.
      List<Sent<?>> waits = takeQueued();
      fail(left, e);
      fail(waits, e);
    }
  }

  /** Sends commands, and completes the first. */
  private void begin(Queue<Sent<?>> commands) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    commands.forEach(sent -> bytes.writeBytes(sent.command.bytes()));
    bytes.writeTo(connected().getOutputStream());
    readNext(commands);
  }

  private void readNext(Queue<Sent<?>> commands) throws IOException {
    commands.element().read(answers);
    commands.remove();
  }

  private static void fail(Collection<Sent<?>> some, Throwable why) {
    some.forEach(sent -> sent.answer.completeExceptionally(why));
  }

  private static void failUnlessRepeatable(Collection<Sent<?>> some, Throwable why) {
    fail(some.stream().filter(sent -> !sent.command.repeatable()).toList(), why);
    some.removeIf(sent -> !sent.command.repeatable());
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

  private synchronized boolean isConnected() {
    return socket != null;
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
      connect(fresh);
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

  private void connect(Socket fresh) throws IOException {
    try {
      fresh.connect(Addresses.lookedUp(address), timeoutMillis);
    } catch (IOException e) {
      log.warn(
          "cannot connect to the second level in memcached at " + address + " and will retry: " + e,
          null);
      throw e;
    }
  }

  private synchronized boolean keep(Socket fresh) {
    if (closed) {
      return false;
    }
    socket = fresh;
    return true;
  }

  /** Closes a connection without progress, for example when a large value is not accepted. */
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
        // The connection is useless in any case.
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
