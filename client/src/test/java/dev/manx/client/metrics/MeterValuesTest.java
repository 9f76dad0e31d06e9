/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.BackendSpec;
import dev.manx.client.BackendStats;
import dev.manx.client.CacheStats;
import dev.manx.client.FanoutCache;
import dev.manx.shares.CacheStrategy;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Every meter shows its own counter: meters are given statistics in which each number is another.
 * The meters are those of the table in docs/embed/client.md.
 */
class MeterValuesTest {
  /** The component of {@link CacheStats} that a meter shows, by the rest of the meter's name. */
  private static final Map<String, String> OF_THE_CACHE =
      Map.ofEntries(
          Map.entry("requests", "requests"),
          Map.entry("requests.without.queries", "withoutQueries"),
          Map.entry("requests.rejected", "rejected"),
          Map.entry("requests.given.up", "givenUp"),
          Map.entry("ticks", "loop.ticks"),
          Map.entry("ticks.frozen", "loop.frozen"),
          Map.entry("ticks.deferred", "loop.deferred"),
          Map.entry("ticks.failed", "loop.failures"),
          Map.entry("moves", "loop.moves"),
          Map.entry("moves.bytes", "loop.bytesMoved"),
          Map.entry("moves.failed", "loop.failedMoves"),
          Map.entry("records.lost", "loop.recordsLost"),
          Map.entry("rests", "loop.policy.rests"),
          Map.entry("resting", "loop.policy.resting"),
          Map.entry("loss", "loop.policy.loss"),
          Map.entry("load.threads", "loadThreads"),
          Map.entry("load.threads.most", "mostLoadThreads"),
          Map.entry("capacity", "capacityBytes"),
          Map.entry("invalidations.sent", "invalidations.sent"),
          Map.entry("invalidations.not.sent", "invalidations.notSent"),
          Map.entry("invalidations.received", "invalidations.received"),
          Map.entry("invalidations.gaps", "invalidations.gaps"),
          Map.entry("invalidations.breaks", "invalidations.breaks"),
          Map.entry("invalidations.forgotten", "invalidations.forgotten"),
          Map.entry("invalidations.coarse", "invalidations.coarse"),
          Map.entry("invalidations.unread", "invalidations.unread"),
          Map.entry("invalidations.connected", "invalidations.connected"),
          Map.entry("invalidations.peers", "invalidations.peers"));

  /** The component of {@link BackendStats} that a meter shows. */
  private static final Map<String, String> OF_A_BACKEND =
      Map.ofEntries(
          Map.entry("hits", "hits"),
          Map.entry("misses", "misses"),
          Map.entry("absent.hits", "absentHits"),
          Map.entry("coalesced", "coalesced"),
          Map.entry("uncached", "uncached"),
          Map.entry("loads.failed", "loadFailures"),
          Map.entry("loads.timed.out", "loadTimeOuts"),
          Map.entry("refused", "refused"),
          Map.entry("not.kept", "notKept"),
          Map.entry("too.large", "tooLarge"),
          Map.entry("blocked", "blocked"),
          Map.entry("refreshes", "refreshes"),
          Map.entry("stale.answers", "staleAnswers"),
          Map.entry("loads.broken", "broken"),
          Map.entry("loads.stuck", "stuck"),
          Map.entry("loads.not.begun", "notBegun"),
          Map.entry("breaker.open", "breakerOpen"),
          Map.entry("store.failures", "storeFailures"),
          Map.entry("store.emptied", "storeEmptied"),
          Map.entry("store.degraded", "degraded"),
          Map.entry("level.hits", "level.hits"),
          Map.entry("level.misses", "level.misses"),
          Map.entry("level.fills", "level.fills"),
          Map.entry("level.refused", "level.refused"),
          Map.entry("level.too.large", "level.tooLarge"),
          Map.entry("level.failures", "level.failures"),
          Map.entry("level.unconfirmed", "level.unconfirmed"),
          Map.entry("allocated", "allocatedBytes"),
          Map.entry("used", "usedBytes"),
          Map.entry("pending", "pending"));

  /** Meters of a window, of several components, or of a set or map of backends: see other tests. */
  private static final Set<String> OTHERS =
      Set.of(
          "request.latency",
          "request.time",
          "backend.query.latency",
          "backend.query.time",
          "backend.load.time",
          "backend.hit.ratio",
          "backend.wanted",
          "backend.fixed");

  private static final String CACHE = "manx.cache.";

  /** Keeps the functions of meters. */
  private static final class Functions extends SimpleMeterRegistry {
    final Map<String, ToDoubleFunction<?>> byName = new TreeMap<>();

    @Override
    protected <T> Gauge newGauge(Meter.Id id, T owner, ToDoubleFunction<T> value) {
      byName.put(id.getName(), value);
      return super.newGauge(id, owner, value);
    }

    @Override
    protected <T> FunctionCounter newFunctionCounter(
        Meter.Id id, T owner, ToDoubleFunction<T> value) {
      byName.put(id.getName(), value);
      return super.newFunctionCounter(id, owner, value);
    }

    /**
     * The value of a meter for given statistics. A meter's function asks its cache or backend for
     * them and applies another function, which it holds.
     */
    @SuppressWarnings("unchecked")
    <S> double value(String name, S stats) throws IllegalAccessException {
      ToDoubleFunction<?> asks = byName.get(name);
      assertThat(asks).as(name).isNotNull();
      for (Field held : asks.getClass().getDeclaredFields()) {
        if (held.getType() == ToDoubleFunction.class) {
          held.setAccessible(true);
          return ((ToDoubleFunction<S>) held.get(asks)).applyAsDouble(stats);
        }
      }
      throw new AssertionError(name + " is not a function of statistics");
    }
  }

