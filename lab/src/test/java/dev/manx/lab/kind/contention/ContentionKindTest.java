/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.contention.engine.EngineBuild;
import dev.manx.contention.engine.EngineLibrary;
import dev.manx.contention.engine.Repetition;
import dev.manx.contention.squeeze.SqueezeKind;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.Point;
import dev.manx.lab.experiment.RunException;
import dev.manx.lab.experiment.SilentProgress;
import dev.manx.lab.experiment.Turn;
import dev.manx.lab.kind.contention.ContentionKind.At;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files with {@code on: contention}: accepted and rejected settings, and the order of turns. */
class ContentionKindTest {
  private static final Path EXAMPLE =
      ManxHome.find().root().resolve("examples/wiredtiger-contention.yaml");

  private static final String SMALL =
      """
      experiment: small
      on: contention
      loads: [10k/s]
      window: 1s
      cases: { unrestricted: {}, pinned-nice: { threads: [4, 8], rounds: 2, arms: [a] } }
      arms: { a: { build: stock }, b: { build: patched, wait: adaptive } }
      """;

  private static Experiment<EngineArm, At> read(String text, Choices choices) {
    return ContentionKind.read(new ExperimentSource(Path.of("small"), text, choices));
  }

  private static Experiment<EngineArm, At> example(Choices choices) {
    return ContentionKind.read(ExperimentSource.of(EXAMPLE, choices));
  }

  private static Experiment<EngineArm, At> small(Map<String, String> set) {
    return read(SMALL, new Choices(set, List.of(), false));
  }

  private static SqueezeKind squeeze(Point<EngineArm, At> point) {
    return point.settings().in().squeeze();
  }

  @Test
  void theExampleHasTheArmsAndCasesThatWerePromised() {
    Experiment<EngineArm, At> example = example(Choices.none());
    assertThat(example.head().arms())
        .containsExactly("stock", "adaptive", "limiter", "blocking", "yield", "sleep", "debian");
    assertThat(example.points().stream().map(ContentionKindTest::squeeze).distinct())
        .containsExactly(SqueezeKind.values());
    assertThat(example.head().baseline()).isEqualTo("stock");
    // under eight minutes, with what starting the driver takes
    assertThat(minutes(example, 0.5)).isLessThan(8);
  }

  @Test
  void theExampleIsQuickWhereAskedFor() {
    Experiment<EngineArm, At> quick = example(new Choices(Map.of(), List.of(), true));
    assertThat(quick.text()).contains("quick: true");
    assertThat(minutes(quick, 0.5)).isLessThan(2);
  }

  private static double minutes(Experiment<EngineArm, At> experiment, double overheadSeconds) {
    return experiment.turns().stream()
            .filter(turn -> !turn.arm().name().equals("debian"))
            .map(turn -> turn.point().settings())
            .mapToDouble(
                at ->
                    (at.in().windowMillis() + at.settings().warmUpMillis()) / 1e3 + overheadSeconds)
            .sum()
        / 60;
  }

  @Test
  void theResolvedTextIsTheSameExperiment() {
    for (Experiment<EngineArm, At> experiment :
        List.of(example(Choices.none()), small(Map.of("boost", "3")))) {
      Experiment<EngineArm, At> again = read(experiment.text(), Choices.none());
      assertThat(again.text()).isEqualTo(experiment.text());
      assertThat(again.points()).isEqualTo(experiment.points());
      assertThat(again.head()).isEqualTo(experiment.head());
    }
  }

  private static Set<String> leftOut(Experiment<EngineArm, At> experiment) {
    return ContentionKind.leftOut(experiment.head().arms(), experiment.points());
  }

  /** An arm of one's own was missing in two cases of the example without a word. */
  @Test
  void armsThatACaseLeavesOutAreNamed() {
    assertThat(leftOut(small(Map.of())))
        .containsExactly("case pinned-nice: without arm b (its `arms:`)");
    assertThat(leftOut(small(Map.of("cases.pinned-nice.arms", "[a, b]")))).isEmpty();
    assertThat(leftOut(small(Map.of("arms.mine", "{ build: debian }"))))
        .containsExactly("case pinned-nice: without arms b, mine (its `arms:`)");
    assertThat(leftOut(read(SMALL, new Choices(Map.of(), List.of("a"), false)))).isEmpty();
  }

