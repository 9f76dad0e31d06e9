/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.load.connect.NodeException;
import dev.manx.load.connect.NodeException.Kind;
import dev.manx.operate.ctl.ChangeOutcome.End;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.look.NodeState.Manx;
import dev.manx.operate.look.States;
import dev.manx.operate.look.StrategyNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A change on a node that rejects it, is late, or is lost meanwhile. */
class SwitcherTest {
  private static final NodeState ON = States.node("10.0.0.1", "persisted", "");
  private static final NodeState OFF = States.node("10.0.0.1", "mode", "off", "persisted", "");
  private static final NodeState LATE =
      States.without("10.0.0.1", Manx.UNREACHABLE, "unreachable: no answer came in time");
  private static final Change TO_OFF =
      new Change("mode", "off", NodeState::mode, state -> state.mode().equals("off"), true);

  /** Changes a node that fails to answer to each row, and then has the given state. */
  private static ChangeOutcome set(Change change, NodeState before, NodeState after, Kind failure) {
    return Switcher.set(
        change,
        new KeptNode.Rows() {
          @Override
          public NodeState read() {
            return after;
          }

          @Override
          public void set(String row, String value) {
            if (failure != null) {
              throw new NodeException(failure, "no answer came in time", null);
            }
          }
        },
        before);
  }

  @Test
  void aLateAnswerIsNoRefusalIfTheNodeReadsBackAsAsked() {
    ChangeOutcome outcome = set(TO_OFF, ON, OFF, Kind.UNANSWERED);
    assertThat(outcome.end()).isEqualTo(End.DONE);
    assertThat(outcome.now()).isEqualTo("off");
    assertThat(set(TO_OFF, LATE, OFF, Kind.UNANSWERED).end()).isEqualTo(End.DONE);
  }

  @Test
  void whatMayHaveBeenDoneIsNotCalledRefusedOrNotTried() {
    ChangeOutcome unread = set(TO_OFF, LATE, LATE, Kind.UNANSWERED);
    assertThat(unread.end()).isEqualTo(End.FAILED);
    assertThat(unread.why()).contains("may still be set", "cannot be read back");
    ChangeOutcome still = set(TO_OFF, ON, ON, Kind.UNANSWERED);
    assertThat(still.end()).isEqualTo(End.FAILED);
    assertThat(still.why()).contains("may still be set", "reads back differently");
  }

  @Test
  void whatWasNotSentOrWasRefusedIsSaidToBe() {
    assertThat(set(TO_OFF, LATE, LATE, Kind.UNREACHABLE).end()).isEqualTo(End.BLOCKED);
    assertThat(set(TO_OFF, ON, ON, Kind.REFUSED).end()).isEqualTo(End.REFUSED);
    assertThat(set(TO_OFF, ON, ON, Kind.FORBIDDEN).end()).isEqualTo(End.REFUSED);
    assertThat(set(TO_OFF, ON, ON, null).why()).isEqualTo("accepted, but reads back differently");
  }

  /** Its time-out would pass once more, while an operator waits. */
  @Test
  void aNodeWithoutASessionIsNotConnectedToOnceMore() {
    int[] sets = {0};
    ChangeOutcome outcome =
        Switcher.set(
            TO_OFF,
            new KeptNode.Rows() {
              @Override
              public NodeState read() {
                return LATE;
              }

              @Override
              public void set(String row, String value) {
                sets[0]++;
              }

              @Override
              public boolean isConnected() {
                return false;
              }
            },
            LATE);
    assertThat(outcome)
        .returns(End.BLOCKED, ChangeOutcome::end)
        .returns(LATE.why(), ChangeOutcome::why);
    assertThat(sets[0]).isZero();
  }

