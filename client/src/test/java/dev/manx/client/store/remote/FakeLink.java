/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** An in-process instance, behind a network that can delay or drop puts, and abort deletes. */
final class FakeLink implements Link {
  private final Map<String, byte[]> values = new ConcurrentHashMap<>();

  /** A put on its way. */
  private record Held(Map<String, byte[]> values, CompletableFuture<Void> answer) {}

  // Guarded by itself.
  private final List<Held> heldBack = new ArrayList<>();
  private volatile Executor network = Runnable::run;
  private volatile Runnable releasing = () -> {};
  private volatile boolean released;
  private volatile boolean holds;
  private volatile boolean forgets;
  private final AtomicInteger probes = new AtomicInteger();
  private volatile int deletes = Integer.MAX_VALUE;
  private volatile Error broken;
  private volatile boolean refuses;
  private final List<Long> resizes = Collections.synchronizedList(new ArrayList<>());
  private volatile State reported = new State(1 << 20, 0);
  private final AtomicInteger deleteCommands = new AtomicInteger();
  private volatile CompletableFuture<Void> deleting = CompletableFuture.completedFuture(null);

  /** Look-ups and puts are answered on these threads, else on the caller's. */
  void answersOn(Executor threads) {
    network = threads;
  }

  /** Look-ups and resizes throw this from now on; null: nothing. */
  void breaks(Error error) {
    broken = error;
  }

  /** Resizes are rejected from now on. */
  void refusesResizes() {
    refuses = true;
  }

  /** Resizes are accepted again. */
  void acceptsResizes() {
    refuses = false;
  }

  /** The sizes of accepted resizes, in order. */
  List<Long> resizes() {
    return List.copyOf(resizes);
  }

  /** The instance has another state. */
  void reports(State state) {
    reported = state;
  }

  private void mayBreak() {
    if (broken != null) {
      throw broken;
    }
  }

  /** Puts are held back until {@link #deliver}, and are answered then. */
  void holdPuts() {
    holds = true;
  }

  /** As a client library that gives up a put itself: its failure does not tell its fate. */
  void givesUpPuts() {
    forgets = true;
  }

  /** Later puts arrive at once; those held back stay so. */
  void passPuts() {
    holds = false;
  }

  /** Delivers the puts held back. */
  void deliver() {
    List<Held> arrive;
    synchronized (heldBack) {
      arrive = List.copyOf(heldBack);
    }
    for (Held held : arrive) {
      values.putAll(held.values);
      held.answer.complete(null);
    }
  }

  /** Deletes of more keys than this are not answered. */
  void deletesAtMost(int keys) {
    deletes = keys;
  }

  /** Later deletes are executed and answered when this completes. */
  void deletesWaitFor(CompletableFuture<Void> released) {
    deleting = released;
  }

  /** The length of the longest name of a stored value. */
  int longestKey() {
    return values.keySet().stream().mapToInt(String::length).max().orElse(0);
  }

  /** Probes so far. */
  int probes() {
    return probes.get();
  }

  /** Commands that deleted one key or several. */
  int deleteCommands() {
    return deleteCommands.get();
  }

  @Override
  public CompletionStage<Map<String, byte[]>> get(Collection<String> keys) {
    mayBreak();
    Map<String, byte[]> found = new HashMap<>();
    for (String key : keys) {
      if (values.containsKey(key)) {
        found.put(key, values.get(key));
      }
    }
    return CompletableFuture.supplyAsync(() -> found, network);
  }

  @Override
  public CompletionStage<?> put(Map<String, byte[]> more, Duration expiry) {
    if (holds) {
      Held held = new Held(more, new CompletableFuture<>());
      synchronized (heldBack) {
        heldBack.add(held);
      }
      if (forgets) {
        held.answer.completeExceptionally(new TimeoutException("given up"));
      }
      return held.answer;
    }
    values.putAll(more);
    return CompletableFuture.runAsync(() -> {}, network);
  }

  @Override
  public CompletionStage<?> delete(Collection<String> keys) {
    deleteCommands.incrementAndGet();
    if (keys.size() > deletes) {
      return new CompletableFuture<>();
    }
    return deleting.thenRun(() -> keys.forEach(values::remove));
  }

  @Override
  public long connection() {
    return 1;
  }

  @Override
  public State probe(StoreClaim claim) {
    if (forgets) {
      // In order.
      deliver();
    }
    probes.incrementAndGet();
    return state();
  }

  @Override
  public void release(StoreClaim claim) {
    releasing.run();
    released = true;
  }

  /** Runs before the claim is released. */
  void releasesAfter(Runnable step) {
    releasing = step;
  }

  /** Whether the claim was released. */
  boolean isReleased() {
    return released;
  }

  @Override
  public State state() {
    return reported;
  }

  @Override
  public long resize(long bytes, long deadlineNanos) throws IOException {
    mayBreak();
    if (refuses) {
      throw new RefusedException("no permission");
    }
    resizes.add(bytes);
    return bytes;
  }

  @Override
  public long pageBytes() {
    return 1;
  }

  @Override
  public long minimumBytes() {
    return 1;
  }

  @Override
  public long overheadBytes() {
    return 0;
  }

  @Override
  public long largestValueBytes() {
    return 1 << 10;
  }

  @Override
  public void close() {}
}
