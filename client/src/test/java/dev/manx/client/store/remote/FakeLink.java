/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** An in-process instance, behind a network that can delay puts and abort deletes. */
final class FakeLink implements Link {
  private final Map<String, byte[]> values = new ConcurrentHashMap<>();
  private final List<Map<String, byte[]>> heldBack = new ArrayList<>();
  private volatile Executor network = Runnable::run;
  private volatile boolean holds;
  private volatile int deletes = Integer.MAX_VALUE;
  private volatile Error broken;
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

  private void mayBreak() {
    if (broken != null) {
      throw broken;
    }
  }

  /** Puts are held back until {@link #deliver}, and are not answered. */
  void holdPuts() {
    holds = true;
  }

  /** Later puts arrive at once; those held back stay so. */
  void passPuts() {
    holds = false;
  }

  /** Delivers the puts held back. */
  void deliver() {
    heldBack.forEach(values::putAll);
  }

  /** Deletes of more keys than this are not answered. */
  void deletesAtMost(int keys) {
    deletes = keys;
  }

  /** Later deletes are executed and answered when this completes. */
  void deletesWaitFor(CompletableFuture<Void> released) {
    deleting = released;
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
      heldBack.add(more);
      return new CompletableFuture<>();
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
  public State probe(StoreClaim claim) {
    return state();
  }

  @Override
  public void release(StoreClaim claim) {}

  @Override
  public State state() {
    return new State(1 << 20, 0);
  }

  @Override
  public long resize(long bytes, long deadlineNanos) {
    mayBreak();
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