  /** The lines that the page changes in the example are in it, and the arm is then in all cases. */
  @Test
  void theDocumentedLinesMeasureAnOwnBuildInEveryCase() throws IOException {
    Path page = ManxHome.find().root().resolve("docs/operate/safe-waiting.md");
    String section =
        Files.readString(page).split("## Test your own build of a storage engine", -1)[1];
    String block = section.split("```yaml\n", 2)[1].split("```", 2)[0];
    String text = Files.readString(EXAMPLE);
    for (String line : block.lines().filter(one -> one.contains(", mine]")).toList()) {
      String before = line.replace(", mine]", "]");
      assertThat(text).contains("\n" + before + "\n");
      text = text.replace(before, line);
    }
    String arm = block.substring(block.indexOf("arms:\n") + "arms:\n".length());
    Experiment<EngineArm, At> changed =
        read(text.replace("\narms:\n", "\narms:\n" + arm), Choices.none());
    assertThat(changed.points())
        .allMatch(point -> point.arms().stream().anyMatch(one -> one.name().equals("mine")));
    assertThat(leftOut(changed)).isNotEmpty().noneMatch(line -> line.contains("mine"));
  }

  /** A build with other options, above all one with diagnostics, cannot be compared with ours. */
  @ParameterizedTest
  @ValueSource(strings = {"docs/operate/safe-waiting.md", "docs/research/contention.md"})
  void thePagesHaveTheCommandsOfOurBuilds(String page) throws IOException {
    String text = Files.readString(ManxHome.find().root().resolve(page));
    String joined = text.replaceAll("\\\\\n", " ").replaceAll("[ \n]+", " ");
    assertThat(joined).contains(String.join(" ", EngineBuild.buildLines()));
  }

  @Test
  void chosenArmsAndRoundsHoldForEveryCase() {
    Experiment<EngineArm, At> some =
        read(SMALL, new Choices(Map.of("rounds", "5"), List.of("b"), false));
    assertThat(some.head().baseline()).isEqualTo("b");
    assertThat(some.points()).extracting(Point::rounds).containsExactly(5, 5, 5);
    assertThat(some.points().get(1).arms()).isEmpty();
    assertThat(some.turns()).hasSize(5);
  }

  /** A file whose rounds were chosen is marked quick, and says what was run. */
  @Test
  void chosenRoundsAndWindowsHoldForAQuickRunToo() {
    Experiment<EngineArm, At> some =
        read(SMALL, new Choices(Map.of("rounds", "5", "window", "9s"), List.of(), true));
    assertThat(some.points()).extracting(Point::rounds).containsOnly(5);
    assertThat(some.points().get(0).settings().in().windowMillis()).isEqualTo(9_000);
    Experiment<EngineArm, At> few = small(Map.of("rounds", "5", "window", "9s"));
    Experiment<EngineArm, At> again = read(few.text(), Choices.none());
    assertThat(few.text()).contains("quick: true");
    assertThat(again.points()).isEqualTo(few.points());
  }

