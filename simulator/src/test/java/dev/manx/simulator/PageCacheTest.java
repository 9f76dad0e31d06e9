/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.policy.Copies;
import dev.manx.policy.order.Order;
import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.source.Sizes;
import dev.manx.simulator.source.SourceSpec;
import dev.manx.simulator.source.SyntheticSpec;
import dev.manx.simulator.source.Widths;
import dev.manx.workload.Arrivals;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compares with a model, a map in order of access. */
class PageCacheTest {
  private static final long MS = 1_000_000;

  @Test
  void keepsWhatWasReadLast() {
    for (int seed = 0; seed < 30; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      long capacity = 20_000 + random.nextInt(400_000);
      PageCache cache = new PageCache(capacity);
      Map<Long, Integer> model = new LinkedHashMap<>(16, 0.75f, true);
      long used = 0;
      for (int i = 0; i < 20_000; i++) {
        long key = random.nextInt(3_000);
        int bytes = (int) (1 + key % 300);
        boolean there = model.get(key) != null;
        assertThat(cache.read(key, bytes, 0) != PageCache.ABSENT)
            .as("seed %d, read %d", seed, i)
            .isEqualTo(there);
        if (!there) {
          Iterator<Map.Entry<Long, Integer>> oldest = model.entrySet().iterator();
          while (used + bytes > capacity) {
            used -= oldest.next().getValue();
            oldest.remove();
          }
          model.put(key, bytes);
          used += bytes;
        }
      }
      assertThat(cache.usedBytes()).as("seed %d", seed).isEqualTo(used);
      assertThat(cache.size()).as("seed %d", seed).isEqualTo(model.size());
    }
  }

  @Test
  void neverTakesMoreThanItHolds() {
    PageCache cache = new PageCache(100);
    assertThat(cache.read(1, 101, 0)).isEqualTo(PageCache.ABSENT);
    assertThat(cache.read(1, 101, 0)).isEqualTo(PageCache.ABSENT);
    assertThat(cache.usedBytes()).isZero();
  }

  @Test
  void aValueIsCachedOnceItIsLoaded() {
    PageCache cache = new PageCache(100);
    cache.read(1, 60, 7);
    assertThat(cache.read(1, 60, 8)).isEqualTo(7);
    cache.ended(1, 8, true);
    assertThat(cache.read(1, 60, 8)).as("read 7 loads it").isEqualTo(7);
    cache.ended(1, 7, true);
    assertThat(cache.read(1, 60, 8)).isEqualTo(PageCache.CACHED);
    cache.read(2, 60, 9);
    cache.ended(2, 9, false);
    assertThat(cache.read(2, 60, 8)).as("read 9 was stopped").isEqualTo(PageCache.ABSENT);
    cache.ended(1, 7, true);
    assertThat(cache.size()).as("the other was evicted").isEqualTo(1);
  }

  /** Two reads of one key, a miss of 50 ms and one of 1 ms on a core. */
  private static Outcome twice(ModelSpec bare, long gapNanos, List<ModelSpec.Fault> faults) {
    ModelSpec model = Models.with(bare, new ModelSpec.Cache(1 << 20, 50 * MS, 0, 0)).with(faults);
    SourceSpec source =
        new SyntheticSpec(List.of(Widths.fixed(1, 1, -1)), new Sizes.Two(1_000, 1_001, 0), 1, 0, 0);
    RunSpec run = new RunSpec(1e9 / gapNanos, Arrivals.FIXED, 2, 0, 1, List.of(), 10, 0, 0);
    Outcome outcome = new Simulation(model, source, Models.RANDOM, run).run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    return outcome;
  }

  private static double fastestMillis(Outcome outcome) {
    return outcome.all().nanos().getMinNonZeroValue() / (double) MS;
  }

  /** Until its miss ends, a value is not in the cache. */
  @Test
  void aReadWaitsForTheMissThatLoadsItsValue() {
    ModelSpec separate = Models.bare(1, 4, 1, Scatter.NONE, 0);
    Outcome two = twice(separate, MS, List.of());
    assertThat(fastestMillis(two)).isCloseTo(50, within(0.1));
    ModelSpec shared = Models.withReadThreads(Models.bare(1, 1, 1, Scatter.NONE, 0), 4);
    assertThat(fastestMillis(twice(shared, MS, List.of())))
        .as("on shared cores it is a hit, which has half a core")
        .isCloseTo(2, within(0.1));
    assertThat(fastestMillis(twice(separate, 100 * MS, List.of()))).isCloseTo(1, within(0.01));
  }

  /** A miss from 10 to 60 ms ends at 160, and the read that arrives at 20 a millisecond later. */
  @Test
  void aPauseDelaysTheMissAndTheReadsThatWaitForIt() {
    ModelSpec.Fault pause = ModelSpec.Fault.of(0, ModelSpec.Trouble.PAUSED, 15 * MS, 115 * MS, 1);
    Outcome two = twice(Models.bare(1, 4, 1, Scatter.NONE, 0), 10 * MS, List.of(pause));
    assertThat(fastestMillis(two)).isCloseTo(141, within(0.2));
  }

