/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import dev.manx.client.store.ResizeRefusedException;
import dev.manx.client.store.Store;
import dev.manx.shares.Move;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Has stores resized and says what became of it. Never fails and never waits longer than it was
 * told. Confined to its owner's lock.
 */
final class Resizer {
  private final long timeOutNanos;
  private final Map<String, Throwable> refused = new LinkedHashMap<>();
  private long moves;
  private long bytesMoved;
  private long failed;

  /**
   * @param timeOut for all stores of one call together
   */
  Resizer(Duration timeOut) {
    timeOutNanos = timeOut.toNanos();
  }

  /**
   * Asks all stores at once and waits for all.
   *
   * @param wanted moves of backends that are in the map
   * @return the bytes that count as each one's from now on
   */
  Map<Move, Long> resize(List<Move> wanted, Map<String, Share> shares) {
    Map<Move, CompletableFuture<Long>> asked = new LinkedHashMap<>();
    for (Move move : wanted) {
      asked.put(move, ask(move, shares.get(move.backend()).store()));
    }
    long deadline = System.nanoTime() + timeOutNanos;
    Map<Move, Long> reached = new LinkedHashMap<>();
    asked.forEach(
        (move, answer) ->
            reached.put(move, reached(move, answer, deadline, shares.get(move.backend()).store())));
    return reached;
  }

  private static CompletableFuture<Long> ask(Move move, Store<?, ?> store) {
    try {
      return store.resize(move.toBytes()).toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private long reached(
      Move move, CompletableFuture<Long> answer, long deadline, Store<?, ?> store) {
    try {
      long bytes = answer.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      moves++;
      bytesMoved += Math.max(0, bytes - move.fromBytes());
      return bytes;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException e) {
      // It is unknown whether it has grown, so its space counts as taken.
      failed++;
      return Math.max(move.fromBytes(), move.toBytes());
    } catch (ExecutionException e) {
      // Counted below; a store that could not shrink is asked again at the next tick.
      if (e.getCause() instanceof ResizeRefusedException why) {
        refused.put(move.backend(), why);
      }
    }
    failed++;
    // A store that is out of reach holds nothing, and takes its size when it comes back.
    return store.isDegraded() ? move.toBytes() : move.fromBytes();
  }

  /** Backends whose stores refused to be resized since the last call, and why. */
  Map<String, Throwable> takeRefused() {
    Map<String, Throwable> taken = Map.copyOf(refused);
    refused.clear();
    return taken;
  }

  /** Stores resized, be it in part. */
  long moves() {
    return moves;
  }

  /** Space that shares grew by. */
  long bytesMoved() {
    return bytesMoved;
  }

  /** Resizes that failed or did not end in time. */
  long failed() {
    return failed;
  }
}
