/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.operate.look.StrategyNames;
import dev.manx.policy.config.ConfigException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class StrategyCommandTest {
  @TempDir Path folder;
  private final StringWriter said = new StringWriter();

  /** The change that the command makes for a preset. */
  static Change change(String preset) {
    return new StrategyCommandTest().prepared(preset).passing();
  }

  private StrategyCommand prepared(String strategy) {
    StrategyCommand command = new StrategyCommand();
    new CommandLine(command).setOut(new PrintWriter(said)).parseArgs(strategy, "--on=127.0.0.1");
    command.prepare();
    return command;
  }

  private String file(String text) throws Exception {
    return Files.writeString(folder.resolve("manx.yaml"), text).toString();
  }

  /** As `manx advise` writes it: its output asks to set this file by this command. */
  @Test
  void ofANodesFileTheStrategyAloneIsSent() throws Exception {
    String file = file("plugin: { mode: shadow }\nrecord: { mode: off }\nstrategy: low-fifo\n");
    String document = prepared(file).document();
    // A preset goes by its name: nodes of another version know their own.
    assertThat(document).isEqualTo("strategy: low-fifo");
    assertThat(said.toString())
        .contains(
            "Only the strategy of " + file + " is used; ignored: plugin, record", "ctl reload");
  }

  @Test
  void aMappingInANodesFileIsSentInFull() throws Exception {
    String strategy = "strategy: { select: select.lor }\n";
    assertThat(prepared(file("plugin: { mode: on }\n" + strategy)).document())
        .isEqualTo(StrategyNames.parse(strategy).document());
  }

  @Test
  void aStrategyAloneIsSentAsWritten() throws Exception {
    String text = "strategy: { select: select.lor } # ours\n";
    assertThat(prepared(file(text)).document()).isEqualTo(text);
    assertThat(prepared("manx").document()).isEqualTo("strategy: manx");
    assertThat(said.toString()).isEmpty();
  }

  @Test
  void anErrorNamesTheFile() throws Exception {
    String file = file("strategy:\n  select: select.nonsense\n");
    assertThatThrownBy(() -> prepared(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(file + ":2");
    String other = file("strategy: manx\nstrategies: c3\n");
    assertThatThrownBy(() -> prepared(other))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("strategies");
  }
}
