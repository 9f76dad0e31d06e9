/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.credit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.hold.TestHolds;
import dev.manx.cassandra.message.MessageKind;
import dev.manx.cassandra.message.TestNodes;
import dev.manx.cassandra.message.TestNodes.Node;
import dev.manx.policy.Request;
import dev.manx.policy.hold.Gate;
import dev.manx.policy.hold.RoutedOp;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes of one clock, whose timers tick one after the other. */
@Timeout(60)
class CreditRoundsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long TICK = SECOND / 10;
  private static final String CREDITS = "strategy: { fanout: fanout.brb-credits }";
  private static final String TEN_SECONDS =
      "strategy: { fanout: { policy: fanout.brb-credits, interval: 10s } }";
  private static final int READS = 200;

  /** A read that waits at its coordinator. */
  private static final class Read extends RoutedOp {}

  private long now = 3 * SECOND;
  private final TestNodes nodes = new TestNodes(() -> now);
  private final List<CreditRounds> rounds = new ArrayList<>();
  private final Set<InetAddressAndPort> far = new HashSet<>();
  // Nodes whose messages are lost.
  private final Set<Node> mute = new HashSet<>();

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  private Node add(String strategy) {
    return add(strategy, Mode.ON);
  }

  private Node add(String strategy, Mode mode) {
    Node node = nodes.add(strategy, mode);
    rounds.add(
        new CreditRounds(
            node.messages,
            (engine, other) -> far.contains(other) == far.contains(node.address),
            () -> 2));
    return node;
  }

  private void three() {
    for (int i = 0; i < 3; i++) {
      add(CREDITS);
    }
  }

  private void run(long nanos) {
    for (long end = now + nanos; now < end; now += TICK) {
      for (int i = 0; i < nodes.all.size(); i++) {
        Node node = nodes.all.get(i);
        if (node.engine != null) {
          rounds.get(i).tick(node.engine, now);
          if (mute.contains(node)) {
            node.lose();
          }
        }
      }
      nodes.deliver();
      // Other traffic shows that they have Manx.
      nodes.all.forEach(one -> nodes.all.stream().filter(o -> o != one).forEach(o -> hear(one, o)));
    }
  }

  private void hear(Node one, Node other) {
    if (other.engine != null && !mute.contains(other)) {
      nodes.meet(one, other);
    }
  }

  private InetAddressAndPort leader(int node) {
    return rounds.get(node).leader();
  }

  /** The number of a node's reads, worth many seconds of work, that leave a coordinator at once. */
  private int leave(Node coordinator, Node to) {
    return leave(coordinator, to, SECOND);
  }

  private int leave(Node coordinator, Node to, long costNanos) {
    Gate<Read> gate = coordinator.engine.strategy().newGate();
    for (int i = 0; i < READS; i++) {
      Read read = new Read();
      read.addNode(coordinator.id(to));
      read.costNanos = costNanos;
      read.arrivalNanos = now;
      assertThat(gate.offer(read)).isTrue();
    }
    int left = 0;
    while (gate.release(now, coordinator.engine.state()) != null) {
      left++;
    }
    return left;
  }

  private void assertBounded(Node coordinator, Node to) {
    assertThat(leave(coordinator, to)).isBetween(1, 10);
  }

  private void assertOpen(Node coordinator, Node to) {
    assertThat(leave(coordinator, to)).isEqualTo(READS);
  }

  private Node node(int index) {
    return nodes.all.get(index);
  }

  @Test
  void untilThereIsAControllerNothingWaitsAndThenAllHaveCredits() {
    three();
    run(TICK);
    assertOpen(node(0), node(1));
    run(4 * SECOND);
    for (int i = 0; i < 3; i++) {
      assertThat(leader(i)).isEqualTo(node(0).address);
      assertThat(count(i, Counter.CREDIT_GRANTS_RECEIVED)).isPositive();
      assertThat(count(i, Counter.CREDIT_CONTROLLERS)).isEqualTo(1);
      assertThat(count(i, Counter.FAULTS)).isZero();
      assertBounded(node(i), node(1));
    }
    assertThat(count(0, Counter.CREDIT_GRANTS_SENT)).isPositive();
    assertThat(count(1, Counter.CREDIT_GRANTS_SENT)).as("not elected").isZero();
    assertThat(count(2, Counter.CREDIT_REPORTS_SENT)).isPositive();
  }

  private long count(int node, Counter counter) {
    return node(node).engine.counters().get(counter);
  }

  /** Its grants come at the controller's interval. */
  @Test
  void aNodeWithAShorterIntervalThanTheControllersKeepsItsCredits() {
    add("strategy: { fanout: { policy: fanout.brb-credits, interval: 5s } }");
    add("strategy: { fanout: { policy: fanout.brb-credits, interval: 100ms } }");
    run(20 * SECOND);
    assertThat(leader(1)).isEqualTo(node(0).address);
    assertThat(count(1, Counter.CREDIT_GRANTS_RECEIVED)).isGreaterThanOrEqualTo(3);
    for (int tick = 0; tick < 100; tick++) {
      run(TICK);
      assertThat(leave(node(1), node(0))).as("tick %d", tick).isLessThanOrEqualTo(10);
    }
  }

  /** The controller goes on announcing itself, but has no reports of this node for a while. */
  @Test
  void aTimeWithoutGrantsIsNotTakenForTheControllersInterval() {
    // Its messages are those of this test.
    Node controller = nodes.add(CREDITS, Mode.ON);
    Node node = add(CREDITS);
    CreditGrant grant = new CreditGrant(Map.of(controller.address, SECOND / 10));
    int granted = 0;
    for (int tick = 0; tick <= 6_070; tick++) {
      nodes.meet(node, controller);
      nodes.meet(controller, node);
      CreditGrant next = tick == 20 || tick == 6_020 ? grant : CreditGrant.BEAT;
      controller.messages.send(node.address, MessageKind.CREDIT_GRANT, next.encode());
      nodes.deliver();
      rounds.get(0).tick(node.engine, now);
      if (!next.isBeat()) {
        assertThat(leave(node, controller)).as("tick %d", tick).isLessThan(READS);
        granted++;
      }
      now += TICK;
    }
    assertThat(granted).isEqualTo(2);
    assertThat(node.engine.counters().get(Counter.CREDIT_GRANTS_RECEIVED)).isEqualTo(2);
    assertThat(rounds.get(0).leader()).isEqualTo(controller.address);
    assertOpen(node, controller);
  }

  /** A grant comes every tick. */
  @Test
  void aNodeThatIsOffIsNoMemberAfterThreeOfTheShortestIntervals() {
    for (int i = 0; i < 3; i++) {
      add("strategy: { fanout: { policy: fanout.brb-credits, interval: 1ms } }");
    }
    run(4 * SECOND);
    assertThat(leave(node(1), node(2))).isLessThanOrEqualTo(10);
    node(2).engine = null;
    run(6 * TICK);
    assertOpen(node(1), node(2));
  }

  @Test
  void theLossOfTheControllerLeadsToStockLikeSendingWithinASecond() {
    three();
    run(4 * SECOND);
    // Gossip has not detected it yet.
    node(0).engine = null;
    run(SECOND);
    assertOpen(node(1), node(2));
    assertOpen(node(2), node(1));
    run(3 * SECOND);
    assertThat(leader(1)).isEqualTo(node(1).address);
    assertThat(leader(2)).isEqualTo(node(1).address);
    assertBounded(node(1), node(2));
    assertBounded(node(2), node(1));
  }

  private int ticksUntilFollowed(Node next) {
    int ticks = 0;
    while (!next.address.equals(leader(1))) {
      run(TICK);
      ticks++;
    }
    return ticks;
  }

  /** As the documentation says. */
  @Test
  void aLostControllerIsReplacedWithinTwoSeconds() {
    three();
    run(4 * SECOND);
    node(0).engine = null;
    assertThat(ticksUntilFollowed(node(1))).isBetween(14, 16);
    long before = count(1, Counter.CREDIT_GRANTS_RECEIVED);
    run(SECOND - TICK);
    assertThat(count(1, Counter.CREDIT_GRANTS_RECEIVED)).isEqualTo(before);
    run(2 * TICK);
    assertThat(count(1, Counter.CREDIT_GRANTS_RECEIVED)).isEqualTo(before + 1);
  }

  @Test
  void aControllerThatGossipConsidersDeadIsNotWaitedFor() {
    three();
    run(4 * SECOND);
    node(0).engine = null;
    node(1).sees(node(0), false);
    node(2).sees(node(0), false);
    run(TICK);
    assertOpen(node(1), node(2));
    run(3 * SECOND);
    assertThat(leader(2)).isEqualTo(node(1).address);
  }

  @Test
  void aNodeThatReturnsFollows() {
    three();
    run(4 * SECOND);
    node(0).engine = null;
    run(4 * SECOND);
    nodes.on(node(0), CREDITS, Mode.ON);
    run(4 * SECOND);
    for (int i = 0; i < 3; i++) {
      assertThat(leader(i)).isEqualTo(node(1).address);
      assertBounded(node(i), node(2));
    }
  }

  @Test
  void twoControllersForAWhileAreHarmlessAndOneStays() {
    three();
    run(4 * SECOND);
    // The others no longer get its messages; it gets theirs.
    mute.add(node(0));
    run(4 * SECOND);
    assertThat(leader(0)).isEqualTo(node(0).address);
    assertThat(leader(1)).isEqualTo(node(1).address);
    assertBounded(node(0), node(0));
    assertOpen(node(0), node(2));
    assertBounded(node(1), node(2));
    mute.clear();
    run(4 * SECOND);
    for (int i = 0; i < 3; i++) {
      assertThat(leader(i)).as("the lower address").isEqualTo(node(0).address);
      assertBounded(node(i), node(2));
    }
  }

  @Test
  void offEndsItAtOnceAndOnStartsAnew() {
    three();
    run(4 * SECOND);
    node(2).engine = null;
    run(5 * SECOND);
    // It is no longer a member, so reads to it are not bounded.
    assertOpen(node(1), node(2));
    assertBounded(node(1), node(0));
    nodes.on(node(2), CREDITS, Mode.ON);
    run(TICK);
    assertOpen(node(2), node(0));
    run(3 * SECOND);
    assertBounded(node(2), node(0));
    assertBounded(node(1), node(2));
  }

  @Test
  void anotherStrategyAndShadowModeTakeNoPart() {
    Node other = add("strategy: {}");
    Node shadow = nodes.add(CREDITS, Mode.SHADOW);
    rounds.add(new CreditRounds(shadow.messages, (engine, node) -> true, () -> 2));
    Node alone = add(CREDITS);
    Node second = add(CREDITS);
    run(5 * SECOND);
    assertThat(rounds.get(0).leader()).isNull();
    assertThat(rounds.get(1).leader()).isNull();
    assertThat(rounds.get(2).leader()).isEqualTo(alone.address);
    assertThat(rounds.get(3).leader()).isEqualTo(alone.address);
    assertOpen(alone, other);
    assertBounded(alone, second);
    assertThat(other.engine.counters().get(Counter.MESSAGES_IGNORED)).as("beats").isPositive();
    assertThat(shadow.engine.counters().get(Counter.MESSAGES_SENT)).isZero();
  }

  /** Its clients wait for these reads before they ask for others. */
  @Test
  void readsThatWaitForCreditAreDemandUntilTheyLeave() {
    three();
    run(4 * SECOND);
    Node waits = node(1);
    TestHolds.use(waits.engine);
    for (int i = 0; i < 80; i++) {
      TestHolds.passes(waits.engine, waits.id(node(2)), SECOND / 10);
    }
    assertThat(waits.engine.holds().held()).as("seconds of work").isGreaterThan(50);
    for (int i = 0; i < 80; i++) {
      demand(node(2), node(2), SECOND / 20);
      run(TICK);
    }
    assertThat(waits.engine.holds().held()).isLessThan(20);
  }

  private boolean adapts() {
    long before = count(0, Counter.CREDIT_GRANTS_SENT);
    run(TICK);
    return count(0, Counter.CREDIT_GRANTS_SENT) > before;
  }

  /** Its reads would otherwise wait an interval longer than those of other coordinators. */
  @Test
  void theDemandOfTheControllersNodeIsInItsNextGrants() {
    three();
    run(4 * SECOND);
    for (int tick = 0; tick < 10 && !adapts(); tick++) {
      assertThat(tick).as("an interval has ten ticks").isLessThan(9);
    }
    for (int tick = 1; tick <= 10; tick++) {
      demand(node(0), node(1), SECOND / 20);
      assertThat(adapts()).isEqualTo(tick == 10);
    }
    run(5 * TICK);
    // The capacity of two threads, of which its equal share was a third.
    assertThat(leave(node(0), node(1), SECOND / 50)).isGreaterThan(60);
  }

  /** A coordinator plans reads of a node. */
  private void demand(Node coordinator, Node to, long workNanos) {
    long planned = 0;
    while (planned < workNanos) {
      Request request = new Request();
      request.begin(now, new SplittableRandom(1), 16);
      request.addRead(null, 0, 1);
      request.addReplica(coordinator.id(to), 0);
      coordinator.engine.strategy().plan(request, coordinator.engine.state());
      planned += Math.max(1, request.costNanos(0));
    }
  }

  /** All nodes demand the same at one node. */
  private void runAlike(long nanos) {
    for (long end = now + nanos; now < end; ) {
      for (Node node : nodes.all) {
        if (node.engine != null && node.engine.acting()) {
          demand(node, node(1), SECOND / 50);
        }
      }
      run(TICK);
    }
  }

  private void runAlikeUntilGranted(int node) {
    long before = count(node, Counter.CREDIT_GRANTS_RECEIVED);
    while (count(node, Counter.CREDIT_GRANTS_RECEIVED) == before) {
      runAlike(TICK);
    }
  }

  private void assertGrantedAlike() {
    int first = leave(node(0), node(1), SECOND / 100);
    assertThat(first).as("a third of the credit is bounded").isBetween(2, READS - 1);
    for (int i = 1; i < 3; i++) {
      assertThat((double) leave(node(i), node(1), SECOND / 100))
          .as("node %d", i)
          .isBetween(first / 1.5, first * 1.5);
    }
  }

  /** Their first reports cover less than an interval, and the controller's node reports twice. */
  @Test
  void equalDemandGetsEqualCreditFromTheFirstGrantsOn() {
    for (int i = 0; i < 3; i++) {
      add(TEN_SECONDS);
    }
    runAlikeUntilGranted(2);
    assertGrantedAlike();
  }

  @Test
  void aNodeThatReturnsGetsCreditForAWholeInterval() {
    for (int i = 0; i < 3; i++) {
      add(TEN_SECONDS);
    }
    runAlikeUntilGranted(2);
    runAlike(12 * SECOND);
    node(2).engine = null;
    runAlike(5 * SECOND);
    nodes.on(node(2), TEN_SECONDS, Mode.ON);
    runAlikeUntilGranted(2);
    assertGrantedAlike();
  }

  /** It has planned for minutes. */
  @Test
  void aNodeSwitchedOnFromShadowModeTakesNoCreditOfOthers() {
    add(TEN_SECONDS);
    add(TEN_SECONDS);
    Node shadow = add(TEN_SECONDS, Mode.SHADOW);
    runAlikeUntilGranted(1);
    demand(shadow, node(1), 40 * SECOND);
    shadow.engine = TestEngines.with(shadow.engine, "mode", Mode.ON);
    runAlikeUntilGranted(2);
    assertGrantedAlike();
  }

  @Test
  void eachDatacenterHasItsOwn() {
    far.add(TestNodes.address(3));
    far.add(TestNodes.address(4));
    for (int i = 0; i < 4; i++) {
      add(CREDITS);
    }
    run(5 * SECOND);
    assertThat(leader(0)).isEqualTo(node(0).address);
    assertThat(leader(1)).isEqualTo(node(0).address);
    assertThat(leader(2)).isEqualTo(node(2).address);
    assertThat(leader(3)).isEqualTo(node(2).address);
    assertBounded(node(0), node(1));
    assertOpen(node(0), node(2));
  }

  @Test
  void aStrategyWithoutCreditsEndsIt() {
    three();
    run(4 * SECOND);
    Node first = node(0);
    nodes.on(first, "strategy: {}", Mode.ON);
    run(SECOND);
    assertThat(leader(0)).isNull();
    assertOpen(node(1), node(2));
    run(3 * SECOND);
    assertThat(leader(1)).isEqualTo(node(1).address);
  }
}
