/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.SummaryRow;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The messages of a run, and what makes it stop or continue. */
@Timeout(120)
class ExperimentRunTest {
  @TempDir private Path out;

  private static final class Said implements Progress {
    private final List<String> steps = new ArrayList<>();

    @Override
    public void step(String text) {
      steps.add(text);
    }

    @Override
    public void now(String text) {}
  }

  private static Measured measured() {
    Histogram nanos = Histograms.create();
    nanos.recordValue(1_000_000);
    return new Measured(0, 1).latency("all", new Measured.Latency(1, 0, 0, 1, nanos));
  }

  private List<String> run(Experiment.Stage<Integer, String> stage) throws InterruptedException {
    return run(stage, 1);
  }

  private List<String> run(Experiment.Stage<Integer, String> stage, int rounds)
      throws InterruptedException {
    return run(stage, rounds, Experiment.Order.INTERLEAVED, List.of());
  }

  private List<String> run(
      Experiment.Stage<Integer, String> stage,
      int rounds,
      Experiment.Order order,
      List<Path> policies)
      throws InterruptedException {
    return run(stage, rounds, order, policies, List.of());
  }

  private List<String> run(
      Experiment.Stage<Integer, String> stage,
      int rounds,
      Experiment.Order order,
      List<Path> policies,
      List<Path> own)
      throws InterruptedException {
    return run(stage, List.of(point("", rounds)), order, policies, own);
  }

  private static Point<Integer, String> point(String params, int rounds) {
    List<Arm<Integer>> arms = List.of(new Arm<>("stock", "", 0), new Arm<>("manx", "", 1));
    return new Point<>("10%", "all", params, params.isEmpty(), rounds, arms, List.of(), "");
  }

  private List<String> run(
      Experiment.Stage<Integer, String> stage,
      List<Point<Integer, String>> points,
      Experiment.Order order,
      List<Path> policies,
      List<Path> own)
      throws InterruptedException {
    Head head =
        new Head(
            "fake", "try", "", false, "stock", List.of("stock", "manx"), List.of(1L), List.of());
    Said said = new Said();
    new ExperimentRun<>(
            new Experiment<>(head, points, order, Quiet.ANY, "", "experiment: try\n", stage),
            "",
            said,
            () -> new RunJars(policies, own, nanos -> {}))
        .run(out);
    return said.steps;
  }

  @Test
  void anEnvironmentThatDoesNotStartIsNotAFullDisk() {
    assertThatThrownBy(
            () ->
                run(
                    progress -> {
                      throw new NoSuchFileException("/usr/bin/redis-server");
                    }))
        .isInstanceOf(RunException.class)
        .hasMessage("cannot start try: /usr/bin/redis-server: no such file or folder");
  }

  /** The user would look for a full disk. */
  @Test
  void aFailureOfTheEnvironmentIsNotOneOfTheResults() {
    String file = "/sys/fs/cgroup/cpu.max";
    for (String what : List.of("calibrate try", "settle stock", "stop try")) {
      Experiment.Stage<Integer, String> failing =
          progress ->
              new Player<>() {
                private void at(String now) throws IOException {
                  if (now.equals(what)) {
                    throw new NoSuchFileException(file);
                  }
                }

                @Override
                public Map<String, Double> calibrate(Map<String, Double> known) throws IOException {
                  at("calibrate try");
                  return Map.of();
                }

                @Override
                public void settle(Arm<Integer> arm) throws IOException {
                  at("settle " + arm.name());
                }

                @Override
                public Measured play(Turn<Integer, String> turn, Consumer<String> now) {
                  return measured();
                }

                @Override
                public void close() throws IOException {
                  at("stop try");
                }
              };
      assertThatThrownBy(() -> run(failing))
          .isInstanceOf(RunException.class)
          .hasMessage("cannot " + what + ": " + file + ": no such file or folder");
    }
    List<Path> gone = List.of(Path.of("/gone/own.jar"));
    assertThatThrownBy(() -> run(stage(8, Map.of()), 1, Experiment.Order.INTERLEAVED, gone))
        .isInstanceOf(RunException.class)
        .hasMessage("cannot read the jars: /gone/own.jar: no such file or folder");
  }

  /** A median would be 0 unless most rounds had not recovered. */
  @Test
  void roundsThatDidNotRecoverAreAShare() throws Exception {
    run(
        progress ->
            (turn, now) -> measured().metric("not_recovered", turn.round() == 1 ? 1.0 : 0.0),
        4);
    assertThat(RowReader.read(out, MetricRow.FORMAT))
        .filteredOn(row -> row.metric().equals("not_recovered") && row.key().isPooled())
        .hasSize(2)
        .allSatisfy(row -> assertThat(row.value()).isEqualTo(0.25));
  }

