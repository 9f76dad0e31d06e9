/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.lab.RootPom;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.kind.Kinds;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** The rules for experiment files of every kind, each tested on an example of each. */
@Timeout(60)
class KindsTest {
  private static final ManxHome HOME = ManxHome.find();

  /** A kind and an example of it with the name of its first arm. */
  enum Example {
    CLUSTER("cluster", "demo"),
    SIMULATOR("simulator", "tailx-regime"),
    CACHE("cache", "robinhood-ramps"),
    CACHE_LIVE("cache-live", "cache-live"),
    CONTENTION("contention", "wiredtiger-contention"),
    IDLE("idle", "idle-strategies"),
    OWN("own-cluster", "own-cluster");

    private final String on;
    private final String file;

    Example(String on, String file) {
      this.on = on;
      this.file = file;
    }

    String text() throws IOException {
      return Files.readString(HOME.root().resolve("examples/" + file + ".yaml"));
    }

    String baseline() throws IOException {
      return text()
          .lines()
          .filter(line -> line.startsWith("baseline: "))
          .map(line -> line.substring("baseline: ".length()))
          .findFirst()
          .orElseThrow();
    }
  }

  @TempDir private Path folder;

  private Experiment<?, ?> read(String text, Choices choices) throws IOException {
    Path file = Files.writeString(folder.resolve("example.yaml"), text);
    return Kinds.read(file, choices, HOME);
  }

  private static Choices options(String... line) {
    RunOptions options = new RunOptions();
    new CommandLine(options).parseArgs(line);
    return options.choices();
  }

  private static Choices arms(String... names) {
    return new Choices(Map.of(), List.of(names), false);
  }

  /** A new kind must come with an example here. */
  @Test
  void everyKindHasItsExample() {
    assertThat(Kinds.names())
        .containsExactlyInAnyOrderElementsOf(Stream.of(Example.values()).map(e -> e.on).toList());
  }

