/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import dev.manx.client.store.ResizeRefusedException;
import dev.manx.client.store.Store;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** An empty store with scripted resizing. */
final class FakeStore implements Store<Integer, String> {
  /** Its response to a resize. */
  enum Mode {
    OBEYS,
    FAILS,
    HANGS,
    REFUSES,
    HALF_WAY
  }

  private final String name;
  private final List<String> log;
  Mode mode = Mode.OBEYS;
  Runnable onResize = () -> {};
  boolean degraded;
  long page = 1;
  long least;
  long allocated;
  long used;

  FakeStore(String name, List<String> log) {
    this.name = name;
    this.log = log;
  }

  @Override
  public CompletionStage<Map<Integer, String>> getAll(Collection<? extends Integer> keys) {
    return CompletableFuture.completedFuture(Map.of());
  }

  @Override
  public CompletionStage<Void> putAll(Map<? extends Integer, ? extends String> entries) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Void> invalidateAll(Collection<? extends Integer> keys) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Void> clear() {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Long> resize(long bytes) {
    log.add(name + (bytes < allocated ? " shrinks" : " grows"));
    onResize.run();
    if (bytes < least) {
      return CompletableFuture.failedFuture(new IllegalStateException("too small"));
    }
    switch (mode) {
      case FAILS -> {
        return CompletableFuture.failedFuture(new IllegalStateException("asked to fail"));
      }
      case HANGS -> {
        return new CompletableFuture<>();
      }
      case REFUSES -> {
        return CompletableFuture.failedFuture(
            new ResizeRefusedException("CONFIG is forbidden", null));
      }
      case HALF_WAY -> allocated = (allocated + bytes) / 2;
      case OBEYS -> allocated = bytes - bytes % page;
    }
    return CompletableFuture.completedFuture(allocated);
  }

  @Override
  public long allocatedBytes() {
    return allocated;
  }

  @Override
  public long usedBytes() {
    return used < 0 ? throwing() : allocated;
  }

  private static long throwing() {
    throw new IllegalStateException("asked to fail");
  }

  @Override
  public long pageBytes() {
    return page;
  }

  @Override
  public boolean isDegraded() {
    return degraded;
  }

  @Override
  public void close() {}
}
