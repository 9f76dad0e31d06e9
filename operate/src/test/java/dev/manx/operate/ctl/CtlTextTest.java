/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.manx.operate.ctl.ChangeOutcome.End;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.look.NodeState.Manx;
import dev.manx.operate.look.States;
import dev.manx.operate.look.StrategyNames;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The output of the commands. */
class CtlTextTest {
  private static final NodeState DOWN =
      States.without("10.0.0.3", Manx.UNREACHABLE, "unreachable: nothing listens there");
  private static final Change ON =
      new Change("mode", "on", NodeState::mode, state -> state.mode().equals("on"), false);

  @Test
  void statusNamesWhatDiffersAndWhatIsWrong() {
    String text =
        StatusText.table(
            List.of(
                States.node("10.0.0.1"),
                States.node(
                    "10.0.0.2",
                    "mode",
                    "off",
                    "document",
                    "strategy: other",
                    "breaker",
                    "open until switched on: boom",
                    "trouble",
                    "boom",
                    "queues",
                    "",
                    "record",
                    "on: 1KiB of 16MiB, in /log"),
                DOWN),
            List.of("canary: 10% of shop.carts"));
    assertThat(text.lines())
        .containsExactly(
            "node      datacenter  mode  strategy    version  breaker                 hooks   queues",
            "10.0.0.1  dc1         on    manx        0.1.0    closed                  2 of 2  calm",
            "10.0.0.2  dc1         off   select.low  0.1.0    open until switched on  2 of 2",
            "10.0.0.3  dc1         -",
            "",
            "10.0.0.2: boom",
            "10.0.0.2: decision log on: 1KiB of 16MiB, in /log",
            "10.0.0.3: unreachable: nothing listens there",
            "nodes differ in mode: on on 10.0.0.1; off on 10.0.0.2",
            "nodes differ in strategy: manx on 10.0.0.1; select.low on 10.0.0.2",
            "canary: 10% of shop.carts");
  }

  /** With calm-after 0s, and by strategies that act on single reads, all requests are planned. */
  @Test
  void requestsThatArePlannedAreNotASignOfWaitingReads() {
    String planned = "no read has waited for 12s: requests are planned nevertheless";
    String seen = "one was seen 10ms ago";
    assertThat(
            StatusText.table(
                    List.of(
                        States.node("10.0.0.1", "queues", planned),
                        States.node("10.0.0.2", "queues", seen)),
                    List.of())
                .lines())
        .anyMatch(line -> line.matches("10\\.0\\.0\\.1 .* none"))
        .anyMatch(line -> line.matches("10\\.0\\.0\\.2 .* waiting"));
  }

  @Test
  void nodesWithTheSameTroubleShareANote() {
    List<NodeState> states =
        List.of(
            States.without("10.0.0.1", Manx.HIDDEN, "may not see it"),
            States.without("10.0.0.2", Manx.HIDDEN, "may not see it"));
    assertThat(StatusText.table(states, List.of()).lines())
        .filteredOn(line -> line.contains("may not see it"))
        .containsExactly("all 2 nodes: may not see it");
  }

  @Test
  void nodesThatAreNeverCalmAndOtherDifferencesOfCalmAfterAreNamed() {
    String calm = "calm-after";
    assertThat(
            StatusText.table(
                    List.of(
                        States.node("10.0.0.1", calm, "250ms"),
                        States.node("10.0.0.2", calm, "0s"),
                        States.node("10.0.0.3", calm, "5s")),
                    List.of())
                .lines())
        .endsWith(
            "",
            "10.0.0.2: calm-after 0s: every request is planned",
            "nodes differ in calm-after: 250ms on 10.0.0.1; 5s on 10.0.0.3");
  }

