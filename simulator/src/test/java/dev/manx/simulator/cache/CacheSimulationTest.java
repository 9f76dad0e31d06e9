/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.policy.config.ConfigNode;
import dev.manx.shares.CacheStrategy;
import dev.manx.shares.WindowStatistics;
import dev.manx.simulator.Check;
import dev.manx.simulator.Outcome;
import dev.manx.simulator.cache.Scenario.Spike;
import dev.manx.simulator.kernel.Streams;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class CacheSimulationTest {
  private static final List<Slo> SLOS = List.of(new Slo("p99", 0.99, 150_000_000L));

  /** Three backends, one of them with small batches and few misses. */
  private static CacheModel model(int servers) {
    return model(servers, 100);
  }

  private static CacheModel model(int servers, double requestsPerSecond) {
    return new CacheModel(
        List.of(
            new BackendModel("a", 20, 40_000, 0.9, 5e6, 300, 0),
            new BackendModel("b", 4, 60_000, 0.8, 8e6, 150, 0),
            new BackendModel("c", 2, 10_000, 0.7, 12e6, 60, 0)),
        List.of(
            new RequestKind(0.4, List.of(0.9, 0.2, 0.1)),
            new RequestKind(0.6, List.of(0.1, 0.8, 0.5))),
        requestsPerSecond,
        servers,
        1_200_000_000L,
        23_000,
        1.3,
        16,
        400_000,
        300_000,
        0.8,
        0.4);
  }

  private static CacheRun run(String policy, int servers, long seed, TraceQueries trace) {
    Scenario scenario =
        Scenario.spikes(
            300, 600, List.of(new Spike("b", List.of(1.0, 3.0, 6.0, 8.0), 1)), b -> 0.45);
    return new CacheRun(
        model(servers),
        trace,
        scenario,
        0.1,
        CacheStrategy.named(policy),
        null,
        SLOS,
        seed,
        List.of("b"),
        60);
  }

  private static CacheOutcome play(CacheRun run) {
    return new CacheSimulation(run, new CacheSimulation.Tables()).run();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cache.robinhood",
        "cache.shared",
        "cache.static",
        "cache.cliffhanger",
        "cache.fair",
        "cache.lama",
        "cache.guarded"
      })
  void theSameRunGivesTheSameOutcomeAndEveryCheckHolds(String policy) {
    CacheOutcome one = play(run(policy, 2, 7, null));
    CacheOutcome two = play(run(policy, 2, 7, null));
    assertThat(one.checks()).hasSize(2).allMatch(Check::holds);
    assertThat(two.metrics()).isEqualTo(one.metrics());
    assertThat(two.timeline()).isEqualTo(one.timeline());
    assertThat(two.requests()).isEqualTo(one.requests());
    assertThat(play(run(policy, 2, 8, null)).metrics()).isNotEqualTo(one.metrics());
    // 60 s of compressed time, two servers of 100 requests/s
    assertThat((double) one.requests().getTotalCount()).isEqualTo(12_000, within(500.0));
    assertThat(one.meanShares().values().stream().mapToDouble(b -> b).sum())
        .isLessThanOrEqualTo(1_200_000_000 * 1.001);
  }

  /**
   * The P99 is at most 1.05 times that of the better of a shared cache and of fixed shares, with
   * each of three seeds.
   */
  @ParameterizedTest
  @ValueSource(strings = {"squeezed", "late", "erring"})
  void theGuardedPolicyDoesNoHarmWhereSpaceDoesNotHelp(String harm) {
    CacheModel model = model(1);
    List<BackendModel> backends = new ArrayList<>(model.backends());
    backends.add(new BackendModel("uncacheable", 6, 400_000, 0.1, 5e6, 180, 0));
    CacheModel with =
        new CacheModel(
            backends,
            List.of(
                new RequestKind(0.4, List.of(0.9, 0.2, 0.1, 0.3)),
                new RequestKind(0.6, List.of(0.1, 0.8, 0.5, 0.3))),
            100,
            1,
            1_200_000_000L,
            23_000,
            1.3,
            16,
            400_000,
            300_000,
            0.8,
            0.4);
    Scenario scenario =
        switch (harm) {
          case "squeezed" ->
              Scenario.spikes(
                  600,
                  1_200,
                  List.of(new Spike("uncacheable", List.of(3.0, 5.0, 15.0, 17.0), 1)),
                  b -> 0.6);
          case "late" ->
              new Scenario(
                  600,
                  1_200,
                  Map.of(),
                  Map.of("uncacheable", new Scenario.Fault(180, 1_000, 60_000_000, 0)));
          default ->
              new Scenario(
                  600,
                  1_200,
                  Map.of(),
                  Map.of("b", new Scenario.Fault(180, 1_000, 40_000_000, 0.6)));
        };
    List<Double> relative = new ArrayList<>();
    for (long seed = 1; seed <= 3; seed++) {
      Map<String, Double> p99 = new HashMap<>();
      for (String policy : List.of("cache.shared", "cache.static", "cache.guarded")) {
        CacheStrategy strategy =
            policy.equals("cache.static")
                ? CacheStrategy.of(
                    ConfigNode.parse("static", "{ policy: cache.static, learn: 10min }"), () -> 1)
                : CacheStrategy.named(policy);
        CacheOutcome outcome =
            play(
                new CacheRun(
                    with, null, scenario, 0.2, strategy, null, SLOS, seed, List.of("b"), 0));
        p99.put(policy, outcome.requests().getValueAtPercentile(99) / 1e6);
      }
      relative.add(
          p99.get("cache.guarded") / Math.min(p99.get("cache.shared"), p99.get("cache.static")));
    }
    assertThat(relative).allMatch(ratio -> ratio < 1.05);
  }

  /** Arms of a seed have the same requests, so that they can be compared. */
  @Test
  void allArmsGetTheSameRequests() {
    CacheOutcome one = play(run("cache.robinhood", 2, 7, null));
    CacheOutcome two = play(run("cache.fair", 2, 7, null));
    // except for those in progress at the ends of the measured time
    double queries = one.cost().reads();
    assertThat((double) two.cost().reads()).isEqualTo(queries, within(0.002 * queries));
  }

  @Test
  void theMeasuredTimeIsWhollyMeasured() {
    List<Double> seconds =
        play(run("cache.shared", 1, 7, null)).timeline().stream()
            .filter(point -> point.entity().equals("requests"))
            .map(Outcome.Point::seconds)
            .toList();
    assertThat(seconds)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, 120).mapToObj(slot -> slot * 5.0).toList());
    // 10 s of a run are 1 s of compressed time, in which two servers get 100 requests each.
    Scenario brief = new Scenario(300, 10, Map.of(), Map.of());
    CacheRun run = run("cache.shared", 2, 7, null);
    CacheOutcome outcome =
        play(
            new CacheRun(
                run.model(), null, brief, 0.1, run.strategy(), null, SLOS, 7, List.of(), 0));
    assertThat((double) outcome.requests().getTotalCount()).isEqualTo(200, within(50.0));
    assertThat(outcome.windowSeconds()).isEqualTo(1);
  }

  /** As in the client: fifty requests near P99 need 5,000, and 64 windows of 5 s are kept. */
  @Test
  void chanceDoesNotMoveTheShares() {
    CacheRun run = run("cache.robinhood", 1, 7, null);
    Map<Double, Double> shares = new HashMap<>();
    for (double perSecond : new double[] {10, 30}) {
      CacheRun rare =
          new CacheRun(
              model(1, perSecond),
              null,
              run.scenario(),
              0.1,
              run.strategy(),
              null,
              SLOS,
              7,
              List.of(),
              0);
      shares.put(perSecond, play(rare).meanShares().get("b"));
    }
    assertThat(shares.get(10.0)).isEqualTo(4e8, within(10.0));
    assertThat(shares.get(30.0)).isNotCloseTo(4e8, within(1e6));
  }

  private static AppServer sharedCache() {
    CacheModel model = model(1);
    return new AppServer(
        model,
        new SyntheticQueries(model, new SyntheticQueries.Popularities(), new Streams(3)),
        CacheStrategy.named("cache.shared"),
        null,
        1);
  }

  /** As in the client: an error at once says nothing about the backend's load. */
  @Test
  void failuresCountAsMissesIfTheBackendHadTimeToAnswer() {
    AppServer server = sharedCache();
    server.missed(0, 10_000_000, Completions.End.ANSWERED);
    server.missed(0, 90_000_000, Completions.End.JOINED);
    assertThat(server.recorder().cut().misses(0)).isEqualTo(2);
    server.missed(0, 1_000_000, Completions.End.FAILED);
    assertThat(server.recorder().cut().misses(0)).isZero();
    server.missed(0, 9_000_000, Completions.End.FAILED);
    assertThat(server.recorder().cut().misses(0)).isEqualTo(1);
  }

  /** To the client, the queries of a request to a backend are the keys of one query. */
  @Test
  void theQueriesOfARequestToABackendCountAsOne() {
    AppServer server = sharedCache();
    server.hit(0, 1_000_000);
    server.missed(0, 10_000_000, Completions.End.ANSWERED);
    server.missed(0, 12_000_000, Completions.End.JOINED);
    server.missed(0, 12_000_000, Completions.End.LAST);
    WindowStatistics window = server.recorder().cut();
    assertThat(window.hits(0)).isEqualTo(1);
    assertThat(window.misses(0)).isEqualTo(2);
    assertThat(window.queries(0)).isEqualTo(1);
    assertThat(window.missQueries(0)).isEqualTo(1);
  }

  /** As in the client. They show how long the backend takes, but not that a share is too small. */
  @Test
  void queriesThatBypassTheCacheAreNoMisses() {
    AppServer server = sharedCache();
    server.missed(0, 10_000_000, Completions.End.UNCACHED);
    server.missed(0, 9_000_000, Completions.End.UNCACHED_FAILED);
    assertThat(server.recorder().cut().misses(0)).isZero();
    server.missed(0, 9_000_000, Completions.End.FAILED);
    assertThat(server.recorder().cut().misses(0)).isEqualTo(1);
  }

  /** As in the client: objects that are large for a share never fill it, but have no room in it. */
  @Test
  void objectsWithoutRoomAreCounted() {
    CacheModel model = model(1);
    QuerySource objects =
        new QuerySource() {
          @Override
          public void next(Batch batch) {
            throw new UnsupportedOperationException();
          }

          @Override
          public int objects(int backend) {
            return 10;
          }

          @Override
          public int bytes(int backend, int object) {
            return object == 9 ? 2_000 : 600;
          }
        };
    AppServer server =
        new AppServer(
            model,
            objects,
            CacheStrategy.named("cache.robinhood"),
            Map.of("a", 1_000L, "b", 600_000_000L, "c", 600_000_000L - 1_000),
            1);
    server.fetch(0, 0, 0);
    assertThat(server.withoutRoom("a")).isZero();
    server.fetch(0, 1, 0);
    assertThat(server.withoutRoom("a")).as("the first was evicted").isEqualTo(1);
    server.fetch(0, 9, 0);
    assertThat(server.withoutRoom("a")).as("too large").isEqualTo(2);
    assertThat(server.usedBytes("a")).isEqualTo(600);
    assertThat(server.withoutRoom("b")).isZero();
  }

  private static CacheOutcome disturbed(Scenario scenario) {
    CacheRun run = run("cache.shared", 1, 7, null);
    return play(
        new CacheRun(
            run.model(), null, scenario, 0.1, run.strategy(), null, SLOS, 7, List.of(), 0));
  }

  /** They were left out, and they are the slowest. */
  @Test
  void requestsThatEndAfterTheMeasuredTimeCount() {
    CacheOutcome calm = disturbed(new Scenario(300, 600, Map.of()));
    CacheOutcome outcome = disturbed(Scenario.ramp(300, 600, "b", 60, 0.1));
    assertThat(outcome.requests().getTotalCount()).isEqualTo(calm.requests().getTotalCount());
    assertThat((double) calm.answered()).isEqualTo(calm.requests().getTotalCount(), within(10.0));
    assertThat(outcome.answered()).isLessThan(calm.answered() * 9 / 10);
    assertThat(outcome.requests().getValueAtPercentile(99) / 1e9)
        .as("the backlog of 54 s in which nine tenths of the capacity are gone")
        .isGreaterThan(20);
  }

  /** A request with a failed query was counted as answered. */
  @Test
  void requestsWithAFailedQueryAreErrors() {
    Scenario.Fault fault = new Scenario.Fault(0, 600, 0, 1);
    CacheOutcome outcome = disturbed(new Scenario(300, 600, Map.of(), Map.of("b", fault)));
    CacheOutcome calm = disturbed(new Scenario(300, 600, Map.of()));
    long all = calm.requests().getTotalCount();
    assertThat(calm.errors()).isZero();
    assertThat(outcome.errors()).isBetween(all / 10, all);
    assertThat(outcome.requests().getTotalCount() + outcome.errors()).isEqualTo(all);
    assertThat((double) outcome.answered())
        .isEqualTo(outcome.requests().getTotalCount(), within(20.0));
  }

  /** All-uncacheable queries: the hit ratio is 0 and latency is that of the queue. */
  @Test
  void uncacheableKeysAlwaysMiss() {
    int[][] requests = new int[50][];
    for (int i = 0; i < requests.length; i++) {
      requests[i] = new int[] {0, 2, ~i, ~(i + 1), 1, 1, 3};
    }
    int[][] bytes = {IntStream.range(0, 51).map(i -> 1_000).toArray(), {1, 1, 1, 1}, {1}};
    CacheOutcome outcome = play(run("cache.robinhood", 1, 1, new TraceQueries(requests, bytes)));
    assertThat(outcome.metric("hit_ratio_pct", "backend=a")).isZero();
    assertThat(outcome.metric("hit_ratio_pct", "backend=b")).isGreaterThan(99);
    assertThat(outcome.checks()).allMatch(Check::holds);
  }

  /** One of its workers is hardly used: two fifths of its capacity would not squeeze it. */
  @Test
  void aBackendOfOneWorkerIsSqueezedByItsRealUtilisation() {
    CacheModel model = model(1);
    List<BackendModel> backends = new ArrayList<>(model.backends());
    backends.add(new BackendModel("small", 1, 1_000, 0.9, 9e6, 6, 0));
    backends.add(new BackendModel("tiny", 1, 1_000, 0.9, 1e6, 1, 0));
    CacheModel with =
        new CacheModel(
            backends,
            List.of(),
            100,
            1,
            1_000_000_000L,
            23_000,
            1.3,
            16,
            400_000,
            300_000,
            0.8,
            0.4);
    assertThat(with.capacityAt(0.88, "a")).isEqualTo(0.4 / 0.88, within(1e-12));
    // 6 queries of 9 ms a second
    assertThat(with.capacityAt(0.88, "small")).isEqualTo(0.054 / 0.88, within(1e-12));
    assertThat(with.capacityAt(0.88, "tiny")).isEqualTo(CapacityCurve.LEAST);
    assertThat(with.capacityAt(0.4, "a")).isEqualTo(1);
  }

  /**
   * Requests for one backend each: {@code a} is never cached, and which queries of {@code b} miss
   * depends on the arm: with one stream of draws for all misses, service times would differ too.
   */
  private static CacheOutcome mixed(String policy, Scenario scenario) {
    SplittableRandom random = new SplittableRandom(5);
    int[][] requests = new int[20_000][];
    for (int i = 0; i < requests.length; i++) {
      int object = (int) (4_000 * Math.pow(random.nextDouble(), 1.5));
      requests[i] = i % 2 == 0 ? new int[] {0, 1, ~0} : new int[] {1, 1, object};
    }
    int[][] bytes = {{1_000}, IntStream.range(0, 4_000).map(i -> 200_000).toArray(), {1}};
    CacheRun run = run(policy, 1, 7, new TraceQueries(requests, bytes));
    return play(
        new CacheRun(
            run.model(), run.trace(), scenario, 1, run.strategy(), null, SLOS, 7, List.of(), 0));
  }

  @Test
  void aQueryThatMissesInSeveralArmsHasTheSameServiceTimeInAll() {
    Scenario calm = new Scenario(60, 120, Map.of());
    CacheOutcome one = mixed("cache.shared", calm);
    CacheOutcome two = mixed("cache.static", calm);
    assertThat(two.metric("hit_ratio_pct", "backend=b"))
        .isNotEqualTo(one.metric("hit_ratio_pct", "backend=b"));
    for (String metric : List.of("miss_mean_ms", "miss_p99_ms")) {
      assertThat(two.metric(metric, "backend=a"))
          .as(metric)
          .isEqualTo(one.metric(metric, "backend=a"));
    }
  }

  @Test
  void aQueryThatFailsInOneArmFailsInAll() {
    Scenario erring =
        new Scenario(
            60,
            120,
            Map.of(),
            Map.of(
                "a", new Scenario.Fault(0, 120, 0, 0.5),
                "b", new Scenario.Fault(0, 120, 0, 1e-9)));
    CacheOutcome one = mixed("cache.shared", erring);
    CacheOutcome two = mixed("cache.static", erring);
    assertThat(two.metric("hit_ratio_pct", "backend=b"))
        .isNotEqualTo(one.metric("hit_ratio_pct", "backend=b"));
    assertThat(one.errors()).isBetween(2_000L, 4_000L);
    assertThat(two.errors()).isEqualTo(one.errors());
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 4, 37.2, 60, 150, 290, 300})
  void batchesHaveTheirMean(double mean) {
    CacheModel one =
        new CacheModel(
            List.of(new BackendModel("a", mean, 100, 0.9, 5e6, 300, 0)),
            List.of(new RequestKind(1, List.of(1.0))),
            100,
            1,
            1_000_000_000L,
            23_000,
            1.3,
            16,
            400_000,
            300_000,
            0.8,
            0.4);
    SyntheticQueries queries =
        new SyntheticQueries(one, new SyntheticQueries.Popularities(), new Streams(3));
    Batch batch = new Batch();
    long sum = 0;
    int draws = 100_000;
    for (int i = 0; i < draws; i++) {
      batch.clear();
      queries.next(batch);
      sum += batch.queries();
    }
    // three standard errors of the widest distribution
    assertThat((double) sum / draws)
        .isEqualTo(mean, within(0.001 * mean + 3 * 125 / Math.sqrt(draws)));
  }

  /** Means that the largest batch hardly changes have the ratio that they had. */
  @Test
  void smallBatchesHaveThePlainRatio() {
    assertThat(SyntheticQueries.logRatio(37.2)).isEqualTo(Math.log1p(-1 / 37.2));
    assertThat(SyntheticQueries.logRatio(1)).isEqualTo(Double.NEGATIVE_INFINITY);
  }

  /** With the beginning of the trace for all seeds, intervals would not show how parts differ. */
  @Test
  void eachSeedPlaysATraceFromAnotherRequestOn() {
    int[][] requests =
        IntStream.range(0, 50).mapToObj(i -> new int[] {0, 1, i}).toArray(int[][]::new);
    int[][] bytes = {new int[50]};
    TraceQueries trace = new TraceQueries(requests, bytes);
    Set<Integer> firsts = new HashSet<>();
    for (long seed = 1; seed <= 20; seed++) {
      TraceQueries queries = trace.of(new Streams(seed));
      List<Integer> played = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        Batch batch = new Batch();
        queries.next(batch);
        played.add(batch.object(0));
      }
      int first = played.get(0);
      firsts.add(first);
      assertThat(played).isEqualTo(IntStream.range(0, 50).mapToObj(i -> (first + i) % 50).toList());
    }
    assertThat(firsts).hasSizeGreaterThan(10);
  }

  /** M/M/1 by its exact law: mean wait rho / (1 - rho) of a service time. */
  @Test
  void theQueueIsThatOfTheory() {
    SplittableRandom random = new SplittableRandom(11);
    BackendQueue queue = new BackendQueue(1);
    double service = 1e6;
    double now = 0;
    double sum = 0;
    int queries = 2_000_000;
    for (int i = 0; i < queries; i++) {
      now += -Math.log(1 - random.nextDouble()) * service / 0.7;
      sum += queue.submit((long) now, 1, -Math.log(1 - random.nextDouble()) * service);
    }
    queue.drain((long) now, 1);
    assertThat(sum / queries / service).isEqualTo(1 / (1 - 0.7), within(0.05));
    assertThat(queue.utilisation()).isEqualTo(0.7, within(0.01));
  }

  @Test
  void halfTheCapacityMakesQueueingOfTwiceTheWork() {
    BackendQueue queue = new BackendQueue(10);
    assertThat(queue.submit(0, 0.5, 10e6)).isEqualTo(10_000_000);
    // 10 ms of work wait behind 5 workers: 2 ms
    assertThat(queue.submit(0, 0.5, 10e6)).isEqualTo(12_000_000);
    queue.drain(2_000_000, 0.5);
    assertThat(queue.submit(2_000_000, 0.5, 10e6)).isEqualTo(12_000_000);
  }

  @Test
  void capacitiesFollowTheirScenario() {
    Map<String, CapacityCurve> spikes =
        Scenario.spikes(
                0,
                1,
                List.of(
                    new Spike("b", List.of(10.0, 20.0, 30.0, 40.0), 1),
                    new Spike("b", List.of(35.0, 45.0, 50.0, 60.0), 0.5)),
                b -> 0.4)
            .curves();
    CapacityCurve curve = spikes.get("b");
    assertThat(curve.at(0)).isEqualTo(1);
    assertThat(curve.at(15 * 60)).isEqualTo(0.7, within(1e-9));
    assertThat(curve.at(25 * 60)).isEqualTo(0.4, within(1e-9));
    assertThat(curve.at(47 * 60)).isEqualTo(0.7, within(1e-9));
    assertThat(curve.at(1e9)).isEqualTo(1);
    CapacityCurve ramp = Scenario.ramp(0, 1, "b", 100, 0.1).curves().get("b");
    assertThat(ramp.at(50)).isEqualTo(0.55, within(1e-9));
    assertThat(ramp.at(1_000)).isEqualTo(0.1);
  }

  @Test
  void spikesThatFallAndRiseAtOnceMayFollowEachOther() {
    CapacityCurve curve =
        Scenario.spikes(
                0,
                1,
                List.of(
                    new Spike("b", List.of(10.0, 10.0, 20.0, 20.0), 1),
                    new Spike("b", List.of(15.0, 15.0, 30.0, 30.0), 0.5)),
                b -> 0.4)
            .curves()
            .get("b");
    double[] minutes = {5, 12, 17, 19.9, 20.1, 25, 31};
    double[] parts = {1, 0.4, 0.4, 0.4, 0.7, 0.7, 1};
    for (int i = 0; i < minutes.length; i++) {
      assertThat(curve.at(minutes[i] * 60)).as("%f", minutes[i]).isEqualTo(parts[i], within(1e-9));
    }
  }

  @Test
  void randomCapacitiesStayInTheirRangeAndMoveByTenths() {
    for (long seed = 0; seed < 20; seed++) {
      CapacityCurve curve =
          Scenario.random(0, 7_200, List.of("b"), 20, 0.5, b -> 0.4, new SplittableRandom(seed))
              .curves()
              .get("b");
      double before = 1;
      int moves = 0;
      for (int step = 1; step <= 360; step++) {
        double now = curve.at(step * 20 + 1);
        assertThat(now).as("seed %d", seed).isBetween(0.4 - 1e-9, 1.0);
        assertThat(Math.abs(now - before)).as("seed %d", seed).isLessThan(0.06 + 1e-9);
        moves += Math.abs(now - before) > 1e-9 ? 1 : 0;
        before = now;
      }
      assertThat(moves).as("seed %d", seed).isBetween(100, 220);
    }
  }
}
