/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.operate.canary.CanaryChoice;
import picocli.CommandLine.Command;

/** {@code manx ctl canary end}. */
@Command(
    name = "end",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    description = {
      "Ends the canary: Manx acts on all requests, on the nodes whose mode is on.",
      "For Manx to act on none, first switch it off or to shadow: ./manx ctl mode off"
    },
    footer = {
      "",
      "Exit codes: 0 all nodes as asked, 1 some not, 2 bad usage.",
      "",
      "Example:",
      "  ./manx ctl canary end --on production"
    })
final class CanaryEndCommand extends CanaryChanging {
  @Override
  CanaryChoice choice() {
    return CanaryChoice.ALL;
  }
}