  /** Stops a read, some arrivals later, as if another copy of it had been answered. */
  private static final class Stopping extends Replica {
    private final List<Read> arrived = new ArrayList<>();
    private final int later;
    private int stops;

    /**
     * @param later number of arrivals until a read is stopped
     * @param stops how many reads are stopped
     */
    Stopping(World world, int id, Order<Read> order, int later, int stops) {
      super(world, id, order);
      this.later = later;
      this.stops = stops;
    }

    @Override
    void arrive(Read read) {
      arrived.add(read);
      if (arrived.size() > later && stops-- > 0) {
        Read stopped = arrived.get(arrived.size() - 1 - later);
        stopped.twins = new Twins(Copies.HEDGED, 0, 0, 0, stopped);
        stopped.twins.open++;
        abort(stopped);
        world.coordinator(stopped).ends.lost(stopped);
      }
      super.arrive(read);
    }
  }

  /** Reads of one key, from 10 ms on, 10 ms apart, with a miss of 50 ms; the first are stopped. */
  private static void stopped(
      int reads, int later, int stops, List<ModelSpec.Fault> faults, long misses, double millis) {
    ModelSpec bare = Models.bare(1, 4, 1, Scatter.NONE, 0).with(faults);
    ModelSpec model = Models.with(bare, new ModelSpec.Cache(1 << 20, 50 * MS, 0, 0));
    SourceSpec source =
        new SyntheticSpec(List.of(Widths.fixed(1, 1, -1)), new Sizes.Two(1_000, 1_001, 0), 1, 0, 0);
    RunSpec run = new RunSpec(100, Arrivals.FIXED, reads, 0, 1, List.of(), 10, 0, 0);
    Replica[] made = new Replica[1];
    Replica.Maker maker =
        (world, id, order) -> made[0] = new Stopping(world, id, order, later, stops);
    Outcome outcome = new Simulation(model, source, Models.RANDOM, run, new Checks(), maker).run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    assertThat(outcome.all().errors()).isEqualTo(stops);
    assertThat(made[0].storage.misses).isEqualTo(misses);
    assertThat(fastestMillis(outcome)).as("the last one").isCloseTo(millis, within(0.1));
  }

  /** The miss ends at 60 ms, as without the stop, and all reads a millisecond later. */
  @Test
  void aReadThatWaitsLoadsTheValueIfItsLoaderIsStopped() {
    stopped(3, 2, 1, List.of(), 1, 31);
    stopped(4, 2, 2, List.of(), 1, 21);
    ModelSpec.Fault pause = ModelSpec.Fault.of(0, ModelSpec.Trouble.PAUSED, 25 * MS, 35 * MS, 1);
    stopped(4, 2, 1, List.of(pause), 1, 31);
    stopped(2, 1, 1, List.of(), 2, 51);
  }

  @Test
  void aMissThatDiedLoadsNothing() {
    ModelSpec.Fault dead = ModelSpec.Fault.of(0, ModelSpec.Trouble.DEAD, 120 * MS, 130 * MS, 1);
    Outcome two = twice(Models.bare(1, 4, 1, Scatter.NONE, 0), 100 * MS, List.of(dead));
    assertThat(two.all().errors()).isEqualTo(1);
    assertThat(fastestMillis(two)).isCloseTo(51, within(0.1));
  }

  /** In the warm-up the reads of a node, which dies once, miss and wait; later none does. */
  @Test
  void theMetricsAreOfTheMeasuredRequests() {
    ModelSpec.Fault dead = ModelSpec.Fault.of(0, ModelSpec.Trouble.DEAD, 120 * MS, 130 * MS, 1);
    ModelSpec model =
        Models.with(
            Models.bare(1, 1, 1, Scatter.NONE, 0).with(List.of(dead)),
            new ModelSpec.Cache(1 << 20, 50 * MS, 0, 0));
    SourceSpec source =
        new SyntheticSpec(
            List.of(Widths.fixed(1, 1, -1)), new Sizes.Two(1_000, 1_001, 0), 100, 0, 0);
    RunSpec run = new RunSpec(100, Arrivals.FIXED, 6_000, 0.67, 1, List.of(), 10, 0, 0);
    Outcome outcome = new Simulation(model, source, Models.RANDOM, run).run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    assertThat(outcome.metrics())
        .containsEntry("cache_hit_pct", 100.0)
        .containsEntry("reads_waited_pct", 0.0)
        .containsEntry("reads_lost", 0.0);
  }

  /** A read looks into the cache when it starts, not when it ends. */
  @Test
  @Timeout(60)
  void hitsAreAPartOfTheReadsThatStarted() {
    ModelSpec model = Models.with(Models.cluster(List.of()), new ModelSpec.Cache(0, 400_000, 0, 0));
    RunSpec run = Models.run(model, Models.reads(5), 2, 40, 1);
    Outcome outcome = new Simulation(model, Models.reads(5), Models.RANDOM, run).run();
    assertThat(outcome.metrics().get("cache_hit_pct")).isZero();
  }
}