  @Test
  void aNodeThatIsLostBeforeItPersistsIsNotSaidToPersistOtherwise() {
    int[] reads = {0};
    ChangeOutcome outcome =
        Switcher.set(
            TO_OFF.persistent(),
            new KeptNode.Rows() {
              @Override
              public NodeState read() {
                return reads[0]++ == 0 ? OFF : LATE;
              }

              @Override
              public void set(String row, String value) {}
            },
            ON);
    assertThat(outcome.end()).isEqualTo(End.NOT_PERSISTED);
    assertThat(outcome.why()).contains("cannot be read back: unreachable");
  }

  /** Nodes and command were built from different commits. */
  private static final String BUILD = "0.1.0 (aaaaaaaa)";

  private static final NodeState OTHER_BUILD = States.node("10.0.0.1", "version", BUILD);

  /** As if the node's build wrote one default more into its documents. */
  private static final String OLD = OTHER_BUILD.row("document") + "# A\n";

  private static final String NEW = OTHER_BUILD.row("document") + "# B\n";

  private static NodeState build(String document, String... persisted) {
    String[] rows = {"version", BUILD, "document", document, "persisted", ""};
    String[] all = Stream.of(rows, persisted).flatMap(Stream::of).toArray(String[]::new);
    Map<String, String> policies = StrategyNames.parse("strategy: manx").names();
    Stream<String> names =
        policies.entrySet().stream()
            .flatMap(one -> Stream.of("policy." + one.getKey(), one.getValue()));
    return States.node("10.0.0.1", Stream.concat(Stream.of(all), names).toArray(String[]::new));
  }

  @Test
  void anotherBuildMayWriteTheStrategyDifferentlyIfItAnswersTheWrite() {
    Change manx = StrategyCommandTest.change("manx");
    assertThat(set(manx, build(OLD), build(NEW), null).end()).isEqualTo(End.DONE);
  }

  /** Equal policies do not show that it was applied: its settings may be others. */
  @Test
  void aWriteToAnotherBuildThatIsNotAnsweredIsNotConfirmedByItsPolicies() {
    Change manx = StrategyCommandTest.change("manx");
    ChangeOutcome outcome = set(manx, build(OLD), build(OLD), Kind.UNANSWERED);
    assertThat(outcome.end()).isEqualTo(End.FAILED);
    assertThat(outcome.why()).contains("may still be set", "reads back differently");
    String asked = StrategyNames.parse("strategy: manx").document();
    assertThat(set(manx, build(OLD), build(asked), Kind.UNANSWERED).end()).isEqualTo(End.DONE);
  }

  /** Sets the strategy of a node that runs NEW, and gives {@code after} once asked to persist. */
  private static ChangeOutcome persisting(NodeState after, Kind failure) {
    return Switcher.set(
        StrategyCommandTest.change("manx").persistent(),
        new KeptNode.Rows() {
          private boolean asked;

          @Override
          public NodeState read() {
            return asked ? after : build(NEW, "persisted.document", OLD);
          }

          @Override
          public void set(String row, String value) {
            asked = row.equals(Change.PERSISTED);
            if (asked && failure != null) {
              throw new NodeException(failure, "the disk is full", null);
            }
          }
        },
        build(OLD, "persisted.document", OLD));
  }

  @Test
  void anotherBuildThatDoesNotPersistIsSaidNotTo() {
    NodeState old = build(NEW, "persisted.document", OLD);
    assertThat(persisting(old, Kind.REFUSED))
        .returns(End.NOT_PERSISTED, ChangeOutcome::end)
        .returns("the disk is full", ChangeOutcome::why);
    assertThat(persisting(old, Kind.UNANSWERED).end()).isEqualTo(End.NOT_PERSISTED);
    assertThat(persisting(build(NEW), null).end()).isEqualTo(End.NOT_PERSISTED);
    NodeState stored = build(NEW, "persisted.document", NEW);
    assertThat(persisting(stored, null).end()).isEqualTo(End.DONE);
    assertThat(persisting(stored, Kind.UNANSWERED).end()).isEqualTo(End.DONE);
  }