  /** The defaults of two versions may differ, and a document contains them. */
  @Test
  void strategiesOfDifferentVersionsAreComparedByTheirPoliciesOnly() {
    assertThat(
            StatusText.differences(
                List.of(
                    States.node("10.0.0.1"),
                    States.node("10.0.0.2", "version", "0.2.0", "document", "strategy: other"))))
        .containsExactly("nodes differ in version: 0.1.0 on 10.0.0.1; 0.2.0 on 10.0.0.2");
    assertThat(
            StatusText.differences(
                List.of(
                    States.node("10.0.0.1"),
                    States.node("10.0.0.2", "version", "0.2.0", "policy.select", "select.lor"))))
        .contains("nodes differ in policies: select.low on 10.0.0.1; select.lor on 10.0.0.2");
  }

  /** As in an upgrade from one commit to the next. */
  @Test
  void strategiesOfNodesOfOneVersionAreComparedInFullAlsoBesideAnother() {
    String build = "0.1.0 (aaaaaaaa)";
    assertThat(
            StatusText.differences(
                List.of(
                    States.node("10.0.0.1", "version", "0.1.0 (bbbbbbbb)", "document", "b"),
                    States.node("10.0.0.2", "version", build),
                    States.node("10.0.0.3", "version", build, "document", "other"))))
        .containsExactly(
            "nodes differ in version: 0.1.0 (bbbbbbbb) on 10.0.0.1; 0.1.0 (aaaaaaaa) on 10.0.0.2,"
                + " 10.0.0.3",
            "nodes differ in strategy: manx on 10.0.0.2; select.low on 10.0.0.3");
  }

  @Test
  void nodesThatAreAlikeNeedNoNotes() {
    assertThat(StatusText.table(List.of(States.node("a"), States.node("b")), List.of()).lines())
        .hasSize(3);
  }

  @Test
  void jsonHasAllRows() throws Exception {
    JsonNode json =
        new ObjectMapper().readTree(StatusText.json(List.of(States.node("10.0.0.1"), DOWN)));
    assertThat(json.get(0).get("strategy").get("breaker").asText()).isEqualTo("closed");
    assertThat(json.get(0).get("strategy_name").asText()).isEqualTo("manx");
    assertThat(json.get(1).get("manx").asText()).isEqualTo("unreachable");
  }

  @Test
  void requestAndOutcomeAreShownForEachNode() {
    NodeState shadow = States.node("10.0.0.1", "mode", "shadow");
    NodeState on = States.failing(States.node("10.0.0.1"), "read-stage", "no such field");
    assertThat(
            OutcomeText.of(
                    "mode on", ON, List.of(new ChangeOutcome(shadow, "on", End.DONE, "", on)))
                .lines())
        .containsExactly(
            "node      datacenter  before  now",
            "10.0.0.1  dc1         shadow  on   as asked",
            "",
            "mode on: as asked on 1 node, read back from each.",
            "10.0.0.1: the hook read-stage failed and stays stock: no such field");
  }

  @Test
  void nothingDoneAndSomeNotDoneAreToldApart() {
    NodeState shadow = States.node("10.0.0.1", "mode", "shadow");
    ChangeOutcome left = new ChangeOutcome(shadow, "shadow", End.LEFT, "", null);
    ChangeOutcome blocked = new ChangeOutcome(DOWN, "", End.BLOCKED, DOWN.why(), null);
    assertThat(OutcomeText.of("mode on", ON, List.of(left, blocked)))
        .contains("mode on: nothing was changed, because 1 node cannot be changed.");
    ChangeOutcome done = new ChangeOutcome(shadow, "on", End.DONE, "", null);
    assertThat(OutcomeText.of("mode on", ON, List.of(done, blocked)))
        .contains("mode on: as asked on 1 of 2 nodes, NOT on 1.");
    ChangeOutcome refused = new ChangeOutcome(shadow, "shadow", End.REFUSED, "may not", null);
    assertThat(OutcomeText.of("mode on", ON, List.of(refused, blocked, refused)).lines())
        .contains(
            "10.0.0.1  dc1         shadow  shadow  REFUSED",
            "10.0.0.3  dc1                         NOT TRIED",
            "10.0.0.1, 10.0.0.1: may not",
            "10.0.0.3: unreachable: nothing listens there");
    assertThat(OutcomeText.of("mode on", ON, List.of(blocked)))
        .contains("mode on: nothing was changed.");
    assertThat(OutcomeText.of("mode on", ON, List.of(refused)))
        .contains("mode on: as asked on 0 of 1 nodes, NOT on 1.");
  }

