/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.operate.connect.ClusterOptions;
import dev.manx.policy.config.Units;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code manx ctl calm-after}. */
@Command(
    name = "calm-after",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    description = {
      "Sets how long reads must be calm before requests are left to stock.",
      "Once reads have hardly waited at any node for this time, requests are left to stock until reads wait again; 0s: never, every request is planned."
    },
    footer = {
      "",
      "Exit codes: 0 all nodes as asked, 1 some not, 2 bad usage.",
      "",
      "Example:",
      "  ./manx ctl calm-after 5s --on production"
    })
final class CalmAfterCommand extends Changing {
  private static final long HOUR_SECONDS = 3_600;

  @Parameters(paramLabel = "TIME", description = "0s to 1h.")
  private String time;

  @Override
  protected void prepare() {
    ClusterOptions.duration("calm-after", time, 0, HOUR_SECONDS);
  }

  @Override
  String what() {
    return "calm-after " + time;
  }

  @Override
  Change passing() {
    OptionalLong wanted = Units.durationNanos(time);
    return new Change(
        "calm-after",
        time,
        state -> state.row("calm-after"),
        state -> Units.durationNanos(state.row("calm-after")).equals(wanted),
        false);
  }

  @Override
  String hint() {
    return "This lasts until a node restarts; --persist, or `plugin.calm-after` in its manx.yaml,"
        + " keeps it.";
  }
}
