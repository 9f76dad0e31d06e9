/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.SilentProgress;
import dev.manx.lab.kind.Kinds;
import dev.manx.lab.report.Report;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.record.Answer;
import dev.manx.policy.record.DecisionLog;
import dev.manx.policy.record.LogLine;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Strategy;
import dev.manx.simulator.recorded.ArrivalShape;
import dev.manx.simulator.recorded.RecordedLogs;
import dev.manx.simulator.recorded.Recording;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.SummaryRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs of a known world: the accuracy of the model, and the cases in which it declines. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class AdvisorTest {
  /** The model of a world's logs, by what they say: to fit it takes as long as to play it. */
  private static final Map<RecordedWorld.Logged, ClusterModel> FITTED = new ConcurrentHashMap<>();

  private static final Map<RecordedWorld.Logged, Advisor> ADVISORS = new ConcurrentHashMap<>();

  /** The latencies in a world's logs are drawn at random, so they do not belong to its arrivals. */
  private static final ArrivalShape POISSON = new ArrivalShape(0, true, List.of());

  @TempDir private static Path shared;

  @TempDir Path folder;

  private ClusterModel fitted(RecordedWorld world) {
    return FITTED.computeIfAbsent(
        world.logged(),
        any -> {
          try {
            return ClusterModel.fit(read(world.logs(folder)), POISSON, done -> {});
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** The advisor of a world's logs, for tests that do not change them. */
  private static Advisor ofLogs(RecordedWorld world) {
    return ADVISORS.computeIfAbsent(
        world.logged(),
        any -> {
          try {
            Path own = Files.createTempDirectory(shared, "logs-");
            return advisor(world.logs(own));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static Advisor advisor(List<Path> logs) throws IOException {
    return Advisor.of(logs, Advisor.read(logs), done -> {});
  }

  private static Recording read(List<Path> files) throws Exception {
    RecordedLogs logs = new RecordedLogs();
    for (Path file : files) {
      logs.add(file.toString(), ByteBuffer.wrap(Files.readAllBytes(file)));
    }
    return logs.recording();
  }

  @Test
  void theModelFindsTheWorldThatTheLogsComeFrom() throws Exception {
    RecordedWorld world = new RecordedWorld(0.7, 1);
    ClusterModel model = fitted(world);
    assertThat(model.recording().nodes()).hasSize(RecordedWorld.NODES);
    assertThat(model.readThreads()).isEqualTo(RecordedWorld.THREADS);
    assertThat(model.stock()).isEqualTo(Stock.RECORDED);
    assertThat(model.utilisation()).isCloseTo(0.7, within(0.05));
    assertThat(model.source().meanServiceNanos())
        .isCloseTo(RecordedWorld.SERVICE_NANOS, within(0.03 * RecordedWorld.SERVICE_NANOS));
    assertThat((double) model.oneWayNanos())
        .isCloseTo(RecordedWorld.ONE_WAY_NANOS, within(0.3 * RecordedWorld.ONE_WAY_NANOS));
    assertThat(
            LatencyPercentiles.played(model.play(model.stock().document(true), 40_000, 5))
                .distanceFrom(world.latencies()))
        .as("median, P95 and P99, which were not fitted")
        .isLessThan(0.1);
  }

  @ParameterizedTest
  @CsvSource({"low-fifo, 1", "manx, 1", "low-fifo, 2", "manx, 2"})
  void aReplayOfLogsEqualsTheRecordedSimulation(String strategy, int contacts) throws Exception {
    RecordedWorld world = new RecordedWorld(0.7, 1, contacts);
    ClusterModel model = fitted(world);
    LatencyPercentiles own = world.latencies(strategy);
    assertThat(own.p99()).isLessThan(0.6 * world.latencies().p99());
    assertThat(
            LatencyPercentiles.played(model.play("strategy: " + strategy, 60_000, 5))
                .distanceFrom(own))
        .isLessThan(0.1);
  }

  /** These had no effect on recorded requests. */
  @ParameterizedTest
  @CsvSource({"model.service.scatter, exponential", "model.forecast.false-large, 2%"})
  void settingsWithoutEffectOnRecordedRequestsAreRefused(String key, String value)
      throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("advice.yaml"),
            ofLogs(new RecordedWorld(0.7, 1))
                .experiment(List.of(1.0), Map.of("manx", "manx"), 8, 4_000));
    assertThatThrownBy(
            () ->
                Kinds.read(
                    file, new Choices(Map.of(key, value), List.of(), false), ManxHome.find()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(key)
        .hasMessageContaining("kind keys or synthetic, not recorded");
  }

  @Test
  void theDefaultIsAdvisedWhereItIsAsGoodAsAny() throws Exception {
    Advisor advisor = ofLogs(new RecordedWorld(0.7, 1));
    Path file =
        Files.writeString(
            folder.resolve("advice.yaml"),
            advisor.experiment(
                List.of(1.0), Map.of("low-fifo", "low-fifo", "manx", "manx"), 8, 4_000));
    Path results = folder.resolve("results");
    Kinds.read(file, Choices.none(), ManxHome.find()).run("test", new SilentProgress(), results);
    Report.of(results).write();
    assertThat(advisor.table(results, List.of(1.0)))
        .containsPattern("100 % +stock +\\d")
        .containsPattern("unpaged .* 0\\.\\d\\dx \\(")
        .containsPattern("manx .* 0\\.\\d\\dx \\(");
    List<String> said = new ArrayList<>();
    assertThat(advisor.advice(results, List.of("low-fifo", "manx"), said::add))
        .isEqualTo(new Advisor.Advised(true, Optional.of("manx")));
    assertThat(said)
        .singleElement()
        .asString()
        .startsWith("Advice: strategy manx. In the model its P99 is 0.")
        .containsPattern("reading multigets in parallel, .* gives 0\\.\\d\\dx")
        .containsPattern("simulated stock is within \\d %");
  }

  @Test
  void readsThatAskTwoReplicasAreKnown() throws Exception {
    Advisor advisor = advisor(new RecordedWorld(0.6, 1, 2).logs(folder));
    assertThat(advisor.holds()).isTrue();
    assertThat(advisor.words())
        .anyMatch(line -> line.matches(".* reads, each at 2\\.00 replicas; .*: (59|6[01]) % busy"));
  }

  @Test
  void recordedBurstsAreInTheModel() throws Exception {
    RecordedWorld world = RecordedWorld.bursty(0.45).dated();
    List<Path> logs = world.logs(folder);
    ClusterModel poisson = fitted(world);
    assertThat(
            LatencyPercentiles.played(poisson.play(poisson.stock().document(true), 60_000, 2)).p99()
                / world.latencies().p99())
        .as("P99 without bursts")
        .isLessThan(1 - Advisor.FAR);
    Advisor advisor = advisor(logs);
    assertThat(advisor.words())
        .anyMatch(
            line ->
                line.matches(
                    "arrivals: \\d+(\\.\\d)? times as variable as Poisson arrivals at 100 ms; the"
                        + " model plays the recorded times"));
    assertThat(advisor.words()).noneMatch(line -> line.startsWith("note:"));
    assertThat(advisor.holds()).isTrue();
    runPlaysThem(advisor, world.latencies().p99());
  }

  private void runPlaysThem(Advisor advisor, double worldP99) throws Exception {
    String text = advisor.experiment(List.of(1.0), Map.of(), 1, 20_000);
    assertThat(text).contains("arrivals: recorded", "times as variable as Poisson arrivals");
    Path first = run(Files.writeString(folder.resolve("advice.yaml"), text), "first");
    assertThat(
            RowReader.read(first, SummaryRow.FORMAT).stream()
                .filter(row -> row.key().arm().equals("stock"))
                .filter(row -> row.key().requestClass().equals("all"))
                .map(SummaryRow::p99Us))
        .isNotEmpty()
        .allSatisfy(p99 -> assertThat(p99 * 1e3).isCloseTo(worldP99, withinPercentage(20)));
    Path again = run(first.resolve("experiment.yaml"), "again");
    assertThat(again.resolve("summary.csv")).hasSameTextualContentAs(first.resolve("summary.csv"));
  }

  private Path run(Path file, String to) throws Exception {
    Path results = folder.resolve(to);
    Kinds.read(file, Choices.none(), ManxHome.find()).run("test", new SilentProgress(), results);
    return results;
  }

  /** With six, half of the nodes would never get a read; with two, a read would have no node. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "model.nodes | 2 | 3, the number of nodes that the decision logs name",
        "model.nodes | 6 | 3, the number of nodes that the decision logs name",
        "model.coordinators | 2 | 3, the number of nodes that the decision logs name",
        "model.coordinators | 6 | 3, the number of nodes that the decision logs name",
        "model.replication-factor | 3 | recorded reads name their replicas",
        "model.placement-seed | 3 | a workload of kind keys or synthetic",
        "sweep | { model.nodes: [6] } | 3, the number of nodes that the decision logs name",
      })
  void aRecordingIsPlayedOnItsOwnNodes(String key, String value, String words) throws Exception {
    String text =
        """
        experiment: own
        on: simulator
        baseline: stock
        model: { nodes: 3, cores: 4, coordinators: 3, service: { base: 1ms } }
        workload: { kind: recorded, logs: %s }
        loads: [100/s]
        seeds: [1]
        requests: 100
        arms: { stock: { strategy: {} } }
        """
            .formatted(new RecordedWorld(0.6, 1).requests(300).logs(folder));
    Path file = Files.writeString(folder.resolve("own.yaml"), text);
    Choices choices = new Choices(Map.of(key, value), List.of(), false);
    assertThatThrownBy(() -> Kinds.read(file, choices, ManxHome.find()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(words);
    Kinds.read(file, Choices.none(), ManxHome.find());
  }

  @Test
  void burstsOfNodesWhoseClocksAreNotKnownAreNotTogether() throws Exception {
    Advisor advisor = advisor(RecordedWorld.bursty(0.45).logs(folder));
    assertThat(advisor.words())
        .anyMatch(line -> line.startsWith("arrivals: ") && line.endsWith("the recorded times"))
        .anyMatch(
            line -> line.startsWith("note: the logs do not show which requests of different"));
  }

  @Test
  void aSampleDoesNotShowBursts() throws Exception {
    Advisor advisor = advisor(RecordedWorld.bursty(0.45).sample(0.5).logs(folder));
    assertThat(advisor.words())
        .anyMatch(
            line ->
                line.matches(
                    "arrivals: \\d.* times as variable .* 100 ms, judging by the (49|50|51) % of the"
                        + " requests in the logs; the model's are Poisson"))
        .anyMatch(line -> line.startsWith("note: the model has no bursts; to have them played"));
  }

  /** Clients of another datacenter, say, whose coordinators have no logs here. */
  @Test
  void readsOfUnknownCoordinatorsAreSeenInTheLoadOfTheNodes() throws Exception {
    List<Path> logs = new RecordedWorld(0.6, 1).logs(folder);
    assertThat(advisor(logs).words())
        .anyMatch(
            line ->
                line.matches(
                    "as recorded: a read took (0\\.99\\d|1\\.0\\d) ms on its thread, read threads were"
                        + " (59|6[01]) % busy, and (59|6[012]) % on the busiest node,"
                        + " 127\\.0\\.0\\.\\d:7000"))
        .noneMatch(line -> line.startsWith("note: "));
    for (Path log : logs) {
      List<String> kept = new ArrayList<>();
      int ofKind = 0;
      for (String line : Files.readAllLines(log)) {
        boolean request = line.startsWith("P ") || line.startsWith("R ");
        // Its plan and its end.
        if (!request || ofKind++ / 2 % 2 == 0) {
          kept.add(line);
        }
      }
      Files.write(log, kept);
    }
    assertThat(advisor(logs).words())
        .anyMatch(
            line ->
                line.matches(
                    "note: read threads were (59|6[01]) % busy, but those of the model are"
                        + " (29|3[01]) % busy: .*"));
  }

  /** Its load does not follow its speed: replicas are asked in the recorded order. */
  @Test
  void theLoadOfASlowNodeIsInTheModel() throws Exception {
    Advisor advisor = advisor(RecordedWorld.uneven(0.4).logs(folder));
    assertThat(advisor.words())
        .anyMatch(line -> line.matches(".*; in the model: 5[234] % busy"))
        .anyMatch(
            line -> line.matches("as recorded: .* 5[234] % busy, and (79|8[012]) % on .*:7000"))
        .noneMatch(line -> line.startsWith("note: "));
  }

  /** Aggregates over one partition, for example: they have an end, and never a plan. */
  @Test
  void requestsOfKindsThatAreNotPlannedAreLeftOutAndMentioned() throws Exception {
    List<Path> logs = new RecordedWorld(0.5, 1).logs(folder);
    for (Path log : logs) {
      addUnplanned(log, 50, 500_000_000);
    }
    Advisor advisor = advisor(logs);
    assertThat(advisor.words())
        .anyMatch(
            line ->
                line.startsWith(
                    "note: 2.0 % of the requests are of kinds that Manx does not plan, such as"
                        + " aggregates; "));
    assertThat(advisor.holds()).as("with measured latencies of planned requests").isTrue();
  }

  /** A note advised to record all requests, which these logs have. */
  @Test
  void manyRequestsThatAreNotPlannedDoNotTakeTheBurstsFromTheModel() throws Exception {
    List<Path> logs = RecordedWorld.bursty(0.45).dated().logs(folder);
    for (Path log : logs) {
      addUnplanned(log, 6, 5_000_000);
    }
    Advisor advisor = advisor(logs);
    assertThat(advisor.words())
        .anyMatch(line -> line.startsWith("note: 14.3 % of the requests are of kinds that"))
        .anyMatch(line -> line.startsWith("arrivals: ") && line.endsWith("the recorded times"))
        .noneMatch(line -> line.contains("record all requests"));
  }

  /** Adds the ends of such requests, one for a number of others. */
  private static void addUnplanned(Path log, int every, long latencyNanos) throws Exception {
    List<String> lines = new ArrayList<>();
    int ends = 0;
    for (String text : Files.readAllLines(log)) {
      lines.add(text);
      if (text.startsWith("R ") && ++ends % every == 0) {
        lines.add(
            text(LogLine.parse(text).put("k", 1).put("x", latencyNanos).put("p", 0).put("u", 1)));
      }
    }
    Files.write(log, lines);
  }

  private static String text(LogLine line) {
    return new String(line.bytes(), StandardCharsets.UTF_8).stripTrailing();
  }

  /** A single read at QUORUM, of the cluster's own tables, say, threw away the whole recording. */
  @Test
  void aFewReadsAtReplicasOfSeveralDatacentersAreLeftOut() throws Exception {
    Advisor advisor = advisor(new RecordedWorld(0.5, 1).remote(1).logs(folder));
    assertThat(advisor.words())
        .anyMatch(line -> line.startsWith("3 of 3 nodes, 17,997 requests planned, 18,000 ended"))
        .anyMatch(
            line ->
                line.matches(
                    "note: 0\\.0\\d+ % of the reads have replicas in several datacenters; .* left out"))
        .noneMatch(line -> line.contains("no log of"));
    assertThat(advisor.holds()).isTrue();
  }

  /** Their own limit keeps them paged, whatever the strategy. */
  @Test
  void multigetsThatStayPagedGainNothingFromReadingInParallel() throws Exception {
    List<Path> logs = new RecordedWorld(0.5, 1).logs(folder);
    for (Path log : logs) {
      List<String> lines = new ArrayList<>();
      for (String line : Files.readAllLines(log)) {
        lines.add(line.contains(" p=1 ") ? text(LogLine.parse(line).put("p", 2)) : line);
      }
      Files.write(log, lines);
    }
    Advisor advisor = advisor(logs);
    assertThat(advisor.holds()).isTrue();
    assertThat(advisor.experiment(List.of(1.0), Map.of(), 8, 4_000)).doesNotContain("unpaged");
    ClusterModel model = ClusterModel.fit(read(logs), POISSON, done -> {});
    double stock =
        LatencyPercentiles.played(model.play(Stock.RECORDED.document(true), 20_000, 5)).p50();
    assertThat(LatencyPercentiles.played(model.play("strategy: low-fifo", 20_000, 5)).p50())
        .isGreaterThan(0.8 * stock);
  }

  @Test
  void aLogThatWasCutIsMentionedWithTheTimeThatItLacks() throws Exception {
    List<Path> logs = RecordedWorld.bursty(0.45).dated().logs(folder);
    List<String> lines = Files.readAllLines(logs.get(1));
    Files.write(logs.get(1), lines.subList(0, lines.size() / 2));
    assertThat(advisor(logs).words())
        .anyMatch(
            line ->
                line.matches(
                    "note: the log of 127\\.0\\.0\\.2:7000 ends without its last line \\(restart or"
                        + " crash\\) \\d+ s before the others"))
        .anyMatch(
            line ->
                line.startsWith(
                    "note: the logs cover different times: each node's requests are played on their"
                        + " own, so bursts"))
        .noneMatch(line -> line.contains("do not show which requests"));
  }

  /** It lacks most reads that did not wait. */
  @Test
  void aLogThatIsNotOfRequestsIsMentioned() throws Exception {
    List<Path> logs = new RecordedWorld(0.5, 1).logs(folder);
    List<String> lines = Files.readAllLines(logs.get(2));
    ClusterState state = new ClusterState(RecordedWorld.NODES, 8);
    lines.add(
        lines.size() - 1,
        text(new Answer(Answer.Ending.ANSWERED, 1, 1_000, 2_000, 5_000_000, state).line()));
    Files.write(logs.get(2), lines);
    assertThat(advisor(logs).words())
        .anyMatch(
            line -> line.startsWith("note: recorded without `requests`: 127.0.0.3:7000; most"));
  }

  @Test
  void failedRequestsAreMentionedFromOnePercentOn() throws Exception {
    assertThat(advisor(new RecordedWorld(0.5, 1).failed(0.03).logs(folder)).words())
        .anyMatch(
            line -> line.matches("note: (2\\.[789]|3\\.[0123]) % of the requests failed; .*"));
    assertThat(advisor(new RecordedWorld(0.5, 1).failed(5e-3).logs(folder)).words())
        .noneMatch(line -> line.contains("failed"));
  }

  /** A node that no client sends requests to still executes reads for the others. */
  @ParameterizedTest
  @ValueSource(strings = {"NX", "N"})
  void aNodeThatCoordinatesNoRequestHasALogToo(String kinds) throws Exception {
    List<Path> logs = new RecordedWorld(0.5, 1).dated().logs(folder);
    keepOnly(logs.get(2), kinds);
    Advisor advisor = advisor(logs);
    assertThat(advisor.words())
        .anyMatch(line -> line.startsWith("3 of 3 nodes, "))
        .noneMatch(line -> line.contains("Infinity"))
        .noneMatch(line -> line.startsWith("note: no log of"))
        .noneMatch(line -> line.startsWith("note: the logs do not show which"));
  }

  @Test
  void logsWithoutAnyRequestAreRefused() throws Exception {
    List<Path> logs = new RecordedWorld(0.5, 1).requests(100).logs(folder);
    for (Path log : logs) {
      keepOnly(log, "NX");
    }
    assertThatThrownBy(() -> advisor(logs))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("node2.log")
        .hasMessageContaining("0 plans, 0 ends");
  }

  /** Keeps the head of a log, its lines of some kinds, and its end. */
  private static void keepOnly(Path log, String kinds) throws Exception {
    List<String> lines = Files.readAllLines(log);
    List<String> kept = new ArrayList<>(List.of(lines.get(0)));
    lines.stream()
        .skip(1)
        .filter(line -> (kinds + "E").indexOf(line.charAt(0)) >= 0)
        .forEach(kept::add);
    assertThat(kept.size()).isLessThan(lines.size());
    Files.write(log, kept);
  }

  @Test
  void fewRequestsAreRefused() throws Exception {
    Advisor advisor = advisor(new RecordedWorld(0.5, 1).requests(100).logs(folder));
    assertThat(advisor.holds()).isFalse();
    advisor.advice(
        folder, List.of("manx"), line -> assertThat(line).contains("300 requests are too few"));
    assertThat(advisor.words()).anyMatch(line -> line.matches("stock measured: .* interval .*"));
  }

  private static Map<String, Strategy> arms(String... presets) {
    Map<String, Strategy> arms = new LinkedHashMap<>();
    for (String preset : presets) {
      arms.put(preset, Strategy.parse(preset, "strategy: " + preset, Host.node(() -> 0)));
    }
    return arms;
  }

  /** As of nodes whose strategy is rein: every read was as long as any other, for manx too. */
  @Test
  void forecastsWithoutSizesAreMentioned() throws Exception {
    String note = "note: the recorded strategy has no size oracle, so every read";
    assertThat(advisor(new RecordedWorld(0.5, 1).blind().logs(folder)).words())
        .anyMatch(line -> line.startsWith(note));
    Advisor rein = advisor(new RecordedWorld(0.5, 1).recordedWith("rein", 0).logs(folder));
    assertThat(rein.words()).anyMatch(line -> line.startsWith(note));
    assertThat(rein.notes(arms("rein", "c3"))).isEmpty();
    assertThat(rein.notes(arms("rein", "c3", "manx", "low-fifo")))
        .containsExactly(
            "note: other oracles, or another forecast or fact service-time, than the recorded"
                + " strategy: manx, low-fifo; the model gives them the recorded forecasts");
  }

  /** They came out alike, without a word. */
  @Test
  void strategiesThatDifferInTheirOraclesAreMentioned() throws Exception {
    Advisor manx = advisor(new RecordedWorld(0.5, 1).recordedWith("manx", 0).logs(folder));
    assertThat(manx.words()).noneMatch(line -> line.startsWith("note:"));
    Map<String, Strategy> arms = arms("rein", "c3", "manx", "low-fifo");
    assertThat(manx.notes(arms)).isEmpty();
    arms.put(
        "smaller",
        Strategy.parse(
            "smaller",
            "strategy: { select: select.low, order: order.boost, facts: [service-time],"
                + " oracles: { size: { policy: oracle.size-bloom, large-above: 1KiB } } }",
            Host.node(() -> 0)));
    arms.put(
        "blind", Strategy.parse("blind", "strategy: { order: order.boost }", Host.node(() -> 0)));
    assertThat(manx.notes(arms))
        .singleElement()
        .asString()
        .contains("recorded strategy: smaller, blind; the model");
    assertThat(ofLogs(new RecordedWorld(0.5, 1)).notes(arms)).as("it is not known").isEmpty();
  }

  /**
   * The nodes of a cluster with a short read time-out overtake no read for as long as others do.
   */
  @Test
  void theLongestWaitOfTheNodesIsInTheModel() throws Exception {
    double[] p999 = new double[2];
    for (long millis : new long[] {250, 2_500}) {
      RecordedWorld world = new RecordedWorld(0.8, 1).recordedWith("manx", millis * 1_000_000);
      ClusterModel model = fitted(world);
      assertThat(AdviceFile.text(model, List.of(), List.of(1.5), Map.of(), 1, 1_000))
          .contains("longest-wait: " + (millis == 250 ? "250ms" : "2.5s"));
      ClusterModel busier =
          new ClusterModel(
              model.source(),
              model.shape(),
              model.readThreads(),
              model.oneWayNanos(),
              1.5 * model.requestsPerSecond(),
              model.stock());
      p999[millis == 250 ? 0 : 1] =
          LatencyPercentiles.played(busier.play("strategy: manx", 20_000, 1)).p99();
    }
    assertThat(p999[0]).isLessThan(0.95 * p999[1]);
  }

  /** Its two requests in ten seconds counted as 182 in a second. */
  @Test
  void aNodeWithTwoRequestsHasALowRate() throws Exception {
    List<Path> logs = new ArrayList<>(new RecordedWorld(0.5, 1).dated().logs(folder));
    double rate = read(logs).requestsPerSecond();
    List<String> idle = new ArrayList<>();
    int requests = 0;
    for (String text : Files.readAllLines(logs.get(0))) {
      LogLine line = LogLine.parse(text);
      boolean request = text.startsWith("P ") || text.startsWith("R ");
      requests += request ? 1 : 0;
      if (text.startsWith("manx-")) {
        idle.add(text(line.put("node", "127.0.0.4:7000").put("nodes", 4)));
        idle.add(text(DecisionLog.node(3, "127.0.0.4:7000")));
      } else if (text.startsWith("N ") || text.startsWith("E ") || request && requests <= 4) {
        idle.add(text);
      }
    }
    logs.add(Files.write(folder.resolve("idle.log"), idle));
    assertThat(read(logs).requestsPerSecond() / rate).isBetween(1.0, 1.01);
  }

  @Test
  void logsOfDifferentHoursAreNotAddedUp() throws Exception {
    String now = "2026-11-23T12:00:00Z";
    String soon = "2026-11-23T12:00:30Z";
    String before = "2026-11-22T12:00:00Z";
    assertThat(advisor(new RecordedWorld(0.5, 1).started(now, soon, now).logs(folder)).holds())
        .isTrue();
    Advisor advisor = advisor(new RecordedWorld(0.5, 1).started(now, before, now).logs(folder));
    assertThat(advisor.holds()).isFalse();
    advisor.advice(
        folder,
        List.of("manx"),
        line ->
            assertThat(line)
                .startsWith("No advice: the logs were not recorded at the same time")
                .contains("127.0.0.2:7000 ended at 2026-11-22T12:00"));
  }

  @Test
  void aWorldThatIsNotAsTheLogsSayIsNotKnown() throws Exception {
    Advisor known = ofLogs(new RecordedWorld(0.5, 1));
    assertThat(known.holds()).isTrue();
    Advisor unknown = advisor(new RecordedWorld(0.5, 0.55).logs(folder));
    assertThat(unknown.holds()).isFalse();
    assertThat(
            unknown.advice(
                folder, List.of("manx"), line -> assertThat(line).startsWith("No advice:")))
        .isEqualTo(Advisor.Advised.NOTHING);
    assertThat(advisor(new RecordedWorld(0.5, 1).logs(folder).subList(0, 2)).holds())
        .as("without a node's log")
        .isFalse();
  }

  @Test
  void theExperimentIsOneThatRunReads() throws Exception {
    Advisor advisor = ofLogs(new RecordedWorld(0.5, 1));
    Path file =
        Files.writeString(
            folder.resolve("advice.yaml"),
            advisor.experiment(List.of(1.0, 1.5), Map.of("manx", "manx"), 8, 10_000));
    assertThat(Kinds.read(file, Choices.none(), ManxHome.find()).head().arms())
        .containsExactly("stock", "unpaged", "manx");
    assertThat(advisor.words()).anyMatch(line -> line.startsWith("stock measured:"));
  }

  @Test
  void logsThatCannotServeAreRefused() throws Exception {
    List<Path> logs = new RecordedWorld(0.3, 1).acting().logs(folder);
    assertThatThrownBy(() -> advisor(logs))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("mode shadow");
    assertThatThrownBy(() -> read(List.of(logs.get(0), logs.get(0))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("one log of each node");
    Path text = Files.writeString(folder.resolve("text"), "no log\n");
    assertThatThrownBy(() -> read(List.of(text))).isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> advisor(List.of(folder.resolve("none"))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("a decision log");
  }
}