  private static final Change TO_ON =
      new Change("mode", "on", NodeState::mode, state -> state.mode().equals("on"), false);

  /** What is persisted when the mode of a node is, which then has the given rows. */
  private static String persistedWithOn(NodeState running, NodeState after) {
    List<String> written = new ArrayList<>();
    ChangeOutcome outcome =
        Switcher.set(
            TO_ON.persistent(),
            new KeptNode.Rows() {
              @Override
              public NodeState read() {
                return written.isEmpty() ? running : after;
              }

              @Override
              public void set(String row, String value) {
                if (row.equals(Change.PERSISTED)) {
                  written.add(value);
                }
              }
            },
            running);
    return written + " " + outcome.end();
  }

  /** The node would otherwise come back on for all requests. */
  @Test
  void aCanaryIsPersistedWithTheModeOn() {
    NodeState running = States.node("10.0.0.1", "canary", "0.1", "persisted", "");
    NodeState both =
        States.node("10.0.0.1", "canary", "0.1", "persisted.mode", "on", "persisted.canary", "0.1");
    NodeState modeOnly = States.node("10.0.0.1", "canary", "0.1", "persisted.mode", "on");
    assertThat(persistedWithOn(running, both)).isEqualTo("[mode, canary] DONE");
    assertThat(persistedWithOn(running, modeOnly)).isEqualTo("[mode, canary] NOT_PERSISTED");
    NodeState all = States.node("10.0.0.1", "canary", "1.0", "persisted", "");
    NodeState allAfter = States.node("10.0.0.1", "canary", "1.0", "persisted.mode", "on");
    assertThat(persistedWithOn(all, allAfter)).isEqualTo("[mode] DONE");
    NodeState other =
        States.node("10.0.0.1", "canary", "0.5", "persisted", "", "persisted.canary", "0.1");
    NodeState otherAfter =
        States.node("10.0.0.1", "canary", "0.5", "persisted.mode", "on", "persisted.canary", "0.1");
    assertThat(persistedWithOn(other, otherAfter)).as("one was chosen").isEqualTo("[mode] DONE");
  }

  /** The row may name a kill file that was just removed, so the node must be asked. */
  @Test
  void nodesInTroubleAreTriedFirstUntilOneRefuses() {
    Change on =
        new Change("mode", "on", NodeState::mode, state -> state.mode().equals("on"), false);
    NodeState well = States.node("10.0.0.1", "mode", "shadow");
    NodeState gone = States.node("10.0.0.2", "mode", "off", "trouble", "the kill file /f exists");
    NodeState killed = States.node("10.0.0.3", "mode", "off", "trouble", "the kill file /f exists");
    NodeState rejected = States.node("10.0.0.4", "mode", "off", "trouble", "manx.yaml:3: refused");
    List<String> asked = new ArrayList<>();
    Map<Integer, ChangeOutcome> first =
        Switcher.inTrouble(
            on,
            Stream.of(well, gone, killed, rejected)
                .map(node -> refusing(node, killed, asked))
                .toList(),
            List.of(well, gone, killed, rejected));
    assertThat(asked).containsExactly("10.0.0.2", "10.0.0.3");
    assertThat(first).containsOnlyKeys(1, 2);
    assertThat(first.get(1).end()).isEqualTo(End.DONE);
    assertThat(first.get(2))
        .returns(End.REFUSED, ChangeOutcome::end)
        .returns("the kill file /f exists; remove it first", ChangeOutcome::why);
  }

  /** A node that is on once it was asked, unless it is the one that refuses. */
  private static KeptNode.Rows refusing(NodeState node, NodeState one, List<String> asked) {
    return new KeptNode.Rows() {
      @Override
      public NodeState read() {
        return node == one ? node : States.node(node.node());
      }

      @Override
      public void set(String row, String value) {
        asked.add(node.node());
        if (node == one) {
          throw new NodeException(Kind.REFUSED, "the kill file /f exists; remove it first", null);
        }
      }
    };
  }
}
