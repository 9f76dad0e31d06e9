/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.operate.look.NodeState;
import dev.manx.policy.config.ConfigException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code manx ctl reset-persisted}. */
@Command(
    name = "reset-persisted",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    description = {
      "Removes settings that --persist stored on nodes.",
      "The present settings stay until a node restarts or reads its configuration again; then only its manx.yaml applies. Also removes persisted settings that a node could not use."
    },
    footer = {
      "",
      "Exit codes: 0 all nodes as asked, 1 some not, 2 bad usage.",
      "",
      "Examples:",
      "  ./manx ctl reset-persisted --on production",
      "  ./manx ctl reset-persisted mode canary --on production --nodes 10.0.1.11"
    })
final class ResetPersistedCommand extends SettingCommand {
  private static final List<String> NAMES =
      List.of("mode", "document", "record", "calm-after", "canary");

  @Parameters(
      paramLabel = "NAME",
      arity = "0..*",
      description = "mode, document (the strategy), record, calm-after, canary (default: all).")
  private List<String> names = List.of();

  @Override
  protected void prepare() {
    for (String name : names) {
      if (!NAMES.contains(name)) {
        throw new ConfigException("command line", 0, "NAME", name, String.join(", ", NAMES));
      }
    }
  }

  @Override
  String what() {
    return "reset-persisted" + (names.isEmpty() ? "" : " " + String.join(" ", names));
  }

  @Override
  Change change() {
    List<String> gone = names.isEmpty() ? NAMES : names;
    return new Change(
        Change.PERSISTED,
        "reset " + String.join(", ", names),
        ResetPersistedCommand::shown,
        state ->
            gone.stream().noneMatch(state::isPersisted)
                && !state.row(Change.PERSISTED).startsWith("ignored"),
        false);
  }

  private static String shown(NodeState state) {
    String row = state.row(Change.PERSISTED);
    return row.isEmpty()
        ? "nothing"
        : row.startsWith("ignored") ? "ignored" : row.split(" since")[0];
  }
}