  @Test
  void theModulesOfEveryKindExist() {
    for (String on : Kinds.names()) {
      assertThat(Kinds.modules(on)).as(on).isNotEmpty().isSubsetOf(RootPom.ownModules());
    }
    assertThat(Kinds.modules("none")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aMisspeltBaselineIsRefused(Example example) throws IOException {
    String text = example.text();
    String baseline = "baseline: " + example.baseline();
    int line = (int) text.substring(0, text.indexOf(baseline)).lines().count() + 1;
    assertThatThrownBy(() -> read(text.replace(baseline, baseline + "x"), Choices.none()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("example.yaml:" + line + ": baseline = '" + example.baseline() + "x'")
        .hasMessageContaining("one of ")
        .hasMessageContaining(example.baseline());
  }

  /** Also if the named arm is not among those that run. */
  @ParameterizedTest
  @EnumSource
  void aBaselineThatIsLeftOutIsReplacedByAnArmThatRuns(Example example) throws IOException {
    List<String> others =
        dev.manx.policy.config.ConfigNode.parse("e", example.text()).at("arms").names().stream()
            .filter(name -> !name.equals(baseline(example)))
            .limit(1)
            .toList();
    String resolved = read(example.text(), arms(others.get(0))).text();
    assertThat(resolved).containsPattern("(?m)^baseline: \"?" + others.get(0) + "\"?$");
  }

  @ParameterizedTest
  @EnumSource
  void furtherArmsToCompareWithMustBeThere(Example example) throws IOException {
    String arm = example.baseline();
    assertThatThrownBy(() -> read(example.text(), options("--set", "also-against=" + arm + "x")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("also-against = '" + arm + "x'")
        .hasMessageContaining("one of ")
        .hasMessageContaining(arm);
    String[] set = {"--set", "also-against=[" + arm + "]"};
    assertThat(read(example.text(), options(set)).text())
        .containsPattern("(?m)^also-against: \\[\"?" + arm + "\"?]$");
    List<String> others =
        dev.manx.policy.config.ConfigNode.parse("e", example.text()).at("arms").names().stream()
            .filter(name -> !name.equals(arm))
            .toList();
    assertThat(read(example.text(), options(set[0], set[1], "--arms", others.get(0))).text())
        .doesNotContain("also-against");
  }

  private static String baseline(Example example) {
    try {
      return example.baseline();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void badNamesAreRefused(Example example) throws IOException {
    String text = example.text();
    assertThatThrownBy(
            () -> read(text.replaceFirst("(?m)^experiment: .*$", "experiment: a b"), arms()))
        .hasMessageContaining("experiment = 'a b' is invalid; allowed: letters, digits");
    assertThatThrownBy(() -> read(text + "  a%b: {}\n", Choices.none()))
        .hasMessageContaining("names of arms: letters, digits");
  }

  @ParameterizedTest
  @EnumSource
  void chosenArmsMustBeThereAndOnce(Example example) throws IOException {
    String arm = example.baseline();
    assertThatThrownBy(() -> read(example.text(), arms(arm, arm)))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("--arms: arms = '" + arm + "," + arm + "'")
        .hasMessageContaining("each arm once");
    assertThatThrownBy(() -> read(example.text(), arms(arm + "x")))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("--arms: arms = '" + arm + "x'")
        .hasMessageContaining(arm);
  }

  /** The basis of comparison for a stored result. */
  @ParameterizedTest
  @EnumSource
  void everyKindTellsItsSettings(Example example) throws IOException {
    Experiment<?, ?> ready = read(example.text(), Choices.none());
    assertThat(ready.text())
        .contains("experiment: " + ready.head().name())
        .contains("on: " + example.on)
        .contains("baseline: ")
        .contains("arms:");
    assertThat(read(ready.text(), Choices.none()).text()).isEqualTo(ready.text());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CLUSTER    | --rounds   | 9      | rounds: 9",
        "CLUSTER    | --rounds   | 2      | quick: true",
        "CLUSTER    | --requests | 400    | requests: 400",
        "CLUSTER    | --loads    | 30/s   | loads: [30/s]",
        "CLUSTER    | --seeds    | 4,5    | seeds: [4, 5]",
        "SIMULATOR  | --rounds   | 3      | seeds: [1, 2, 3]",
        "SIMULATOR  | --requests | 400    | requests: 400",
        "SIMULATOR  | --loads    | 30%    | loads: [30%]",
        "SIMULATOR  | --seeds    | 4,5    | seeds: [4, 5]",
        "CACHE      | --rounds   | 2      | seeds: [1, 2]",
        "CACHE      | --seeds    | 4,5    | seeds: [4, 5]",
        "CACHE_LIVE | --rounds   | 9      | rounds: 9",
        "CACHE_LIVE | --rounds   | 2      | quick: true",
        "CACHE_LIVE | --seeds    | 4      | seeds: [4]",
        "CACHE_LIVE | --seeds    | 4,5    | seeds: [4, 5]",
        "CACHE_LIVE | --loads    | 30/s   | loads: [30/s]",
        "CACHE_LIVE | --loads    | 30/s,60/s | loads: [30/s, 60/s]",
        "CACHE_LIVE | --requests | 3000   | window: ",
        "CONTENTION | --rounds   | 9      | rounds: 9",
        "CONTENTION | --rounds   | 2      | quick: true",
        "CONTENTION | --loads    | 2k/s   | loads: [2k/s]",
        "CONTENTION | --seeds    | 4,5    | seeds: [4, 5]",
        "IDLE       | --rounds   | 9      | rounds: 9",
        "IDLE       | --rounds   | 2      | quick: true",
        "IDLE       | --loads    | 2k/s   | loads: [2k/s]",
        "IDLE       | --seeds    | 4,5    | seeds: [4, 5]",
        "OWN        | --rounds   | 9      | rounds: 9",
        "OWN        | --rounds   | 2      | quick: true",
        "OWN        | --loads    | 30/s   | loads: [30/s]",
        "OWN        | --seeds    | 4,5    | seeds: [4, 5]",
      })
  void optionsHold(Example example, String option, String value, String resolved)
      throws IOException {
    assertThat(read(example.text(), options(option, value)).text().replace("\"", ""))
        .contains(resolved);
  }

  /** A quick run keeps the rounds and seeds that the command line gives in either way. */
  @ParameterizedTest
  @EnumSource
  void aQuickRunKeepsWhatIsGiven(Example example) throws IOException {
    String seeds = read(example.text(), options("--quick", "--set", "seeds=[4, 5, 6, 7]")).text();
    assertThat(seeds)
        .contains("seeds: [4, 5, 6, 7]")
        .isEqualTo(read(example.text(), options("--quick", "--seeds", "4,5,6,7")).text());
    if (Set.of(Example.SIMULATOR, Example.CACHE).contains(example)) {
      return; // A round is a seed.
    }
    String rounds = read(example.text(), options("--quick", "--set", "rounds=5")).text();
    assertThat(rounds)
        .contains("rounds: 5")
        .isEqualTo(read(example.text(), options("--quick", "--rounds", "5")).text());
  }

  @Test
  void aQuickSimulationKeepsTheRequestsThatAreGiven() throws IOException {
    assertThat(read(Example.SIMULATOR.text(), options("--quick", "--requests", "13000")).text())
        .contains("requests: 13000");
  }

  /** The error of an option that does not apply to a kind names the option and its replacement. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SIMULATOR  | --rounds   | 0   | --rounds: rounds = '0'    | a whole number of seeds",
        "CACHE      | --rounds   | x   | --rounds: rounds = 'x'    | a whole number of seeds",
        "CACHE      | --requests | 9   | --requests: requests = '9'| --set scale=",
        "CONTENTION | --requests | 90  | --requests: requests = '90'| --set window=",
        "IDLE       | --requests | 90  | --requests: requests = '90'| --set window=",
        "CACHE_LIVE | --loads    | 70% | --loads: loads[0] = '70%' | a rate",
        "CACHE_LIVE | --requests | 9   | --requests: requests = '9' | as many as take",
        "CACHE      | --loads    | 60% | --loads: loads     | one of ",
        "CLUSTER    | --rounds   | 0   | --rounds: rounds = '0' | a whole number",
        "CLUSTER    | --loads    | 7x  | --loads: loads[0] = '7x' | a rate",
        "SIMULATOR  | --requests | 0   | --requests: requests = '0' | a whole number",
        "CONTENTION | --seeds    | x   | --seeds: seeds[0] = 'x' | a whole number",
        "IDLE       | --seeds    | 1,1 | --seeds: seeds     | each once",
        "OWN        | --requests | 90  | --requests: requests = '90'| --set window=",
        "OWN        | --loads    | 70% | --loads: loads[0] = '70%' | a rate",
      })
  void optionsThatDoNotFitNameThemselves(
      Example example, String option, String value, String start, String instead) {
    assertThatThrownBy(() -> read(example.text(), options(option, value)))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(start)
        .hasMessageContaining(instead);
  }

  @Test
  void aClosedLoopHasNoLoads() throws IOException {
    String closed = "loop: closed\n" + Example.CONTENTION.text().replaceAll("(?m)^loop: .*\n", "");
    assertThat(read(closed, Choices.none()).text()).contains("loads: [closed]");
    assertThatThrownBy(() -> read(closed, options("--loads", "2k/s")))
        .hasMessageStartingWith("--loads: loads = '[2k/s]'")
        .hasMessageContaining("loop=open");
  }

  @Test
  void aClosedLoopHasNoNumberOfRequests() throws IOException {
    String closed = Example.CLUSTER.text().replaceFirst("(?m)^loads: .*", "loads: [16 clients]");
    assertThat(read(closed, Choices.none()).text()).contains("16 clients");
    assertThatThrownBy(() -> read(closed, options("--requests", "900")))
        .hasMessageStartingWith("--requests: requests = '900' is invalid: a closed loop")
        .hasMessageEndingWith("set window");
  }

  /** Fewer rounds than a verdict needs mark a result, from the file or from an option. */
  @ParameterizedTest
  @EnumSource(names = {"CACHE_LIVE", "IDLE", "OWN"})
  void fewRoundsInAFileMarkTheResult(Example example) throws IOException {
    String text = example.text().replaceFirst("(?m)^rounds: [0-9]+", "rounds: 7");
    assertThat(read(text, Choices.none()).text()).contains("quick: true");
    assertThat(read(example.text(), Choices.none()).text()).contains("quick: false");
  }
}