  /** It was ignored without a word. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aChosenWindowHoldsForACaseThatHasItsOwn(boolean quick) {
    String own = SMALL.replace("rounds: 2", "rounds: 2, window: 9s");
    assertThat(windows(read(own, new Choices(Map.of("window", "5s"), List.of(), quick))))
        .containsOnly(5_000L);
    Map<String, String> ofTheCase = Map.of("cases.pinned-nice.window", "4s");
    assertThat(windows(read(own, new Choices(ofTheCase, List.of(), quick))))
        .containsExactly(1_000L, 4_000L, 4_000L);
  }

  /** The narrower choice holds, in either order, and in a quick run too. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWindowChosenForACaseHoldsForItAndAnotherOneForTheOthers(boolean quick) {
    String own = "cases.pinned-nice.window";
    Map<String, String> oneWay = new LinkedHashMap<>();
    oneWay.put("window", "60s");
    oneWay.put(own, "5s");
    Map<String, String> otherWay = new LinkedHashMap<>();
    otherWay.put(own, "5s");
    otherWay.put("window", "60s");
    for (Map<String, String> chosen : List.of(oneWay, otherWay)) {
      assertThat(windows(read(SMALL, new Choices(chosen, List.of(), quick))))
          .containsExactly(60_000L, 5_000L, 5_000L);
    }
  }

  private static List<Long> windows(Experiment<EngineArm, At> experiment) {
    return experiment.points().stream().map(point -> point.settings().in().windowMillis()).toList();
  }

  /** Paths are those beside the file, also after it was resolved to another folder. */
  @Test
  void anOwnBuildIsKeptAsAnAbsolutePath() {
    String mine = "{ library: wt/build, include: wt/build/include }";
    Experiment<EngineArm, At> experiment = small(Map.of("arms.a.build", mine));
    EngineArm arm = experiment.points().get(0).arms().get(0).settings();
    Path build = Path.of("wt/build").toAbsolutePath();
    assertThat(arm.build()).isEqualTo(EngineArm.Build.OWN);
    assertThat(arm.own()).contains(new EngineLibrary(build.resolve("include"), build));
    Experiment<EngineArm, At> again =
        ContentionKind.read(
            new ExperimentSource(
                Path.of("/elsewhere/experiment.yaml"), experiment.text(), Choices.none()));
    assertThat(again.points()).isEqualTo(experiment.points());
  }

  @Test
  void aShareOfTheSessionsIsAnyFormOfAShare() {
    for (String share : List.of("50%", "0.5")) {
      assertThat(small(Map.of("boost", share)).points().get(1).settings().settings().boosted(8))
          .isEqualTo(4);
    }
  }

  @Test
  void aClosedLoopNeedsNoLoad() {
    Experiment<EngineArm, At> closed = small(Map.of("loop", "closed"));
    assertThat(closed.points().get(0).settings().settings().openLoop()).isFalse();
    assertThat(closed.loads()).containsExactly("closed");
  }

  @Test
  void roundsAreInterleaved() {
    List<Turn<EngineArm, At>> turns = small(Map.of("rounds", "3", "seeds", "[1, 2]")).turns();
    assertThat(turns).hasSize(2 * 3 * (2 + 2));
    List<String> blocks = new ArrayList<>();
    for (Turn<EngineArm, At> turn : turns) {
      String block = turn.seed() + "/" + turn.round();
      if (blocks.isEmpty() || !blocks.get(blocks.size() - 1).equals(block)) {
        blocks.add(block);
      }
    }
    assertThat(blocks).containsExactly("1/1", "1/2", "1/3", "2/1", "2/2", "2/3");
  }

  /** The engine's settings can be swept: every turn is a separate process. */
  @Test
  void aSweepIsMeasuredInTheSameRounds() {
    Experiment<EngineArm, At> swept =
        small(Map.of("sweep", "{ data.value: [100B, 1KiB] }", "cases.pinned-nice", "null"));
    assertThat(swept.points())
        .extracting(point -> point.params() + " " + point.settings().settings().data().valueBytes())
        .containsExactly(" 100", "data.value=100B 100", "data.value=1KiB 1024");
    assertThat(swept.points()).extracting(Point::summarised).containsExactly(true, false, false);
  }

