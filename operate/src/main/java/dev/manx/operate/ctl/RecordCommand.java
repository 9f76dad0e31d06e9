/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.Units;
import java.util.OptionalDouble;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code manx ctl record}. */
@Command(
    name = "record",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    description = {
      "Switches the decision log of nodes off or on.",
      "A share, such as 5%%, is the part of the decisions to record. Each node writes a file of its own, which ends at `record.max-size` of its manx.yaml; ./manx replay reads it. Nothing is recorded while Manx is off."
    },
    footer = {
      "",
      "Exit codes: 0 all nodes as asked, 1 some not, 2 bad usage.",
      "",
      "Examples:",
      "  ./manx ctl record 5%% --on production --nodes 10.0.1.11",
      "  ./manx ctl record off --on production"
    })
final class RecordCommand extends Changing {
  @Parameters(paramLabel = "off|on|SHARE", description = "For example 5%%.")
  private String value;

  @Override
  protected void prepare() {
    OptionalDouble share = Units.fraction(value);
    boolean isShare = share.isPresent() && share.getAsDouble() > 0 && share.getAsDouble() <= 1;
    if (!value.equals("off") && !value.equals("on") && !isShare) {
      throw new ConfigException(
          "command line", 0, "record", value, "off, on, or a share above 0% and up to 100%");
    }
  }

  @Override
  String what() {
    return "record " + value;
  }

  @Override
  Change passing() {
    boolean wanted = !value.equals("off");
    return new Change(
        "record",
        value,
        state -> state.row("record").split(":", 2)[0],
        state -> isOn(state.row("record")) == wanted,
        value.equals("off"));
  }

  /** A row that is persisted is a share, or off. */
  private static boolean isOn(String row) {
    return row.startsWith("on:") || Units.fraction(row).isPresent();
  }

  @Override
  String hint() {
    return value.equals("off") ? "" : "Each node names its file in `./manx ctl status`.";
  }
}
