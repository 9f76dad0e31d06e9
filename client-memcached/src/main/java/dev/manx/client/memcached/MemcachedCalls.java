/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import dev.manx.client.store.StoreException;
import dev.manx.client.store.remote.Link.RefusedException;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.client.timer.Daemons;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import net.rubyeye.xmemcached.exception.MemcachedClientException;
import net.rubyeye.xmemcached.exception.MemcachedServerException;

/**
 * Runs operations of one memcached on a few threads of their own, because xmemcached blocks; only
 * while the server is known to be the store's, and on one connection. Thread-safe.
 */
final class MemcachedCalls {
  private static final int THREADS = 4;

  private final long timeoutNanos;
  private final Connections connections;
  private final ThreadPoolExecutor threads;
  // Number of connections when the server was last known to be the store's; -1: none yet.
  private volatile int claimedConnections = -1;

  MemcachedCalls(String backend, RemoteSettings settings, Connections connections) {
    timeoutNanos = TimeUnit.MILLISECONDS.toNanos(Math.max(1, settings.timeout().toMillis()));
    this.connections = connections;
    threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(settings.maxOutstanding()),
            Daemons.single("manx-memcached-" + backend));
    threads.allowCoreThreadTimeOut(true);
  }

  /** The server is known to be the store's, as of this number of connections. */
  void claimed(int made) {
    claimedConnections = made;
  }

  private boolean isUnclaimed(int made) {
    int claimed = claimedConnections;
    return claimed >= 0 && claimed != made;
  }

  /**
   * What was sent on a connection that was lost has no response, and may not have arrived. What was
   * read on the next one may be of another server, or of one that has restarted with old values.
   */
  private void expectSameConnection(int made) throws IOException {
    if (connections.made() != made) {
      throw new IOException("reconnected during an operation");
    }
  }

  /** An operation that was given up must not hold its thread. */
  static void expectBefore(long deadlineNanos, String what) throws TimeoutException {
    if (System.nanoTime() - deadlineNanos > 0) {
      throw new TimeoutException("no time left for " + what);
    }
  }

  /** An operation that may not take longer. */
  interface Timely<T> {
    T call(long deadlineNanos) throws Exception;
  }

  /** Runs an operation on one of the threads, unless it was given up while waiting. */
  <T> CompletionStage<T> run(Timely<T> operation) {
    CompletableFuture<T> result = new CompletableFuture<>();
    long deadline = System.nanoTime() + timeoutNanos;
    try {
      threads.execute(
          () -> {
            int made = connections.made();
            if (isUnclaimed(made)) {
              result.completeExceptionally(
                  new StoreException("reconnected to a server that is not yet verified"));
              return;
            }
            try {
              if (System.nanoTime() - deadline > 0) {
                throw new StoreException("given up while it waited for a thread");
              }
              T value = operation.call(deadline);
              expectSameConnection(made);
              result.complete(value);
            } catch (MemcachedServerException | MemcachedClientException e) {
              result.completeExceptionally(new RefusedException(String.valueOf(e.getMessage())));
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              result.completeExceptionally(e);
            } catch (Throwable e) {
              // Includes an Error: otherwise its place among the operations in progress would be
              // lost.
              result.completeExceptionally(e);
            }
          });
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(new StoreException("too many operations wait", e));
    } catch (OutOfMemoryError e) {
      result.completeExceptionally(e);
    }
    return result;
  }

  /** Interrupts operations in progress, and drops those that wait. */
  void close() {
    threads.shutdownNow();
  }
}