  /** Its folder is not writable: the node is as asked until it restarts. */
  @Test
  void aChangeThatCouldNotBePersistedIsStillSaidToBeMade() {
    NodeState off = States.node("10.0.0.1", "mode", "off");
    ChangeOutcome done = new ChangeOutcome(ON_NODE, "off", End.DONE, "", off);
    ChangeOutcome not = new ChangeOutcome(ON_NODE, "off", End.NOT_PERSISTED, "read-only", off);
    ChangeOutcome blocked = new ChangeOutcome(DOWN, "", End.BLOCKED, DOWN.why(), null);
    assertThat(OutcomeText.of("mode off", ON, List.of(not, not)))
        .contains("mode off: set on all 2 nodes, persisted on 0: it ends at a restart.");
    assertThat(OutcomeText.of("mode off", ON, List.of(not, done)))
        .contains("mode off: set on all 2 nodes, persisted on 1: on the others it ends at a");
    assertThat(OutcomeText.of("mode off", ON, List.of(not, done, blocked)))
        .contains("mode off: as asked on 1 of 3 nodes, set but NOT persisted on 1, NOT on 1.");
  }

  private static final NodeState ON_NODE = States.node("10.0.0.1");

  @Test
  void nodesThatRunAsAskedButDidNotPersistGetTheHintsOfARestart() {
    StringWriter out = new StringWriter();
    ModeCommand command = new ModeCommand();
    new CommandLine(command).setOut(new PrintWriter(out)).parseArgs("on", "--persist");
    NodeState kept = States.node("10.0.0.1", "canary", TENTH, "persisted.mode", "shadow");
    ChangeOutcome not = new ChangeOutcome(kept, "on", End.NOT_PERSISTED, "read-only", kept);
    assertThat(command.report(command.change(), List.of(not))).isEqualTo(1);
    assertThat(out.toString())
        .contains(
            "mode on: set on 1 node, persisted on 0: it ends at a restart.",
            "Another value is persisted, and returns after a restart, on 10.0.0.1 (shadow)",
            "A restart ends the canary too")
        .doesNotContain("Persisted: it remains");
    NodeState both =
        States.node("10.0.0.2", "canary", TENTH, "persisted.mode", "on", "persisted.canary", TENTH);
    ChangeOutcome done = new ChangeOutcome(both, "on", End.DONE, "", both);
    NodeState lost = States.without("10.0.0.3", Manx.UNREACHABLE, "unreachable: late");
    ChangeOutcome late = new ChangeOutcome(kept, "on", End.NOT_PERSISTED, "late", lost);
    assertThat(command.report(command.change(), List.of(done, late))).isEqualTo(1);
    assertThat(out.toString())
        .contains("Persisted: it remains after a restart")
        .doesNotContain("nodes differ in canary");
    assertThat(command.report(command.change(), List.of(done))).isZero();
  }

  @Test
  void aNodeThatRefusesFirstLeavesTheOthers() {
    NodeState shadow = States.node("10.0.0.1", "mode", "shadow");
    ChangeOutcome left = new ChangeOutcome(shadow, "shadow", End.LEFT, "", null);
    ChangeOutcome refused = new ChangeOutcome(shadow, "shadow", End.REFUSED, "a kill file", null);
    assertThat(OutcomeText.of("mode on", ON, List.of(left, refused)))
        .contains("mode on: nothing was changed, because 1 node cannot be changed.");
    ChangeOutcome done = new ChangeOutcome(shadow, "on", End.DONE, "", null);
    assertThat(OutcomeText.of("mode on", ON, List.of(left, refused, done)))
        .contains("mode on: as asked on 1 of 3 nodes, NOT on 2.");
  }

