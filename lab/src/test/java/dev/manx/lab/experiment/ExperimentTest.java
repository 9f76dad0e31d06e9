/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.manx.lab.report.Report;
import dev.manx.policy.config.ConfigException;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.SummaryRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The common shape of experiments, with an artificial kind. */
class ExperimentTest {
  private static final Arm<Integer> SLOW = new Arm<>("slow", "", 20);
  private static final Arm<Integer> FAST = new Arm<>("fast", "", 10);

  /** Its latency is the arm's; it records its calls. */
  private static final class Fake implements Player<Integer, String> {
    private final List<String> asked = new ArrayList<>();
    private final List<Double> counted = new ArrayList<>();
    private final Deque<double[]> noises = new ArrayDeque<>();
    private double foreign;
    private double stolen;
    private double change = 0.5;
    private int breaksAfter = Integer.MAX_VALUE;
    private boolean closed;
    private String missing = "";
    private double rate = 0;
    private double drift = 0;
    private Map<String, Double> known = Map.of();

    @Override
    public boolean has(Arm<Integer> arm) {
      return !arm.name().equals(missing);
    }

    @Override
    public Map<String, Double> calibrate(Map<String, Double> before) {
      known = before;
      return before.isEmpty() && rate > 0 ? Map.of("10%", rate) : before;
    }

    @Override
    public synchronized Measured play(Turn<Integer, String> turn, Consumer<String> now)
        throws IOException {
      if (asked.size() >= breaksAfter) {
        throw new IOException("cut off");
      }
      asked.add(turn.point().load() + turn.point().requestClass() + turn.round());
      if (turn.arm().settings() < 0) {
        throw new IOException("no such thing");
      }
      Histogram nanos = Histograms.create();
      nanos.recordValue(turn.arm().settings() * 1_000_000L);
      Measured measured = new Measured(0, 1);
      foreign *= change;
      if (!noises.isEmpty()) {
        foreign = noises.peek()[0];
        stolen = noises.remove()[1];
      }
      return measured
          .latency(turn.point().requestClass(), new Measured.Latency(1, 0, 0, 1, nanos))
          .metric("double", 2.0 * turn.arm().settings() + drift * turn.round())
          .moment(0.5, "client", "p99_ms", turn.seed())
          .check("sound", turn.seed() != 3, "seed " + turn.seed())
          .noise(foreign, stolen);
    }

    @Override
    public Map<String, Double> overBaseline(Measured arm, Measured baseline) {
      return Map.of("over", arm.value("double") / baseline.value("double"));
    }

