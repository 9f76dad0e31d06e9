/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import dev.manx.client.store.StoreException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Looks after one instance on a thread of its own: opens and resizes it, asks what it uses, notices
 * when it is lost or was restarted, and finds it again.
 */
final class Keeper implements AutoCloseable {
  private final String backend;
  private final Link link;
  private final RemoteSettings settings;
  private final Reach reach = new Reach(this::lost);
  private final ScheduledThreadPoolExecutor thread;
  private final AtomicReference<CompletableFuture<Long>> resizing = new AtomicReference<>();
  private final AtomicLong putSincePoll = new AtomicLong();
  private volatile long allocatedBytes;
  private volatile long polledBytes;

  // Of the thread alone.
  private long limitBytes;
  private long retryNanos;
  private boolean cleared;
  private ScheduledFuture<?> next;

  Keeper(String backend, Link link, RemoteSettings settings, long bytes) {
    this.backend = backend;
    this.link = link;
    this.settings = settings;
    limitBytes = bytes;
    allocatedBytes = bytes;
    retryNanos = settings.retryAfter().toNanos();
    thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread daemon = new Thread(task, "manx-store-" + backend);
              daemon.setDaemon(true);
              return daemon;
            }) {
          @Override
          protected void terminated() {
            link.close();
          }
        };
    thread.setRemoveOnCancelPolicy(true);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  Reach reach() {
    return reach;
  }

  long allocatedBytes() {
    return allocatedBytes;
  }

  /** As last polled and what was put since, which cannot be more than what fits. */
  long usedBytes() {
    long polled = polledBytes;
    return Math.min(Math.max(polled, allocatedBytes), polled + putSincePoll.get());
  }

  void put(long bytes) {
    putSincePoll.addAndGet(bytes);
  }

  /** Makes the first contact; returns when it is made, or in vain, after at most some seconds. */
  void open() {
    CompletableFuture<Void> first = new CompletableFuture<>();
    thread.execute(
        () -> {
          look();
          first.complete(null);
        });
    try {
      first.get(
          settings.resizeTimeout().toNanos() + 5 * settings.timeout().toNanos(),
          TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      reach.lose();
    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
      reach.lose();
    }
  }

  CompletableFuture<Long> resize(long bytes) {
    CompletableFuture<Long> result = new CompletableFuture<>();
    if (!resizing.compareAndSet(null, result)) {
      return CompletableFuture.failedFuture(new StoreException("another resize is under way"));
    }
    CompletableFuture<Long> freed = result.whenComplete((reached, failure) -> resizing.set(null));
    try {
      thread.execute(
          () -> {
            long before = limitBytes;
            try {
              limitBytes = bytes;
              if (reach.lost()) {
                throw new IOException("out of reach");
              }
              result.complete(reachLimit());
            } catch (Link.RefusedException e) {
              limitBytes = before;
              result.completeExceptionally(refused(bytes, e));
            } catch (IOException e) {
              // It takes the limit when it is found again.
              reach.lose();
              schedule(0);
              result.completeExceptionally(refused(bytes, e));
            } catch (InterruptedException | RuntimeException e) {
              result.completeExceptionally(refused(bytes, e));
            }
          });
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(new StoreException("closed", e));
    }
    return freed;
  }

  private StoreException refused(long bytes, Exception cause) {
    return new StoreException(
        "cannot resize the store of " + backend + " to " + bytes + " bytes: " + cause.getMessage(),
        cause);
  }

  private long reachLimit() throws IOException, InterruptedException {
    long reached = link.resize(limitBytes, System.nanoTime() + settings.resizeTimeout().toNanos());
    // While the rest is not free the share still holds it, however small the limit.
    allocatedBytes = reached;
    read(link.probe());
    return reached;
  }

  private void read(Link.State state) {
    putSincePoll.set(0);
    polledBytes = state.usedBytes();
  }

  /** Probes, repairs, and says when to look again. */
  private void look() {
    try {
      Link.State state = link.probe();
      if (!cleared) {
        link.clear();
        cleared = true;
        state = link.probe();
      }
      read(state);
      if (state.limitBytes() != limitBytes || allocatedBytes != limitBytes) {
        restoreLimit();
      }
      reach.find();
      retryNanos = settings.retryAfter().toNanos();
      schedule(settings.pollInterval().toNanos());
    } catch (IOException | RuntimeException e) {
      reach.lose();
      schedule(retryNanos);
      retryNanos = Math.min(2 * retryNanos, settings.retryAtMost().toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** An instance that was restarted has its own limit; one that may not be told keeps it. */
  private void restoreLimit() throws IOException, InterruptedException {
    try {
      reachLimit();
    } catch (Link.RefusedException e) {
      // It serves all the same; whoever resizes is told.
    }
  }

  /** From any thread: looks soon instead of at the next poll. */
  private void lost() {
    try {
      thread.execute(() -> schedule(0));
    } catch (RejectedExecutionException e) {
      // closed meanwhile
    }
  }

  private void schedule(long nanos) {
    if (next != null) {
      next.cancel(false);
    }
    try {
      next = thread.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // closed meanwhile
    }
  }

  /** Returns at once; the thread ends soon after, and the link with it. */
  @Override
  public void close() {
    thread.shutdownNow();
    CompletableFuture<Long> waiting = resizing.get();
    if (waiting != null) {
      waiting.completeExceptionally(new StoreException("closed"));
    }
  }
}
