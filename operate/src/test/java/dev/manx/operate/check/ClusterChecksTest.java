/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.load.connect.NodeException;
import dev.manx.load.connect.NodeException.Kind;
import dev.manx.operate.check.AskedNode.Right;
import dev.manx.operate.check.Finding.Level;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.look.NodeState.Manx;
import dev.manx.operate.look.States;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterChecksTest {
  private static AskedNode asked(NodeState state) {
    return new AskedNode(state, "5.0.9", "17.0.13", EngineChecks.HANDLER, Right.GIVEN, List.of());
  }

  private static Findings of(AskedNode... nodes) {
    List<AskedNode> all = new ArrayList<>(List.of(asked(States.node("10.0.0.1"))));
    all.addAll(List.of(nodes));
    return ClusterChecks.of(all);
  }

  @Test
  void nodesThatAreWellAndAlikeMakeOneLineEach() {
    Findings found = of(asked(States.node("10.0.0.2")), asked(States.node("10.0.0.3")));
    assertThat(found.all()).allMatch(finding -> finding.level() == Level.OK);
    assertThat(found.all()).allMatch(finding -> finding.where().equals("all 3 nodes"));
    assertThat(found.text().lines())
        .contains(
            "ok       all 3 nodes: Cassandra 5.0.9",
            "ok       all 3 nodes: Java 17.0.13",
            "ok       all 3 nodes: Manx 0.1.0",
            "ok       all 3 nodes: mode on",
            "ok       all 3 nodes: strategy manx",
            "ok       all 3 nodes: breaker closed",
            "ok       all 3 nodes: hooks installed: 2 of 2",
            "ok       all 3 nodes: this user may switch Manx",
            "All is well.");
  }

  private static void finds(Findings found, Level level, String where, String text) {
    assertThat(found.all())
        .anySatisfy(
            finding -> {
              assertThat(finding.level()).isEqualTo(level);
              assertThat(finding.where()).isEqualTo(where);
              assertThat(finding.text()).contains(text);
              assertThat(finding.todo()).isNotBlank();
            });
  }

  @Test
  void aNodeThatActsOnAPartOfTheRequestsIsNamed() {
    finds(
        of(asked(States.node("10.0.0.2", "canary", "0.1"))),
        Level.WARNING,
        "10.0.0.2",
        "only a part of the requests: canary 0.1");
    Findings all = of(asked(States.node("10.0.0.2", "canary", "1")));
    assertThat(all.all()).allMatch(finding -> finding.level() == Level.OK);
  }

  /** It came back on without the canary of the others, and acts on every request. */
  @Test
  void aNodeThatHasLostACanaryOfTablesIsNamed() {
    String carts = "{ keyspaces: [], tables: [shop.carts], share: 1.0 }";
    finds(
        ClusterChecks.of(
            List.of(
                asked(States.node("10.0.0.1", "canary", carts)),
                asked(States.node("10.0.0.2", "canary", "1.0")),
                asked(States.node("10.0.0.3", "canary", "1.0", "mode", "shadow")))),
        Level.WARNING,
        "cluster",
        "nodes differ in canary: 100% of shop.carts on 10.0.0.1; none: all requests on 10.0.0.2");
    Findings other =
        ClusterChecks.of(
            List.of(
                asked(States.node("10.0.0.1", "canary", carts)),
                asked(States.node("10.0.0.2", "canary", "1.0", "mode", "shadow"))));
    assertThat(other.text()).as("it acts on none").doesNotContain("differ in canary");
  }

  @Test
  void everyWayInWhichManxIsNotThereIsTold() {
    NodeState absent = States.without("10.0.0.2", Manx.ABSENT, "Manx is not on this node");
    finds(
        of(new AskedNode(absent, "5.0.9", "17", "", Right.UNKNOWN, List.of())),
        Level.ERROR,
        "10.0.0.2",
        "not installed");
    finds(
        of(new AskedNode(absent, "5.0.9", "17", "com.example.Other", Right.UNKNOWN, List.of())),
        Level.ERROR,
        "10.0.0.2",
        "another query handler is in use: com.example.Other");
    finds(
        of(new AskedNode(absent, "5.0.9", "17", EngineChecks.HANDLER, Right.UNKNOWN, List.of())),
        Level.ERROR,
        "10.0.0.2",
        "does not answer");
    NodeState down = States.without("10.0.0.2", Manx.UNREACHABLE, "unreachable: no answer");
    finds(
        of(new AskedNode(down, "", "", "", Right.UNKNOWN, List.of())),
        Level.ERROR,
        "10.0.0.2",
        "no answer");
    NodeState hidden = States.without("10.0.0.2", Manx.HIDDEN, "this user may not see it");
    finds(
        of(new AskedNode(hidden, "5.0.9", "", "", Right.UNKNOWN, List.of())),
        Level.ERROR,
        "10.0.0.2",
        "may not see");
  }

  /** It may be installed, and have stepped aside. */
  @Test
  void aNodeWhoseOptionsAreNotReadableIsNotSaidToBeWithoutManx() {
    NodeState absent = States.without("10.0.0.2", Manx.ABSENT, "Manx is not on this node");
    Findings found = of(new AskedNode(absent, "5.0.9", "", "", Right.UNKNOWN, List.of()));
    finds(found, Level.ERROR, "10.0.0.2", "may not read whether the JVM option names it");
    assertThat(found.text()).doesNotContain("not installed");
  }

  @Test
  void enginesThatManxStepsAsideOnAreNamed() {
    NodeState state = States.node("10.0.0.2");
    Findings found =
        of(new AskedNode(state, "4.1.7", "11.0.2", EngineChecks.HANDLER, Right.GIVEN, List.of()));
    finds(found, Level.ERROR, "10.0.0.2", "Cassandra 4.1.7");
    finds(found, Level.ERROR, "10.0.0.2", "Java 11.0.2");
    finds(found, Level.WARNING, "cluster", "different versions of Cassandra");
  }

  @Test
  void aVersionThatWasNotReadIsNotAWrongOne() {
    NodeState state = States.node("10.0.0.2");
    Findings found =
        of(new AskedNode(state, "", "17.0.13", EngineChecks.HANDLER, Right.GIVEN, List.of()));
    finds(found, Level.WARNING, "10.0.0.2", "did not report its version of Cassandra");
    assertThat(found.text()).doesNotContain("different versions");
    assertThat(found.count(Level.ERROR)).isZero();
  }

  @Test
  void manxDoesNotStepAsideOnALaterJava() {
    for (String version : List.of("21", "21.0.2", "25-ea")) {
      NodeState state = States.node("10.0.0.2");
      Findings found =
          of(new AskedNode(state, "5.0.9", version, EngineChecks.HANDLER, Right.GIVEN, List.of()));
      finds(found, Level.WARNING, "10.0.0.2", "Java " + version);
      assertThat(found.text()).doesNotContain("steps aside");
    }
    NodeState state = States.node("10.0.0.2");
    for (String version : List.of("1.8.0_402", "11.0.2")) {
      Findings found =
          of(new AskedNode(state, "5.0.9", version, EngineChecks.HANDLER, Right.GIVEN, List.of()));
      finds(found, Level.ERROR, "10.0.0.2", "Java " + version + "; Manx requires 17");
    }
  }

  @Test
  void differencesAndTroublesAreNamedWithTheirNodes() {
    finds(
        of(asked(States.node("10.0.0.2", "mode", "shadow"))),
        Level.WARNING,
        "cluster",
        "nodes differ in mode: on on 10.0.0.1; shadow on 10.0.0.2");
    finds(
        of(asked(States.node("10.0.0.2", "version", "0.2.0"))),
        Level.WARNING,
        "cluster",
        "different versions of Manx");
    finds(
        of(asked(States.node("10.0.0.2", "breaker", "open, tries again in 5s: boom"))),
        Level.ERROR,
        "10.0.0.2",
        "has switched itself off");
    Findings again = of(asked(States.node("10.0.0.2", "breaker", "half-open: boom")));
    finds(again, Level.WARNING, "10.0.0.2", "breaker half-open: boom");
    assertThat(again.text()).as("it is on").doesNotContain("Manx has switched itself off");
    finds(
        of(asked(States.node("10.0.0.2", "mode", "off", "trouble", "manx.yaml:3: refused"))),
        Level.ERROR,
        "10.0.0.2",
        "Manx is off: manx.yaml:3: refused");
    finds(
        of(asked(States.failing(States.node("10.0.0.2"), "snitch", "no such method"))),
        Level.ERROR,
        "10.0.0.2",
        "snitch (no such method)");
    finds(
        of(asked(States.counting(States.node("10.0.0.2"), 1, "faults", 3))),
        Level.WARNING,
        "10.0.0.2",
        "faults 3");
  }

  /** Bare, it would switch every node of the cluster on, also those in shadow mode. */
  @Test
  void theRemedyOfAnOpenBreakerSwitchesNoOtherNode() {
    String again = "open, tries again in 40s: boom";
    for (String mode : List.of("shadow", "on")) {
      Findings found =
          of(asked(States.node("10.0.0.2", "breaker", again, "interrupted", mode, "mode", "off")));
      finds(found, Level.ERROR, "10.0.0.2", again);
      assertThat(found.text())
          .contains("tries again by itself, in its former mode, " + mode + ".")
          .doesNotContain("./manx ctl");
    }
    String until = "open until switched on: stuck";
    Findings found =
        of(
            asked(States.node("10.0.0.2", "breaker", until, "interrupted", "shadow")),
            asked(States.node("10.0.0.3", "breaker", until, "interrupted", "shadow")),
            asked(States.node("10.0.0.4", "breaker", until, "interrupted", "on")),
            asked(States.node("10.0.0.5", "breaker", until)));
    assertThat(found.text())
        .contains(
            ": ./manx ctl mode shadow --nodes 10.0.0.2,10.0.0.3",
            ": ./manx ctl mode on --nodes 10.0.0.4",
            ": ./manx ctl mode MODE --nodes 10.0.0.5 (MODE as before: shadow or on)");
    assertThat(found.text().lines())
        .noneMatch(line -> line.matches(".*ctl mode \\w+(?! --nodes)\\b"));
  }

  /** The read time-out was lowered while it was on. */
  @Test
  void troubleOfANodeThatIsOnIsAWarningInItsOwnWords() {
    String waits = "strategy.order.max-wait is 500ms, more than 250ms";
    Findings found = of(asked(States.node("10.0.0.2", "mode", "shadow", "trouble", waits)));
    finds(found, Level.WARNING, "10.0.0.2", waits);
    assertThat(found.count(Level.ERROR)).isZero();
    assertThat(found.text()).doesNotContain("Manx is off");
  }

  @Test
  void theKillFileHasARemedyOfItsOwn() {
    Findings found =
        of(
            asked(
                States.node(
                    "10.0.0.2", "mode", "off", "trouble", "the kill file /c/manx.off exists")));
    finds(found, Level.ERROR, "10.0.0.2", "Manx is off: the kill file /c/manx.off exists");
    assertThat(found.text())
        .contains("remove the file on the node, and switch Manx on with ./manx ctl mode")
        .doesNotContain("Correct manx.yaml");
    String gone =
        "the kill file /c/manx.off switched it off, and is gone; ./manx ctl mode switches it on";
    assertThat(of(asked(States.node("10.0.0.2", "mode", "off", "trouble", gone))).text())
        .contains("To use Manx again: ./manx ctl mode MODE --nodes 10.0.0.2")
        .doesNotContain("remove the file", "Correct manx.yaml");
  }

  @Test
  void sameNamesWithOtherSettingsAreFound() {
    String document = "strategy: { select: { policy: select.low, a: 1 } }";
    Findings found =
        ClusterChecks.of(
            List.of(
                asked(States.node("10.0.0.1", "document", document)),
                asked(States.node("10.0.0.2", "document", document.replace("1", "2")))));
    finds(found, Level.WARNING, "all 2 nodes", "same policies with different settings");
  }

  /** The defaults of two versions may differ, and a document contains them. */
  @Test
  void strategiesOfDifferentVersionsAreComparedByTheirPoliciesOnly() {
    String document = "strategy: { select: { policy: select.low, a: 1 } }";
    Findings upgrade = of(asked(States.node("10.0.0.2", "version", "0.2.0", "document", document)));
    finds(upgrade, Level.WARNING, "cluster", "different versions of Manx");
    assertThat(upgrade.count(Level.WARNING)).as(upgrade.text()).isEqualTo(1);
    assertThat(upgrade.text()).contains("all 2 nodes: strategy select.low");
    Findings mixed =
        of(
            asked(
                States.node(
                    "10.0.0.2",
                    "version",
                    "0.2.0",
                    "policy.select",
                    "select.lor",
                    "document",
                    "")));
    finds(mixed, Level.WARNING, "cluster", "nodes differ in strategy: select.low on 10.0.0.1;");
    Findings same =
        of(
            asked(States.node("10.0.0.2", "version", "0.2.0", "document", document)),
            asked(
                States.node(
                    "10.0.0.3", "version", "0.2.0", "document", document.replace("1", "2"))));
    finds(same, Level.WARNING, "10.0.0.2, 10.0.0.3", "same policies with different settings");
  }

  /** {@code advise --record} sets it, and leaves it if it is killed. */
  @Test
  void aNodeThatIsNeverCalmIsNamed() {
    String calm = "calm-after";
    Findings found =
        ClusterChecks.of(
            List.of(
                asked(States.node("10.0.0.1", calm, "250ms")),
                asked(States.node("10.0.0.2", calm, "0s")),
                asked(States.node("10.0.0.3", calm, "250ms"))));
    finds(found, Level.WARNING, "10.0.0.2", "calm-after 0s: every request is planned");
    assertThat(found.count(Level.WARNING)).as(found.text()).isEqualTo(1);
    finds(
        ClusterChecks.of(
            List.of(
                asked(States.node("10.0.0.1", calm, "250ms")),
                asked(States.node("10.0.0.2", calm, "5s")))),
        Level.WARNING,
        "cluster",
        "nodes differ in calm-after: 250ms on 10.0.0.1; 5s on 10.0.0.2");
  }

  @Test
  void aUserWithoutTheRightToSwitchGetsAnError() {
    NodeState state = States.node("10.0.0.2");
    finds(
        of(
            new AskedNode(
                state, "5.0.9", "17.0.13", EngineChecks.HANDLER, Right.MISSING, List.of())),
        Level.WARNING,
        "10.0.0.2",
        "may read but not switch");
  }

  /** A connection that is lost says nothing about the user's grants. */
  @Test
  void onlyANodeThatForbidsItTakesTheRight() {
    for (Kind kind : Kind.values()) {
      Right right =
          AskedNode.right(
              () -> {
                throw new NodeException(kind, "no answer came in time", null);
              });
      assertThat(right)
          .as("%s", kind)
          .isEqualTo(
              switch (kind) {
                case REFUSED -> Right.GIVEN;
                case FORBIDDEN -> Right.MISSING;
                default -> Right.UNKNOWN;
              });
    }
    assertThat(AskedNode.right(() -> {})).isEqualTo(Right.GIVEN);
    NodeState state = States.node("10.0.0.2");
    Findings found =
        of(new AskedNode(state, "5.0.9", "17", EngineChecks.HANDLER, Right.UNKNOWN, List.of()));
    finds(found, Level.WARNING, "10.0.0.2", "did not answer whether this user may switch");
    assertThat(found.text()).doesNotContain("GRANT MODIFY");
  }

  /** Manx answers without these grants, and then a command fails, or shows less, much later. */
  @Test
  void tablesThatThisUserMayNotReadAreNamedWithTheirGrant() {
    List<OtherTable> all = List.of(OtherTable.values());
    Findings found =
        of(
            new AskedNode(
                States.node("10.0.0.2"),
                "5.0.9",
                "17.0.13",
                EngineChecks.HANDLER,
                Right.GIVEN,
                all));
    finds(found, Level.WARNING, "10.0.0.2", "may not read manx.replicas: warm does not work");
    assertThat(found.text())
        .contains(
            "GRANT SELECT ON TABLE manx.latency TO the user",
            "GRANT SELECT ON TABLE manx.replicas TO the user",
            "GRANT SELECT ON TABLE manx.decision_log TO the user");
  }

  @Test
  void aTableThatAnEarlierVersionLacksIsNotForbidden() {
    NodeState.Question node =
        cql -> {
          if (cql.contains("manx.decision_log")) {
            throw new NodeException(Kind.ABSENT, "table decision_log does not exist", null);
          }
          if (cql.contains("manx.replicas")) {
            throw new NodeException(Kind.FORBIDDEN, "no SELECT permission", null);
          }
          return List.of();
        };
    assertThat(AskedNode.hidden(node)).containsExactly(OtherTable.REPLICAS);
  }
}