    @Override
    public void counted(Turn<Integer, String> turn, Measured measured) {
      counted.add(measured.foreignCores());
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private static final class Said implements Progress {
    private final List<String> steps = new ArrayList<>();
    private final List<String> nows = new ArrayList<>();

    @Override
    public synchronized void step(String text) {
      steps.add(text);
    }

    @Override
    public synchronized void now(String text) {
      nows.add(text);
    }
  }

  @TempDir private Path out;
  private final Fake player = new Fake();
  private final Said said = new Said();

  private static Point<Integer, String> point(String load, String requestClass, int rounds) {
    return new Point<>(
        load, requestClass, "", true, rounds, List.of(SLOW, FAST), List.of(), requestClass);
  }

  private Experiment<Integer, String> design(
      Experiment.Order order, Quiet quiet, List<Long> seeds, List<Point<Integer, String>> points) {
    Head head =
        new Head("fake", "try", "", false, "slow", List.of("slow", "fast"), seeds, List.of());
    return new Experiment<>(
        head, points, order, quiet, "", "experiment: try\n", progress -> player);
  }

  private void run(Experiment<Integer, String> design) throws InterruptedException {
    new ExperimentRun<>(design, "", said).run(out);
  }

  @Test
  void roundsAreInterleavedAndEveryCaseHasItsOwnNumberOfThem() throws Exception {
    run(
        design(
            Experiment.Order.INTERLEAVED,
            Quiet.ANY,
            List.of(1L),
            List.of(point("10%", "calm", 2), point("10%", "busy", 1), point("20%", "calm", 1))));
    assertThat(player.asked)
        .containsExactly(
            "10%calm1",
            "10%calm1", "10%busy1", "10%busy1", "10%calm2", "10%calm2", "20%calm1", "20%calm1");
    assertThat(player.closed).isTrue();
    assertThat(RowReader.read(out, SummaryRow.FORMAT))
        .filteredOn(row -> row.key().seed().equals(RowKey.ALL))
        .extracting(row -> row.key().arm() + row.key().load() + row.key().requestClass())
        .containsExactlyInAnyOrder(
            "slow10%calm",
            "fast10%calm", "slow10%busy", "fast10%busy", "slow20%calm", "fast20%calm");
    assertThat(RowReader.read(out, MetricRow.FORMAT))
        .filteredOn(row -> row.metric().equals("over"))
        .allMatch(row -> row.key().arm().equals("fast") && row.value() == 0.5)
        .extracting(row -> row.key().load() + row.key().requestClass() + row.key().round())
        .containsExactly(
            "10%calm1",
            "10%calm2", "10%calmall", "10%busy1", "10%busyall", "20%calm1", "20%calmall");
    assertThat(said.steps).anyMatch(line -> line.startsWith("round 2 of 2, calm, "));
  }

  /** The ends of ratios of three rounds were called a 95 % interval. */
  @Test
  void ratiosOverTheBaselineAreOfTheirRounds() throws Exception {
    player.drift = 1;
    List<Point<Integer, String>> points =
        new ArrayList<>(List.of(point("10%", "calm", 8), point("10%", "busy", 3)));
    for (int threads : List.of(1, 2, 4)) {
      points.add(
          new Point<>(
              "10%",
              "busy", "threads=" + threads, false, 3, List.of(SLOW, FAST), List.of(), "busy"));
    }
    run(design(Experiment.Order.INTERLEAVED, Quiet.ANY, List.of(1L), points));
    Report.of(out).write();
    JsonNode report = new ObjectMapper().readTree(out.resolve("report.json").toFile());
    assertThat(report.get("metrics"))
        .filteredOn(metric -> metric.get("name").asText().equals("over"))
        .extracting(
            metric ->
                metric.get("class").asText()
                    + " "
                    + metric.get("params").asText()
                    + metric.get("range").asText())
        .containsExactlyInAnyOrder(
            "calm false",
            "busy true",
            "busy threads=1true",
            "busy threads=2true",
            "busy threads=4true");
    List<String> ranges = new ArrayList<>();
    for (JsonNode line : report.at("/sweeps/0/lines")) {
      if (line.get("metric").asText().equals("over")) {
        ranges.add(line.get("ranges").toString());
      }
    }
    assertThat(ranges).containsExactly("[true,true,true]");
    assertThat(cells(report, "over · calm"))
        .hasSize(1)
        .allMatch(small -> small.matches("0\\.\\d+–0\\.\\d+"));
    assertThat(cells(report, "over · busy"))
        .hasSize(1)
        .allMatch(small -> small.matches("range 0\\.\\d+–0\\.\\d+"));
  }

  /** The lower lines of a row of the metrics, except missing ones. */
  private static List<String> cells(JsonNode report, String row) {
    List<String> smalls = new ArrayList<>();
    for (JsonNode table : report.get("tables")) {
      for (JsonNode cells : table.path("rows")) {
        if (cells.get(0).path("text").asText().equals(row)) {
          cells.findValues("small").forEach(small -> smalls.add(small.asText()));
        }
      }
    }
    return smalls;
  }

  @Test
  void parallelTurnsAreWrittenInTheOrderOfTheFile() throws Exception {
    run(
        design(
            Experiment.Order.SIDE_BY_SIDE,
            Quiet.ANY,
            List.of(1L, 2L, 3L),
            List.of(point("10%", "all", 1), point("20%", "all", 1))));
    assertThat(RowReader.read(out, SummaryRow.FORMAT))
        .filteredOn(row -> !row.key().round().equals(RowKey.ALL))
        .extracting(row -> row.key().load() + " " + row.key().arm() + " " + row.key().seed())
        .containsExactly(
            "10% slow 1",
            "10% slow 2",
            "10% slow 3",
            "10% fast 1",
            "10% fast 2",
            "10% fast 3",
            "20% slow 1",
            "20% slow 2",
            "20% slow 3",
            "20% fast 1",
            "20% fast 2",
            "20% fast 3");
    assertThat(Environment.read(out).settings())
        .containsEntry("check: sound", "FAILS in 4 of 12 runs");
    assertThat(said.steps).anyMatch(line -> line.startsWith("CHECK FAILED: sound: seed 3"));
  }

  /** The quietest counts, and repeats are bounded for a turn and for the whole run. */
  @Test
  void aNoisyTurnIsPlayedAgain() throws Exception {
    player.foreign = 16;
    run(
        design(
            Experiment.Order.INTERLEAVED,
            new Quiet(0.6, 1, 2, 3),
            List.of(1L),
            List.of(point("10%", "all", 1))));
    assertThat(player.asked).as("8, 4, 2 and 1, 0.5").hasSize(5);
    assertThat(RowReader.read(out, MetricRow.FORMAT))
        .filteredOn(row -> row.metric().equals("noisy") && row.key().round().equals("1"))
        .extracting(MetricRow::value)
        .containsExactly(1.0, 0.0);
    assertThat(Environment.read(out).settings()).containsEntry("repeated because of noise", "3");
  }

  /** The mark was 0, as of a quiet turn. */
  @Test
  void noiseThatCouldNotBeMeasuredIsNotQuiet() throws Exception {
    player.foreign = Double.NaN;
    player.stolen = Double.NaN;
    run(
        design(
            Experiment.Order.INTERLEAVED,
            new Quiet(0.6, 1, 2, 3),
            List.of(1L),
            List.of(point("10%", "all", 2))));
    assertThat(RowReader.read(out, MetricRow.FORMAT))
        .extracting(MetricRow::metric)
        .contains("double")
        .doesNotContain("noisy");
    assertThat(player.asked).as("no turn is repeated").hasSize(4);
    assertThat(said.steps)
        .filteredOn(line -> line.startsWith("noise unknown: /proc/stat cannot be read"))
        .hasSize(1);
  }

  /** What was measured is above its limit. */
  @Test
  void aTurnIsNoisyWhateverElseIsUnknown() throws Exception {
    player.foreign = 16;
    player.change = 1;
    player.stolen = Double.NaN;
    run(
        design(
            Experiment.Order.INTERLEAVED,
            new Quiet(0.6, 1, 0, 0),
            List.of(1L),
            List.of(point("10%", "all", 1))));
    assertThat(RowReader.read(out, MetricRow.FORMAT))
        .filteredOn(row -> row.metric().equals("noisy") && row.key().round().equals("1"))
        .extracting(MetricRow::value)
        .containsExactly(1.0, 1.0);
  }

  /** A kind's later comparisons use the turn's result in the files. */
  @Test
  void theQuietestOfRepeatedTurnsIsTheOneThatCounts() throws Exception {
    player.foreign = 1;
    player.change = 2;
    run(
        design(
            Experiment.Order.INTERLEAVED,
            new Quiet(0.6, 1, 2, 100),
            List.of(1L),
            List.of(point("10%", "all", 1))));
    assertThat(player.counted).as("2, 4, 8 and 16, 32, 64").containsExactly(2.0, 16.0);
  }

  /** Files of an interrupted and resumed run equal those of an uninterrupted one. */
  @Test
  void anInterruptedRunGoesOn() throws Exception {
    for (Experiment.Order order : Experiment.Order.values()) {
      Path whole = out.resolve(order + "-whole");
      Path cut = out.resolve(order + "-cut");
      Experiment<Integer, String> design =
          design(order, Quiet.ANY, List.of(1L, 2L), List.of(point("10%", "all", 2)));
      new ExperimentRun<>(design, "", said).run(whole);
      player.asked.clear();
      player.breaksAfter = 5;
      assertThatThrownBy(() -> new ExperimentRun<>(design, "", said).run(cut))
          .isInstanceOf(RunException.class);
      assertThat(ExperimentRun.wasInterrupted(cut)).isTrue();
      player.breaksAfter = Integer.MAX_VALUE;
      player.asked.clear();
      new ExperimentRun<>(design, "", said).run(cut);
      assertThat(player.asked).as("%s", order).hasSizeBetween(2, 7);
      assertThat(ExperimentRun.wasInterrupted(cut)).isFalse();
      for (String file : List.of("summary.csv", "metrics.csv", "timeline.csv", "fast-all.hlog")) {
        assertThat(cut.resolve(file)).hasSameBinaryContentAs(whole.resolve(file));
      }
      assertThat(Environment.read(cut).settings()).containsKey("interrupted");
    }
  }

  /** Turns before and after an interruption would differ in their load. */
  @Test
  void aRunThatGoesOnKeepsWhatWasCalibrated() throws Exception {
    player.rate = 12_300;
    Experiment<Integer, String> design =
        design(
            Experiment.Order.INTERLEAVED, Quiet.ANY, List.of(1L), List.of(point("10%", "all", 3)));
    for (int turns : List.of(3, 2)) {
      player.asked.clear();
      player.breaksAfter = turns;
      assertThatThrownBy(() -> run(design)).isInstanceOf(RunException.class);
      player.rate = 14_500;
    }
    player.breaksAfter = Integer.MAX_VALUE;
    run(design);
    assertThat(player.known).containsExactly(Map.entry("10%", 12_300.0));
    run(design);
    assertThat(player.known).as("of a new run").isEmpty();
  }

  @Test
  void theBarOfARunThatGoesOnHasItsFinishedTurns() throws Exception {
    Experiment<Integer, String> design =
        design(
            Experiment.Order.SIDE_BY_SIDE,
            Quiet.ANY,
            List.of(1L, 2L, 3L, 4L),
            List.of(point("10%", "all", 1)));
    player.breaksAfter = 5;
    assertThatThrownBy(() -> run(design)).isInstanceOf(RunException.class);
    player.breaksAfter = Integer.MAX_VALUE;
    said.nows.clear();
    run(design);
    assertThat(said.nows.get(said.nows.size() - 1)).startsWith("[" + "#".repeat(24) + "] 8/8  ");
  }

  /** Runs a design of two rounds until it breaks off in the second one. */
  private Experiment<Integer, String> cutOff() {
    Experiment<Integer, String> design =
        design(
            Experiment.Order.INTERLEAVED, Quiet.ANY, List.of(1L), List.of(point("10%", "all", 2)));
    player.breaksAfter = 3;
    assertThatThrownBy(() -> new ExperimentRun<>(design, "one", said).run(out))
        .isInstanceOf(RunException.class);
    player.breaksAfter = Integer.MAX_VALUE;
    player.asked.clear();
    return design;
  }

  /** Hours of turns are not lost because an option was left out, or a file was edited. */
  @Test
  void anotherExperimentDoesNotOverwriteAnInterruptedOne() throws Exception {
    Experiment<Integer, String> design = cutOff();
    Experiment<Integer, String> other =
        new Experiment<>(
            design.head(),
            design.points(),
            design.order(),
            design.quiet(),
            "",
            "experiment: other\n",
            progress -> player);
    assertThatThrownBy(() -> new ExperimentRun<>(other, "one", said).run(out))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(out.toString())
        .hasMessageContaining("of another experiment");
    assertThat(player.asked).isEmpty();
    new ExperimentRun<>(design, "one", said).run(out);
    assertThat(player.asked).as("the second round").hasSize(2);
  }

  @Test
  void turnsOfTwoRevisionsAreNotMixed() {
    Experiment<Integer, String> design = cutOff();
    assertThatThrownBy(() -> new ExperimentRun<>(design, "two", said).run(out))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("of revision one, and this is two");
    assertThat(player.asked).isEmpty();
  }

  /** A round is whole without an arm that cannot be played here. */
  @Test
  void anInterruptedRunGoesOnWithoutAnArmThatIsNotThere() throws Exception {
    player.missing = "fast";
    Experiment<Integer, String> design =
        design(
            Experiment.Order.INTERLEAVED, Quiet.ANY, List.of(1L), List.of(point("10%", "all", 3)));
    player.breaksAfter = 2;
    assertThatThrownBy(() -> run(design)).isInstanceOf(RunException.class);
    player.breaksAfter = Integer.MAX_VALUE;
    player.asked.clear();
    run(design);
    assertThat(player.asked).containsExactly("10%all3");
  }

  /** After apt-get install, hours of turns were deleted without a word. */
  @Test
  void turnsWithoutAnArmAreNotMixedWithTurnsWithIt() throws Exception {
    player.missing = "fast";
    Experiment<Integer, String> design =
        design(
            Experiment.Order.INTERLEAVED, Quiet.ANY, List.of(1L), List.of(point("10%", "all", 3)));
    player.breaksAfter = 2;
    assertThatThrownBy(() -> run(design)).isInstanceOf(RunException.class);
    Path journal = out.resolve(Journal.FILE_NAME);
    String turns = Files.readString(journal);
    player.breaksAfter = Integer.MAX_VALUE;
    player.asked.clear();
    player.missing = "";
    assertThatThrownBy(() -> run(design))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("other conditions: the list of arms was slow and is fast, slow");
    assertThat(player.asked).isEmpty();
    assertThat(journal).hasContent(turns);
    player.missing = "fast";
    run(design);
    assertThat(player.asked).containsExactly("10%all3");
  }

  /** Both limits count, not the sum: 9 % of foreign work is quiet, 6 % of stolen time is not. */
  @Test
  void aQuietRepeatIsNotThrownAway() throws Exception {
    Quiet quiet = new Quiet(0.10, 0.05, 1, 10);
    Measured stolen = new Measured(0, 1).noise(0, 0.06);
    Measured foreign = new Measured(0, 1).noise(0.09, 0);
    assertThat(quiet.isNoisy(stolen)).isTrue();
    assertThat(quiet.isNoisy(foreign)).isFalse();
    assertThat(quiet.noise(foreign)).isLessThan(quiet.noise(stolen));
    assertThat(quiet.noise(new Measured(0, 1).noise(0.5, 0))).isGreaterThan(quiet.noise(stolen));
    assertThat(quiet.noise(new Measured(0, 1).noise(Double.NaN, 0.06)))
        .as("what is unknown is not counted")
        .isEqualTo(quiet.noise(stolen));
    Quiet none = new Quiet(0, 0, 1, 10);
    assertThat(none.noise(new Measured(0, 1).noise(0, 0))).isLessThanOrEqualTo(1);
    assertThat(none.noise(foreign)).isGreaterThan(1);
    assertThat(none.noise(new Measured(0, 1).noise(6, 0)))
        .as("more than a limit of 0 allows, on many cores")
        .isGreaterThan(none.noise(new Measured(0, 1).noise(5, 0)));
    player.noises.add(new double[] {0, 0.06});
    player.noises.add(new double[] {0.09, 0});
    run(design(Experiment.Order.INTERLEAVED, quiet, List.of(1L), List.of(point("10%", "all", 1))));
    assertThat(RowReader.read(out, MetricRow.FORMAT))
        .filteredOn(row -> row.metric().equals("noisy") && row.key().round().equals("1"))
        .extracting(MetricRow::value)
        .containsExactly(0.0, 0.0);
  }

  /** The limit holds for the whole run, and the result says how many there were. */
  @Test
  void repeatsBeforeAnInterruptionCount() throws Exception {
    player.foreign = 16;
    player.change = 1;
    Experiment<Integer, String> design =
        design(
            Experiment.Order.INTERLEAVED,
            new Quiet(0.6, 1, 1, 3),
            List.of(1L),
            List.of(point("10%", "all", 2)));
    player.breaksAfter = 4;
    assertThatThrownBy(() -> run(design)).isInstanceOf(RunException.class);
    player.breaksAfter = Integer.MAX_VALUE;
    player.asked.clear();
    run(design);
    assertThat(player.asked).as("two turns, and the one repeat that was left").hasSize(3);
    assertThat(Environment.read(out).settings()).containsEntry("repeated because of noise", "3");
  }

  @Test
  void aTurnThatBreaksOffSaysWhich() {
    Arm<Integer> broken = new Arm<>("broken", "", -1);
    Point<Integer, String> point =
        new Point<>("10%", "all", "", true, 1, List.of(broken), List.of(), "");
    for (Experiment.Order order : Experiment.Order.values()) {
      assertThatThrownBy(() -> run(design(order, Quiet.ANY, List.of(1L), List.of(point))))
          .as("%s", order)
          .isInstanceOf(RunException.class)
          .hasMessageContaining("broken")
          .hasMessageContaining("no such thing")
          .hasMessageNotContaining("cannot write");
    }
    assertThat(player.closed).isTrue();
  }
}
