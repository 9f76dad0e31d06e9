/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.cli.Manx;
import dev.manx.policy.config.ConfigNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code manx advise} with the logs of a world that is known. */
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

  @Test
  void withoutAdviceNoFileIsWrittenForNodes() throws Exception {
    assertThat(advise(new RecordedWorld(0.5, 1).requests(100))).isEqualTo(1);
    assertThat(folder.resolve("advice/report.html")).isNotEmptyFile();
    assertThat(folder.resolve("advice/manx.yaml")).doesNotExist();
  }
}
