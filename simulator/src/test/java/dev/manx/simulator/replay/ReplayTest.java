/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.Request;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.record.DecisionLog;
import dev.manx.policy.record.LogLine;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyInfo.Place;
import dev.manx.policy.strategy.Policies;
import dev.manx.workload.RequestClass;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
class ReplayTest {
  private static final String LOW =
      strategy("select.low", "order.bottleneck", "fanout.brb-equalmax");
  private static final String PRIMARY =
      strategy("select.primary", "order.bottleneck", "fanout.brb-equalmax");

  static String strategy(String select, String order, String fanout) {
    return """
        strategy:
          select: %s
          order: %s
          fanout: %s
          oracles:
            size: { policy: oracle.size-key-encoded, large-above: 64KiB }
            popularity: { policy: oracle.popularity-space-saving, memory: 64KiB }
          facts: [pending-reads, service-time, work-ahead]
        """
        .formatted(select, order, fanout);
  }

  /** Every policy that can act on a node, in a strategy with others. */
  static Stream<String> strategies() {
    Stream<String> byHash =
        Stream.of(
            strategy(
                "{ policy: select.primary, home: key-hash }", "order.fifo", "fanout.brb-equalmax"));
    return Stream.concat(byHash, ofEachPolicy());
  }

  private static Stream<String> ofEachPolicy() {
    return Policies.all().stream()
        .filter(info -> !info.places().equals(java.util.Set.of(Place.SIMULATOR)))
        .flatMap(
            info ->
                switch (info.family()) {
                  case "select" ->
                      Stream.of(strategy(info.name(), "order.fifo", "fanout.brb-equalmax"));
                  case "order" -> Stream.of(strategy("select.p2c", info.name(), "fanout.rein-sds"));
                  case "fanout" ->
                      Stream.of(
                          strategy("select.low", "order.bottleneck", "{ " + planner(info) + " }"),
                          strategy(
                              "select.c3",
                              "order.sjf",
                              "{ " + planner(info) + ", longest-first: true }"));
                  default -> Stream.empty();
                });
  }

