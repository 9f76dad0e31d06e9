/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import dev.manx.client.log.SparseLog;
import dev.manx.client.store.ResizeRefusedException;
import dev.manx.client.store.StoreException;
import dev.manx.client.timer.Daemons;
import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Supervises one instance on a separate thread: opens and resizes it, polls its memory, and detects
 * loss, restart and recovery.
 */
final class InstanceSupervisor implements AutoCloseable {
  private final String backend;
  private final Link link;
  private final RemoteSettings settings;
  private final Reachability reachability = new Reachability(this::soon);
  private final StoreClaim claim;
  private final InstanceNames names;
  private final SparseLog log = new SparseLog(InstanceSupervisor.class);
  private final ScheduledThreadPoolExecutor thread;
  private final CompletableFuture<Void> left = new CompletableFuture<>();
  private final AtomicReference<CompletableFuture<Long>> resizing = new AtomicReference<>();
  private final AtomicLong putSincePoll = new AtomicLong();
  private volatile long allocatedBytes;
  private volatile long polledBytes;
  private volatile long evicted;
  // Written by the resize in progress, and by the thread if the instance has another limit.
  private volatile long limitBytes;
  private final FirstContacts contacts;
  private final AtomicBoolean missing = new AtomicBoolean();

  // Used by the thread only.
  private long limitNow;
  private long retryNanos;
  private ScheduledFuture<?> next;

