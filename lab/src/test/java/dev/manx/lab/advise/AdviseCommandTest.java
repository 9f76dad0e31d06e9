/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.cli.Manx;
import dev.manx.policy.config.ConfigNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code manx advise} with the logs of a known world. */
@Timeout(120)
@Tag("slow")
class AdviseCommandTest {
  @TempDir Path folder;

  private int advise(RecordedWorld world) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("advise"));
    world.logs(folder).forEach(log -> arguments.add(log.toString()));
    arguments.addAll(List.of("--strategies=rein,manx", "--loads=100%", "--requests=4000"));
    arguments.add("--out=" + folder.resolve("advice"));
    return Manx.commandLine().execute(arguments.toArray(String[]::new));
  }

  @Test
  void theAdvisedStrategyIsWrittenForNodes() throws Exception {
    assertThat(advise(new RecordedWorld(0.7, 1))).isZero();
    assertThat(folder.resolve("advice/report.html")).isNotEmptyFile();
    Path file = folder.resolve("advice/manx.yaml");
    ConfigNode config = ConfigNode.parse("manx.yaml", Files.readString(file));
    assertThat(config.at("plugin").at("mode").text()).isEqualTo("shadow");
    assertThat(config.at("strategy").isMapping()).isTrue();
    assertThat(Files.readString(file)).startsWith("# Strategy manx, as ./manx advise recommends");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--seeds=0",
        "--requests=-1",
        "--loads=0",
        "--out=OUT",
        "--strategies=low-fifo,FULL/my best.yaml",
        "--nodes=127.0.0.1",
        "--dc=dc1",
        "--user=me",
        "--sample=10%"
      })
  void whatIsRefusedIsRefusedBeforeLogsAreRead(String option) throws Exception {
    Path full = Files.createDirectory(folder.resolve("full"));
    Files.writeString(full.resolve("my best.yaml"), "strategy: manx\n");
    String refusal = refusal(option.replace("OUT", full.toString()).replace("FULL", full + ""));
    assertThat(refusal).contains(option.split("=")[0]).doesNotContain("no.log");
  }

  private String refusal(String option) {
    StringWriter err = new StringWriter();
    int code =
        Manx.commandLine()
            .setErr(new PrintWriter(err))
            .execute("advise", folder.resolve("no.log").toString(), option);
    assertThat(code).isEqualTo(2);
    return err.toString();
  }

  /** The file that advise writes is one, too. */
  @Test
  void aNodesFileIsAStrategy() throws Exception {
    Path file = folder.resolve("manx-now.yaml");
    Files.writeString(file, "plugin:\n  mode: shadow\nrecord:\n  mode: off\nstrategy: low-fifo\n");
    assertThat(refusal("--strategies=" + file)).contains("no.log");
  }

  /** Nothing would follow from it, and their rate may be too low to be played. */
  @Test
  void tooFewRequestsAreRefusedBeforeAnythingIsPlayed() throws Exception {
    assertThat(refusedAtOnce(new RecordedWorld(0.5, 1).requests(3)))
        .startsWith("No advice: 9 requests are too few: the measured P99 is not known");
  }

  @Test
  void aClusterThatIsReadAcrossDatacentersIsRefusedBeforeAnythingIsPlayed() throws Exception {
    assertThat(refusedAtOnce(new RecordedWorld(0.5, 1).remote(600)))
        .matches(
            "(?s)No advice: 10 % of the reads have replicas in several datacenters; the model .*");
  }

  private String refusedAtOnce(RecordedWorld world) throws Exception {
    PrintStream out = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertThat(advise(world)).isEqualTo(1);
    } finally {
      System.setOut(out);
    }
    assertThat(folder.resolve("advice")).doesNotExist();
    return said.toString(StandardCharsets.UTF_8);
  }

  @Test
  void withoutAdviceNoFileIsWrittenForNodes() throws Exception {
    assertThat(advise(new RecordedWorld(0.5, 0.55))).isEqualTo(1);
    assertThat(folder.resolve("advice/report.html")).isNotEmptyFile();
    assertThat(folder.resolve("advice/manx.yaml")).doesNotExist();
  }
}
