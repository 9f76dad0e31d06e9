/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.FakeView;
import dev.manx.policy.Request;
import dev.manx.policy.Requests;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.facts.Fact;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.facts.Facts;
import dev.manx.policy.facts.LocalLoad;
import dev.manx.policy.facts.WireTest;
import dev.manx.policy.fanout.RankedPlanner;
import dev.manx.policy.fanout.Ranking;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.strategy.Policies;
import dev.manx.policy.strategy.PolicyMaker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The promises of every registered selector. */
@Tag("contract")
public class SelectorContractTest {
  private static final int NODES = 12;

  static Stream<PolicyInfo> selectors() {
    return Policies.family("select").stream();
  }

  @ParameterizedTest
  @MethodSource("selectors")
  void rankingPermutesOnlyInsideAGroup(PolicyInfo info) {
    for (long seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Selector selector = PolicyMaker.make(info);
      FakeView view = view(random);
      for (int i = 0; i < 20; i++) {
        selector.answered(random.nextInt(NODES), 1, random.nextLong(0, 1_000_000), view);
      }
      Request request = new Request();
      request.begin(0, random, NODES);
      int reads = random.nextInt(1, 20);
      int[][] before = new int[reads][];
      for (int read = 0; read < reads; read++) {
        request.addRead(null, read, random.nextInt(1, 4));
        int replicas = random.nextInt(0, 7);
        before[read] = random.ints(0, NODES).distinct().limit(replicas).toArray();
        int firstGroup = random.nextInt(0, replicas + 1);
        for (int i = 0; i < replicas; i++) {
          request.addReplica(before[read][i], i < firstGroup ? 1 : 0);
        }
      }
      int[] groups = Arrays.copyOf(request.groups(), request.groups().length);

      new RankedPlanner(Ranking.NONE, false).plan(request, selector, view);

      assertThat(request.groups()).as("%s seed %d", info.name(), seed).isEqualTo(groups);
      for (int read = 0; read < reads; read++) {
        for (int group = 0; group < 2; group++) {
          assertThat(ofGroup(request, read, group))
              .as("%s seed %d read %d group %d", info.name(), seed, read, group)
              .containsExactlyInAnyOrder(ofGroup(before[read], request, read, group));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("selectors")
  void ticketEventsOfAnyNodeAreHarmless(PolicyInfo info) {
    Selector selector = PolicyMaker.make(info);
    FakeView view = new FakeView(4);
    for (int node : new int[] {0, 3}) {
      selector.sent(node, 5);
      selector.answered(node, 5, 0, view);
      selector.failed(node, 5);
      selector.timedOut(node, 5);
      selector.cancelled(node, 5);
      selector.forgotten(node);
    }
    Request request = Requests.single(new SplittableRandom(1), 3, 0, 2);
    selector.rank(request, 0, 0, 3, view);
    assertThat(Requests.ranking(request, 0)).containsExactlyInAnyOrder(0, 2, 3);
  }

  @ParameterizedTest
  @MethodSource("selectors")
  void aNodeThatReportsNonsenseIsNotCrowded(PolicyInfo info) {
    Selector selector = PolicyMaker.make(info);
    ClusterState state = new ClusterState(3, 4_096);
    Facts facts = new Facts(Fact.ALL);
    facts.applyLocal(new LocalLoad(), state, 0, 0);
    facts.applyLocal(new LocalLoad(), state, 1, 0);
    state.apply(FactColumn.SLOWNESS, 0, 1_000, 0);
    state.apply(FactColumn.SLOWNESS, 1, 1_000, 0);
    assertThat(facts.decode(WireTest.extreme(), state, 2, 0)).isTrue();
    selector.tick(state, 200_000_000L);
    int crowded = 0;
    int reads = 3_000;
    Request request = new Request();
    request.begin(0, new SplittableRandom(4), 3);
    for (int read = 0; read < reads; read++) {
      // The first go to all three, so that work is planned at each.
      request.addRead(null, read * 0x9E3779B97F4A7C15L, read < 8 ? 3 : 1);
      request.forecast(read, 0, FactColumn.SERVICE_TIME.most(), 1);
      for (int i = 0; i < 3; i++) {
        request.addReplica((read + i) % 3, 0);
      }
    }
    new RankedPlanner(Ranking.NONE, false).plan(request, selector, state);
    for (int read = 0; read < reads; read++) {
      assertThat(Requests.ranking(request, read)).containsExactlyInAnyOrder(0, 1, 2);
      crowded += request.replica(read, 0) == 2 ? 1 : 0;
    }
    // Selectors that ignore facts give it its third, or none.
    assertThat(crowded).isLessThan(reads * 2 / 5);
  }

  @ParameterizedTest
  @MethodSource("selectors")
  void decisionsRepeatThemselvesAndDoNotDependOnTheUnitOfTime(PolicyInfo info) {
    for (long seed = 0; seed < 50; seed++) {
      List<Integer> log = log(info, seed, 1);
      assertThat(log(info, seed, 1)).as("%s again, seed %d", info.name(), seed).isEqualTo(log);
      List<Integer> scaled = log(info, seed, 1_000);
      // Stock rounds to milliseconds: values below one are 0, whatever the differences.
      if (!info.name().equals("select.dynamic-snitch")) {
        assertThat(scaled).as("%s scaled, seed %d", info.name(), seed).isEqualTo(log);
      }
    }
  }

  @Test
  void dynamicSnitchDependsOnTheUnitOfTime() {
    PolicyInfo snitch = Policies.find("select.dynamic-snitch").orElseThrow();
    long differing =
        LongStream.range(0, 50)
            .filter(seed -> !log(snitch, seed, 1).equals(log(snitch, seed, 1_000)))
            .count();
    assertThat(differing).isPositive();
  }

  /** The replica that came first, read by read, with all times multiplied. */
  private static List<Integer> log(PolicyInfo info, long seed, long scale) {
    SplittableRandom random = new SplittableRandom(seed);
    Selector selector = PolicyMaker.make(info);
    FakeView view = new FakeView(NODES);
    for (int node = 0; node < NODES; node++) {
      view.workNanos[node] = random.nextLong(5_000) * scale;
      view.reads[node] = random.nextInt(4);
      view.set(FactColumn.SERVICE_TIME, node, random.nextLong(1, 1_000) * scale);
      view.set(FactColumn.PENDING_READS, node, random.nextLong(20));
      view.set(FactColumn.SLOWNESS, node, random.nextLong(500, 4_000));
      selector.answered(node, 1, random.nextLong(1_000, 100_000) * scale, view);
    }
    selector.tick(view, 200_000_000L);
    List<Integer> log = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Request request = new Request();
      request.begin(0, random, NODES);
      request.addRead(null, random.nextLong(), 1);
      random.ints(0, NODES).distinct().limit(3).forEach(node -> request.addReplica(node, 0));
      selector.rank(request, 0, 0, 3, view);
      log.add(request.replica(0, 0));
    }
    return log;
  }

  @ParameterizedTest
  @MethodSource("selectors")
  void emptyGroupsAndSingleReplicasAreHarmless(PolicyInfo info) {
    Selector selector = PolicyMaker.make(info);
    Request request = Requests.single(new SplittableRandom(1), 3);
    selector.rank(request, 0, 0, 0, new FakeView(4));
    selector.rank(request, 0, 0, 1, new FakeView(4));
    assertThat(Requests.ranking(request, 0)).containsExactly(3);
  }

  private static int[] ofGroup(Request request, int read, int group) {
    return ofGroup(Requests.ranking(request, read), request, read, group);
  }

  private static int[] ofGroup(int[] replicas, Request request, int read, int group) {
    return IntStream.range(0, replicas.length)
        .filter(i -> request.groups()[request.replicaStart(read) + i] == group)
        .map(i -> replicas[i])
        .toArray();
  }

  private static FakeView view(SplittableRandom random) {
    FakeView view = new FakeView(NODES);
    for (int node = 0; node < NODES; node++) {
      view.reads[node] = random.nextInt(4);
      view.workNanos[node] = random.nextLong(5_000_000);
      if (random.nextBoolean()) {
        view.set(FactColumn.SERVICE_TIME, node, random.nextLong(1_000_000));
        view.set(FactColumn.PENDING_READS, node, random.nextLong(20));
        view.set(FactColumn.SLOWNESS, node, random.nextLong(100_000));
      }
    }
    return view;
  }
}
