/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.policy.FakeView;
import dev.manx.policy.Request;
import dev.manx.policy.Requests;
import dev.manx.policy.SplitMix;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.oracle.SpaceSavingOracle;
import dev.manx.policy.select.P2cSelector.Signal;
import dev.manx.policy.select.RoundRobinSelector.Scope;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cases of selectors that ignore or spread load, computed by hand. */
class SpreadExamplesTest {
  private static final long SEED = 42;
  private final SplittableRandom random = new SplittableRandom(SEED);
  private final FakeView view = new FakeView(16);

  @ParameterizedTest
  @EnumSource(Scope.class)
  void turnsAreEven(Scope scope) {
    RoundRobinSelector selector = new RoundRobinSelector(scope, new SplitMix(SEED));
    int[] first = new int[3];
    for (int i = 0; i < 7; i++) {
      first[rank(selector, 1, 0, 1, 2)[0]]++;
    }
    assertThat(first).containsOnly(2, 3);
    assertThat(first[0] + first[1] + first[2]).isEqualTo(7);
  }

  @Test
  void aCounterAtItsLargestContinues() {
    RoundRobinSelector selector = new RoundRobinSelector(Scope.GROUP, new SplitMix(SEED));
    Request request = Requests.single(random, 0, 1, 2);
    selector.startAt(request, 0, 0, 3, Integer.MAX_VALUE);
    for (int i = 0; i < 10; i++) {
      assertThat(rank(selector, 1, 0, 1, 2)).containsExactlyInAnyOrder(0, 1, 2);
    }
  }

  @Test
  void theOthersStayInStockOrder() {
    RoundRobinSelector selector = new RoundRobinSelector(Scope.GROUP, new SplitMix(SEED));
    for (int i = 0; i < 9; i++) {
      int[] ranking = rank(selector, 1, 0, 1, 2);
      assertThat(ranking[1]).isLessThan(ranking[2]);
    }
  }

  @Test
  void primaryIsTheFirstOfTheStockOrderOrTheHomeByHash() {
    assertThat(rank(new PrimarySelector(HomeReplica.STOCK_ORDER), 7, 2, 0, 1))
        .containsExactly(2, 0, 1);
    PrimarySelector byHash = new PrimarySelector(HomeReplica.KEY_HASH);
    int[] homes = new int[3];
    for (int key = 0; key < 30_000; key++) {
      int home = rank(byHash, key, 0, 1, 2)[0];
      assertThat(rank(byHash, key, 2, 0, 1)[0]).as("whatever the stock order").isEqualTo(home);
      homes[home]++;
    }
    for (int home : homes) {
      assertThat(home).isCloseTo(10_000, within(245));
    }
  }

  /** Of the nodes A, B and C, the second coordinator met C first. */
  @Test
  void aHomeByHashDoesNotDependOnTheIdsOfACoordinator() {
    PrimarySelector byHash = new PrimarySelector(HomeReplica.KEY_HASH);
    long[] nodes = {-7_000_000_001L, 15, 1L << 40};
    int[] homes = new int[3];
    for (int key = 0; key < 1_000; key++) {
      System.arraycopy(nodes, 0, view.identities, 0, 3);
      int first = rank(byHash, key, 0, 1, 2)[0];
      view.identities[0] = nodes[2];
      view.identities[1] = nodes[0];
      view.identities[2] = nodes[1];
      int second = rank(byHash, key, 0, 1, 2)[0];
      assertThat(view.identities[second]).as("key %d", key).isEqualTo(nodes[first]);
      homes[first]++;
    }
    assertThat(homes[0]).isCloseTo(333, within(45));
    assertThat(homes[1]).isCloseTo(333, within(45));
  }

  @ParameterizedTest
  @EnumSource(Scope.class)
  void turnsAreEvenAtQuorum(Scope scope) {
    RoundRobinSelector selector = new RoundRobinSelector(scope, new SplitMix(SEED));
    int[] first = new int[3];
    int[] contacts = contacts(selector, 3_000, first);
    assertThat(contacts).containsOnly(2_000);
    assertThat(first).containsOnly(1_000);
  }

  @Test
  void theNextInTurnAreAskedAndTheOthersStayInStockOrder() {
    RoundRobinSelector selector = new RoundRobinSelector(Scope.GROUP, new SplitMix(SEED));
    selector.startAt(Requests.single(random, 0, 1, 2, 3), 0, 0, 4, 0);
    assertThat(rankFor(3, selector, 1, 0, 1, 2, 3)).containsExactly(0, 1, 2, 3);
    assertThat(rankFor(3, selector, 1, 0, 1, 2, 3)).containsExactly(1, 2, 3, 0);
    assertThat(rankFor(3, selector, 1, 0, 1, 2, 3)).containsExactly(2, 3, 0, 1);
    assertThat(rankFor(3, selector, 1, 0, 1, 2, 3)).containsExactly(3, 0, 1, 2);
    assertThat(rankFor(2, selector, 1, 0, 1, 2, 3)).containsExactly(0, 1, 2, 3);
    assertThat(rankFor(2, selector, 1, 0, 1, 2, 3)).containsExactly(1, 2, 0, 3);
  }

