/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.message.MessageKind;
import dev.manx.cassandra.message.TestNodes;
import dev.manx.cassandra.message.TestNodes.Node;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExchangeRoundsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long TICK = SECOND / 10;
  private static final long LARGE_KEY = 0x1234_5678_9abc_def0L;
  private static final String EXCHANGING =
      """
      strategy:
        oracles: { size: { policy: oracle.size-bloom, large-above: 1KiB, memory: 64KiB } }
        exchange: { interval: 1s, peers: 1 }
        facts: [service-time, work-ahead]
      """;

  private long now = 3 * SECOND;
  private final TestNodes nodes = new TestNodes(() -> now);
  private final List<ExchangeRounds> rounds = new ArrayList<>();
  private Node one;
  private Node two;

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  @BeforeEach
  void two() {
    one = add(EXCHANGING, Mode.ON);
    two = add(EXCHANGING, Mode.ON);
    // Makes ids differ from node to node.
    one.engine.nodes().id(TestNodes.address(9));
  }

  private Node add(String strategy, Mode mode) {
    Node node = nodes.add(strategy, mode);
    rounds.add(new ExchangeRounds(node.messages));
    return node;
  }

  private void run(long nanos) {
    for (long end = now + nanos; now < end; now += TICK) {
      for (int i = 0; i < nodes.all.size(); i++) {
        if (nodes.all.get(i).engine != null) {
          rounds.get(i).tick(nodes.all.get(i).engine, now);
        }
      }
      nodes.deliver();
    }
  }

  private static void learnLarge(Node node) {
    node.engine.strategy().sizes().learn(null, LARGE_KEY, 1 << 20);
  }

  private static boolean knowsLarge(Node node) {
    return node.engine.strategy().isLarge(null, LARGE_KEY);
  }

  private long count(Node node, Counter counter) {
    return node.engine.counters().get(counter);
  }

  @Test
  void aLargeKeyFoundByOneIsKnownToTheOther() {
    learnLarge(one);
    assertThat(knowsLarge(two)).isFalse();
    run(2 * SECOND);
    assertThat(knowsLarge(two)).isTrue();
    assertThat(count(one, Counter.EXCHANGES_SENT)).isPositive();
    assertThat(count(two, Counter.EXCHANGES_RECEIVED)).isPositive();
  }

  @Test
  void factsOfAThirdNodeTravelUnderItsNameAndAge() {
    int atOne = one.engine.nodes().id(TestNodes.address(3));
    int atTwo = two.engine.nodes().id(TestNodes.address(3));
    assertThat(atOne).as("each node has its own ids").isNotEqualTo(atTwo);
    run(SECOND);
    one.engine.state().apply(FactColumn.WORK_AHEAD, atOne, 77_000_000, now - SECOND / 4);
    long from = now;
    run(SECOND);
    assertThat(two.engine.state().value(FactColumn.WORK_AHEAD, atTwo)).isEqualTo(77_000_000);
    long age = two.engine.state().ageNanos(FactColumn.WORK_AHEAD, atTwo, now);
    assertThat(age).isBetween(SECOND / 4, SECOND / 4 + now - from);
  }

  @Test
  void aYoungerFactStays() {
    int atOne = one.engine.nodes().id(TestNodes.address(3));
    int atTwo = two.engine.nodes().id(TestNodes.address(3));
    run(SECOND);
    one.engine.state().apply(FactColumn.WORK_AHEAD, atOne, 1, now - SECOND / 4);
    two.engine.state().apply(FactColumn.WORK_AHEAD, atTwo, 2, now);
    run(SECOND);
    assertThat(two.engine.state().value(FactColumn.WORK_AHEAD, atTwo)).isEqualTo(2);
    assertThat(one.engine.state().value(FactColumn.WORK_AHEAD, atOne)).isEqualTo(2);
  }

  @Test
  void aNodeIgnoresFactsAboutItself() {
    run(SECOND);
    one.engine.state().apply(FactColumn.WORK_AHEAD, one.id(two), 5, now);
    run(SECOND);
    assertThat(two.engine.state().ageNanos(FactColumn.WORK_AHEAD, two.engine.self(), now))
        .isEqualTo(ClusterView.NEVER);
  }

  @Test
  void nothingNewIsNotSent() {
    run(5 * SECOND);
    assertThat(count(one, Counter.EXCHANGES_SENT)).isZero();
  }

  @Test
  void nodesWithoutAnExchangeAreNotHarmed() {
    Node plain = add("strategy: {}", Mode.ON);
    for (int i = 0; i < 20; i++) {
      learnLarge(one);
      one.engine.state().apply(FactColumn.WORK_AHEAD, one.engine.self(), i, now);
      run(SECOND);
    }
    assertThat(count(plain, Counter.MESSAGES_IGNORED)).isPositive();
    assertThat(count(plain, Counter.MESSAGES_SENT)).isZero();
    assertThat(count(plain, Counter.FAULTS)).isZero();
  }

  @Test
  void aNodeThatIsOffSendsAndReceivesNothing() {
    learnLarge(one);
    one.engine = null;
    learnLarge(two);
    run(3 * SECOND);
    assertThat(count(two, Counter.EXCHANGES_RECEIVED)).isZero();
    nodes.on(one, EXCHANGING, Mode.ON);
    assertThat(knowsLarge(one)).isFalse();
  }

  @Test
  void inShadowModeTheyAlsoLearnFromEachOther() {
    one.engine = null;
    two.engine = null;
    nodes.on(one, EXCHANGING, Mode.SHADOW);
    nodes.on(two, EXCHANGING, Mode.SHADOW);
    learnLarge(one);
    run(2 * SECOND);
    assertThat(knowsLarge(two)).isTrue();
  }

  @Test
  void bytesPerSecondAreBounded() {
    String often = EXCHANGING.replace("interval: 1s, peers: 1", "interval: 100ms, peers: 5");
    for (Node node : nodes.all) {
      node.engine = null;
      nodes.on(node, often, Mode.ON);
    }
    for (int i = 0; i < 4; i++) {
      add(often, Mode.ON);
    }
    int seconds = 20;
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 10 * seconds; i++) {
      for (int key = 0; key < 2 * ExchangeRounds.MOST_KEYS; key++) {
        one.engine.strategy().sizes().learn(null, random.nextLong(), 1 << 20);
      }
      // A filter that is full takes no key until the timer has turned it.
      one.engine.strategy().sizes().tick(now);
      run(TICK);
    }
    assertThat(count(one, Counter.MESSAGE_BYTES_SENT))
        .isBetween(
            ExchangeRounds.BYTES_PER_SECOND * seconds / 2,
            ExchangeRounds.BYTES_PER_SECOND * (seconds + 2));
  }

  @Test
  void anyBytesAreHandledWithoutAFault() {
    long seed = 99;
    System.out.println("ExchangeRoundsTest: seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      if (bytes.length > 8 && random.nextBoolean()) {
        // A table of one address and the version of the exchange's form.
        byte[] head = {1, 4, 127, 0, 0, (byte) random.nextInt(4), (byte) 0xd8, 0x36, 1};
        System.arraycopy(head, 0, bytes, 0, Math.min(head.length, bytes.length));
      }
      // No nodes, and one key: whole, or with one changed byte.
      byte[] whole = {1, 4, 127, 0, 0, 3, (byte) 0xd8, 0x36, 1, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8};
      whole[random.nextInt(whole.length)] = (byte) random.nextInt();
      one.messages.send(two.address, MessageKind.EXCHANGE, i % 2 == 0 ? whole : bytes);
      nodes.deliver();
    }
    assertThat(count(two, Counter.MESSAGES_IGNORED)).isPositive();
    assertThat(count(two, Counter.MESSAGES_RECEIVED)).isPositive();
    assertThat(count(two, Counter.FAULTS)).isZero();
  }
}
