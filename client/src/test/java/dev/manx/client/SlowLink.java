/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.level.FakeLevel;
import dev.manx.client.level.LevelLink;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A link to a second level whose commands and answers take up to half a millisecond each, in any
 * order; one in 200 fails, executed or not. Leases end in time.
 */
final class SlowLink implements LevelLink {
  private final FakeLevel level;
  private final LevelLink there;
  private final ScheduledExecutorService network;
  private final SplittableRandom random;

  SlowLink(FakeLevel level, ScheduledExecutorService network, long seed) {
    this.level = level;
    there = level.link();
    this.network = network;
    random = new SplittableRandom(seed);
  }

  private synchronized int random(int bound) {
    return random.nextInt(bound);
  }

  private void later(Runnable step) {
    network.schedule(step, random(500), TimeUnit.MICROSECONDS);
  }

  private <T> CompletionStage<T> send(Supplier<CompletionStage<T>> command) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    int fate = random(400);
    later(
        () -> {
          if (fate == 0) {
            answer.completeExceptionally(new IOException("not executed"));
            return;
          }
          CompletionStage<T> done = command.get();
          later(
              () -> {
                if (fate == 1) {
                  answer.completeExceptionally(new IOException("executed"));
                } else {
                  done.thenAccept(answer::complete);
                }
              });
        });
    return answer;
  }

  @Override
  public void open() {}

  @Override
  public String place(String name) {
    return "";
  }

  @Override
  public CompletionStage<Map<String, byte[]>> get(Collection<String> names) {
    return send(() -> there.get(names));
  }

  @Override
  public CompletionStage<Boolean> add(String name, byte[] value, Duration expiry) {
    if (expiry != null) {
      network.schedule(
          () ->
              level.values.computeIfPresent(
                  name, (n, now) -> Arrays.equals(now, value) ? null : now),
          expiry.toMillis(),
          TimeUnit.MILLISECONDS);
    }
    return send(() -> there.add(name, value, expiry));
  }

  @Override
  public CompletionStage<Boolean> replace(String name, byte[] seen, byte[] value, Duration expiry) {
    return send(() -> there.replace(name, seen, value, expiry));
  }

  @Override
  public CompletionStage<?> delete(Collection<String> names) {
    return send(
        () -> {
          CompletionStage<?> done = there.delete(names);
          return done.thenApply(any -> (Object) true);
        });
  }

  @Override
  public void renew() {}

  @Override
  public void close() {}
}
