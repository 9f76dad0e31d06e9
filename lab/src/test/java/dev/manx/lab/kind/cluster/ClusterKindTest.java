/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.TurnWindow;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Announcements and quick runs. */
class ClusterKindTest {
  private static final long SECOND = 1_000_000_000L;
  private static final String SEARCH =
      "saturation: { percentile: 95, at-most: 250ms, tolerance: 10%, trials: 7, repeats: 8 }\n";
  private static final String EVENT = "events: [{ at: 3s, for: 1s, pause: { node: 2 } }]\n";
  private static final String NO_PLUGIN = "  no-plugin: { mode: absent }\n";

  @TempDir private Path folder;
  private Path file;

  /** Three arms, of which one needs a second cluster. */
  private void file(String further) throws IOException {
    String text = TinyExperiment.TEXT.replace("[70%, 120/s]", "[100/s]");
    file = Files.writeString(folder.resolve("tiny.yaml"), further + text + NO_PLUGIN);
  }

  private ClusterExperiment read(Map<String, String> settings, boolean quick, String... arms) {
    return ClusterFiles.read(file, new Choices(settings, List.of(arms), quick));
  }

  private String effort(Map<String, String> settings, boolean quick, String... arms) {
    ClusterExperiment experiment = read(settings, quick, arms);
    return ClusterKind.booted(experiment, ManxHome.find(), folder).effort();
  }

  /** Another build of them would otherwise end runs that load none. */
  @Test
  void onlyTheJarsThatItsNodesLoadMustStay() throws IOException {
    file("");
    ManxHome home = ManxHome.find();
    assertThat(ClusterKind.booted(read(Map.of(), false), home, folder).stage().jarsOfNodes())
        .containsExactly(home.pluginJar(), home.labJar());
    assertThat(
            ClusterKind.booted(read(Map.of("service-model", "null"), false), home, folder)
                .stage()
                .jarsOfNodes())
        .containsExactly(home.pluginJar());
    Experiment.Stage<Integer, String> plain = progress -> null;
    assertThat(plain.jarsOfNodes()).isEmpty();
  }

  /** 45 s for the boot, 12 s of settling, and turns of 8 s: 16 in two arms, 24 in three. */
  @Test
  void theAnnouncementCountsEachCluster() throws IOException {
    file("");
    String about = "about 500 requests each, ";
    assertThat(effort(Map.of(), false, "stock", "manx")).isEqualTo(about + "some 4 min");
    assertThat(effort(Map.of(), false)).as("185 + 64 + 57 s").isEqualTo(about + "some 6 min");
    assertThat(effort(Map.of(), false, "no-plugin")).isEqualTo(about + "some 3 min");
  }

  @Test
  void theAnnouncementCountsTheSearches() throws IOException {
    file(SEARCH);
    assertThat(effort(Map.of(), false, "stock", "manx"))
        .as("112 trials of 8 s")
        .isEqualTo(
            "about 500 requests each, some 4 min, then up to 15 min of trials for the saturation");
    assertThat(effort(Map.of(), true, "stock", "manx"))
        .as("16 trials of 5 s")
        .isEqualTo(
            "about 300 requests each, some 2 min, then up to 2 min of trials for the saturation");
  }

  @Test
  void aQuickRunSearchesLess() throws IOException {
    file(SEARCH);
    assertThat(read(Map.of(), true).saturation())
        .isEqualTo(new SaturationGoal(95, 250_000_000, 0.1, 4, 2));
    Map<String, String> given = Map.of("saturation.trials", "6", "saturation.repeats", "5");
    assertThat(read(given, true).saturation())
        .isEqualTo(new SaturationGoal(95, 250_000_000, 0.1, 6, 5));
    file("");
    assertThat(read(Map.of(), true).saturation()).isNull();
  }

  /** Its windows were as long as the file's. */
  @Test
  void aQuickRunOfRequestsHasAShortWindow() throws IOException {
    file("");
    Map<String, String> many = Map.of("window", "null", "requests", "100000");
    Files.writeString(file, read(many, false).text());
    assertThat(read(Map.of(), true).window()).isEqualTo(new TurnWindow(3 * SECOND, 0));
    assertThat(read(Map.of(), true).text()).contains("window: 3s").doesNotContain("\nrequests:");
    assertThat(read(many, true).window()).as("as given").isEqualTo(new TurnWindow(0, 100_000));
  }

  @Test
  void aQuickRunKeepsTheTimesOfTheCommandLine() throws IOException {
    file(EVENT);
    ClusterExperiment quick = read(Map.of(), true);
    assertThat(quick.window().nanos()).isEqualTo(3 * SECOND);
    assertThat(quick.warmUpNanos()).isEqualTo(SECOND);
    assertThat(quick.settleNanos()).isEqualTo(3 * SECOND);
    assertThat(quick.events().get(0).atNanos()).isEqualTo(SECOND * 9 / 5);
    ClusterExperiment given = read(Map.of("window", "6s", "warm-up", "4s", "settle", "30s"), true);
    assertThat(given.window().nanos()).isEqualTo(6 * SECOND);
    assertThat(given.warmUpNanos()).isEqualTo(4 * SECOND);
    assertThat(given.settleNanos()).isEqualTo(30 * SECOND);
    assertThat(given.events().get(0).atNanos()).isEqualTo(3 * SECOND);
  }
}
