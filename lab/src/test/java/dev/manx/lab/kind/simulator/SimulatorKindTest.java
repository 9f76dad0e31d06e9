/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentRun;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.Point;
import dev.manx.lab.experiment.Progress;
import dev.manx.lab.experiment.SilentProgress;
import dev.manx.lab.kind.simulator.SimulatorKind.At;
import dev.manx.lab.report.Report;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.record.DecisionLog;
import dev.manx.policy.record.Executed;
import dev.manx.policy.record.LogHead;
import dev.manx.policy.record.LogLine;
import dev.manx.policy.record.RequestEnd;
import dev.manx.simulator.source.SourceSpec;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class SimulatorKindTest {
  static final String SMALL =
      """
      experiment: small
      on: simulator
      baseline: random
      model:
        nodes: 3
        cores: 2
        coordinators: 2
        service: { per-core: 1000/s, constant: 50% }
        forecast: { from: exact }
      workload:
        kind: synthetic
        requests: { kind: bounded-pareto, single: 60%, mean: 4, max: 50 }
        values: { scale: 214.476, shape: 0.348238, max: 1MB }
      classes: [single, wide]
      loads: [30%, 60%]
      seeds: [1, 2]
      requests: 2000
      timeline: 100ms
      sweep: { model.network.one-way: [10us, 1ms] }
      arms:
        random: { strategy: { select: select.random } }
        low: { strategy: { select: select.low, order: order.bottleneck, fanout: fanout.brb-equalmax } }
      published:
        - { claim: x, arm: low, over: random, load: 60%, at: P99, published: 1000, expect: at most }
        - { claim: y, arm: low, load: 60%, at: P99, published: 1ns, expect: within 5% }
      """;

  @TempDir private Path folder;

  private Path run(String name, String text) throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve(name + ".yaml"), text);
    Path out = folder.resolve(name);
    new ExperimentRun<>(read(file, Choices.none()), "", new SilentProgress()).run(out);
    return out;
  }

  private static Experiment<String, At> read(Path file, Choices choices) {
    return SimulatorKind.read(ExperimentSource.of(file, choices));
  }

  private static SimulatorSettings settings(Experiment<String, At> design) {
    return design.points().get(0).settings().settings();
  }

  private static List<String> names(Path out) throws IOException {
    try (Stream<Path> files = Files.list(out)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void twoRunsWriteTheSameFilesBitForBit() throws Exception {
    Path one = run("one", SMALL);
    Path two = run("two", SMALL);
    assertThat(names(two)).isEqualTo(names(one)).contains("summary.csv", "low-all.hlog");
    for (String name : names(one)) {
      if (!name.equals("environment.json")) {
        assertThat(two.resolve(name)).hasSameBinaryContentAs(one.resolve(name));
      }
    }
  }

  @Test
  void resolvedFileSaysWhatWasPlayed() throws Exception {
    Path one = run("one", SMALL);
    Path again = run("again", Files.readString(one.resolve("experiment.yaml")));
    for (String name : names(one)) {
      if (!name.equals("environment.json")) {
        assertThat(again.resolve(name)).hasSameBinaryContentAs(one.resolve(name));
      }
    }
  }

  /** Every fault, fan-out, loop and cost that a file may name is written back unchanged. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "workload.requests={ kind: fixed, reads: 3 }",
        "workload.requests={ kind: geometric, mean: 3, max: 50 }",
        "workload.requests={ kind: lognormal, mean: 3, sigma: 1, max: 50 }",
        "workload.requests={ kind: listed, widths: { 1: 60%, 10: 40% } }",
        "workload.requests={ kind: recorded, file: widths.txt }",
        "workload.think=5ms",
        "model.read-threads=8",
        "model.network={ one-way: 50us, cv: 0.5, loss: 0.1% }",
        "model.forecast={ from: exact, sigma: 1, bias: 1.5 }",
        "model.faults=[{ node: 0, is: paused, from: 10ms, to: 20ms, every: 100ms }]",
        "model.faults=[{ node: all, is: slow, speed: 0.5, from: 10ms, to: 20ms }]",
        "model.faults=[{ node: 1, is: restarted, from: 10ms, to: 20ms }]",
        "model.faults=[{ node: 2, is: far, delay: 2ms, from: 10ms, to: 20ms }]",
        "model.faults=[{ node: 2, is: stalled, from: 10ms, to: 20ms }]",
        "model.faults=[{ node: 0, is: slow, from: 10ms, to: 20ms }, { node: 0, is: stalled, from:"
            + " 10ms, to: 20ms }, { node: 0, is: slow, from: 21ms, to: 30ms }]",
        "model.cpu={ per-message: 5us, coordinator-cores: 2, per-request: 1us, per-read: 1us }",
      })
  @Timeout(120)
  void modelSettingsAreWrittenBack(String setting) throws Exception {
    Files.writeString(folder.resolve("widths.txt"), "# recorded\n1\n1\n10\n\n3\n");
    int at = setting.indexOf('=');
    Map<String, String> settings = Map.of(setting.substring(0, at), setting.substring(at + 1));
    Path file = Files.writeString(folder.resolve("one.yaml"), SMALL);
    Choices choices = new Choices(settings, List.of(), false);
    Experiment<String, At> read = read(file, choices);
    Path written = Files.writeString(folder.resolve("two.yaml"), read.text());
    Experiment<String, At> again = read(written, Choices.none());
    assertThat(again.text()).isEqualTo(read.text());
    assertThat(settings(again).model()).isEqualTo(settings(read).model());
    assertThat(settings(again).workload().source().meanReads())
        .isEqualTo(settings(read).workload().source().meanReads());
  }

  /** Otherwise a second run would play other numbers there, or refuse its own file. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "none | none | [{ name: two sizes, workload.values: '{ small: 1kB, large: 100kB, large-share:"
            + " 1% }' }]",
        "none | none | { model.service.per-core: [500/s, 2000/s] }",
        "none | none | { model.service.constant: [0%, 100%] }",
        "none | none | { model.nodes: [1, 2, 6] }",
        "model.nodes | 2 | { model.nodes: [1, 4] }",
        "model.read-threads | 2 | { model.cores: [1] }",
        "none | none | { model.cores: [1, 4] }",
        "model.cache | { size: 1MB } | { model.cache.miss-per-kib: [1us, 2ms] }",
        "workload.values | { small: 1kB } | { workload.values.small: [1kB, 4kB] }",
        "workload.values | { small: 1kB, large: 3kB, large-share: 1% } | {"
            + " workload.values.large-share: [0%, 50%] }",
        "none | none | { workload.requests.mean: [3, 5] }",
      })
  void theResolvedFileHasTheSameModelAtEveryPoint(String key, String value, String sweep)
      throws IOException {
    Path file = Files.writeString(folder.resolve("one.yaml"), SMALL);
    Map<String, String> settings = new HashMap<>(Map.of("sweep", sweep));
    if (key != null) {
      settings.put(key, value);
    }
    Experiment<String, At> read = read(file, new Choices(settings, List.of(), false));
    assertThat(read.points()).hasSizeGreaterThan(2);
    assertSameAgain(read);
  }

  private void assertSameAgain(Experiment<String, At> read) throws IOException {
    Path written = Files.writeString(folder.resolve("again.yaml"), read.text());
    Experiment<String, At> again = read(written, Choices.none());
    assertThat(again.text()).isEqualTo(read.text());
    assertThat(again.points()).hasSameSizeAs(read.points());
    for (int i = 0; i < read.points().size(); i++) {
      Point<String, At> point = read.points().get(i);
      Point<String, At> other = again.points().get(i);
      String name = point.params() + " at " + point.load();
      assertThat(other.params()).isEqualTo(point.params());
      assertThat(other.arms()).as(name).isEqualTo(point.arms());
      SimulatorSettings own = point.settings().settings();
      SimulatorSettings others = other.settings().settings();
      assertThat(others.model()).as(name).isEqualTo(own.model());
      assertThat(others.run(other.settings().load(), 1))
          .as(name)
          .isEqualTo(own.run(point.settings().load(), 1));
      assertThat(others.workload().source().meanReads())
          .as(name)
          .isEqualTo(own.workload().source().meanReads());
      assertThat(others.workload().source().meanBytes())
          .as(name)
          .isEqualTo(own.workload().source().meanBytes());
      assertThat(others.workload().source().largeFromBytes())
          .as(name)
          .isEqualTo(own.workload().source().largeFromBytes());
    }
  }

  /** It lies in another folder. */
  @Test
  void theResolvedFileNamesFilesWhereTheyAre() throws Exception {
    Path widths = Files.writeString(folder.resolve("widths.txt"), "1\n3\n");
    Path file = Files.writeString(folder.resolve("one.yaml"), withWidths());
    Path other = Files.createDirectory(folder.resolve("other"));
    Path written = Files.writeString(other.resolve("two.yaml"), read(file, Choices.none()).text());
    assertThat(settings(read(written, Choices.none())).workload().source().meanReads())
        .isEqualTo(2);
    assertThat(Files.readString(written)).contains("file: " + widths);
  }

  private static String withWidths() {
    return SMALL.replace(
        "{ kind: bounded-pareto, single: 60%, mean: 4, max: 50 }",
        "{ kind: recorded, file: widths.txt }");
  }

  /** Otherwise its turns would be of two workloads. */
  @Test
  void anInterruptedRunDoesNotContinueWithAnotherFile() throws Exception {
    Path widths = Files.writeString(folder.resolve("widths.txt"), "1\n3\n");
    Path file = Files.writeString(folder.resolve("one.yaml"), withWidths());
    Path out = folder.resolve("out");
    Progress interrupting =
        new Progress() {
          private int steps;

          @Override
          public void step(String text) {}

          @Override
          public void now(String text) {
            if (++steps == 3) {
              throw new IllegalStateException("interrupted");
            }
          }
        };
    assertThatThrownBy(
            () -> new ExperimentRun<>(read(file, Choices.none()), "", interrupting).run(out))
        .hasMessageContaining("interrupted");
    Files.writeString(widths, "1\n5\n");
    assertThatThrownBy(
            () ->
                new ExperimentRun<>(read(file, Choices.none()), "", new SilentProgress()).run(out))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("other conditions: " + widths + " was 4 bytes with checksum ");
    Files.writeString(widths, "1\n3\n");
    new ExperimentRun<>(read(file, Choices.none()), "", new SilentProgress()).run(out);
    assertThat(Files.readString(out.resolve("environment.json"))).contains("resumed after");
  }

  @Test
  void sweepStandsInTheMetrics() throws Exception {
    List<MetricRow> rows = RowReader.read(run("one", SMALL), MetricRow.FORMAT);
    for (String delay : List.of("10us", "1ms")) {
      assertThat(rows)
          .filteredOn(row -> row.params().equals("model.network.one-way=" + delay))
          .extracting(MetricRow::metric)
          .as("all latencies of which a claim may have a figure")
          .contains(
              Arrays.stream(LatencyStatistic.values())
                  .map(LatencyStatistic::metric)
                  .toArray(String[]::new));
    }
  }

  @Test
  void publishedNumbersStandBesideOurs() throws Exception {
    String eight = SMALL.replace("seeds: [1, 2]", "seeds: [1, 2, 3, 4, 5, 6, 7, 8]");
    assertThat(Report.of(run("one", eight)).text())
        .containsPattern("x .*low / random, P99 at 60% .*at most 1000 .*holds")
        .containsPattern("y .*low, P99 at 60% .*DOES NOT HOLD");
    assertThat(Report.of(run("few", SMALL)).text())
        .containsPattern("x .*low / random, P99 at 60% .*at most 1000 .*too few rounds")
        .doesNotContain("DOES NOT HOLD");
    Path file = Files.writeString(folder.resolve("short.yaml"), eight);
    Choices shorter = new Choices(Map.of("requests", "500"), Set.of("requests"), List.of(), false);
    Path out = folder.resolve("short");
    new ExperimentRun<>(read(file, shorter), "", new SilentProgress()).run(out);
    assertThat(Report.of(out).text())
        .containsPattern("y .*low, P99 at 60% .*too short a run")
        .doesNotContain("DOES NOT HOLD");
  }

  /** Only queues decide in a simulation. */
  @Test
  void theReportStatesTheRuleOfSimulations() throws Exception {
    assertThat(Files.readString(Report.of(run("one", SMALL)).write()).replaceAll("\\s+", " "))
        .doesNotContain("85 %")
        .contains("reached the capacity of the modelled cluster");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1\\n# two\\n\\nthree\\n | widths.txt:4: reads = 'three' is invalid",
        "1\\n10001\\n | widths.txt:2: reads = '10001' is invalid",
      })
  void anInvalidLineOfAWidthsFileIsNamed(String text, String words) throws IOException {
    Files.writeString(folder.resolve("widths.txt"), text.replace("\\n", "\n"));
    Path file = Files.writeString(folder.resolve("one.yaml"), withWidths());
    assertThatThrownBy(() -> read(file, Choices.none()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(words)
        .hasMessageEndingWith("a number of reads from 1 to 10000");
  }

  private Experiment<String, At> traced(String lines, String arrivals) throws IOException {
    Files.writeString(folder.resolve("trace.jsonl"), lines);
    Path file = Files.writeString(folder.resolve("one.yaml"), SMALL);
    String workload = "{ kind: trace, file: trace.jsonl, arrivals: %s }".formatted(arrivals);
    return read(file, new Choices(Map.of("workload", workload), List.of(), false));
  }

  @Test
  void anOwnTraceIsPlayed() throws Exception {
    String lines =
        "\uFEFF{\"t\": 0, \"keys\": [\"a\", \"b\"], \"bytes\": [100, 100000]}\r\n\n"
            + "{\"t\": 0.5, \"keys\": [7], \"bytes\": 1000}\n";
    for (String arrivals : List.of("poisson", "recorded")) {
      Experiment<String, At> experiment = traced(lines, arrivals);
      SourceSpec source = settings(experiment).workload().source();
      assertThat(source.meanReads()).isEqualTo(1.5);
      assertThat(source.meanBytes()).isEqualTo(33_700);
      Path out = folder.resolve(arrivals);
      new ExperimentRun<>(experiment, "", new SilentProgress()).run(out);
      assertThat(Files.readString(out.resolve("environment.json")))
          .contains("2 requests, 3 reads of 3 keys")
          .contains("played 1000 times: 2000 requests");
      assertThat(read(out.resolve("experiment.yaml"), Choices.none()).text())
          .isEqualTo(Files.readString(out.resolve("experiment.yaml")));
    }
  }

  /** A request reads each key at most once. */
  @Test
  void repeatsOfAKeyInARequestAreSkipped() throws Exception {
    Experiment<String, At> experiment =
        traced(
            "{\"keys\": [\"a\", \"a\", \"b\"], \"bytes\": [100, 900, 200]}\n"
                + "{\"keys\": [\"b\", \"a\"], \"bytes\": 300}\n",
            "poisson");
    SourceSpec source = settings(experiment).workload().source();
    assertThat(source.meanReads()).isEqualTo(2);
    assertThat(source.meanBytes()).isEqualTo((100 + 200 + 300 + 300) / 4.0);
    assertThat(settings(experiment).workload().words())
        .containsEntry(
            "trace",
            "2 requests, 4 reads of 2 keys; repeats of a key inside a request, not read: 1");
  }

  /** The lines that the page shows. */
  @Test
  void theDocumentedTraceIsRead() throws Exception {
    Path page = Path.of(System.getProperty("manx.home"), "docs", "research", "simulator.md");
    Matcher shown =
        Pattern.compile("(?s)```json\n(\\{\"t\".*?)```").matcher(Files.readString(page));
    assertThat(shown.find()).isTrue();
    SourceSpec source = settings(traced(shown.group(1), "recorded")).workload().source();
    assertThat(source.meanReads()).isEqualTo(2);
    assertThat(source.meanBytes()).isEqualTo((120 + 4000 + 350 + 4000) / 4.0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'keys': ['a'], 'bytes': 1} | trace.jsonl:2: document = |\"t\" must be a time in seconds",
        "{'t': -1, 'keys': ['a'], 'bytes': 1} | trace.jsonl:2: | not be before that of the last",
        "{'t': 1, 'keys': [], 'bytes': 1} | trace.jsonl:2: | a list of at least one key",
        "{'t': 1, 'keys': ['a', 'b'], 'bytes': [1]} | trace.jsonl:2: | as long as \"keys\"",
        "{'t': 1, 'keys': ['a'], 'bytes': [0]} | trace.jsonl:2: | at least 1",
        "{'t': 1, 'keys': [['a']], 'bytes': 1} | trace.jsonl:2: | a text or a whole number",
        "{'t': 1, 'keys': ['a'], 'bytes': 1} {} | trace.jsonl:2: | a request such as",
        "0.5,a;b,100 | trace.jsonl:2: | a request such as",
      })
  void aLineThatIsNoRequestOfATraceIsRefused(String line, String place, String words) {
    String lines = "{\"t\": 0, \"keys\": [\"a\"], \"bytes\": 1}\n" + line.replace('\'', '"') + "\n";
    assertThatThrownBy(() -> traced(lines, "recorded"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(place)
        .hasMessageContaining(words);
  }

  /** A decision log of a coordinator, of one request of five reads for each place. */
  private byte[] log(int requests, IntFunction<String> hash, IntUnaryOperator replica) {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    log.writeBytes(new LogHead(1, 1, 8, Map.of("node", "a:1")).line().bytes());
    for (int node = 0; node < 3; node++) {
      log.writeBytes(DecisionLog.node(node, (char) ('a' + node) + ":1").bytes());
    }
    for (int i = 0; i < requests; i++) {
      String read = hash.apply(i) + ":1:100:1000000:" + replica.applyAsInt(i) + ".1.2";
      LogLine plan = new LogLine(DecisionLog.PLAN).put("i", i).put("s", 1).put("m", "on");
      plan.put("t", 1_000_000L * i).put("r", String.join(";", Collections.nCopies(5, read)));
      log.writeBytes(plan.put("o", String.join(";", Collections.nCopies(5, "0.1.2"))).bytes());
      for (int done = 0; done < 5; done++) {
        log.writeBytes(new Executed(1_000_000L * i, 0, 1_000_000, 1_000_000, true).line().bytes());
      }
      log.writeBytes(
          new RequestEnd(1_000_000L * i, 5, 2_000_000, false, 1, false, true).line().bytes());
    }
    return log.toByteArray();
  }

  private Experiment<String, At> recorded(byte[] log) throws IOException {
    Files.write(folder.resolve("a.log"), log);
    return read(Files.writeString(folder.resolve("one.yaml"), recordedText()), Choices.none());
  }

  private static String recordedText() {
    return SMALL
        .replaceFirst(
            "(?s)workload:.*classes:", "workload: { kind: recorded, logs: [a.log] }\nclasses:")
        .replace("coordinators: 2", "coordinators: 3");
  }

  /** Its derived number of replicas must not be refused when it is read back. */
  @ParameterizedTest
  @ValueSource(strings = {"nodes: 3", "nodes: 3\n  replication-factor: 1"})
  void theResolvedFileOfARecordingRunsAgain(String nodes) throws IOException {
    Files.write(folder.resolve("a.log"), log(50, i -> "ab" + i, i -> 0));
    String text = recordedText().replaceFirst("nodes: 3", nodes);
    Path file = Files.writeString(folder.resolve("one.yaml"), text);
    assertSameAgain(read(file, new Choices(Map.of("sweep", "null"), List.of(), false)));
  }

  /** They show another workload than the cluster's. */
  @Test
  void aLogThatLacksManyPlansIsRefused() {
    assertThatThrownBy(() -> recorded(log(50, i -> "12345678901234567890", i -> 0)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("a.log:5: document = ")
        .hasMessageContaining("50 of 353 lines are damaged")
        .hasMessageContaining("it is not a record of kind P");
    assertThatThrownBy(() -> recorded(log(50, i -> "ab" + i, i -> 5)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("a.log:5: document = ")
        .hasMessageContaining("50 of 50 plans were left out");
  }

  @Test
  void aLogThatLacksSomePlansIsDoubted() throws Exception {
    byte[] log = log(50, i -> i == 7 ? "12345678901234567890" : "ab" + i, i -> i == 9 ? 5 : 0);
    Experiment<String, At> experiment = recorded(log);
    assertThat(warnings(experiment))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .contains("a.log:54: 1 of 353 lines are damaged")
                    .contains("it is not a record of kind P"),
            line -> assertThat(line).contains("a.log:54: 2 of 50 plans were left out"));
    Path out = folder.resolve("out");
    new ExperimentRun<>(experiment, "", new SilentProgress()).run(out);
    assertThat(Files.readString(out.resolve("environment.json"))).contains("48 of 50 plans");
  }

  @Test
  void aLogInTheFormOfAnotherSystemIsRefusedWithTheReason() {
    String whole = new String(log(50, i -> "ab" + i, i -> 0), StandardCharsets.UTF_8);
    assertThatThrownBy(() -> recorded(whole.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("a.log:1: ")
        .hasMessageContaining("CRLF");
    assertThatThrownBy(() -> recorded(("\uFEFF" + whole).getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("a.log:1: ")
        .hasMessageContaining("byte order mark");
    int head = whole.indexOf('\n') + 1;
    String damaged = whole.substring(0, head) + whole.substring(head).replace("#", "# ");
    assertThatThrownBy(() -> recorded(damaged.getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("a.log:2: ")
        .hasMessageContaining("353 of 353 lines after the first are damaged")
        .hasMessageContaining("its checksum is missing or wrong");
  }

  @Test
  void publishedNumbersMayNameArmsAndLoadsThatDoNotRun() throws IOException {
    Path file = Files.writeString(folder.resolve("one.yaml"), SMALL);
    Experiment<String, At> some =
        read(file, new Choices(Map.of("loads", "[60%]"), Set.of("loads"), List.of("low"), false));
    assertThat(some.text()).contains("claim: y").doesNotContain("claim: x");
    Path written = Files.writeString(folder.resolve("two.yaml"), some.text());
    assertThat(read(written, Choices.none()).text()).isEqualTo(some.text());
    Experiment<String, At> other =
        read(file, new Choices(Map.of("loads", "[30%]"), Set.of("loads"), List.of(), false));
    assertThat(other.text()).doesNotContain("published");
  }

  @Test
  void publishedNumbersMayNamePointsOfASweep() throws IOException {
    String named = "[{ name: fast, model.cores: 4 }, { name: slow, model.cores: 1 }]";
    String numbers = "[{ arm: low, point: %s, at: P99, published: 1s }]";
    Path file = Files.writeString(folder.resolve("one.yaml"), SMALL);
    assertThat(
            read(
                    file,
                    new Choices(
                        Map.of("sweep", named, "published", numbers.formatted("fast")),
                        List.of(),
                        false))
                .text())
        .contains("point: fast");
    assertThatThrownBy(
            () ->
                read(
                    file,
                    new Choices(
                        Map.of("sweep", named, "published", numbers.formatted("fats")),
                        List.of(),
                        false)))
        .hasMessageContaining("one of fast, slow");
  }

  @Test
  void seedsThatAreAskedForAreThoseOfAQuickRunToo() throws IOException {
    Path file = Files.writeString(folder.resolve("one.yaml"), SMALL);
    Choices choices =
        new Choices(Map.of("seeds", "[1, 2, 3, 4, 5]"), Set.of("seeds"), List.of(), true);
    assertThat(read(file, choices).head().seeds()).hasSize(5);
  }

  /** It is marked quick, and has more seeds than a quick run takes by itself. */
  @Test
  void theResolvedFileOfAQuickRunIsThatRun() throws IOException {
    Path file = Files.writeString(folder.resolve("one.yaml"), SMALL);
    Choices choices = new Choices(Map.of("rounds", "5"), Set.of("rounds"), List.of(), true);
    Experiment<String, At> quick = read(file, choices);
    assertThat(quick.head().seeds()).hasSize(5);
    Path written = Files.writeString(folder.resolve("two.yaml"), quick.text());
    assertThat(read(written, Choices.none()).head()).isEqualTo(quick.head());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "model.nodes | 0 | a whole number from 1",
        "requests | 2_000_000_000 | 17179869184 events, some for each of its 4.0 reads a request",
        "model.service.per-core | 5ms | a rate",
        "model.colour | red | unknown key",
        "workload.requests.mean | 0.5 | a number from 1",
        "workload.requests.mean | 1.2 | another mean",
        "workload.requests | { kind: geometric, mean: 40, max: 50 } | another mean",
        "workload.requests | { kind: listed, widths: { 0: 100% } } | numbers of reads",
        "workload.requests | { kind: recorded, file: nowhere.txt } | a readable file",
        "model.read-threads | 1 | a whole number from 2",
        "model.speeds | { fast-factor: 3 } | no effect without flip-every",
        "workload.zipf | 0.9 | without keys there is no popularity",
        "workload.think | 1s | 200 clients at load 60% would send fewer than 10 of the 2000 requests",
        "workload | { kind: synthetic, requests: { a: { reads: 4, large: 0% } }, values: { small: 1kB,"
            + " large-share: 5% } } | no effect without a kind of requests that has no",
        "workload | { kind: synthetic, requests: { a: { reads: 4, large: 0% } }, values: { scale: 200,"
            + " shape: 0.3, max: 1MB, large-from: 1B } } | 2B to 1GiB",
        // Otherwise they would be one byte larger than the others.
        "workload | { kind: synthetic, requests: { kind: fixed, reads: 4 }, values: { small: 1kB,"
            + " large-share: 5% } } | a mapping with `large`",
        "workload | { kind: synthetic, requests: { a: { reads: 4, large: 50% } }, values: { small: 1kB"
            + " } } | a mapping with `large`",
        "workload.requests | { a: { reads: 4, large: 10% } } | of 4 reads, a whole number is large",
        "workload.requests | { a: { reads: 4, large: 90% } } | of 4 reads, a whole number is large",
        "workload.keys | 9 | workload.keys = '9' is invalid; allowed: 0, or a number from ",
        "model.faults | [{ node: 3, is: slow, from: 0ms, to: 1s }] | a whole number from 0 to 2",
        "model.faults | [{ coordinator: 0, is: slow, from: 0ms, to: 1s }] | model.cpu",
        "model.faults | [{ node: all, is: restarted, from: 0ms, to: 1s }] | one node",
        "model.faults | [{ node: 0, is: paused, from: 0ms, to: 1s, every: 1s }] | every",
        "model.faults | [{ node: 0, is: slow, from: 0ms, to: 1s }, { node: all, is: slow, from:"
            + " 1s, to: 2s }] | a time after the end",
        "model.faults | [{ node: 0, is: paused, from: 0ms, to: 1ms, every: 1s }, { node: 0, is:"
            + " stalled, from: 2s, to: 3s }] | a time after the end",
        "model.faults | [{ node: 0, is: slow, delay: 2ms, from: 0ms, to: 1s }] | far or stepped",
        "model.faults | [{ node: 0, is: far, speed: 0.1, from: 0ms, to: 1s }] | slow",
        "model.forecast | { from: strategy, sigma: 1 } | exact or mean",
        "model.forecast | { from: strategy, bias: 2 } | exact or mean",
        "model.forecast | { from: strategy, false-large: 2% } | exact or mean",
        "model.forecast | { false-large-size: 2MiB } | false-large",
        "model.service | { base: 1ms, scatter: exponential, cv: 2 } | lognormal",
        "model.speeds | { fast-share: 10% } | no effect without flip-every",
        "model.cpu | { coordinator-cores: 2 } | per-answer",
        "model.cache | { size: 1MiB, disks: 2 } | no effect without miss or",
        "workload.large-keys | 9 | no effect without keys",
        "workload | { kind: synthetic, requests: { a: { reads: 4 } }, values: { small: 1kB }, keys: 99,"
            + " large-keys: 9 } | no effect without keys, and reads of large values",
        "workload.requests | { kind: listed, widths: { 1: 60%, 10: 30% } } | add up to 100%, not 90",
        "workload.requests | { kind: recorded, file: empty.txt } | at least one number of reads",
        "heat-map | [nobody] | random, low",
        "bounds | [{ arm: low, over: random, p99: 1, class: wdie }] | one of all, single, wide",
        "bounds | [{ arm: low, over: random, cpu: 1 }] | measures: p50, p95, p99, p999",
        // Otherwise "not measured" at the end of the run.
        "published | [{ arm: lwo, at: P99, published: 1s }] | one of random, low",
        "published | [{ arm: low, over: radnom, at: P99, published: 1 }] | one of random, low",
        "published | [{ arm: low, load: 6%, at: P99, published: 1s }] | one of 30%, 60%",
        "published | [{ arm: low, class: wdie, at: P99, published: 1s }] | one of all, single, wide",
        "published | [{ arm: low, point: fast, at: P99, published: 1s }] | a name in sweep",
        "published | [{ at: P99, published: 1s }] | published[0].arm",
        "loads | [5ms] | a share of the modelled capacity",
        "sweep | { seeds: [1, 7] } | the same in the whole run: seeds",
        "sweep | { baseline: [low] } | the same in the whole run",
        "sweep | {} | at least one value",
        "sweep | { model.cores: [] } | at least one value",
        "sweep | [{ name: nothing new }, {}] | at least one value",
        "sweep | { model.cores: [2, 4, 2] } | 'model.cores=2' is there twice",
        "sweep | [{ name: a, model.cores: 2 }, { name: a, model.cores: 4 }] | 'point=a' is there twice",
        "sweep | [{ name: a;b=c, model.cores: 2 }] | without ;",
        "rounds | 5 | unknown key",
        "window | 5s | unknown key",
        "loads | [] | at least one load",
        "loads | [30%, 60%, 30%] | each load once",
        "arms.low.strategy.select | select.nope | one of",
      })
  void refusesWhatItCannotPlay(String key, String value, String words) throws IOException {
    Path file = Files.writeString(folder.resolve("bad.yaml"), SMALL);
    Files.writeString(folder.resolve("empty.txt"), "# no request was recorded\n");
    Choices choices = new Choices(Map.of(key, value), List.of(), false);
    assertThatThrownBy(() -> read(file, choices))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(words);
  }

  /** Of the model, whose settings the sweep does not change here. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "model.timeout | 1s | no effect without lost messages (network.loss) or a dead node",
        "model.placement-seed | 2 | no effect without keys",
      })
  void refusesWhatHasNoEffect(String key, String value, String words) throws IOException {
    Path file = Files.writeString(folder.resolve("bad.yaml"), SMALL);
    Map<String, String> settings = Map.of(key, value, "sweep", "{ requests: [1000] }");
    assertThatThrownBy(() -> read(file, new Choices(settings, List.of(), false)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(words);
  }

  private Experiment<String, At> withFaults(String from, Choices choices) throws IOException {
    String faults =
        "[{ node: 0, is: slow, from: 0s, to: 1s }, { node: 1, is: paused, from: %s, to: 1h }]"
            .formatted(from);
    Path file = Files.writeString(folder.resolve("late.yaml"), SMALL);
    Map<String, String> settings = new HashMap<>(choices.settings());
    settings.put("model.faults", faults);
    return read(file, new Choices(settings, choices.options(), choices.arms(), choices.quick()));
  }

  /**
   * Some 2.2 s at the higher load; such a fault would be missing from the result without a word.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "3s | none | none | false | 2000 requests at load 60%",
        "1s | requests | 500 | true | 500 requests (--requests) at load 60%",
        "1s | requests | 500 | false | 500 requests (--set requests) at load 60%",
        "2s | loads | [90%] | true | 2000 requests at load 90% (--loads)",
      })
  void aFaultAfterTheEndOfTheRunIsRefused(
      String from, String key, String value, boolean option, String run) {
    Choices choices =
        new Choices(
            key == null ? Map.of() : Map.of(key, value),
            option ? Set.of(key) : Set.of(),
            List.of(),
            false);
    assertThatThrownBy(() -> withFaults(from, choices))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("model.faults[1].from = '" + from + "' is invalid")
        .hasMessageContaining("allowed: a time before ")
        .hasMessageEndingWith("s, when the run ends: " + run);
  }

  /** As many clients as in the whole run, with as few requests as they need. */
  @Test
  void aQuickRunOfAClosedLoopHasRequestsForItsClients() throws IOException {
    String whole = SMALL.replace("requests: 2000", "requests: 30000");
    Path file = Files.writeString(folder.resolve("closed.yaml"), whole);
    Map<String, String> settings = Map.of("workload.think", "2s", "loads", "[60%]");
    Experiment<String, At> quick = read(file, new Choices(settings, Set.of(), List.of(), true));
    SimulatorSettings read = settings(quick);
    long clients = read.run(read.loads().get(0), 1).clients();
    assertThat(clients).isGreaterThan(1_500);
    assertThat(read.requests()).isEqualTo(10 * clients);
  }

  @Test
  void aClosedLoopIsReportedAsOne() throws Exception {
    Path out = run("closed", SMALL.replace("kind: synthetic\n", "kind: synthetic\n  think: 5ms\n"));
    assertThat(Report.of(out).text().replaceAll("\\s+", " "))
        .contains("Closed loop: a request is sent only when another has ended");
    assertThat(Files.readString(Report.of(out).write()).replaceAll("\\s+", " "))
        .contains("Each of a fixed number of clients sends its next request only when")
        .doesNotContain("fixed in advance");
    assertThat(Files.readString(out.resolve("environment.json")))
        .contains("closed loop, 2 clients with a mean think time of 5ms");
    assertThat(Files.readString(out.resolve("metrics.csv"))).doesNotContain("offered_");
  }

  @Test
  void aPointWithAThinkTimeIsReportedAsAClosedLoop() throws Exception {
    String swept =
        SMALL.replace(
            "{ model.network.one-way: [10us, 1ms] }", "[{ name: thinking, workload.think: 5ms }]");
    assertThat(Files.readString(Report.of(run("points", swept)).write()).replaceAll("\\s+", " "))
        .contains("Open loop (30%, 60%).", "Closed loop (point=thinking).");
  }

  @Test
  void aFaultWithinTheRunIsAccepted() throws IOException {
    assertThat(withFaults("2s", Choices.none()).points()).isNotEmpty();
    // Its end depends on the answers.
    Choices closed = new Choices(Map.of("workload.think", "5ms"), List.of(), false);
    assertThat(withFaults("3s", closed).points()).isNotEmpty();
  }

  @Test
  void aQuickRunNamesTheFaultsThatItLeavesOut() throws Exception {
    Choices quick = new Choices(Map.of("requests", "500"), Set.of("requests"), List.of(), true);
    Experiment<String, At> late = withFaults("1s", quick);
    assertThat(warnings(late))
        .hasSize(3)
        .allMatch(line -> line.startsWith("model.faults[1] does not take place: it begins at 1s"))
        .anyMatch(line -> line.endsWith("s: 500 requests (--requests) at load 60%"))
        .anyMatch(line -> line.endsWith(" (model.network.one-way=1ms)"));
    Path written = Files.writeString(folder.resolve("again.yaml"), late.text());
    assertThat(warnings(read(written, Choices.none()))).hasSize(3);
    assertThat(warnings(withFaults("10ms", quick))).isEmpty();
  }

  /** Otherwise the run would wait for the end of a fault that is still to come. */
  @Test
  void aQuickRunHasOnlyTheFaultsThatTakePlace() throws Exception {
    Choices quick = new Choices(Map.of("requests", "500"), Set.of("requests"), List.of(), true);
    SimulatorSettings late = settings(withFaults("1s", quick));
    SimulatorSettings whole = settings(withFaults("1s", Choices.none()));
    Load highest = late.loads().get(1);
    assertThat(late.model(highest).faults()).containsExactly(whole.model().faults().get(0));
    assertThat(late.model(late.loads().get(0)).faults()).as("longer").hasSize(2);
    assertThat(whole.model(highest)).isEqualTo(whole.model());
  }

  private static List<String> warnings(Experiment<String, At> experiment) throws Exception {
    List<String> warnings = new ArrayList<>();
    Progress progress =
        new Progress() {
          @Override
          public void step(String text) {}

          @Override
          public void warning(String text) {
            warnings.add(text);
          }

          @Override
          public void now(String text) {}
        };
    experiment.stage().open(progress).close();
    return warnings;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "model.forecast | { from: exact, false-large-size: 4MiB } | { model.forecast.false-large:"
            + " [1%, 5%] }",
        "model.forecast | { sigma: 1 } | { model.forecast.from: [exact, mean, strategy] }",
        "model.service | { base: 1ms, scatter: lognormal, cv: 2 } | { model.service.scatter: [none,"
            + " exponential, lognormal] }",
        "model.cpu | { coordinator-cores: 2 } | { model.cpu.per-read: [5us, 20us] }",
        "workload | { kind: synthetic, requests: { a: { reads: 4, large: 0% } }, values: { small: 1kB,"
            + " large: 1MB }, keys: 99, large-keys: 9 } | { workload.requests.a.large: [25%] }",
        "model.timeout | 1s | { model.network.loss: [1%] }",
      })
  void acceptsASettingWhoseEffectIsSwept(String key, String value, String sweep)
      throws IOException {
    Path file = Files.writeString(folder.resolve("swept.yaml"), SMALL);
    Map<String, String> settings = Map.of(key, value, "sweep", sweep);
    assertThat(read(file, new Choices(settings, List.of(), false)).points()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "brb",
        "tailx",
        "tailx-regime",
        "tailx-selection",
        "c3",
        "hector-locality",
        "catalogue",
        "scale",
        "scaling",
        "cold-start",
        "gallery",
        "stalls",
        "manx",
        "manx-untuned",
        "manx-beta",
        "manx-speeds"
      })
  void examplesAreAcceptedAndTheirResolvedFilesToo(String name) throws IOException {
    Path file = Path.of(System.getProperty("manx.home"), "examples", name + ".yaml");
    Experiment<String, At> example = read(file, Choices.none());
    assertThat(example.points()).isNotEmpty();
    assertSameAgain(example);
  }

  /** After the whole run, the report could only say that it was not measured. */
  @Test
  void publishedNumbersOfPointsAreOfAllRequests() throws IOException {
    Path file = Files.writeString(folder.resolve("one.yaml"), SMALL);
    Choices choices =
        new Choices(
            Map.of(
                "sweep", "[{ name: fast, model.cores: 4 }]",
                "published", "[{ arm: low, point: fast, class: wide, at: P99, published: 1s }]"),
            List.of(),
            false);
    assertThatThrownBy(() -> read(file, choices))
        .hasMessageContaining("all: points of a sweep have no other classes");
  }
}
