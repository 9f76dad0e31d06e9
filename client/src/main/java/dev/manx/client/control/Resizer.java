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
 * Resizes stores and reports the results. Never fails and never waits longer than its time-out.
 * Confined to its owner's lock.
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
   * Resizes all stores concurrently and waits for all.
   *
   * @param wanted moves of backends that are in the map
   * @return the number of bytes now counted for each
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
    } catch (Throwable e) {
      // Thrown by a store of the application, possibly an Error: the other stores' moves go on.
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
      return unknown(move);
    } catch (TimeoutException e) {
      return unknown(move);
    } catch (ExecutionException e) {
      // Counted below; a store that could not shrink is resized again at the next tick.
      if (e.getCause() instanceof ResizeRefusedException why) {
        refused.put(move.backend(), why);
      }
    } catch (RuntimeException e) {
      // Cancelled, or completed with null: counted below.
    }
    failed++;
    // An unreachable store counts as it was asked to be: it takes that size when it comes back.
    return isDegraded(store) ? move.toBytes() : move.fromBytes();
  }

  /** Counts a store's space as used, because it may have grown or may not have shrunk. */
  private long unknown(Move move) {
    failed++;
    return Math.max(move.fromBytes(), move.toBytes());
  }

  private static boolean isDegraded(Store<?, ?> store) {
    try {
      return store.isDegraded();
    } catch (Throwable e) {
      return false;
    }
  }

  /** Backends whose stores rejected resizing since the last call, with the reason. */
  Map<String, Throwable> takeRefused() {
    Map<String, Throwable> taken = Map.copyOf(refused);
    refused.clear();
    return taken;
  }

  /** Stores resized, fully or in part. */
  long moves() {
    return moves;
  }

  /** Total growth of shares. */
  long bytesMoved() {
    return bytesMoved;
  }

  /** Resizes that failed or did not end in time. */
  long failed() {
    return failed;
  }
}