  /** A median would be 0 unless most rounds had one. */
  @Test
  void ofRareFaultsThePooledRowHasTheMostInARound() throws Exception {
    run(
        progress ->
            (turn, now) ->
                measured().metric("reads_beyond_order", turn.round() > 3 ? turn.round() : 0),
        5);
    assertThat(RowReader.read(out, MetricRow.FORMAT))
        .filteredOn(row -> row.metric().equals("reads_beyond_order") && row.key().isPooled())
        .hasSize(2)
        .allSatisfy(row -> assertThat(row.value()).isEqualTo(5));
  }

  /** A median would be 0 unless most rounds had one; the table of latencies has the sum. */
  @Test
  void failuresOfAFewRoundsAreNotHiddenByTheOthers() throws Exception {
    run(
        progress ->
            (turn, now) -> {
              boolean last = turn.round() == 3;
              return measured()
                  .metric("errors", last ? 9 : 0)
                  .metric("manx_faults", turn.round() - 1)
                  .metric("noisy", last ? 1 : 0)
                  .metric("schedule_lag_max_us", last ? 7 : 8)
                  .metric("schedule_lag_p99_us", last ? 7 : 8);
            },
        3);
    assertThat(RowReader.read(out, MetricRow.FORMAT))
        .filteredOn(row -> row.key().isPooled() && row.key().arm().equals("manx"))
        .extracting(MetricRow::metric, MetricRow::value, MetricRow::lo)
        .containsExactly(
            tuple("errors", 9.0, Double.NaN),
            tuple("manx_faults", 3.0, Double.NaN),
            tuple("noisy", 1.0 / 3, Double.NaN),
            tuple("schedule_lag_max_us", 8.0, Double.NaN),
            tuple("schedule_lag_p99_us", 8.0, 7.0));
  }

  /** As if its package were not installed. */
  private static Experiment.Stage<Integer, String> without(String arm) {
    return progress ->
        new Player<>() {
          @Override
          public boolean has(Arm<Integer> one) {
            return !one.name().equals(arm);
          }

          @Override
          public Measured play(Turn<Integer, String> turn, Consumer<String> now) {
            return measured();
          }
        };
  }

  /** The report would compare with whichever arm ran first. */
  @Test
  void aRunWithoutItsBaselineIsRefused() throws Exception {
    assertThatThrownBy(() -> run(without("stock")))
        .isInstanceOf(RunException.class)
        .hasMessage(
            "the baseline stock cannot be measured here; to compare the others with each other:"
                + " --arms manx");
    run(without("manx"));
    assertThat(RowReader.read(out, SummaryRow.FORMAT))
        .extracting(row -> row.key().arm())
        .containsOnly("stock");
  }

  /** The page would draw it on the timelines of the experiment itself. */
  @Test
  void aPointOfASweepHasNoBandsOnTheTimelines() throws Exception {
    run(
        progress ->
            (turn, now) ->
                measured().mark(1, 2, turn.point().summarised() ? "in the file" : "at the point"),
        List.of(point("", 1), point("x=1", 1)),
        Experiment.Order.INTERLEAVED,
        List.of(),
        List.of());
    assertThat(RowReader.read(out, MetricRow.FORMAT))
        .filteredOn(row -> row.metric().equals("mark") && row.key().arm().equals("manx"))
        .extracting(MetricRow::params)
        .containsExactly("from=1;to=2;label=in the file");
  }

  /** A report only has their number. */
  @Test
  void theReasonsOfFailedRequestsAreTold() throws Exception {
    Map<String, Long> failures = Map.of("Busy", 2L, "ReadTimeout", 31L, "Away", 2L);
    List<String> steps =
        run(
            progress ->
                (turn, now) ->
                    measured().failures(turn.arm().settings() == 0 ? Map.of() : failures));
    assertThat(steps)
        .filteredOn(line -> line.startsWith("failed requests"))
        .containsExactly(
            "failed requests, warm-up included: 10%  round 1 of 1  manx: 31 ReadTimeout, 2 Away,"
                + " 2 Busy");
  }

  /** An environment in which a number of turns can be played before it fails. */
  private static Experiment.Stage<Integer, String> stage(
      int turns, Map<String, String> conditions) {
    return progress ->
        new Player<>() {
          private int played;

          @Override
          public Map<String, String> conditions() {
            return conditions;
          }

          @Override
          public Measured play(Turn<Integer, String> turn, Consumer<String> now) {
            if (played++ == turns) {
              throw new RunException("interrupted");
            }
            return measured();
          }
        };
  }

