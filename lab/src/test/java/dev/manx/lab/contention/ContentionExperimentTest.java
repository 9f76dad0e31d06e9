/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.contention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.contention.engine.Repetition;
import dev.manx.lab.cluster.ManxHome;
import dev.manx.lab.contention.ContentionExperiment.Case;
import dev.manx.lab.contention.ContentionExperiment.EngineArm;
import dev.manx.lab.contention.ContentionExperiment.Squeeze;
import dev.manx.lab.experiment.Choices;
import dev.manx.policy.config.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files with {@code on: contention}: what is read, what is refused, in which order it runs. */
class ContentionExperimentTest {
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

  private static ContentionExperiment small(Map<String, String> set) {
    return ContentionReader.parse("small", SMALL, new Choices(set, List.of(), false));
  }

  @Test
  void theExampleHasTheArmsAndCasesThatWerePromised() {
    ContentionExperiment example = ContentionReader.read(EXAMPLE, Choices.none());
    assertThat(example.arms())
        .extracting(EngineArm::name)
        .containsExactly("stock", "adaptive", "limiter", "blocking", "yield", "sleep", "debian");
    assertThat(example.cases()).extracting(Case::squeeze).containsExactly(Squeeze.values());
    assertThat(example.baseline()).isEqualTo("stock");
    // under eight minutes, with what starting the driver takes
    assertThat(minutes(example, 0.5)).isLessThan(8);
  }

  @Test
  void theExampleIsQuickWhereAskedFor() {
    ContentionExperiment quick =
        ContentionReader.read(EXAMPLE, new Choices(Map.of(), List.of(), true));
    assertThat(quick.text()).contains("quick: true");
    assertThat(minutes(quick, 0.5)).isLessThan(2);
  }

  private static double minutes(ContentionExperiment experiment, double overheadSeconds) {
    List<EngineArm> arms =
        experiment.arms().stream().filter(arm -> !arm.name().equals("debian")).toList();
    return Turn.plan(experiment, arms).stream()
            .mapToDouble(
                turn ->
                    (turn.in().windowMillis() + experiment.warmUpMillis()) / 1e3 + overheadSeconds)
            .sum()
        / 60;
  }

  @Test
  void theResolvedTextIsTheSameExperiment() {
    for (ContentionExperiment experiment :
        List.of(ContentionReader.read(EXAMPLE, Choices.none()), small(Map.of("boost", "3")))) {
      assertThat(ContentionReader.parse("again", experiment.text(), Choices.none()))
          .isEqualTo(experiment);
    }
  }

  @Test
  void chosenArmsAndRoundsHoldForEveryCase() {
    ContentionExperiment some =
        ContentionReader.parse(
            "small", SMALL, new Choices(Map.of("rounds", "5"), List.of("b"), false));
    assertThat(some.baseline()).isEqualTo("b");
    assertThat(some.cases()).extracting(Case::rounds).containsExactly(5, 5);
    assertThat(some.cases().get(1).arms()).isEmpty();
    assertThat(Turn.plan(some, some.arms())).hasSize(5);
  }

  @Test
  void aClosedLoopNeedsNoLoad() {
    ContentionExperiment closed = small(Map.of("loop", "closed"));
    assertThat(closed.openLoop()).isFalse();
    assertThat(closed.loads().get(0).label()).isEqualTo("closed");
  }

  @Test
  void roundsAreInterleaved() {
    ContentionExperiment experiment = small(Map.of("rounds", "3", "seeds", "[1, 2]"));
    List<Turn> turns = Turn.plan(experiment, experiment.arms());
    assertThat(turns).hasSize(2 * 3 * (2 + 2));
    List<String> blocks = new ArrayList<>();
    for (Turn turn : turns) {
      String block = turn.seed() + "/" + turn.round();
      if (blocks.isEmpty() || !blocks.get(blocks.size() - 1).equals(block)) {
        blocks.add(block);
      }
    }
    assertThat(blocks).containsExactly("1/1", "1/2", "1/3", "2/1", "2/2", "2/3");
  }

  @Test
  void aTurnIsWhatTheCaseSays() {
    ContentionExperiment experiment = small(Map.of("arms.a.limit", "cores"));
    List<Turn> turns = Turn.plan(experiment, experiment.arms());
    Repetition free =
        turns.stream()
            .filter(turn -> turn.in().squeeze() == Squeeze.UNRESTRICTED)
            .filter(turn -> turn.arm().name().equals("a"))
            .findFirst()
            .orElseThrow()
            .repetition(experiment, 10_000, 6);
    assertThat(free.cores()).isZero();
    assertThat(free.boosted()).isZero();
    assertThat(free.limit()).isEqualTo(6);
    Repetition squeezed =
        turns.stream()
            .filter(turn -> turn.in().squeeze() == Squeeze.PINNED_NICE)
            .reduce((earlier, later) -> later)
            .orElseThrow()
            .repetition(experiment, 10_000, 6);
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
        "loop | spiral | open, closed",
        "window | 1ms | 300ms",
        "cases.unrestricted.arms | [c] | one of a, b",
        "cases.squashed | {} | no such key",
        "cases.pinned-nice.threads | [4, 4] | each once",
        "arms.a.wait | adaptive | only with it",
        "arms.b.wait | hope | spin, adaptive",
        "arms.a.limit | 0 | 1 to 512",
        "arms.a.build | mine | stock, patched, debian",
        "data.mix | ycsb-z | ycsb-a",
        "data.records | 4 | one for each session",
        "data.popularity | { zipf: 1 } | 0.01 to 0.999",
        "quiet.noise | 1 | no such key",
        "colour | red | no such key",
      })
  void whatCannotBeIsRefused(String key, String value, String allowed) {
    assertThatThrownBy(() -> small(Map.of(key, value)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(allowed);
  }

  @Test
  void anArmThatIsNotThereIsRefused() {
    assertThatThrownBy(
            () ->
                ContentionReader.parse("small", SMALL, new Choices(Map.of(), List.of("z"), false)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("a, b");
  }
}
