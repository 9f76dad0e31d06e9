/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.load.connect.ConnectException;
import dev.manx.load.connect.NodeException;
import dev.manx.load.connect.NodeException.Kind;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.look.NodeState.Manx;
import dev.manx.operate.look.States;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that a measurement switches while other users switch them too. */
@Timeout(60)
class KeptModesTest {
  private static final String MODE = "mode";

  private final Node first = new Node("10.0.0.1");
  private final Node second = new Node("10.0.0.2");
  private final KeptModes modes =
      new KeptModes(
          List.of(new KeptNode(first, first.read()), new KeptNode(second, second.read())));

  /** A node in shadow mode that counts its switches as Manx does. */
  private static final class Node implements KeptNode.Rows {
    private final String name;
    private final Map<String, String> rows =
        new TreeMap<>(Map.of(MODE, "shadow", "document", "strategy: manx", "canary", "1"));
    private final List<String> written = new ArrayList<>();
    private Runnable beforeNextWrite = () -> {};
    private String failedHook = "";
    private int opened;

    private Node(String name) {
      this.name = name;
      rows.put("switches", "1");
    }

    @Override
    public NodeState read() {
      List<String> pairs = new ArrayList<>();
      rows.forEach((row, value) -> pairs.addAll(List.of(row, value)));
      NodeState state = States.node(name, pairs.toArray(String[]::new));
      state = States.counting(state, 0, "breaker_opened", opened);
      return failedHook.isEmpty() ? state : States.failing(state, failedHook, "does not fit");
    }

    @Override
    public void set(String row, String value) {
      Runnable first = beforeNextWrite;
      beforeNextWrite = () -> {};
      first.run();
      written.add(row + "=" + value);
      put(row, value);
    }

    /** A switch by this run or by another user. */
    private void put(String row, String value) {
      rows.put(row, value);
      rows.computeIfPresent("switches", (name, count) -> "" + (Integer.parseInt(count) + 1));
    }

    private void breakerOpens() {
      rows.put(MODE, "off");
      rows.put("breaker", "open, tries again in 60s: boom");
      rows.put("trouble", "the breaker opened");
      opened++;
    }
  }

  /** A node that has no Manx, until it is installed. */
  private static final class Stock implements KeptNode.Rows {
    private Manx manx = Manx.ABSENT;

    @Override
    public NodeState read() {
      return manx == Manx.PRESENT
          ? States.node("10.0.0.3", MODE, "off")
          : States.without("10.0.0.3", manx, "why");
    }

    @Override
    public void set(String row, String value) {
      throw new AssertionError("a node without Manx has no table to write to");
    }
  }

  @Test
  void aNodeWithoutManxIsOffAndNeverWrittenTo() {
    Stock stock = new Stock();
    KeptModes mixed =
        new KeptModes(
            List.of(new KeptNode(first, first.read()), new KeptNode(stock, stock.read())));
    assertThat(mixed.without()).containsExactly("10.0.0.3");
    assertThat(mixed.formerModes()).isEqualTo("shadow on 10.0.0.1");
    assertThat(mixed.allOn()).isFalse();
    assertThatThrownBy(() -> mixed.set("on", "strategy: low"))
        .isInstanceOf(ConnectException.class)
        .hasMessage("Manx is not on 10.0.0.3");
    assertThat(first.written).isEmpty();
    mixed.set("off", "");
    assertThat(first.rows).containsEntry(MODE, "off");
    assertThat(mixed.stillAsSet()).hasSize(2);
    stock.manx = Manx.UNREACHABLE;
    assertThatThrownBy(mixed::stillAsSet).hasMessageContaining("10.0.0.3: why");
    stock.manx = Manx.PRESENT;
    assertThatThrownBy(mixed::stillAsSet)
        .hasMessageContaining("10.0.0.3: Manx was installed on it meanwhile");
    mixed.close();
    assertThat(first.rows).containsEntry(MODE, "shadow");
  }

