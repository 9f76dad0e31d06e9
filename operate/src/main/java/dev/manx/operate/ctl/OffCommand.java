/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.operate.ctl.ModeCommand.Mode;
import picocli.CommandLine.Command;

/** {@code manx ctl off}: {@code manx ctl mode off} in fewer words, for an operator in a hurry. */
@Command(
    name = "off",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    description = {
      "Switches Manx off on every node that can be reached; the same as `mode off`.",
      "Takes effect at once: every decision is stock's. Lasts until the node restarts, or longer with --persist; ends a persisted mode."
    },
    footer = {
      "",
      "Exit codes: 0 all nodes as asked, 1 some not, 2 bad usage.",
      "",
      "Example:",
      "  ./manx ctl off --on production"
    })
final class OffCommand extends Changing {
  @Override
  String what() {
    return "mode off";
  }

  @Override
  Change passing() {
    return ModeCommand.to(Mode.off);
  }

  @Override
  String hint() {
    return ModeCommand.hint(Mode.off);
  }
}