  @Test
  void chanceIsEvenAtQuorum() {
    for (int contacts : contacts(new RandomSelector(), 30_000, new int[3])) {
      assertThat(contacts).as("seed %d", SEED).isCloseTo(20_000, within(245));
    }
  }

  /** A majority does not need it. */
  @Test
  void atQuorumTwoChoicesAvoidANodeWithManyReads() {
    view.reads[0] = 100;
    int[] contacts = contacts(new P2cSelector(2, Signal.OUTSTANDING), 30_000, new int[3]);
    assertThat(contacts).containsExactly(0, 30_000, 30_000);
  }

  @Test
  void atQuorumAKeyHasTheSameHomesWhateverTheStockOrder() {
    PrimarySelector byHash = new PrimarySelector(HomeReplica.KEY_HASH);
    int[] contacts = new int[3];
    for (int key = 0; key < 30_000; key++) {
      int[] homes = rankFor(2, byHash, key, 0, 1, 2);
      int[] again = rankFor(2, byHash, key, 2, 0, 1);
      assertThat(again).containsExactly(homes);
      assertThat(rank(byHash, key, 0, 1, 2)[0]).as("as at ONE").isEqualTo(homes[0]);
      contacts[homes[0]]++;
      contacts[homes[1]]++;
    }
    for (int each : contacts) {
      assertThat(each).isCloseTo(20_000, within(245));
    }
    assertThat(rankFor(2, new PrimarySelector(HomeReplica.STOCK_ORDER), 7, 2, 0, 1))
        .containsExactly(2, 0, 1);
  }

  @Test
  void popularKeysAreSpreadAtQuorum() {
    PopularityAwareSelector byTurns = popularity(0.2, 0);
    assertThat(contacts(byTurns, 3_000, new int[3])).containsOnly(2_000);
    PopularityAwareSelector byChance =
        new PopularityAwareSelector(
            new SpaceSavingOracle(1 << 16, 16, Long.MAX_VALUE),
            0.2,
            0,
            false,
            HomeReplica.STOCK_ORDER,
            new SplitMix(SEED));
    for (int contacts : contacts(byChance, 30_000, new int[3])) {
      assertThat(contacts).as("seed %d", SEED).isCloseTo(20_000, within(245));
    }
  }

  /** As at ONE: the read is sent to one of the first group's replicas. */
  @Test
  void aGroupThatTheReadIsNotSentToGetsOneChoice() {
    RoundRobinSelector selector = new RoundRobinSelector(Scope.COORDINATOR, new SplitMix(SEED));
    Request request = new Request();
    request.begin(0, random, 16);
    request.addRead(null, 1, 2);
    for (int node = 0; node < 6; node++) {
      request.addReplica(node, node / 3);
    }
    selector.startAt(request, 0, 0, 3, 1);
    selector.rank(request, 0, 0, 3, view);
    selector.startAt(request, 0, 3, 6, 1);
    selector.rank(request, 0, 3, 6, view);
    assertThat(Requests.ranking(request, 0)).containsExactly(1, 2, 0, 4, 3, 5);
  }

  private int[] contacts(Selector selector, int reads, int[] first) {
    int[] contacts = new int[3];
    for (int i = 0; i < reads; i++) {
      int[] ranking = rankFor(2, selector, 1, 0, 1, 2);
      first[ranking[0]]++;
      contacts[ranking[0]]++;
      contacts[ranking[1]]++;
    }
    return contacts;
  }

  @Test
  void twoChoicesTakeTheLesserOfTwo() {
    view.reads[1] = 5;
    view.reads[2] = 9;
    int[] first = firsts(new P2cSelector(2, Signal.OUTSTANDING));
    assertThat(first[0]).as("seed %d", SEED).isCloseTo(20_000, within(245));
    assertThat(first[1]).as("seed %d", SEED).isCloseTo(10_000, within(245));
    assertThat(first[2]).isZero();
    assertThat(firsts(new P2cSelector(3, Signal.OUTSTANDING))[0]).isEqualTo(30_000);
    assertThat(firsts(new P2cSelector(64, Signal.WORK))[1])
        .as("ties by chance, seed %d", SEED)
        .isCloseTo(10_000, within(245));
  }

  @Test
  void twoChoicesByReportedQueues() {
    for (int node = 0; node < 3; node++) {
      view.set(FactColumn.PENDING_READS, node, 9 - node);
    }
    assertThat(firsts(new P2cSelector(2, Signal.PENDING_READS))[0]).isZero();
  }

  @Test
  void twoChoicesDoNotTakeANodeThatNeverReportedForIdle() {
    view.reads[0] = 9;
    for (int node = 1; node < 3; node++) {
      view.set(FactColumn.PENDING_READS, node, 3);
    }
    assertThat(firsts(new P2cSelector(2, Signal.PENDING_READS))[0]).isZero();
    view.reads[0] = 0;
    assertThat(firsts(new P2cSelector(3, Signal.PENDING_READS))[0]).isEqualTo(30_000);
  }

