/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.FakeView;
import dev.manx.policy.NanoClock;
import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Policies;
import dev.manx.policy.strategy.Strategy;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The promises of every planner: of each registered one, with longest-first and without. A third
 * party extends this class and declares a {@code static Stream<Strategy> strategies()} with its own
 * planner, for example by {@code PolicyMaker.planning}.
 */
@Tag("contract")
public class PlannerContractTest {
  private static final int NODES = 9;
  private static final NanoClock CLOCK = () -> 0;

  static Stream<Strategy> strategies() {
    return Policies.family("fanout").stream()
        .flatMap(
            info ->
                Stream.of(true, false)
                    .flatMap(
                        longest -> choices(info).map(choose -> strategy(info, longest, choose))));
  }

  private static Stream<String> choices(PolicyInfo info) {
    boolean chooses = info.settings().stream().anyMatch(one -> one.name().equals("choose"));
    return chooses ? Stream.of(", choose: read", ", choose: opset") : Stream.of("");
  }

  private static Strategy strategy(PolicyInfo info, boolean longestFirst, String choose) {
    String yaml =
        "strategy: { select: select.low, fanout: { policy: %s, longest-first: %s%s } }"
            .formatted(info.name(), longestFirst, choose);
    return Strategy.parse("test.yaml", yaml, Host.simulator(CLOCK, () -> 42));
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void plansAddUp(Strategy strategy) {
    for (long seed = 0; seed < 200; seed++) {
      Request request = planned(strategy, seed);
      int reads = request.reads();
      long[] opsetCost = opsetCosts(request);
      int[] opsetReads = new int[NODES];
      for (int read = 0; read < reads; read++) {
        for (int rank = 0; rank < request.contacts(read); rank++) {
          opsetReads[request.replica(read, rank)]++;
        }
      }
      assertNothingIsNegative(request, seed);
      for (int node = 0; node < NODES; node++) {
        assertThat(request.plannedReads(node)).as("seed %d", seed).isEqualTo(opsetReads[node]);
        assertThat(request.plannedCost(node)).as("seed %d", seed).isEqualTo(opsetCost[node]);
      }
      assertThat(request.bottleneck()).as("seed %d", seed).isNotNegative();
      assertThat(request.unit()).isEqualTo(strategy.unit());
      int[] sent = Arrays.copyOf(request.order(), reads);
      Arrays.sort(sent);
      assertThat(sent)
          .as("seed %d: every read is sent once", seed)
          .isEqualTo(IntStream.range(0, reads).toArray());
    }
  }

  /** A read of a keyspace without live replicas, of a single node, or of more nodes than usual. */
  @ParameterizedTest
  @MethodSource("strategies")
  void anyNumberOfReplicasAndAnyCostArePlanned(Strategy strategy) {
    long[] costs = {0, 1, 1_000_000, FactColumn.SERVICE_TIME.most()};
    int nodes = 100;
    FakeView view = new FakeView(nodes);
    for (long seed = 0; seed < 100; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Request request = new Request();
      request.begin(0, random, nodes);
      int reads = random.nextInt(0, 40);
      int[][] before = new int[reads][];
      for (int read = 0; read < reads; read++) {
        int[] counts = {0, 1, 3, 80};
        before[read] =
            random.ints(0, nodes).distinct().limit(counts[random.nextInt(4)]).sorted().toArray();
        request.addRead(null, random.nextLong(), random.nextInt(1, 4));
        for (int node : before[read]) {
          request.addReplica(node, node % 2);
        }
        long cost = costs[random.nextInt(4)];
        request.forecast(read, 0, cost, strategy.unit() == Unit.NANOS ? cost : 1);
      }
      strategy.planner().plan(request, strategy.selector(), view);
      for (int read = 0; read < reads; read++) {
        int[] after = new int[request.replicaCount(read)];
        for (int rank = 0; rank < after.length; rank++) {
          after[rank] = request.replica(read, rank);
        }
        Arrays.sort(after);
        assertThat(after).as("seed %d read %d", seed, read).isEqualTo(before[read]);
      }
      assertNothingIsNegative(request, seed);
    }
  }

  /** Priority and slack of all reads: an assertion for each read takes longer than the planner. */
  private static void assertNothingIsNegative(Request request, long seed) {
    long leastPriority = 0;
    long leastSlack = 0;
    for (int read = 0; read < request.reads(); read++) {
      leastPriority = Math.min(leastPriority, request.priority(read));
      leastSlack = Math.min(leastSlack, request.slack(read));
    }
    assertThat(leastPriority).as("priorities, seed %d", seed).isZero();
    assertThat(leastSlack).as("slacks, seed %d", seed).isZero();
  }

  /** A random request of up to 2,000 reads, planned for nodes without load. */
  static Request planned(Strategy strategy, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int width = random.nextInt(0, seed % 20 == 0 ? 2_000 : 60);
    Request request = filled(random, width, strategy.unit());
    strategy.planner().plan(request, strategy.selector(), new FakeView(NODES));
    return request;
  }

  /** The cost of a planned request at each node. */
  static long[] opsetCosts(Request request) {
    long[] costs = new long[NODES];
    for (int read = 0; read < request.reads(); read++) {
      for (int rank = 0; rank < request.contacts(read); rank++) {
        costs[request.replica(read, rank)] += request.cost(read);
      }
    }
    return costs;
  }

  private static Request filled(SplittableRandom random, int reads, Unit unit) {
    Request request = new Request();
    request.begin(0, random, NODES);
    for (int read = 0; read < reads; read++) {
      request.addRead(null, random.nextLong(), random.nextInt(1, 3));
      random.ints(0, NODES).distinct().limit(3).forEach(node -> request.addReplica(node, 0));
      long cost = random.nextLong(1, 20);
      request.forecast(read, 0, cost, unit == Unit.NANOS ? cost : random.nextLong(1, 5));
    }
    return request;
  }
}