  @Test
  void aPersistedModeThatOffHasEndedIsNamedWithTheWayBack() {
    Change off = ModeCommand.to(ModeCommand.Mode.off);
    NodeState on = States.node("10.0.0.1", "persisted.mode", "on");
    NodeState shadow = States.node("10.0.0.2", "persisted.mode", "shadow");
    NodeState plain = States.node("10.0.0.3");
    NodeState after = States.node("10.0.0.1", "mode", "off");
    assertThat(
            PersistedHints.of(
                off,
                List.of(
                    new ChangeOutcome(on, "off", End.DONE, "", after),
                    new ChangeOutcome(shadow, "off", End.DONE, "", after),
                    new ChangeOutcome(plain, "off", End.DONE, "", after))))
        .containsExactly(
            "The persisted mode `on` has ended on 10.0.0.1: ./manx ctl mode on --persist restores it.",
            "The persisted mode `shadow` has ended on 10.0.0.2: ./manx ctl mode shadow --persist"
                + " restores it.");
    Change to = ModeCommand.to(ModeCommand.Mode.shadow);
    NodeState still = States.node("10.0.0.1", "mode", "shadow", "persisted.mode", "on");
    assertThat(PersistedHints.of(to, List.of(new ChangeOutcome(on, "shadow", End.DONE, "", still))))
        .containsExactly(
            "Another value is persisted, and returns after a restart, on 10.0.0.1 (on): --persist"
                + " replaces it.");
  }

  private static final String TENTH = "{ keyspaces: [], tables: [shop.carts], share: 0.1 }";

  private static ChangeOutcome now(NodeState before, NodeState after) {
    return new ChangeOutcome(before, "", End.DONE, "", after);
  }

  @Test
  void aCanaryThatARestartEndsIsNamedWithTheNodesThatItLeavesOn() {
    NodeState passing = States.node("10.0.0.1", "canary", TENTH);
    NodeState kept = States.node("10.0.0.2", "canary", TENTH, "persisted.mode", "on");
    NodeState none = States.node("10.0.0.3", "canary", "1.0", "persisted.mode", "on");
    NodeState both =
        States.node("10.0.0.4", "canary", TENTH, "persisted.mode", "on", "persisted.canary", TENTH);
    assertThat(
            CanaryHints.of(
                ON,
                List.of(now(passing, passing), now(kept, kept), now(none, none), now(both, both))))
        .containsExactly(
            "nodes differ in canary: 10% of shop.carts on 10.0.0.1, 10.0.0.2, 10.0.0.4;"
                + " none: all requests on 10.0.0.3",
            "A restart ends the canary too, unless the node's manx.yaml has one: 10% of shop.carts on"
                + " 10.0.0.1. Otherwise set it again before you switch the restarted node on; with"
                + " `mode: on` alone in its manx.yaml it would act on all requests. The same command"
                + " with --persist keeps mode and canary.",
            "A restart ends the canary and keeps the mode on: 10% of shop.carts on 10.0.0.2. The"
                + " restarted node acts on all requests, unless its manx.yaml has a canary. The same"
                + " command with --persist keeps mode and canary.");
    Change set = new Change("canary", "0.1", state -> "", state -> true, false);
    assertThat(CanaryHints.of(set, List.of(now(passing, passing), now(kept, kept))))
        .singleElement(as(STRING))
        .startsWith(
            "A restart ends the canary and keeps the mode on: 10% of shop.carts on 10.0.0.2.")
        .endsWith("The same command with --persist keeps the canary.");
    Change reset = new Change("persisted", "reset canary", state -> "", state -> true, false);
    assertThat(CanaryHints.of(reset, List.of(now(both, kept))))
        .singleElement(as(STRING))
        .endsWith("./manx ctl canary set with --persist keeps the canary.");
    Change calm = new Change("calm-after", "5s", state -> "", state -> true, false);
    assertThat(CanaryHints.of(calm, List.of(now(kept, kept)))).isEmpty();
    assertThat(CanaryHints.of(ON, List.of(now(both, both)))).isEmpty();
    assertThat(CanaryHints.of(ON, List.of(new ChangeOutcome(none, "on", End.DONE, "", null))))
        .isEmpty();
  }