  @Test
  void aTurnIsWhatTheCaseSays() {
    List<Turn<EngineArm, At>> turns = small(Map.of("arms.a.limit", "cores")).turns();
    Turn<EngineArm, At> unrestricted =
        turns.stream()
            .filter(turn -> squeeze(turn.point()) == SqueezeKind.UNRESTRICTED)
            .filter(turn -> turn.arm().name().equals("a"))
            .findFirst()
            .orElseThrow();
    Repetition free = ContentionPlayer.repetition(unrestricted, 10_000, 6);
    assertThat(free.cores()).isZero();
    assertThat(free.boosted()).isZero();
    assertThat(free.limit()).isEqualTo(6);
    Turn<EngineArm, At> nice =
        turns.stream()
            .filter(turn -> squeeze(turn.point()) == SqueezeKind.PINNED_NICE)
            .reduce((earlier, later) -> later)
            .orElseThrow();
    Repetition squeezed = ContentionPlayer.repetition(nice, 10_000, 6);
    assertThat(squeezed.threads()).isEqualTo(8);
    assertThat(squeezed.cores()).isEqualTo(1);
    assertThat(squeezed.boosted()).isEqualTo(4);
    assertThat(squeezed.limit()).isEqualTo(1);
    assertThat(squeezed.fromMillis()).isEqualTo(333);
    assertThat(squeezed.toMillis()).isEqualTo(666);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "threads | 0 | 1 to 512",
        "boost | 700 | 1 to 512",
        "boost | 150% | 0.001 to 0.999",
        "nice | -21 | -20 to 19",
        "cores | none | 1 to 1024",
        "loads | [fast] | 35%",
        "loads | [] | at least one load",
        "loads | [10k/s, 10k/s] | each load once",
        "loop | spiral | open, closed",
        "window | 1ms | 300ms",
        "cases.unrestricted.arms | [c] | one of a, b",
        "cases.squashed | {} | unknown key",
        "cases.pinned-nice.threads | [4, 4] | each once",
        "arms.a.wait | adaptive | wait together with build: patched",
        "arms.b.wait | hope | spin, adaptive",
        "arms.a.sleep | 1ms | no effect without wait: sleep",
        "arms.b.sleep | 100us | no effect without wait: sleep",
        "arms.a.limit | 0 | 1 to 512",
        "arms.a.build | mine | stock, patched, debian",
        "arms.a.build | { library: build } | include",
        "arms.a.build | { library: build, include: build, wait: spin } | unknown key",
        "data.mix | ycsb-z | ycsb-a",
        "data.records | 4 | one for each session",
        "data.popularity | { zipf: 1 } | 0.01 to 0.999",
        "quiet.noise | 1 | unknown key",
        "colour | red | unknown key",
      })
  void invalidSettingsAreRefused(String key, String value, String allowed) {
    assertThatThrownBy(() -> small(Map.of(key, value)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(allowed);
  }

  /** Their files are in memory too. */
  @Test
  void recordsThatDoNotFitIntoMemoryAreRefused() {
    Repetition.Data data =
        small(Map.of("data.records", "1000000", "data.value", "900B"))
            .points()
            .get(0)
            .settings()
            .settings()
            .data();
    assertThat(data.bytes()).isEqualTo(1_000_000_000);
    Path files = Path.of("/dev/shm");
    new DataMemory(OptionalLong.of(2_000_000_000), files, 1_000_000_000).check(data);
    new DataMemory(OptionalLong.empty(), files, 1_000_000_000).check(data);
    assertThatThrownBy(
            () -> new DataMemory(OptionalLong.of(1_999_999_999), files, Long.MAX_VALUE).check(data))
        .isInstanceOf(RunException.class)
        .hasMessageStartingWith("1,000,000 records of 900B need about ")
        .hasMessageContaining(" of memory, and ")
        .hasMessageEndingWith("lower data.records or data.value");
    assertThatThrownBy(
            () -> new DataMemory(OptionalLong.of(2_000_000_000), files, 999_999_999).check(data))
        .isInstanceOf(RunException.class)
        .hasMessageContaining(" of space in /dev/shm, and ");
  }

  /** Before anything is built. */
  @Test
  void everyPointOfASweepMustFitIntoMemory() {
    Experiment<EngineArm, At> huge =
        small(
            Map.of(
                "cases.pinned-nice", "null",
                "sweep", "{ data.records: [100000000], data.value: [1MiB] }"));
    assertThatThrownBy(() -> huge.stage().open(new SilentProgress()))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("100,000,000 records of 1MiB need about ");
  }

  @Test
  void anArmThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> read(SMALL, new Choices(Map.of(), List.of("z"), false)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("a, b");
  }
}