  private void interrupt(int turns, Map<String, String> conditions) {
    assertThatThrownBy(() -> run(stage(turns, conditions), 4)).hasMessage("interrupted");
  }

  @Test
  void anInterruptedRunContinuesOnlyUnderTheSameConditions() throws Exception {
    Map<String, String> stock = Map.of("a: Manx", "not installed", "b: Manx", "not installed");
    interrupt(5, stock);
    Path journal = out.resolve(Journal.FILE_NAME);
    String turns = Files.readString(journal);
    assertThat(out.resolve("summary.csv")).as("rows of a failed run").doesNotExist();
    assertThat(out.resolve("summary.csv.part")).exists();
    Map<String, String> installed =
        Map.of("a: Manx", "1.0", "a: mode", "off", "b: Manx", "not installed");
    assertThatThrownBy(() -> run(stage(8, installed), 4))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(out.toString())
        .hasMessageEndingWith(
            "another folder, since the finished turns in this one were played under other"
                + " conditions: a: Manx was not installed and is 1.0; a: mode was missing and is"
                + " off");
    assertThat(journal).hasContent(turns);
    // Further turns after a continuation keep them.
    interrupt(0, stock);
    assertThatThrownBy(() -> run(stage(8, Map.of()), 4)).isInstanceOf(ConfigException.class);
    assertThat(run(stage(8, stock), 4)).contains("resuming after 4 finished turns");
    assertThat(journal).doesNotExist();
    assertThat(out.resolve("summary.csv")).exists();
    assertThat(out.resolve("summary.csv.part")).doesNotExist();
  }