  @Test
  void aCanaryThatWasPersistedWithTheModeIsNamed() {
    NodeState before = States.node("10.0.0.1", "mode", "shadow", "canary", TENTH);
    NodeState after =
        States.node("10.0.0.1", "canary", TENTH, "persisted.mode", "on", "persisted.canary", TENTH);
    assertThat(CanaryHints.of(ON.persistent(), List.of(now(before, after))))
        .containsExactly(
            "The canary was persisted with the mode: 10% of shop.carts on 10.0.0.1. A restarted node"
                + " would otherwise act on all requests, unless its manx.yaml has a canary. To end it:"
                + " ./manx ctl canary end --persist");
    NodeState other =
        States.node("10.0.0.1", "canary", "0.5", "persisted.mode", "on", "persisted.canary", TENTH);
    assertThat(CanaryHints.of(ON.persistent(), List.of(now(other, other))))
        .containsExactly(
            "Another canary is persisted, and returns after a restart: 10% of shop.carts on 10.0.0.1."
                + " ./manx ctl canary set or end with --persist replaces it.");
  }

  /** Its policies are equal, and its settings are not; a node persists no names of policies. */
  @Test
  void aPersistedStrategyOfAnotherBuildIsComparedWithTheRunningOne() {
    Change change = StrategyCommandTest.change("low-fifo");
    String written = StrategyNames.parse("strategy: low-fifo").document() + "# more\n";
    assertThat(hints(change, lowFifo(written, written))).isEmpty();
    assertThat(hints(change, lowFifo(written, written + "# other settings\n")))
        .containsExactly(
            "Another value is persisted, and returns after a restart, on 10.0.0.1 (select.low"
                + " order.fifo fanout.none): --persist replaces it.");
    assertThat(hints(change, lowFifo(written, "strategy: { select: select.lor }")))
        .containsExactly(
            "Another value is persisted, and returns after a restart, on 10.0.0.1 (select.lor"
                + " order.fifo fanout.none): --persist replaces it.");
    assertThat(hints(change, lowFifo(written, "strategy: { select: select.of-another-build }")))
        .containsExactly(
            "Another value is persisted, and returns after a restart, on 10.0.0.1 (this"
                + " version of ./manx cannot read it): --persist replaces it.");
  }

  private static List<String> hints(Change change, NodeState after) {
    return PersistedHints.of(
        change, List.of(new ChangeOutcome(States.node("10.0.0.1"), "", End.DONE, "", after)));
  }

  private static NodeState lowFifo(String document, String persisted) {
    List<String> rows =
        new ArrayList<>(
            List.of(
                "version",
                "0.1.0 (aaaaaaaa)",
                "document",
                document,
                "persisted.document",
                persisted));
    StrategyNames.parse("strategy: low-fifo")
        .names()
        .forEach((family, name) -> rows.addAll(List.of("policy." + family, name)));
    return States.node("10.0.0.1", rows.toArray(String[]::new));
  }

  @Test
  void onlyAPersistedModeHasAnExceptionInTheFile() {
    assertThat(ON.exceptInFile()).isEqualTo(", except `mode: off` there");
    Change calm = new Change("calm-after", "5s", state -> "", state -> true, false);
    assertThat(calm.exceptInFile()).isEmpty();
  }
}