  /**
   * @param contacts of all stores that are opened together
   */
  InstanceSupervisor(
      String backend, Link link, RemoteSettings settings, FirstContacts contacts, long bytes) {
    this.contacts = contacts;
    this.backend = backend;
    this.link = link;
    this.settings = settings;
    names = new InstanceNames(backend, link, settings);
    claim = new StoreClaim(backend, settings, names::onOtherRun);
    limitBytes = bytes;
    allocatedBytes = bytes;
    retryNanos = settings.retryAfter().toNanos();
    ThreadFactory threads = Daemons.single("manx-store-" + backend);
    thread =
        new ScheduledThreadPoolExecutor(1, threads) {
          @Override
          protected void terminated() {
            // On another thread: the present one may be closing the store, and holds a lock that
            // closing needs.
            try {
              threads.newThread(InstanceSupervisor.this::leave).start();
            } catch (OutOfMemoryError e) {
              leave();
            }
          }
        };
    thread.setRemoveOnCancelPolicy(true);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  Reachability reachability() {
    return reachability;
  }

  /** The names of keys at the instance. */
  InstanceNames names() {
    return names;
  }

  /** Makes keys misses until the instance has confirmed their deletion. */
  void remember(Collection<String> keys) {
    names.unconfirmed(keys);
    // An unreachable instance is retried after growing intervals, regardless of invalidations.
    if (!reachability.lost()) {
      soon();
    }
  }

  long allocatedBytes() {
    return allocatedBytes;
  }

  /** The last polled size plus later puts, at most the limit. */
  long usedBytes() {
    long polled = polledBytes;
    return Math.min(Math.max(polled, allocatedBytes), polled + putSincePoll.get());
  }

  /** Entries that the instance had evicted at the last poll. */
  long evicted() {
    return evicted;
  }

  void put(long bytes) {
    putSincePoll.addAndGet(bytes);
  }

  /**
   * Tries a first contact; returns when it succeeds or fails, after at most some seconds. Returns
   * at once while another instance is missing: then all instances may be missing, and the waits
   * would add up.
   *
   * @throws IllegalArgumentException if this store must not use the instance, as far as known
   */
  void open() {
    if (contacts.missing()) {
      reachability.lose();
      thread.execute(this::look);
      return;
    }
    boolean answered = awaitContact();
    if (!answered && reachability.lost() && missing.compareAndSet(false, true)) {
      contacts.lost();
      if (thread.isShutdown() || !reachability.lost()) {
        // Meanwhile.
        notMissing();
      }
    }
  }

  private void notMissing() {
    if (missing.compareAndSet(true, false)) {
      contacts.found();
    }
  }

  /** Whether the instance has answered, even if this store must not use it yet. */
  private boolean awaitContact() {
    CompletableFuture<StoreClaim.OccupiedException> first = new CompletableFuture<>();
    thread.execute(() -> first.complete(look()));
    try {
      StoreClaim.OccupiedException occupied =
          first.get(
              settings.resizeTimeout().toNanos() + 9 * settings.timeout().toNanos(),
              TimeUnit.NANOSECONDS);
      if (occupied != null && occupied.lasting()) {
        close();
        throw new IllegalArgumentException("backend " + backend + ": " + occupied.getMessage());
      }
      return occupied != null || !reachability.lost();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      reachability.lose();
    } catch (ExecutionException | TimeoutException e) {
      reachability.lose();
    }
    return false;
  }

  CompletableFuture<Long> resize(long bytes) {
    CompletableFuture<Long> result = new CompletableFuture<>();
    if (!resizing.compareAndSet(null, result)) {
      return CompletableFuture.failedFuture(new StoreException("another resize is in progress"));
    }
    CompletableFuture<Long> freed = result.whenComplete((reached, failure) -> resizing.set(null));
    if (reachability.lost()) {
      long before = limitBytes;
      // Set when the instance is reachable again. Its thread may be connecting, for seconds.
      limitBytes = bytes;
      if (reachability.lost()) {
        result.completeExceptionally(outOfReach(bytes));
        return freed;
      }
      limitBytes = before;
    }
    try {
      thread.execute(
          () -> {
            long before = limitBytes;
            try {
              limitBytes = bytes;
              if (reachability.lost()) {
                // Lost since the resize was queued. The next check that succeeds sets the limit.
                result.completeExceptionally(outOfReach(bytes));
                return;
              }
              result.complete(reachLimit());
            } catch (Link.RefusedException e) {
              limitBytes = before;
              keepOwnLimit();
              result.completeExceptionally(new ResizeRefusedException(words(bytes, e), e));
            } catch (IOException e) {
              // The limit is set when the instance is reachable again.
              reachability.lose();
              schedule(0);
              result.completeExceptionally(refused(bytes, e));
            } catch (Throwable e) {
              // Includes an Error: otherwise a resize would seem to be in progress for ever.
              result.completeExceptionally(refused(bytes, e));
            }
          });
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(new StoreException("closed", e));
    }
    return freed;
  }

  private StoreException outOfReach(long bytes) {
    return refused(bytes, new IOException("out of reach"));
  }

  private StoreException refused(long bytes, Throwable cause) {
    return new StoreException(words(bytes, cause), cause);
  }

  private String words(long bytes, Throwable cause) {
    return "cannot resize the store of "
        + backend
        + " to "
        + bytes
        + " bytes: "
        + cause.getMessage();
  }

  private long reachLimit() throws IOException, InterruptedException {
    long reached = link.resize(limitBytes, System.nanoTime() + settings.resizeTimeout().toNanos());
    // Until the rest is free, the share still occupies it, however small the limit.
    allocatedBytes = reached;
    read(link.state());
    return reached;
  }

  private void read(Link.State state) {
    limitNow = state.limitBytes();
    putSincePoll.set(0);
    polledBytes = state.usedBytes();
    evicted = state.evicted();
  }

  /**
   * Probes, repairs, and determines the time of the next check.
   *
   * @return why this store must not use the instance; null if it may, or if the instance is
   *     unreachable
   */
  private StoreClaim.OccupiedException look() {
    try {
      DoubtfulPuts.GivenUp givenUp = names.givenUp();
      read(link.probe(claim));
      names.settle(givenUp);
      names.deleteOutstanding();
      if (limitNow != limitBytes || allocatedBytes != limitBytes) {
        restoreLimit();
      }
      reachability.find();
      notMissing();
      retryNanos = settings.retryAfter().toNanos();
      schedule(settings.pollInterval().toNanos());
    } catch (StoreClaim.OccupiedException e) {
      log.warn("backend " + backend + " has no store: " + e.getMessage(), null);
      later();
      return e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      log.warn("backend " + backend + " cannot use its store yet and will retry: " + e, null);
      later();
    }
    return null;
  }

  private void later() {
    reachability.lose();
    schedule(retryNanos);
    retryNanos = Math.min(2 * retryNanos, settings.retryAtMost().toNanos());
  }

  /**
   * Restores the limit of a restarted instance; an instance that forbids the command keeps its own
   * limit.
   */
  private void restoreLimit() throws IOException, InterruptedException {
    try {
      reachLimit();
    } catch (Link.RefusedException e) {
      // The instance serves regardless; the resize reports the failure.
      keepOwnLimit();
    }
  }

  /**
   * The instance forbids another limit: its own limit is the share, unless it has none. Only a
   * resize changes the share again, because the controller has divided the rest of the capacity.
   */
  private void keepOwnLimit() {
    if (limitNow > 0) {
      allocatedBytes = limitNow;
      limitBytes = limitNow;
    }
  }

  /** Schedules a check now instead of at the next poll; thread-safe. */
  private void soon() {
    try {
      thread.execute(() -> schedule(0));
    } catch (RejectedExecutionException e) {
      // closed in the meantime
    }
  }

  private void schedule(long nanos) {
    if (next != null) {
      next.cancel(false);
    }
    try {
      next = thread.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // closed in the meantime
    }
  }

  /** The last commands to the instance. */
  private void leave() {
    try {
      link.release(claim);
    } finally {
      left.complete(null);
      link.close();
    }
  }

  /** Completes once the closed instance is released, or two time-outs from now. */
  CompletableFuture<Void> left() {
    return left.copy()
        .completeOnTimeout(null, 2 * settings.timeout().toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Returns at once; the thread ends soon after, and closes the link. */
  @Override
  public void close() {
    claim.end();
    thread.shutdownNow();
    notMissing();
    CompletableFuture<Long> waiting = resizing.get();
    if (waiting != null) {
      waiting.completeExceptionally(new StoreException("closed"));
    }
  }
}