  private static String planner(PolicyInfo info) {
    boolean sends = info.settings().stream().anyMatch(one -> one.name().equals("sender"));
    // Only a replica sends copies on nodes.
    return "policy: " + info.name() + (sends ? ", sender: replica" : "");
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void everyPolicyOfANodeDecidesTheSameAgain(String document) {
    for (long seed = 1; seed <= 6; seed++) {
      LogMaker node = new LogMaker(seed, document);
      node.live(new SplittableRandom(seed), 400);
      Replay.Result result = Replay.of("log", node.log());
      assertThat(result.differences()).as("seed %d of\n%s", seed, document).isEmpty();
      assertThat(result.isEqual()).as("seed %d", seed).isTrue();
      assertThat(result.plans()).as("seed %d", seed).isGreaterThan(50);
      assertThat(result.dispatches()).as("seed %d", seed).isGreaterThan(10);
      assertThat(result.log().lines()).as("seed %d", seed).isEqualTo(node.lines());
    }
  }

  /** A node with a read time-out of 100 ms: its order serves a read after a wait of 50 ms. */
  @Test
  void waitsAreLimitedAsOnTheNode() {
    String order = "{ policy: order.boost, beta: 5ms, max-wait: auto }";
    String document = strategy("select.low", order, "fanout.brb-equalmax");
    LogMaker node = new LogMaker(1, document, 50_000_000);
    node.live(new SplittableRandom(1), 400);
    Replay.Result result = Replay.of("log", node.log());
    assertThat(result.differences()).isEmpty();
    assertThat(result.isEqual()).isTrue();
    assertThat(
            WhatIf.of("log", node.log(), "same.yaml", document, 10, done -> {}).changedDispatches())
        .as("of the same strategy")
        .isZero();
    ByteBuffer without = edited(node.log(), DecisionLog.STRATEGY, 0, "l", limit -> "10000000000");
    assertThat(Replay.of("log", without).isEqual()).as("with another limit").isFalse();
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void alsoWhileOtherThreadsLearn(String document) throws InterruptedException {
    LogMaker node = new LogMaker(5, document);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      SplittableRandom random = new SplittableRandom(i);
      threads.add(new Thread(() -> node.live(random, 300)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    Replay.Result result = Replay.of("log", node.log());
    assertThat(result.differences()).isEmpty();
    assertThat(result.plans()).isGreaterThan(100);
  }

  @Test
  void aChangedDecisionIsFound() {
    LogMaker node = new LogMaker(1, LOW);
    node.live(new SplittableRandom(1), 300);
    long plans = Replay.of("log", node.log()).plans();
    for (String key : new String[] {"o", "w"}) {
      Replay.Result result =
          Replay.of("log", edited(node.log(), DecisionLog.PLAN, 7, key, text -> twisted(text)));
      assertThat(result.isEqual()).isFalse();
      assertThat(result.plans()).isEqualTo(plans);
      assertThat(result.equalPlans()).isEqualTo(plans - 1);
      assertThat(result.differences()).hasSize(1);
      assertThat(result.differences().get(0)).startsWith("line ").contains("recorded", "replayed");
    }
    Replay.Result dispatch =
        Replay.of("log", edited(node.log(), DecisionLog.DISPATCH, 3, "o", text -> "99"));
    assertThat(dispatch.equalDispatches()).isEqualTo(dispatch.dispatches() - 1);
    assertThat(dispatch.isEqual()).isFalse();
  }

  /** Another first node, or another bottleneck. */
  private static String twisted(String text) {
    return text.startsWith("NANOS")
        ? text + "1"
        : (text.charAt(0) == '8' ? "7" : "8") + text.substring(1);
  }

  @Test
  void aChangedViewIsFound() {
    LogMaker node = new LogMaker(1, LOW);
    node.live(new SplittableRandom(1), 300);
    // The node that was chosen first now has much outstanding work.
    Replay.Result result =
        Replay.of(
            "log",
            editedAll(
                node.log(),
                line ->
                    line.put("v", line.text("v").replaceAll("^(\\d+:\\d+:)\\d+", "$199999999"))));
    assertThat(result.equalPlans()).isLessThan(result.plans());
  }

  @Test
  void aLineThatWasTouchedIsLeftOutAndCounted() {
    LogMaker node = new LogMaker(1, LOW);
    node.live(new SplittableRandom(1), 100);
    byte[] bytes = node.log().array().clone();
    String[] lines = new String(bytes, UTF_8).split("\n", -1);
    int at = lines[0].length() + lines[1].length() + lines[2].length() + 20;
    bytes[at] = (byte) (bytes[at] == '1' ? '2' : '1');
    Replay.Result result = Replay.of("log", ByteBuffer.wrap(bytes));
    assertThat(result.log().damaged()).isEqualTo(1);
    assertThat(result.log().firstDamaged()).isEqualTo(4);
    assertThat(result.isEqual()).isFalse();
    assertThat(result.equalPlans()).isEqualTo(result.plans());
  }

  @Test
  void garbageWithARightSumIsDamageAndNoCrash() {
    LogMaker node = new LogMaker(1, LOW);
    node.live(new SplittableRandom(1), 100);
    for (String key : new String[] {"s", "t", "v", "r", "k", "o", "i"}) {
      for (String value :
          new String[] {"", "x", "-1", ";", ":", "1:2:3;4", "9999999999999999999"}) {
        ByteBuffer log = edited(node.log(), DecisionLog.PLAN, 2, key, text -> value);
        Replay.Result result = Replay.of("log", log);
        assertThat(result.plans() + result.log().damaged()).as(key + "=" + value).isPositive();
        WhatIf.of("log", log, "other.yaml", PRIMARY, 9, progress -> {});
      }
    }
  }

  @Test
  void aLogThatWasCutIsReadUpToTheCut() {
    LogMaker node = new LogMaker(3, LOW);
    node.live(new SplittableRandom(3), 200);
    byte[] whole = node.log().array();
    SplittableRandom random = new SplittableRandom(4);
    int first = new String(whole, UTF_8).indexOf('\n') + 1;
    for (int i = 0; i < 50; i++) {
      int length = random.nextInt(first, whole.length);
      byte[] cut = Arrays.copyOf(whole, length);
      Replay.Result result = Replay.of("log", ByteBuffer.wrap(cut));
      assertThat(result.log().cut()).isEqualTo(cut[length - 1] != '\n');
      assertThat(result.isEqual()).as("cut at %d", length).isTrue();
      long ends = new String(cut, UTF_8).chars().filter(c -> c == '\n').count();
      assertThat(result.log().lines()).isEqualTo(ends);
    }
  }

  @Test
  void otherFilesAndVersionsAreRefused() {
    LogMaker node = new LogMaker(3, LOW);
    String text = new String(node.log().array(), UTF_8);
    assertThatThrownBy(() -> replay(text.replace("version=1 ", "version=2 ")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("log:1: version = '2'")
        .hasMessageContaining("the Manx that wrote it");
    assertThatThrownBy(() -> replay("experiment,arm\n1,2\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("a decision log of Manx");
    assertThatThrownBy(() -> replay("")).isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> replay(text.replaceFirst("nodes=9", "nodes=8")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("undamaged");
    assertThatThrownBy(() -> replay(withUnknownPolicy(node.log())))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("select.unknown");
  }

  private static Replay.Result replay(String text) {
    return Replay.of("log", ByteBuffer.wrap(text.getBytes(UTF_8)));
  }

  private static String withUnknownPolicy(ByteBuffer log) {
    ByteBuffer edited =
        edited(log, DecisionLog.STRATEGY, 0, "y", y -> y.replace("select.low", "select.unknown"));
    return UTF_8.decode(edited).toString();
  }

  @Test
  void theSameStrategyChangesNothingAndAnotherDoes() {
    LogMaker node = new LogMaker(1, PRIMARY);
    node.live(new SplittableRandom(1), 2_000);
    WhatIf.Result same = WhatIf.of("log", node.log(), "same.yaml", PRIMARY, 9, progress -> {});
    assertThat(same.classes().get(RequestClass.ALL).changedReads()).isZero();
    assertThat(same.changedDispatches()).isZero();
    WhatIf.Result other =
        WhatIf.of(
            "log",
            node.log(),
            "other.yaml",
            strategy("select.low", "order.fifo", "fanout.brb-equalmax"),
            9,
            progress -> {});
    WhatIf.Changed all = other.classes().get(RequestClass.ALL);
    assertThat(all.changedReads()).isBetween(1L, all.reads() - 1);
    assertThat(all.changedRequests()).isBetween(1L, all.requests());
    assertThat(other.changedDispatches()).isBetween(1L, other.dispatches() - 1);
    assertThat(other.answers()).isPositive();
    long byWidth = 0;
    for (RequestClass width :
        new RequestClass[] {RequestClass.SINGLE, RequestClass.NARROW, RequestClass.WIDE}) {
      byWidth += other.classes().get(width).requests();
    }
    // A request without reads has no width.
    assertThat(byWidth).isBetween(all.requests() - 20, all.requests());
    assertThat(
            other.classes().get(RequestClass.SMALL).reads()
                + other.classes().get(RequestClass.LARGE).reads())
        .isEqualTo(all.reads());
  }

  @Test
  void anotherStrategyIsAskedOnTheRecordedView() {
    LogMaker node = new LogMaker(1, PRIMARY);
    Request request = new Request();
    SplittableRandom random = new SplittableRandom(9);
    for (int i = 0; i < 300; i++) {
      node.plan(request, random, 2_000_000_000L + i);
    }
    long elsewhere = 0;
    DecisionLog log = new DecisionLog("log", node.log());
    for (LogLine line = log.next(); line != null; line = log.next()) {
      elsewhere += line.kind().equals(DecisionLog.PLAN) ? 1 : 0;
    }
    assertThat(elsewhere).isEqualTo(300);
    // Least outstanding reads of the view in the log, and not of an empty one: after many plans
    // without an answer, hardly a request of some reads goes only to its primaries.
    WhatIf.Result lor =
        WhatIf.of(
            "log",
            node.log(),
            "lor.yaml",
            strategy("select.lor", "order.fifo", "fanout.none"),
            9,
            progress -> {});
    WhatIf.Changed all = lor.classes().get(RequestClass.ALL);
    assertThat(all.changedReads()).isGreaterThan(all.reads() / 4);
  }

  /** An operator has this file. */
  @Test
  void aNodesWholeFileHasAStrategyToAsk() {
    LogMaker node = new LogMaker(1, PRIMARY);
    Request request = new Request();
    SplittableRandom random = new SplittableRandom(9);
    for (int i = 0; i < 30; i++) {
      node.plan(request, random, 2_000_000_000L + i);
    }
    String other = strategy("select.lor", "order.fifo", "fanout.none");
    WhatIf.Changed alone = asked(node, other);
    WhatIf.Changed whole = asked(node, "plugin: { mode: shadow }\nrecord: { mode: off }\n" + other);
    assertThat(whole.changedReads()).isPositive().isEqualTo(alone.changedReads());
    assertThatThrownBy(() -> asked(node, "plugins: {}\n" + other))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("manx.yaml:1: plugins: unknown key");
  }

  private static WhatIf.Changed asked(LogMaker node, String file) {
    return WhatIf.of("log", node.log(), "manx.yaml", file, 9, progress -> {})
        .classes()
        .get(RequestClass.ALL);
  }

  @Test
  void aBoundIsNoStrategyToAsk() {
    LogMaker node = new LogMaker(1, LOW);
    assertThatThrownBy(
            () ->
                WhatIf.of(
                    "log",
                    node.log(),
                    "ideal.yaml",
                    "strategy: { bound: bound.ideal-equalmax }",
                    9,
                    progress -> {}))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("one node's view");
  }

  /** Changes a field of the n-th line of a kind, with a correct checksum. */
  private static ByteBuffer edited(
      ByteBuffer log, String kind, int n, String key, UnaryOperator<String> change) {
    int[] seen = {0};
    return editedAll(
        log,
        line -> {
          if (line.kind().equals(kind) && seen[0]++ == n) {
            line.put(key, change.apply(line.text(key)));
          }
          return line;
        });
  }

  private static ByteBuffer editedAll(ByteBuffer log, UnaryOperator<LogLine> change) {
    StringBuilder text = new StringBuilder();
    for (String line : UTF_8.decode(log.duplicate()).toString().split("\n", -1)) {
      if (!line.isEmpty()) {
        text.append(new String(change.apply(LogLine.parse(line)).bytes(), UTF_8));
      }
    }
    return ByteBuffer.wrap(text.toString().getBytes(UTF_8));
  }
}