  @Test
  void twoChoicesAskANodeAgainAfterAnOldReportOfALongQueue() {
    for (int node = 0; node < 3; node++) {
      view.set(FactColumn.PENDING_READS, node, node == 0 ? 500 : 3);
    }
    view.agesNanos[0] = 1_000_000_000;
    assertThat(firsts(new P2cSelector(3, Signal.PENDING_READS))[0]).as("fresh").isZero();
    view.agesNanos[0]++;
    assertThat(firsts(new P2cSelector(3, Signal.PENDING_READS))[0]).isEqualTo(30_000);
  }

  @Test
  void twoChoicesCountReadsPlannedForTheSameRequestAtANodeWithoutAReport() {
    view.set(FactColumn.PENDING_READS, 1, 1);
    Request request = Requests.single(random, 0, 1);
    P2cSelector selector = new P2cSelector(2, Signal.PENDING_READS);
    selector.rank(request, 0, 0, 2, view);
    assertThat(Requests.ranking(request, 0)).containsExactly(0, 1);
    request.assign(0);
    request.assign(0);
    selector.rank(request, 0, 0, 2, view);
    assertThat(Requests.ranking(request, 0)).containsExactly(1, 0);
  }

  @Test
  void aKeyIsPopularByItsShareOfTheReads() {
    PopularityAwareSelector selector = popularity(0.2, 0);
    int[] levels = new int[6];
    int[] keys = {'A', 'A', 'B', 'C', 'A', 'D'};
    for (int i = 0; i < keys.length; i++) {
      Request request = request(keys[i]);
      selector.rank(request, 0, 0, 3, view);
      levels[i] = request.level(0);
      if (levels[i] == 1) {
        assertThat(request.replica(0, 0)).as("unpopular keys go home").isEqualTo(4);
      }
    }
    assertThat(levels).containsExactly(0, 0, 0, 0, 0, 1);
  }

  @Test
  void noShareIsUsedBeforeTheWarmUpAndPopularKeysAreSpreadAfterIt() {
    PopularityAwareSelector selector = popularity(0.2, 10);
    Set<Integer> nodes = new HashSet<>();
    for (int i = 1; i <= 60; i++) {
      Request request = request('A');
      selector.rank(request, 0, 0, 3, view);
      assertThat(request.level(0)).as("read %d", i).isEqualTo(i < 50 ? 1 : 0);
      if (i >= 50) {
        nodes.add(request.replica(0, 0));
      }
    }
    assertThat(nodes).hasSize(3);
  }

  /**
   * With fewer counters than 1 / theta, 87,376 here, a key without one takes over a count of 57;
   * the limit is 50.
   */
  @Test
  void aKeyIsNotPopularBecauseCountersAreScarce() {
    SpaceSavingOracle oracle = new SpaceSavingOracle(1 << 20, 16, Long.MAX_VALUE);
    assertThat(oracle.memoryBytes()).isEqualTo(12 * 87_376);
    PopularityAwareSelector selector = popularity(oracle, 1e-5, 10);
    for (int i = 0; i < 5_000_000; i++) {
      oracle.count(i % 1_000 == 0 ? 'A' : random.nextLong(1_000, 10_000_000));
    }
    Request popular = request('A');
    selector.rank(popular, 0, 0, 3, view);
    assertThat(popular.level(0)).isZero();
    for (long key = 0; key < 1_000; key++) {
      Request request = request(10_000_000 + key);
      selector.rank(request, 0, 0, 3, view);
      assertThat(request.level(0)).as("key %d, which was never read", key).isEqualTo(1);
    }
  }

  private static PopularityAwareSelector popularity(double theta, double warmUp) {
    return popularity(new SpaceSavingOracle(1 << 16, 16, Long.MAX_VALUE), theta, warmUp);
  }

  private static PopularityAwareSelector popularity(
      SpaceSavingOracle oracle, double theta, double warmUp) {
    return new PopularityAwareSelector(
        oracle, theta, warmUp, true, HomeReplica.STOCK_ORDER, new SplitMix(SEED));
  }

  private Request request(long key) {
    Request request = new Request();
    request.begin(0, random, 16);
    request.addRead(null, key, 1);
    for (int node : new int[] {4, 5, 6}) {
      request.addReplica(node, 0);
    }
    return request;
  }

  private int[] firsts(Selector selector) {
    int[] first = new int[3];
    for (int i = 0; i < 30_000; i++) {
      first[rank(selector, 1, 0, 1, 2)[0]]++;
    }
    return first;
  }

  private int[] rank(Selector selector, long key, int... replicas) {
    return rankFor(1, selector, key, replicas);
  }

  private int[] rankFor(int contacts, Selector selector, long key, int... replicas) {
    Request request = new Request();
    request.begin(0, random, 16);
    request.addRead(null, key, contacts);
    for (int node : replicas) {
      request.addReplica(node, 0);
    }
    selector.rank(request, 0, 0, replicas.length, view);
    return Requests.ranking(request, 0);
  }
}