  @Test
  void everyNodeIsRestored() {
    modes.set("on", "strategy: low");
    modes.set("off", "");
    modes.close();
    for (Node node : List.of(first, second)) {
      assertThat(node.rows)
          .containsEntry(MODE, "shadow")
          .containsEntry("document", "strategy: manx");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"on", "off"})
  void anOperatorWhoSwitchesOffMeanwhileIsNotOverruled(String arm) {
    modes.set(arm, "");
    second.put(MODE, "off");
    int before = first.written.size();
    assertThatThrownBy(() -> modes.set("on", ""))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("not by this run")
        .hasMessageContaining("10.0.0.2: it ");
    assertThat(first.written).as("no node is switched then").hasSize(before);
    assertThatThrownBy(modes::close)
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("left as they are")
        .hasMessageContaining("10.0.0.2: it ")
        .hasMessageContaining("before, it had mode shadow");
    assertThat(second.rows).containsEntry(MODE, "off");
    assertThat(first.rows).as("not switched by others").containsEntry(MODE, "shadow");
  }

  @Test
  void aSwitchDuringTheLastTurnHoldsToo() {
    modes.set("on", "");
    second.put(MODE, "off");
    assertThatThrownBy(modes::stillAsSet)
        .hasMessageContaining("is discarded")
        .hasMessageContaining("10.0.0.2: it is in mode off, but was left in mode on");
    assertThatThrownBy(modes::close).hasMessageContaining("10.0.0.2");
    assertThat(second.rows).containsEntry(MODE, "off");
  }

  @Test
  void aSwitchAtTheSameMomentEndsTheRun() {
    second.beforeNextWrite = () -> second.put(MODE, "off");
    assertThatThrownBy(() -> modes.set("on", "")).hasMessageContaining("at the same moment");
    int before = second.written.size();
    assertThatThrownBy(modes::close).hasMessageContaining("10.0.0.2");
    assertThat(second.written).hasSize(before);
    assertThat(first.rows).containsEntry(MODE, "shadow");
  }

  @Test
  void anotherStrategyAndACanaryAreSwitchesToo() {
    modes.set("on", "");
    first.put("document", "strategy: theirs");
    second.put("canary", "0.1");
    assertThatThrownBy(() -> modes.set("off", ""))
        .hasMessageContaining("10.0.0.1: it has a different strategy")
        .hasMessageContaining("10.0.0.2: it has a different canary than it was left with: 0.1");
    assertThatThrownBy(modes::close).hasMessageContaining("left as they are");
    assertThat(first.rows).containsEntry("document", "strategy: theirs");
    assertThat(second.rows).containsEntry("canary", "0.1").containsEntry(MODE, "on");
  }

  /** With another one, requests are left to stock at other times. */
  @Test
  void anotherCalmAfterIsASwitchToo() {
    first.rows.put("calm-after", "250ms");
    KeptModes calm = new KeptModes(List.of(new KeptNode(first, first.read())));
    calm.set("on", "");
    // A node does not count it as a switch.
    first.rows.put("calm-after", "0s");
    assertThatThrownBy(calm::stillAsSet)
        .hasMessageContaining("10.0.0.1: it has a different calm-after than it was left with: 0s");
    assertThatThrownBy(calm::close).hasMessageContaining("left as they are");
    assertThat(first.rows).containsEntry("calm-after", "0s");
  }

  @Test
  void anEarlierManxThatCountsNothingIsComparedByItsValues() {
    first.rows.remove("switches");
    second.rows.remove("switches");
    KeptModes earlier =
        new KeptModes(
            List.of(new KeptNode(first, first.read()), new KeptNode(second, second.read())));
    earlier.set("on", "strategy: low");
    second.put(MODE, "off");
    assertThatThrownBy(() -> earlier.set("on", "")).hasMessageContaining("10.0.0.2: it is in mode");
    assertThatThrownBy(earlier::close).hasMessageContaining("10.0.0.2");
    assertThat(first.rows).containsEntry(MODE, "shadow");
  }

