/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.cli.Manx;
import dev.manx.policy.config.ConfigNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code manx advise} with the logs of a known world. */
@Timeout(120)
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
        "--out=OUT",
        "--nodes=127.0.0.1",
        "--dc=dc1",
        "--user=me",
        "--sample=10%"
      })
  void whatIsRefusedIsRefusedBeforeLogsAreRead(String option) throws Exception {
    Files.writeString(Files.createDirectory(folder.resolve("full")).resolve("file"), "");
    StringWriter err = new StringWriter();
    int code =
        Manx.commandLine()
            .setErr(new PrintWriter(err))
            .execute(
                "advise",
                folder.resolve("no.log").toString(),
                option.replace("OUT", folder.resolve("full").toString()));
    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains(option.split("=")[0]).doesNotContain("no.log");
  }

  @Test
  void withoutAdviceNoFileIsWrittenForNodes() throws Exception {
    assertThat(advise(new RecordedWorld(0.5, 1).requests(100))).isEqualTo(1);
    assertThat(folder.resolve("advice/report.html")).isNotEmptyFile();
    assertThat(folder.resolve("advice/manx.yaml")).doesNotExist();
  }
}