  /** Seeds of two versions of a policy would be mixed in one arm. */
  @Test
  void anInterruptedRunContinuesOnlyWithTheSamePolicies(@TempDir Path folder) throws Exception {
    Path jar = Files.writeString(folder.resolve("own-1.0.jar"), "one");
    Experiment.Order order = Experiment.Order.INTERLEAVED;
    assertThatThrownBy(() -> run(stage(5, Map.of()), 4, order, List.of(jar)))
        .hasMessage("interrupted");
    assertThat(out.resolve("environment.json"))
        .content()
        .contains("\"policies of own-1.0.jar\" : \"3 bytes with checksum 7a6c86f1\"");
    Files.writeString(jar, "two");
    assertThatThrownBy(() -> run(stage(8, Map.of()), 4, order, List.of(jar)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("policies of own-1.0.jar was 3 bytes with checksum 7a6c86f1 and is");
    assertThatThrownBy(() -> run(stage(8, Map.of()), 4, order, List.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("and is missing");
    Files.writeString(jar, "one");
    assertThat(run(stage(8, Map.of()), 4, order, List.of(jar)))
        .contains("resuming after 4 finished turns");
  }

  /** A revision is "dirty" before and after a further edit. */
  @Test
  void anInterruptedRunContinuesOnlyWithTheSameBuild(@TempDir Path folder) throws Exception {
    Path jar = Files.writeString(folder.resolve("manx-policy-0.1.0.jar"), "one");
    Experiment.Order order = Experiment.Order.INTERLEAVED;
    List<Path> own = List.of(jar);
    assertThatThrownBy(() -> run(stage(5, Map.of()), 4, order, List.of(), own))
        .hasMessage("interrupted");
    Files.writeString(jar, "two");
    assertThatThrownBy(() -> run(stage(8, Map.of()), 4, order, List.of(), own))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("manx-policy-0.1.0.jar was 3 bytes with checksum 7a6c86f1 and is");
    Files.writeString(jar, "one");
    assertThat(run(stage(8, Map.of()), 4, order, List.of(), own))
        .contains("resuming after 4 finished turns");
  }

  /** Nodes that start again, and classes loaded later, would be of the new build. */
  @Test
  void aBuildDuringARunEndsIt(@TempDir Path folder) throws Exception {
    Path jar = Files.writeString(folder.resolve("manx-policy-0.1.0.jar"), "one");
    for (Experiment.Order order : Experiment.Order.values()) {
      Files.writeString(jar, "one");
      Experiment.Stage<Integer, String> building =
          progress ->
              (turn, now) -> {
                Files.writeString(jar, turn.round() == 1 ? "one" : "two");
                return measured();
              };
      assertThatThrownBy(() -> run(building, 40, order, List.of(), List.of(jar)))
          .isInstanceOf(ReplacedFileException.class)
          .hasMessage(
              jar + " was replaced during the run; its turns continue only with the former file");
      Files.delete(out.resolve(Journal.FILE_NAME));
    }
  }

  @Test
  void ownJarsAreThoseOfTheLabAndThoseItsNodesLoad(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("pom.xml"), "<version>9</version>");
    Path target = Files.createDirectories(folder.resolve("cassandra/target"));
    Path plugin = Files.createFile(target.resolve("manx-cassandra-9.jar"));
    Path model = Files.createFile(target.resolve("manx-cassandra-9-lab.jar"));
    Path lab = Files.createFile(folder.resolve("manx-lab-9.jar"));
    Files.createFile(folder.resolve("caffeine-3.jar"));
    String classPath =
        String.join(
            File.pathSeparator,
            lab.toString(),
            folder.resolve("caffeine-3.jar").toString(),
            folder.resolve("manx-gone-9.jar").toString(),
            folder.resolve("classes").toString());
    ManxHome home = new ManxHome(folder, List.of());
    assertThat(RunJars.own(classPath, List.of(home.pluginJar(), home.labJar())))
        .containsExactly(lab, plugin, model);
    assertThat(RunJars.own(classPath, List.of())).containsExactly(lab);
  }

  /** Both wrote the same files, and the first to end deleted the journal of the other. */
  @Test
  void aSecondRunInTheFolderIsRefused() throws Exception {
    List<Throwable> refused = new ArrayList<>();
    run(
        progress ->
            (turn, now) -> {
              try {
                run(stage(8, Map.of()), 2);
              } catch (RuntimeException e) {
                refused.add(e);
              }
              return measured();
            },
        2);
    assertThat(refused)
        .hasSize(4)
        .allSatisfy(
            refusal ->
                assertThat(refusal)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(out.toString())
                    .hasMessageContaining("another ./manx run writes to this one"));
    assertThat(RowReader.read(out, SummaryRow.FORMAT))
        .as("2 arms x (2 rounds, their pool and the result)")
        .hasSize(8);
    assertThat(out.resolve(RunLock.FILE_NAME)).doesNotExist();
    run(stage(8, Map.of()), 2);
  }

  /** A JVM that holds the lock of a folder until its input ends. */
  public static final class Holder {
    public static void main(String[] a) throws Exception {
      try (RunLock lock = RunLock.of(Path.of(a[0]))) {
        System.out.println("holds " + lock.getClass().getSimpleName());
        System.in.read();
      }
    }
  }

  @Test
  void aRunOfAnotherProcessIsRefusedUntilItEnds() throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                out.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader said = other.inputReader(StandardCharsets.UTF_8)) {
      assertThat(said.readLine()).isEqualTo("holds RunLock");
      assertThatThrownBy(() -> run(stage(8, Map.of()), 2)).isInstanceOf(ConfigException.class);
      other.destroyForcibly().waitFor();
      assertThat(out.resolve(RunLock.FILE_NAME)).as("left by a killed process").exists();
      run(stage(8, Map.of()), 2);
      assertThat(out.resolve(RunLock.FILE_NAME)).doesNotExist();
    } finally {
      other.destroyForcibly();
    }
  }

  /** It was only told after the nodes had booted and loaded. */
  @Test
  void aFileThatCannotBeWrittenIsToldBeforeTheStart() throws Exception {
    Path rows = Files.createFile(out.resolve("summary.csv.part"));
    assumeTrue(rows.toFile().setWritable(false) && !Files.isWritable(rows), "root may write");
    assertThatThrownBy(
            () ->
                run(
                    progress -> {
                      throw new IOException("started");
                    }))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("summary.csv.part: permission denied");
  }

  /** Its folder was refused from then on. */
  @Test
  void aRunThatEndedInItsCalibrationMayBeginAgain() throws Exception {
    Experiment.Stage<Integer, String> uncalibrated =
        progress ->
            new Player<>() {
              @Override
              public Map<String, Double> calibrate(Map<String, Double> known) {
                throw new RunException("interrupted");
              }

              @Override
              public Measured play(Turn<Integer, String> turn, Consumer<String> now) {
                return measured();
              }
            };
    assertThatThrownBy(() -> run(uncalibrated)).hasMessage("interrupted");
    assertThat(ExperimentRun.wasInterrupted(out)).isTrue();
    assertThat(ExperimentRun.mayRun(out)).isTrue();
    run(stage(8, Map.of()), 4);
    assertThat(out.resolve("summary.csv")).exists();
    assertThat(ExperimentRun.mayRun(out)).as("finished").isFalse();
  }

  /** The result had the date of its last part, and named one interruption. */
  @Test
  void everyInterruptionIsKept() throws Exception {
    interrupt(5, Map.of());
    String start = Environment.read(out).date();
    interrupt(0, Map.of());
    interrupt(2, Map.of());
    run(stage(8, Map.of()), 4);
    Environment environment = Environment.read(out);
    assertThat(environment.date()).isEqualTo(start);
    assertThat(environment.settings().get("interrupted"))
        .as("the second part played no turn")
        .matches(
            "resumed after 4 finished turns \\(from round 3\\) at 2\\S+Z, after 6 finished turns"
                + " \\(from round 4\\) at 2\\S+Z");
  }

  /** Times of two machines would be mixed in one arm. */
  @Test
  void anInterruptedRunContinuesOnlyOnTheSameMachine() throws Exception {
    interrupt(5, Map.of());
    Path journal = out.resolve(Journal.FILE_NAME);
    String turns = Files.readString(journal);
    int cores = Runtime.getRuntime().availableProcessors();
    String elsewhere =
        turns.replace("\"number of cores\":\"" + cores + "\"", "\"number of cores\":\"96\"");
    assertThat(elsewhere).isNotEqualTo(turns);
    Files.writeString(journal, elsewhere);
    assertThatThrownBy(() -> run(stage(8, Map.of()), 4))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("number of cores was 96 and is " + cores);
    Files.writeString(journal, turns);
    run(stage(8, Map.of()), 4);
  }

  /** The message of an exception seldom tells where a third party's policy threw it. */
  @Test
  void anUnexpectedExceptionTellsItsPlace() throws Exception {
    IllegalStateException thrown = new IllegalStateException("no node");
    thrown.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("java.util.ArrayList", "get", "ArrayList.java", 400),
          new StackTraceElement("dev.manx.policy.Request", "scratch", "Request.java", 10),
          new StackTraceElement("example.OwnSelector", "rank", "OwnSelector.java", 33),
          new StackTraceElement("dev.manx.simulator.Planning", "plan", "Planning.java", 70),
        });
    Experiment.Stage<Integer, String> failing =
        progress ->
            (turn, now) -> {
              throw thrown;
            };
    assertThatThrownBy(() -> run(failing, 1, Experiment.Order.SIDE_BY_SIDE, List.of()))
        .isInstanceOf(RunException.class)
        .hasMessage(
            "10%  seed 1  stock: java.lang.IllegalStateException: no node, in"
                + " example.OwnSelector.rank (OwnSelector.java:33); stack trace: "
                + out.resolve("failure.txt"));
    assertThat(out.resolve("failure.txt"))
        .content()
        .contains("at example.OwnSelector.rank(OwnSelector.java:33)");
    run(progress -> (turn, now) -> measured(), 1, Experiment.Order.SIDE_BY_SIDE, List.of());
    assertThat(out.resolve("failure.txt")).doesNotExist();
  }

  @Test
  void manyChangesAndLongValuesAreShortened() {
    String common = "x".repeat(60);
    interrupt(2, Map.of("a", common + "1", "b", "1", "c", "1", "d", "1", "e", "1"));
    assertThatThrownBy(() -> run(stage(8, Map.of("a", common + "2", "b", "2")), 4))
        .hasMessageEndingWith(
            ": a has changed; b was 1 and is 2; c was 1 and is missing; and 2 more");
  }

  @Test
  void withoutAWholeRoundThereIsNothingToMix() throws Exception {
    interrupt(1, Map.of("a", "1"));
    assertThat(run(stage(8, Map.of("a", "2")), 4)).noneMatch(line -> line.startsWith("resuming"));
  }

  /** A point of a sweep has no row in summary.csv, and the latencies are of the other requests. */
  @Test
  void failuresAtAPointAreAMetric() {
    Histogram nanos = Histograms.create();
    nanos.recordValue(1_000_000);
    Measured measured = new Measured(0, 1).latency("all", new Measured.Latency(8, 2, 0, 1, nanos));
    measured.latenciesAsMetrics();
    assertThat(measured.value("failed_pct")).isEqualTo(25);
    Measured nothing = new Measured(0, 1).latency("all", new Measured.Latency(0, 0, 0, 0, nanos));
    nothing.latenciesAsMetrics();
    assertThat(nothing.value("failed_pct")).as("of no request").isNaN();
  }

  /** A median would be 0 unless requests failed in most rounds. */
  @Test
  void failuresOfRoundsAreTheirMean() throws Exception {
    run(progress -> (turn, now) -> measured().metric("failed_pct", turn.round() == 1 ? 8 : 0), 4);
    assertThat(RowReader.read(out, MetricRow.FORMAT))
        .filteredOn(row -> row.metric().equals("failed_pct") && row.key().isPooled())
        .hasSize(2)
        .allSatisfy(row -> assertThat(row.value()).isEqualTo(2));
  }
}