  @Test
  void aTurnInWhichTheBreakerOpenedDoesNotCountAndTheBreakerIsNotOverruled() {
    modes.set("on", "");
    second.breakerOpens();
    assertThatThrownBy(modes::stillAsSet).hasMessageContaining("10.0.0.2: it is in mode off");
    assertThatThrownBy(modes::close)
        .hasMessageContaining("the breaker opened")
        .hasMessageContaining("it stays off, so that its breaker does not return it to mode on");
    assertThat(second.written).endsWith("mode=off");
    assertThat(first.rows).containsEntry(MODE, "shadow");
  }

  @Test
  void aBreakerThatOpenedAndClosedAgainIsSeen() {
    modes.set("on", "");
    second.opened++;
    assertThatThrownBy(modes::stillAsSet).hasMessageContaining("10.0.0.2: its breaker opened");
    modes.close();
    assertThat(second.rows).containsEntry(MODE, "shadow");
  }

  @Test
  void aHookThatFailsMakesNoTurnOfManx() {
    second.failedHook = "read-stage";
    assertThatCode(() -> modes.set("off", "")).as("off needs none").doesNotThrowAnyException();
    assertThatThrownBy(() -> modes.set("on", ""))
        .hasMessageContaining("10.0.0.2: hooks failed and stayed stock: read-stage");
    modes.close();
    assertThat(second.rows).containsEntry(MODE, "shadow");
  }

  @Test
  void aNodeThatWasNeverSwitchedIsLeftAlone() {
    second.put(MODE, "off");
    modes.close();
    assertThat(first.written).isEmpty();
    assertThat(second.written).isEmpty();
  }

  @Test
  void anEndOfTheJvmWhileNodesAreRestoredWaitsForThem() {
    modes.guard();
    modes.set("on", "");
    List<Boolean> guarded = new ArrayList<>();
    second.beforeNextWrite = () -> guarded.add(modes.isGuarded());
    modes.close();
    assertThat(guarded).containsExactly(true);
    assertThat(modes.isGuarded()).isFalse();
  }

  @Test
  void aNodeThatHangsKeepsNoOtherInTheModeOfTheRun() {
    CountDownLatch other = new CountDownLatch(1);
    AtomicBoolean restored = new AtomicBoolean();
    modes.set("on", "");
    first.beforeNextWrite = () -> restored.set(await(other));
    second.beforeNextWrite = other::countDown;
    modes.close();
    assertThat(restored).as("the second, while the first hung").isTrue();
    assertThat(first.rows).containsEntry(MODE, "shadow");
    assertThat(second.rows).containsEntry(MODE, "shadow");
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Test
  void formerModesAreNamed() {
    assertThat(modes.allOn()).isFalse();
    assertThat(modes.formerModes()).isEqualTo("shadow on all 2 nodes");
  }

  /** It was said to be not restorable, though nothing had been changed. */
  @Test
  void aNodeThatForbidsTheFirstChangeNeedsNoRestoring() {
    first.beforeNextWrite =
        () -> {
          throw new NodeException(Kind.FORBIDDEN, "GRANT MODIFY ON TABLE manx.strategy", null);
        };
    assertThatThrownBy(() -> modes.set("on", "strategy: c3"))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("10.0.0.1 rejects the change: GRANT MODIFY");
    modes.close();
    assertThat(first.written).isEmpty();
    assertThat(second.written).isEmpty();
  }

  @Test
  void aNodeThatForbidsALaterChangeIsRestored() {
    modes.set("off", "");
    first.beforeNextWrite =
        () -> {
          throw new NodeException(Kind.FORBIDDEN, "the grant was revoked", null);
        };
    assertThatThrownBy(() -> modes.set("on", "")).isInstanceOf(ConnectException.class);
    modes.close();
    assertThat(first.read().mode()).isEqualTo("shadow");
  }
}
