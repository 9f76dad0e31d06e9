/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * The commands on two nodes with logins, permissions and TLS, of which one goes down in the end.
 */
@OwnNodes
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SecuredClusterEndToEndTest {
  private static final Path WORK = SecuredCluster.WORK;
  private static final Path PERSISTED = SecuredCluster.PERSISTED;

  private static SecuredCluster nodes;

  @BeforeAll
  static void boot() throws Exception {
    nodes = SecuredCluster.boot();
  }

  @AfterAll
  static void stop() {
    if (nodes != null) {
      nodes.close();
    }
  }

  private static Command run(List<String> more, String... arguments) {
    return SecuredCluster.run(more, arguments);
  }

  @Test
  @Order(1)
  void anOperatorSwitchesOverTls() {
    Command check = run(List.of(), "check");
    assertThat(check.output())
        .contains("all 3 nodes: mode shadow", "all 3 nodes: this user may switch Manx")
        .doesNotContain("error  ", "warning  ");
    assertThat(check.code()).isZero();
    Command on = run(List.of(), "ctl", "mode", "on");
    assertThat(on.code()).as(on.output()).isZero();
    assertThat(on.output()).contains("as asked on all 3 nodes");
    Command top = run(List.of("--once", "--interval=1s"), "top");
    assertThat(top.code()).isZero();
    assertThat(top.output()).contains("strategy manx on 3 nodes");
    assertThat(run(List.of(), "ctl", "mode", "shadow").code()).isZero();
  }

  @Test
  @Order(2)
  void theNodesAskClientsForACertificate() throws Exception {
    Path jks = WORK.resolve("trusted.jks");
    nodes.authority.trustedBy(jks);
    for (String trust :
        List.of(nodes.authority.pem().toString(), jks.toString(), nodes.client.toString())) {
      Command stores =
          run(
              List.of(
                  "--tls-trust=" + trust,
                  "--tls-key=" + nodes.client,
                  "--tls-password-file=" + WORK.resolve("stores")),
              "ctl",
              "status");
      assertThat(stores.code()).as(stores.output()).isZero();
    }
    Command none =
        Command.run(
            "ctl", "status", "--on=anonymous", "--clusters=" + WORK.resolve("clusters.yaml"));
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.output()).contains("if it asks for a client's certificate", "--tls-key");
  }

  @Test
  @Order(3)
  void statementsOfOnesOwnNeedAGrantOnTheirTables() throws Exception {
    String own = WORK.resolve("own.yaml").toString();
    Command unasked = run(List.of(), "run", own);
    assertThat(unasked.code()).isEqualTo(1);
    assertThat(unasked.output())
        .contains(
            "off for stock, on for manx, off for driver; restored at the end: shadow on all 3")
        .contains("Not every node is on", "for all requests of all clients", "--switch-all");
    Command refused = run(List.of("--user=looker", "--switch-all"), "run", own);
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.output())
        .contains("statement page is refused", "no SELECT permission on <table shop.items>")
        .contains("GRANT SELECT ON TABLE shop.items TO looker");
    Path out = Files.createTempDirectory(WORK, "own");
    Command measured = run(List.of("--switch-all", "--out=" + out.resolve("results")), "run", own);
    assertThat(measured.code()).as(measured.output()).isZero();
    OwnResults results = new OwnResults(out.resolve("results"));
    for (String arm : List.of("stock", "manx", "driver")) {
      assertThat(results.sent(arm)).as("sent by " + arm).isPositive();
      assertThat(results.failed(arm)).as("failed or timed out by " + arm).isZero();
    }
    assertThat(run(List.of(), "ctl", "status").output()).containsPattern("shadow +manx ");
  }

  @Test
  @Order(4)
  void aReadOnlyUserIsToldTheMissingGrant() {
    Command refused = run(List.of("--user=looker"), "ctl", "mode", "on");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.output())
        .contains("GRANT MODIFY ON TABLE manx.strategy TO looker", "NOT on 3")
        .containsPattern("127\\.0\\.0\\.1 +datacenter1 +shadow +shadow +REFUSED");
    Command check = run(List.of("--user=looker"), "check");
    assertThat(check.code()).isZero();
    assertThat(check.output())
        .contains("this user may read but not switch Manx")
        .contains("all 3 nodes: this user may not read manx.replicas: warm does not work")
        .contains("GRANT SELECT ON TABLE manx.latency", "GRANT SELECT ON TABLE manx.decision_log");
    Command warm = run(List.of("--user=looker", "--nodes=127.0.0.3", "--at-most=1h"), "warm");
    assertThat(warm.code()).isEqualTo(1);
    assertThat(warm.output()).contains("GRANT SELECT ON TABLE manx.replicas TO the user");
    Command advise = run(List.of("--user=looker", "--record=5s"), "advise");
    assertThat(advise.code()).isEqualTo(1);
    assertThat(advise.output())
        .contains("nothing was recorded", "GRANT MODIFY ON TABLE manx.strategy TO looker")
        .doesNotContain("could not be ended");
    Command top = run(List.of("--user=looker", "--once", "--interval=1s"), "top");
    assertThat(top.output())
        .containsOnlyOnce(
            "all 3 nodes: P99 ms is not known: GRANT SELECT ON TABLE manx.latency TO the user");
    Command stranger = run(List.of("--user=stranger"), "ctl", "mode", "on");
    assertThat(stranger.code()).isEqualTo(1);
    assertThat(stranger.output()).contains("this user may not see it", "nothing was changed");
    Command log = run(List.of("--user=looker", "--to=" + WORK.resolve("logs")), "ctl", "fetch-log");
    assertThat(log.code()).isEqualTo(1);
    assertThat(log.output())
        .contains("nothing was fetched", "127.0.0.3 does not let this user read its log")
        .contains("GRANT SELECT ON TABLE manx.decision_log");
  }

  @Test
  @Order(5)
  void aWrongPasswordAndNoneAtAllAreNamed() {
    Command wrong = run(List.of("--password-file=" + WORK.resolve("wrong")), "ctl", "status");
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.output()).contains("refused the login of user operator: wrong password");
    Command none = Command.run("ctl", "status", "--on=127.0.0.1");
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.output()).contains("asks for a login: give --user and --password-file");
  }

  @Test
  @Order(6)
  @EnabledIfEnvironmentVariable(
      named = "MANX_FULL",
      matches = "1",
      disabledReason = "./test --full has nodes show other certificates")
  void certificatesThatCannotBeTrustedAreNamed() throws Exception {
    Authority other = Authority.in(WORK.resolve("other"));
    Command untrusted = run(List.of("--tls-trust=" + other.pem()), "ctl", "status");
    assertThat(untrusted.code()).isEqualTo(1);
    assertThat(untrusted.output()).contains("not signed by an authority that " + other.pem());

    nodes.present(nodes.authority.sign("expired", SecuredCluster.ADDRESSES, -20, 10));
    Command expired = run(List.of(), "ctl", "status");
    assertThat(expired.code()).isEqualTo(1);
    assertThat(expired.output()).contains("a certificate of the node has expired");

    nodes.present(nodes.authority.sign("elsewhere", "ip:10.9.8.7", 0, 10));
    Command elsewhere = run(List.of(), "ctl", "status");
    assertThat(elsewhere.code()).isEqualTo(1);
    assertThat(elsewhere.output()).contains("for another host", "--tls-any-host");
    assertThat(run(List.of("--tls-any-host"), "ctl", "status").code()).isZero();

    nodes.present(nodes.good);
    assertThat(run(List.of(), "ctl", "status").code()).isZero();
  }

  @Test
  @Order(7)
  void nodesReadTheirFileAgainOrNoneOfThemDoes() throws Exception {
    Path config = WORK.resolve("manx.yaml");
    Files.writeString(config, "plugin:\n  mode: shadow\n  unpage-up-to: many\nstrategy: manx\n");
    Command refused = run(List.of(), "ctl", "reload");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.output())
        .contains("all 3 nodes: REFUSED: " + config + ":3: plugin.unpage-up-to = 'many'")
        .contains("from 0 to 100000", "nothing was changed");
    Files.writeString(
        config,
        "plugin: { mode: shadow, unpage-up-to: 64, nodes: 99, breaker: { failures: 3 } }\n"
            + "strategy: c3\n");
    Command looker = run(List.of("--user=looker"), "ctl", "reload");
    assertThat(looker.code()).isEqualTo(1);
    assertThat(looker.output()).contains("GRANT MODIFY ON TABLE manx.strategy TO looker");
    Command dry = run(List.of("--dry-run"), "ctl", "reload");
    assertThat(dry.code()).as("as the reload: " + dry.output()).isEqualTo(1);
    Command all = run(List.of("--dry-run", "--all-settings"), "ctl", "reload");
    assertThat(all.code()).as(all.output()).isZero();
    assertThat(run(List.of(), "ctl", "status").output()).containsPattern("shadow +manx ");
    Command back = run(List.of(), "ctl", "reload");
    assertThat(back.code()).isEqualTo(1);
    assertThat(back.output())
        .contains("nothing was changed", "revert", "strategy on all 3 nodes", "--all-settings");
    assertThat(run(List.of(), "ctl", "status").output()).containsPattern("shadow +manx ");
    Command reload = run(List.of("--all-settings"), "ctl", "reload");
    assertThat(reload.code()).as(reload.output()).isZero();
    assertThat(reload.output())
        .contains("plugin.unpage-up-to 256 -> 64", "plugin.breaker.failures 10 -> 3", "strategy [")
        .contains("needs a restart: plugin.nodes 1024 -> 99", "reload: done on all 3 nodes");
    assertThat(run(List.of(), "ctl", "status").output()).containsPattern("shadow +c3 ");
    Command again = run(List.of("--dry-run"), "ctl", "reload");
    assertThat(again.output()).contains("nothing changes; needs a restart: plugin.nodes");
    assertThat(run(List.of(), "ctl", "off").code()).isZero();
    Command off = run(List.of(), "ctl", "reload");
    assertThat(off.output()).contains("mode stays off, though the configuration says shadow");
    Files.writeString(config, "plugin: { mode: shadow }\nstrategy: manx\n");
    assertThat(run(List.of("--all-settings"), "ctl", "reload").code()).isZero();
    assertThat(run(List.of(), "ctl", "mode", "shadow").code()).isZero();
  }

  /** The nodes share a folder here, so only one of them persists. */
  @Test
  @Order(8)
  void persistedSettingsSurviveARestartUntilTheyAreSwitchedOff() {
    List<String> third = List.of("--nodes=127.0.0.3");
    Command refused =
        run(List.of("--nodes=127.0.0.3", "--user=looker", "--persist"), "ctl", "mode", "on");
    assertThat(refused.output()).contains("REFUSED");
    assertThat(PERSISTED).doesNotExist();
    assertThat(
            run(
                    List.of("--nodes=127.0.0.3", "--tables=system_auth.roles"),
                    "ctl",
                    "canary",
                    "set",
                    "25%")
                .code())
        .isZero();
    Command on = run(List.of("--nodes=127.0.0.3", "--persist"), "ctl", "mode", "on");
    assertThat(on.code()).as(on.output()).isZero();
    assertThat(on.output())
        .contains(
            "Persisted: it remains after a restart, and overrides manx.yaml, except `mode: off`",
            "The canary was persisted with the mode: 25% of system_auth.roles on 127.0.0.3.");
    nodes.cluster.kill(2);
    nodes.cluster.restart(2, true);
    Waiting.until(
        "the node is on again",
        () -> {
          String shown = run(third, "ctl", "status").output();
          return shown.contains("persisted on 127.0.0.3: mode, canary")
              && Pattern.compile("127\\.0\\.0\\.3 +datacenter1 +on ").matcher(shown).find();
        });
    assertThat(run(third, "ctl", "canary", "show").output())
        .containsPattern("127\\.0\\.0\\.3 +datacenter1 +on +25% of system_auth.roles");
    assertThat(run(List.of(), "check").output()).contains("127.0.0.3: persisted: mode, canary");
    Command shadow = run(third, "ctl", "mode", "shadow");
    assertThat(shadow.output())
        .contains("Another value is persisted, and returns after a restart, on 127.0.0.3 (on)");
    Command off = run(third, "ctl", "mode", "off");
    assertThat(off.code()).isZero();
    assertThat(off.output())
        .contains("The persisted mode `on` has ended on 127.0.0.3: ./manx ctl mode on --persist");
    assertThat(run(third, "ctl", "status").output())
        .contains("persisted on 127.0.0.3: canary since");
    Command reset = run(third, "ctl", "reset-persisted");
    assertThat(reset.code()).as(reset.output()).isZero();
    assertThat(reset.output()).containsPattern("canary +nothing +as asked");
    assertThat(PERSISTED).doesNotExist();
    assertThat(run(third, "ctl", "canary", "end").code()).isZero();
  }

  @Test
  @Order(9)
  @EnabledIfEnvironmentVariable(
      named = "MANX_FULL",
      matches = "1",
      disabledReason = "./test --full loses a node and boots it without Manx")
  void aNodeThatIsDownAndOneWithoutManxChangeNothingButOff() throws Exception {
    assertThat(run(List.of(), "ctl", "mode", "shadow").code()).isZero();
    nodes.cluster.kill(2);
    nodes.awaitSeenDown(0);
    nodes.awaitSeenDown(1);
    Command status = run(List.of("--timeout=5s"), "ctl", "status");
    assertThat(status.code()).isEqualTo(1);
    assertThat(status.output()).contains("127.0.0.3: unreachable: ", "nothing listens there");
    Command on = run(List.of("--timeout=5s"), "ctl", "mode", "on");
    assertThat(on.code()).isEqualTo(1);
    assertThat(on.output())
        .containsPattern("127\\.0\\.0\\.1 +datacenter1 +shadow +shadow +left as it was")
        .contains("nothing was changed");
    Command some = run(List.of("--timeout=5s", "--some"), "ctl", "mode", "on");
    assertThat(some.code()).isEqualTo(1);
    assertThat(some.output()).contains("as asked on 2 of 3 nodes, NOT on 1");
    Command off = run(List.of("--timeout=5s"), "ctl", "off");
    assertThat(off.code()).isEqualTo(1);
    assertThat(off.output()).containsPattern("127\\.0\\.0\\.1 +datacenter1 +on +off +as asked");

    nodes.cluster.restart(2, false);
    Waiting.until(
        "the other node answers",
        () -> run(List.of(), "ctl", "status").output().contains("Manx is not on this node"));
    Command check = run(List.of(), "check");
    assertThat(check.code()).isEqualTo(1);
    assertThat(check.output())
        .contains("127.0.0.3: Manx is not installed", "docs/operate/install.md");
    Command mode = run(List.of(), "ctl", "mode", "shadow");
    assertThat(mode.code()).isEqualTo(1);
    assertThat(mode.output()).contains("nothing was changed, because 1 node cannot be");
  }
}
