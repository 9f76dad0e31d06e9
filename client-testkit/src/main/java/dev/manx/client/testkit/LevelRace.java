/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.level.Access;
import dev.manx.client.level.LevelKind;
import dev.manx.client.level.LevelLookUp;
import dev.manx.client.level.LevelPart;
import dev.manx.client.level.LevelSettings;
import dev.manx.client.level.SecondLevel;
import dev.manx.client.timer.TimerThreads;
import dev.manx.policy.config.ConfigNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Servers that concurrently load, put and invalidate the same few keys: a query that begins after a
 * confirmed invalidation must not find a value that was read before it.
 */
public final class LevelRace implements AutoCloseable {
  private static final int SERVERS = 3;
  private static final int KEYS = 8;

  private final long seed;
  private final TimerThreads timer = new TimerThreads("race");
  private final List<Access> ways = new ArrayList<>();
  private final List<LevelPart<Integer, String>> parts = new ArrayList<>();
  // Versions of keys at the backend, and at the last confirmed invalidation.
  private final Map<Integer, AtomicInteger> written = new ConcurrentHashMap<>();
  private final Map<Integer, AtomicInteger> confirmed = new ConcurrentHashMap<>();
  private final AtomicInteger found = new AtomicInteger();

  /**
   * Creates servers that begin to connect.
   *
   * @param address settings of the kind, as YAML
   */
  public LevelRace(LevelKind kind, String address, long seed) {
    this.seed = seed;
    LevelSettings settings = LevelSettings.of("race").withTimeout(Duration.ofSeconds(5));
    for (int server = 0; server < SERVERS; server++) {
      Access way =
          new Access(
              new SecondLevel(
                  kind.read(ConfigNode.parse("settings", "{ " + address + " }"), settings),
                  settings),
              timer,
              System::nanoTime);
      ways.add(way);
      parts.add(
          new LevelPart<>(
              way,
              "songs",
              LevelContract.TEXT,
              (key, value) -> 60_000,
              Duration.ofSeconds(10),
              System::currentTimeMillis,
              keys -> {}));
    }
    for (int key = 0; key < KEYS; key++) {
      written.put(key, new AtomicInteger());
      confirmed.put(key, new AtomicInteger());
    }
  }

  /** Runs this many steps at each server. */
  public void run(int steps) throws Exception {
    for (LevelPart<Integer, String> part : parts) {
      while (part.stats().fills() + part.stats().hits() == 0) {
        step(part, KEYS - 1, false);
      }
    }
    ExecutorService threads = Executors.newFixedThreadPool(2 * SERVERS);
    try {
      List<Future<?>> work = new ArrayList<>();
      for (int thread = 0; thread < 2 * SERVERS; thread++) {
        SplittableRandom random = new SplittableRandom(seed + thread);
        LevelPart<Integer, String> part = parts.get(thread % SERVERS);
        work.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < steps; i++) {
                    step(part, random.nextInt(KEYS), random.nextInt(8) == 0);
                  }
                }));
      }
      for (Future<?> each : work) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(found.get()).as("values found, seed " + seed).isGreaterThan(steps / 10);
  }

  private void step(LevelPart<Integer, String> part, int key, boolean writes) {
    if (writes) {
      int version = written.get(key).incrementAndGet();
      part.forget(List.of(key)).toCompletableFuture().join();
      confirmed.get(key).accumulateAndGet(version, Math::max);
      return;
    }
    int least = confirmed.get(key).get();
    LevelLookUp<Integer, String> look =
        part.look(List.of(key), Runnable::run).toCompletableFuture().join();
    if (look.found().isEmpty()) {
      String value = Integer.toString(written.get(key).get());
      part.fill(look, Map.of(key, value)).toCompletableFuture().join();
      return;
    }
    found.incrementAndGet();
    assertThat(Integer.parseInt(look.found().get(key).value()))
        .as("version of key " + key + " after " + least + " was confirmed, seed " + seed)
        .isGreaterThanOrEqualTo(least);
  }

  @Override
  public void close() {
    ways.forEach(Access::close);
    timer.close();
  }
}