  /** Statistics in which every number is another, and every second state is true. */
  private static final class Distinct {
    /** By component, for example {@code level.hits}. */
    final Map<String, Double> values = new TreeMap<>();

    private int numbers = 10;
    private int states;

    /**
     * @param odd whether the second, fourth, ... state is true rather than the others
     */
    Distinct(boolean odd) {
      states = odd ? 1 : 0;
    }

    <R> R of(Class<R> type, String path) throws ReflectiveOperationException {
      List<Class<?>> types = new ArrayList<>();
      List<Object> arguments = new ArrayList<>();
      for (RecordComponent component : type.getRecordComponents()) {
        types.add(component.getType());
        arguments.add(value(component.getType(), path + component.getName()));
      }
      return type.getDeclaredConstructor(types.toArray(Class<?>[]::new))
          .newInstance(arguments.toArray());
    }

    private Object value(Class<?> type, String path) throws ReflectiveOperationException {
      if (type.isRecord()) {
        return of(type, path + ".");
      }
      if (type == boolean.class) {
        boolean is = states++ % 2 == 0;
        values.put(path, is ? 1.0 : 0.0);
        return is;
      }
      if (type.isPrimitive()) {
        int number = numbers++;
        values.put(path, (double) number);
        Map<Class<?>, Object> boxed =
            Map.of(int.class, number, long.class, (long) number, double.class, (double) number);
        return boxed.get(type);
      }
      // Sets, maps and the outcome of a tick are in no meter of a single number.
      return type == Set.class ? Set.of() : type == Map.class ? Map.of() : null;
    }
  }

  @Test
  void eachShowsItsOwnCounter() throws ReflectiveOperationException {
    Functions meters = meters("cache.robinhood");
    Functions shared = meters("cache.shared");
    for (boolean odd : new boolean[] {false, true}) {
      Distinct cache = new Distinct(odd);
      assertThat(shown(meters, CACHE, OF_THE_CACHE, cache.of(CacheStats.class, "")))
          .as("every counter has a meter, which shows it")
          .isEqualTo(cache.values);
      Distinct backend = new Distinct(odd);
      BackendStats stats = backend.of(BackendStats.class, "");
      // A part of the store's failures; the meter shows it alone if another one has the rest.
      assertThat(shared.value(CACHE + "backend.store.failures", stats))
          .isEqualTo(backend.values.remove("lookUpFailures"));
      assertThat(shown(meters, CACHE + "backend.", OF_A_BACKEND, stats))
          .as("every counter has a meter, which shows it")
          .isEqualTo(backend.values);
      assertThat(meters.value(CACHE + "backend.hit.ratio", stats)).isEqualTo(stats.hitRatio());
    }
  }

  /** The values of meters by the component that each should show. */
  private static <S> Map<String, Double> shown(
      Functions meters, String prefix, Map<String, String> components, S stats)
      throws IllegalAccessException {
    Map<String, Double> shown = new TreeMap<>();
    for (Map.Entry<String, String> meter : components.entrySet()) {
      shown.put(meter.getValue(), meters.value(prefix + meter.getKey(), stats));
    }
    return shown;
  }

  @Test
  void theGuideNamesThemAll() throws Exception {
    Set<String> known = new TreeSet<>();
    OF_THE_CACHE.keySet().forEach(name -> known.add(CACHE + name));
    OF_A_BACKEND.keySet().forEach(name -> known.add(CACHE + "backend." + name));
    OTHERS.forEach(name -> known.add(CACHE + name));
    assertThat(documented(known)).isEqualTo(known);
    try (FanoutCache cache = FanoutCache.builder().capacity(8 << 20).drivenByHost().open()) {
      SimpleMeterRegistry registry = new SimpleMeterRegistry();
      cache.add(songs());
      new FanoutCacheMetrics(cache, Tags.empty()).withHistograms().bindTo(registry);
      Set<String> registered = new TreeSet<>();
      registry.getMeters().forEach(meter -> registered.add(meter.getId().getName()));
      // This registry shows the buckets of timers as gauges.
      registered.removeIf(name -> name.endsWith(".histogram"));
      assertThat(registered).isEqualTo(known);
    }
  }

  /** The names in the guide's table; those that begin with a dot go on from the row's first. */
  private static Set<String> documented(Set<String> known) throws Exception {
    Path guide = Path.of(System.getProperty("manx.home"), "docs/embed/client.md");
    Set<String> names = new TreeSet<>();
    for (String row : Files.readAllLines(guide)) {
      if (!row.startsWith("| `" + CACHE)) {
        continue;
      }
      Matcher name = Pattern.compile("`([a-z.]+)(\\{quantile})?`").matcher(row.split("\\|", -1)[1]);
      String first = null;
      while (name.find()) {
        first = first == null ? name.group(1) : first;
        names.add(whole(first, name.group(1), known));
      }
    }
    return names;
  }

  private static String whole(String first, String name, Set<String> known) {
    String prefix = first;
    while (name.startsWith(".") && prefix.contains(".")) {
      prefix = prefix.substring(0, prefix.lastIndexOf('.'));
      if (known.contains(prefix + name)) {
        return prefix + name;
      }
    }
    return name;
  }

  private static Functions meters(String strategy) {
    Functions meters = new Functions();
    try (FanoutCache cache =
        FanoutCache.builder()
            .capacity(8 << 20)
            .strategy(CacheStrategy.named(strategy))
            .drivenByHost()
            .open()) {
      cache.add(songs());
      new FanoutCacheMetrics(cache, Tags.empty()).bindTo(meters);
    }
    return meters;
  }

  private static BackendSpec<Integer, String> songs() {
    return BackendSpec.of(
        "songs", (key, value) -> 10, keys -> CompletableFuture.completedFuture(new HashMap<>()));
  }
}
