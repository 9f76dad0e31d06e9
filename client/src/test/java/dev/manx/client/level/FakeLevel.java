/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The in-process server of a second level, whose faults a test controls. */
public final class FakeLevel {
  /** The stored entries, by name. */
  public final Map<String, byte[]> values = new ConcurrentHashMap<>();

  /** Commands that reached it. */
  public final AtomicInteger commands = new AtomicInteger();

  /** It is unreachable. */
  public volatile boolean away;

  /** It never answers. */
  public volatile boolean hangs;

  /** Thrown when a command is sent; null: nothing. */
  public volatile Error broken;

  /** Deletes are executed when this is complete. */
  public volatile CompletableFuture<Void> deletes = CompletableFuture.completedFuture(null);

  private final List<Duration> expiries = new ArrayList<>();

  /** The expiry times of stored entries, in order. */
  public synchronized List<Duration> expiries() {
    return List.copyOf(expiries);
  }

  private synchronized void note(Duration expiry) {
    expiries.add(expiry);
  }

  /** A server's link to it. */
  public LevelLink link() {
    return new Link();
  }

  private interface Command<T> {
    T run();
  }

  private final class Link implements LevelLink {
    @Override
    public void open() {}

    @Override
    public String place(String name) {
      return "";
    }

    private <T> CompletionStage<T> run(Command<T> command) {
      commands.incrementAndGet();
      if (broken != null) {
        throw broken;
      }
      if (hangs) {
        return new CompletableFuture<>();
      }
      return away
          ? CompletableFuture.failedFuture(new IOException("away"))
          : CompletableFuture.completedFuture(command.run());
    }

    @Override
    public CompletionStage<Map<String, byte[]>> get(Collection<String> names) {
      return run(
          () -> {
            Map<String, byte[]> found = new HashMap<>(values);
            found.keySet().retainAll(names);
            return found;
          });
    }

    @Override
    public CompletionStage<Boolean> add(String name, byte[] value, Duration expiry) {
      return run(() -> values.putIfAbsent(name, value) == null);
    }

    @Override
    public CompletionStage<Boolean> replace(
        String name, byte[] seen, byte[] value, Duration expiry) {
      return run(
          () -> {
            byte[] now =
                values.computeIfPresent(name, (n, there) -> begins(there, seen) ? value : there);
            note(expiry);
            return now == value;
          });
    }

    private static boolean begins(byte[] there, byte[] seen) {
      return there.length >= seen.length
          && Arrays.equals(there, 0, seen.length, seen, 0, seen.length);
    }

    @Override
    public CompletionStage<?> delete(Collection<String> names) {
      CompletableFuture<Void> released = deletes;
      return released.thenCompose(done -> run(() -> values.keySet().removeAll(names)));
    }

    @Override
    public void renew() {}

    @Override
    public void close() {}
  }
}
