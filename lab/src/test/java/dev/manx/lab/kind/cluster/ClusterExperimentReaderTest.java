/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import static dev.manx.lab.kind.cluster.TinyExperiment.TEXT;
import static dev.manx.lab.kind.cluster.TinyExperiment.parse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Load;
import dev.manx.load.Background;
import dev.manx.load.CassandraSettings.Coordinators;
import dev.manx.load.DriverSettings;
import dev.manx.policy.config.ConfigException;
import dev.manx.workload.RequestClass;
import dev.manx.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterExperimentReaderTest {
  /** Each case replaces a part of the text and expects file, line and key of the refusal. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          experiment: tiny    | experiment: 'a b'        | tiny.yaml:1: experiment = 'a b'
          on: cluster         | on: cache                | tiny.yaml:2: on = 'cache' is invalid; allowed: one of cluster
          on: cluster         | on: moon                 | tiny.yaml:2: on = 'moon'
          nodes: 3            | nodes: 0                 | tiny.yaml:4: cluster.nodes = '0' is invalid; allowed: a whole number from 1 to 9
          nodes: 3            | nodes: 2, replication    | tiny.yaml:4: cluster.nodes
          concurrent-reads: 2 | concurent-reads: 2       | tiny.yaml:5: cluster.concurent-reads: unknown key; valid keys:
          concurrent-reads: 2 | replication-factor: 4    | tiny.yaml:5: cluster.replication-factor = '4'
          base: 5ms           | base: 5                  | tiny.yaml:6: service-model.base = '5' is invalid; allowed: a duration
          base: 5ms           | base: 5KiB               | tiny.yaml:6: service-model.base = '5KiB'
          keys: 1000          | keys: 7                  | tiny.yaml:8: workload.keys = '7'
          share: 5%           | share: 6%                | tiny.yaml:9: workload.values = 'a list' is invalid; allowed: shares that add up to 100%
          bytes: 64KiB        | bytes: 64KB              | tiny.yaml:9: workload.values[1].bytes = '64KB'
          kind: fixed         | kind: zipf               | tiny.yaml:10: workload.fan-out.kind = 'zipf' is invalid; allowed: one of heavy-tailed, fixed, lognormal
          kind: fixed, reads: 4 | kind: mix, requests: { a: { share: 50%, reads: 4 } } | tiny.yaml:10: workload.fan-out.requests = '{a}' is invalid; allowed: the shares of the kinds
          kind: fixed, reads: 4 | kind: mix, requests: { a: { reads: 0 } } | tiny.yaml:10: workload.fan-out.requests.a.reads = '0'
          kind: fixed, reads: 4 | kind: mix, requests: { a: { reads: 40, large: 50% } } | tiny.yaml:8: workload.keys = '1000' is invalid; allowed: a request may have 40 distinct keys with large values; then
          kind: fixed, reads: 4 | kind: lognormal, mu: 10, sigma: 0.5, max: 100 | tiny.yaml:10: workload.fan-out.max = '100' is invalid; allowed: at least 245 reads with mu 10.0
          reads: 4            | reads: 4, mean: 3        | tiny.yaml:10: workload.fan-out.mean: unknown key
          70%, 120/s          | 70x                      | tiny.yaml:11: loads[0] = '70x'
          70%, 120/s          | 70%, 120/s, 70%          | tiny.yaml:11: loads = 'a list' is invalid; allowed: each load once
          rounds: 8           | rounds: 7                | tiny.yaml:12: rounds = '7'
          window: 5s          | windows: 5s              | tiny.yaml:13: windows: unknown key; valid keys:
          window: 5s          | {window: 5s, requests: 9}| tiny.yaml:14: document
          stock: { mode: off }| stock: { mode: of }      | tiny.yaml:15: arms.stock.mode = 'of' is invalid; allowed: one of absent, off, shadow, on
          mode: off           | mode: off, paging: on    | tiny.yaml:15: arms.stock.paging
          mode: off           | mode: on                 | tiny.yaml:15: arms.stock.strategy is missing
          mode: on            | mode: absent             | tiny.yaml:19: arms.manx.strategy = '{select}' is invalid: mode absent has no strategy
          mode: on            | mode: off                | tiny.yaml:19: arms.manx.strategy
          policy: select.low  | policy: select.lowest    | tiny.yaml:19: arms.manx.strategy.select
          """)
  void refusesWithFileLineAndKey(String good, String bad, String message) {
    assertThat(TEXT).contains(good);
    assertThatThrownBy(() -> parse(TEXT.replace(good, bad), Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(message);
  }

  /** Both failed with a stack trace, the search after all rounds had been played. */
  @Test
  void aClosedLoopHasNoRateToBeginWith() {
    assertThatThrownBy(
            () -> parse(TEXT.replace("window: 5s", "requests: 100"), Map.of("loads", "4 clients")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("requests = '100' is invalid: a closed loop has no");
    String searched = TEXT + "saturation: { at-most: 100ms }\n";
    assertThatThrownBy(() -> parse(searched, Map.of("loads", "[4 clients, 100/s]")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("saturation")
        .hasMessageContaining("the first of loads");
    assertThat(parse(searched, Map.of("loads", "[100/s, 4 clients]")).saturation()).isNotNull();
  }

  /** Each client without a place counted millions of requests as not sent. */
  @Test
  void aClosedLoopNeedsRoomForItsClients() {
    Map<String, String> tight = Map.of("loads", "16 clients", "client.max-outstanding", "15");
    assertThatThrownBy(() -> parse(TEXT, tight))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("client.max-outstanding = '15' is invalid; allowed: at least 16");
    Map<String, String> enough = Map.of("loads", "16 clients", "client.max-outstanding", "16");
    assertThat(parse(TEXT, enough).loads().get(0).clients()).isEqualTo(16);
  }

  /** Beyond that each request failed at once, and the next one followed without a pause. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          3 | driver-default |                             | 3072
          5 | driver-default |                             | 5120
          3 | round-robin    |                             | 1024
          3 | driver-default | speculative-execution: 20ms | 1536
          3 | driver-default | slow-avoidance: on          | 3072
          """)
  void aClosedLoopHasNoMoreClientsThanConnectionsCarry(
      int nodes, String coordinators, String driver, int most) {
    String text =
        TEXT.replace("nodes: 3", "nodes: " + nodes)
            .replace(
                "stock: { mode: off }",
                driver == null ? "stock: { mode: off }" : "stock: { mode: off, driver: { D } }")
            .replace(" D ", " " + driver + " ");
    Map<String, String> enough =
        Map.of("loads", most + " clients", "client.coordinators", coordinators);
    assertThat(parse(text, enough).loads().get(0).clients()).isEqualTo(most);
    for (String key : List.of("loads", "settle-load")) {
      Map<String, String> tooMany = new HashMap<>(enough);
      tooMany.put(key, most + 1 + " clients");
      assertThatThrownBy(() -> parse(text, tooMany))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(key + " = '" + (most + 1) + " clients' is invalid")
          .hasMessageContaining("allowed: at most " + most + " clients; the driver sends no more");
    }
  }

  @Test
  void nodesOfOtherDatacentersCarryNoClients() {
    String text = TEXT.replace("nodes: 3", "nodes: 3\n  datacenters: 2");
    assertThat(parse(text, Map.of("loads", "2048 clients")).loads()).hasSize(1);
    assertThatThrownBy(() -> parse(text, Map.of("loads", "2049 clients")))
        .hasMessageContaining("at most 2048 clients");
  }

  @Test
  void readsAndWritesBackgroundWork() {
    String text =
        TEXT + "background: { scans: { rate: 20/s, rows: 50 }, writes: { rate: 0.4k/s } }\n";
    ClusterExperiment experiment = parse(text, Map.of());
    assertThat(experiment.background()).isEqualTo(new Background(20, 50, 0, 1, 400));
    assertThat(experiment.background().rates())
        .isEqualTo(Map.of(RequestClass.SCAN, 20.0, RequestClass.WRITE, 400.0));
    assertThat(parse(experiment.text(), Map.of())).isEqualTo(experiment);
    assertThat(parse(TEXT, Map.of()).background().rates()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                            | background = '{}' is invalid; allowed: scans, index-reads or writes
          { scans: { rate: 20/s } }     | background.scans.rows is missing
          { writes: { rate: 4 } }       | background.writes.rate = '4'
          { writes: { rate: 4/s, rows: 1 } } | background.writes.rows: unknown key
          { deletes: { rate: 4/s } }    | background.deletes
          """)
  void refusesBackgroundWork(String value, String message) {
    assertThatThrownBy(() -> parse(TEXT + "background: " + value + "\n", Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  /** Events are prepared before the turn, for the process that the restart ends. */
  @Test
  void aNodeIsNotSqueezedAfterItsRestart() {
    String restart = "{ at: 1s, for: 1s, restart: { node: 2 } }";
    String after = "{ at: 3s, for: 1s, squeeze: { node: 2, cores: 1 } }";
    for (String events : List.of(restart + ", " + after, after + ", " + restart)) {
      assertThatThrownBy(() -> parse(TEXT, Map.of("events", "[" + events + "]")))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("events[1]")
          .hasMessageContaining("a squeeze does not work after a restart of its node");
    }
    String before = after.replace("at: 3s", "at: 0s");
    String other = after.replace("node: 2", "node: 1");
    assertThat(
            parse(TEXT, Map.of("events", "[%s, %s, %s]".formatted(restart, before, other)))
                .events())
        .hasSize(3);
  }

  @Test
  void refusesWindowAndRequestsTogether() {
    assertThatThrownBy(
            () -> parse(TEXT.replace("window: 5s", "window: 5s\nrequests: 99"), Map.of()))
        .hasMessageStartingWith("tiny.yaml:14: requests = '99' is invalid; allowed: window or");
  }

  @Test
  void refusesAShareOfCapacityWithoutAModel() {
    String text = TEXT.replace("service-model: { base: 5ms, per-kib: 300us }", "");
    assertThatThrownBy(() -> parse(text, Map.of()))
        .hasMessageStartingWith("tiny.yaml:11: loads[0] = '70%' is invalid; allowed: a rate");
  }

  @Test
  void refusesABaselineThatIsNoArm() {
    assertThatThrownBy(() -> parse("baseline: rein\n" + TEXT, Map.of()))
        .hasMessageStartingWith("tiny.yaml:1: baseline = 'rein' is invalid; allowed: one of stock");
  }

  @Test
  void errorsOfOverridesNameSet() {
    assertThatThrownBy(() -> parse(TEXT, Map.of("cluster.nodes", "99")))
        .hasMessageStartingWith("--set: cluster.nodes = '99' is invalid; allowed: a whole number");
    assertThatThrownBy(() -> parse(TEXT, Map.of("cluster.nods", "2")))
        .hasMessageStartingWith("--set: cluster.nods: unknown key");
    assertThatThrownBy(() -> parse(TEXT, Map.of("rounds.each", "2")))
        .hasMessageStartingWith("--set: rounds.each = '2' is invalid; allowed: a path of keys");
    assertThatThrownBy(() -> parse(TEXT, Map.of("loads", "[1")))
        .hasMessageStartingWith("--set: loads = '[1' is invalid; allowed: well-formed YAML");
  }

  @Test
  void overridesReachEveryDepthAndKeepTheLinesOfTheRest() {
    ClusterExperiment experiment =
        parse(
            TEXT,
            Map.of(
                "arms.manx.strategy.order.policy", "order.bottleneck",
                "client.timeout", "3s",
                "loads", "[50%]"));
    assertThat(experiment.client().timeoutNanos()).isEqualTo(3_000_000_000L);
    assertThat(experiment.loads()).extracting(Load::label).containsExactly("50%");
    assertThat(experiment.arms().get(1).document()).contains("order.bottleneck");
    assertThatThrownBy(
            () -> parse(TEXT.replace("rounds: 8", "round: 8"), Map.of("client.timeout", "3s")))
        .hasMessageStartingWith("tiny.yaml:12: round: unknown key");
  }

  @Test
  void readsAStrategyFromAFileBesideTheExperiment(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("low.yaml"), "strategy:\n  select: select.low\n");
    String text =
        TEXT.replaceAll(
            "(?s)strategy:\\s+select: \\{ policy: select.low \\}", "strategy: low.yaml");
    Files.writeString(folder.resolve("tiny.yaml"), text);
    ClusterExperiment experiment = ClusterFiles.read(folder.resolve("tiny.yaml"), Choices.none());
    assertThat(experiment.arms().get(1).document()).contains("select.low");
    Files.writeString(folder.resolve("low.yaml"), "strategy:\n  select: select.bad\n");
    assertThatThrownBy(() -> ClusterFiles.read(folder.resolve("tiny.yaml"), Choices.none()))
        .hasMessageContaining("low.yaml:2: strategy.select");
    Files.writeString(folder.resolve("low.yaml"), "plugin: { mode: on }\nstrategy: low-fifo\n");
    experiment = ClusterFiles.read(folder.resolve("tiny.yaml"), Choices.none());
    assertThat(experiment.arms().get(1).document()).contains("select.low", "order.fifo");
    Files.writeString(folder.resolve("low.yaml"), "strategy: other.yaml\n");
    assertThatThrownBy(() -> ClusterFiles.read(folder.resolve("tiny.yaml"), Choices.none()))
        .hasMessageContaining("low.yaml:1: strategy");
  }

  @Test
  void loadsAreSharesOfTheModelledCapacityOrRates() {
    ClusterExperiment experiment =
        parse(
            TEXT.replace("share: 95%", "share: 100%").replace(", { bytes: 64KiB, share: 5% }", ""),
            Map.of());
    Workload workload = new Workload(experiment.workload());
    // 3 nodes x 2 threads / (5 ms + 0.3 ms) = 1132.08 reads/s; 70 % of it in requests of 4 reads
    assertThat(experiment.capacityReadsPerSecond(workload)).isBetween(1132.0, 1132.1);
    assertThat(experiment.requestsPerSecond(experiment.loads().get(0), workload))
        .isBetween(198.11, 198.12);
    assertThat(experiment.requestsPerSecond(experiment.loads().get(1), workload)).isEqualTo(120);
  }

  @Test
  void fewRoundsOnTheCommandLineMarkTheResult(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("tiny.yaml"), TEXT);
    ClusterExperiment few =
        ClusterFiles.read(file, new Choices(Map.of("rounds", "2"), List.of("manx"), false));
    assertThat(few.rounds()).isEqualTo(2);
    assertThat(few.head().quick()).isTrue();
    assertThat(few.head().baseline()).isEqualTo("manx");
    assertThat(few.window().nanos()).isEqualTo(5_000_000_000L);
    ClusterExperiment quick = ClusterFiles.read(file, new Choices(Map.of(), List.of(), true));
    assertThat(quick.head().quick()).isTrue();
    assertThat(quick.rounds()).isEqualTo(3);
    assertThat(quick.window().nanos()).isEqualTo(3_000_000_000L);
    assertThat(ClusterFiles.read(file, Choices.none()).head().quick()).isFalse();
    assertThatThrownBy(() -> ClusterFiles.read(file, new Choices(Map.of(), List.of("stok"), false)))
        .hasMessageStartingWith("--arms: arms = 'stok' is invalid; allowed: arms of")
        .hasMessageEndingWith("stock, manx");
  }

  @Test
  void boundsNameArmsOfTheFile() {
    String bound = "bounds: [{ arm: manx, over: stock, p95: 1.04, class: wide }]\n";
    ClusterExperiment experiment = parse(TEXT + bound, Map.of());
    assertThat(experiment.head().bounds()).hasSize(1);
    String written = experiment.text();
    assertThat(written).contains("bounds: [{arm: manx, over: stock, class: wide, p95: 1.04}]");
    assertThat(parse(written, Map.of())).isEqualTo(experiment);
    assertThatThrownBy(() -> parse(TEXT + bound.replace("stock", "stok"), Map.of()))
        .hasMessageContaining("bounds[0].over = 'stok' is invalid; allowed: one of stock, manx");
    assertThatThrownBy(() -> parse(TEXT + bound.replace("stock", "manx"), Map.of()))
        .as("it would hold whatever is measured")
        .hasMessageContaining("bounds[0].over = 'manx' is invalid")
        .hasMessageContaining("allowed: an arm other than the judged one");
    assertThatThrownBy(() -> parse(TEXT + bound.replace("p95: 1.04, ", ""), Map.of()))
        .hasMessageContaining("at least one of p50, p95, p99, p999, cpu, answers");
  }

  /** A misspelt class was "not judged" at the end of the run. */
  @Test
  void boundsNameClassesOfTheResults() {
    String scanned = TEXT + "background: { scans: { rate: 5/s, rows: 9 } }\n";
    String bound = "bounds: [{ arm: manx, over: stock, p99: 1.04, class: scan }]\n";
    assertThat(parse(scanned + bound, Map.of()).head().bounds()).hasSize(1);
    assertThatThrownBy(() -> parse(TEXT + bound, Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("bounds[0].class = 'scan' is invalid; allowed: one of all, single,");
    assertThatThrownBy(() -> parse(scanned + bound.replace("scan", "scn"), Map.of()))
        .hasMessageContaining("bounds[0].class = 'scn' is invalid")
        .hasMessageContaining("large, scan");
    assertThatThrownBy(
            () -> parse(scanned + bound.replace("scan", "wide"), Map.of("classes", "[single]")))
        .hasMessageContaining(
            "bounds[0].class = 'wide' is invalid; allowed: one of all, single, scan");
  }

  /** The CPU of all requests was judged under the name of the class. */
  @Test
  void aBoundOfCpuHasNoClass() {
    String bound = "bounds: [{ arm: manx, over: stock, cpu: 1.04, class: all }]\n";
    assertThat(parse(TEXT + bound, Map.of()).head().bounds()).hasSize(1);
    assertThatThrownBy(() -> parse(TEXT + bound.replace("class: all", "class: wide"), Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "bounds[0].cpu = '1.04' is invalid; allowed: only a bound of class all");
    String answers = bound.replace("cpu: 1.04, class: all", "answers: 0.95, class: wide");
    assertThat(parse(TEXT + answers, Map.of()).head().bounds()).hasSize(1);
  }

  @Test
  void aBoundOfAnArmThatDoesNotRunIsLeftOut(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("tiny.yaml");
    Files.writeString(file, TEXT + "bounds: [{ arm: manx, over: stock, cpu: 1.04 }]\n");
    ClusterExperiment some = ClusterFiles.read(file, new Choices(Map.of(), List.of("manx"), false));
    assertThat(some.text()).doesNotContain("bounds");
  }

  @Test
  void aStockArmCanBeTuned() {
    String tuned = TEXT.replace("stock: { mode: off }", "stock: { mode: off, ARM }");
    String arm = "speculative-retry: MIN(99p,50ms), dynamic-snitch: off";
    ClusterExperiment experiment = parse(tuned.replace("ARM", quoted(arm)), Map.of());
    assertThat(experiment.arms().get(0).stock())
        .isEqualTo(new StockSettings("MIN(99p,50ms)", false));
    assertThat(experiment.arms().get(1).stock()).isEqualTo(StockSettings.SHIPPED);
    assertThat(parse(experiment.text(), Map.of())).isEqualTo(experiment);
  }

  @Test
  void anArmMayHaveTheDriverAsPeopleRunIt() {
    String with =
        TEXT.replace(
            "stock: { mode: off }",
            "stock: { mode: off, driver: { speculative-execution: 20ms } }");
    ClusterExperiment experiment = parse(with, Map.of());
    assertThat(experiment.arms().get(0).driver())
        .contains(new DriverSettings(Coordinators.DRIVER_DEFAULT, true, 20_000_000));
    assertThat(experiment.arms().get(1).driver()).isEmpty();
    assertThat(parse(experiment.text(), Map.of())).isEqualTo(experiment);
  }

  private static String quoted(String arm) {
    return arm.replace("MIN(99p,50ms)", "\"MIN(99p,50ms)\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          speculative-retry: 99      | as in CQL: NONE, ALWAYS, 99p
          speculative-retry: "' x"   | as in CQL: NONE, ALWAYS, 99p
          dynamic-snitch: maybe      | one of on, off
          driver: { slow-avoidance: some } | one of on, off
          driver: { speculative-execution: 999us } | off, 1ms to 1min
          driver: { speculative-execution: 1500us } | whole milliseconds
          """)
  void aWrongTuningIsRefused(String arm, String allowed) {
    String text = TEXT.replace("stock: { mode: off }", "stock: { mode: off, " + arm + " }");
    assertThatThrownBy(() -> parse(text, Map.of())).hasMessageContaining(allowed);
  }

  @Test
  void onlyAnArmWithoutManxCanBeWithoutTheDynamicSnitch() {
    String text =
        TEXT.replace("manx:\n    mode: on", "manx:\n    mode: on\n    dynamic-snitch: off");
    assertThatThrownBy(() -> parse(text, Map.of()))
        .hasMessageContaining("dynamic-snitch = 'off' is invalid; allowed: on, in mode on");
  }
}
