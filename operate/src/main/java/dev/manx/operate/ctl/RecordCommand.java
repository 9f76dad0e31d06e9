/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.operate.connect.TypedShare;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.Units;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code manx ctl record}. */
@Command(
    name = "record",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    description = {
      "Switches the nodes' decision logs on or off.",
      "A share, such as 5%%, is the part of the decisions to record. Each node writes its own file, up to `record.max-size` of its manx.yaml; ./manx replay reads it. Nothing is recorded while Manx is off.",
      "`requests`, or \"requests 5%%\", records requests and executed reads, as ./manx advise needs them, but not the order of queues."
    },
    footer = {
      "",
      "Exit codes: 0 all nodes as asked, 1 some not, 2 bad usage.",
      "",
      "Examples:",
      "  ./manx ctl record 5%% --on production --nodes 10.0.1.11",
      "  ./manx ctl record requests --on production",
      "  ./manx ctl record off --on production"
    })
final class RecordCommand extends Changing {
  private static final String REQUESTS = "requests";
  private static final String ON = "on";
  private static final double ROUNDING = 1e-9;

  /** A running log with its share in percent. */
  private static final Pattern RUNNING =
      Pattern.compile("on: .*?, ([\\d.E-]+)% (of the requests )?sampled, .*", Pattern.DOTALL);

  @Parameters(paramLabel = "off|on|SHARE|requests", description = "For example 5%%.")
  private String value;

  @Override
  protected void prepare() {
    boolean whole = List.of("off", ON, REQUESTS).contains(value);
    String part = value.startsWith(REQUESTS + " ") ? value.substring(REQUESTS.length()) : value;
    OptionalDouble share = TypedShare.of("record", part.strip());
    boolean isShare = share.isPresent() && share.getAsDouble() > 0 && share.getAsDouble() <= 1;
    if (!whole && !isShare) {
      throw new ConfigException(
          "command line",
          0,
          "record",
          value,
          "off, on, a share above 0% and up to 100%, requests, or \"requests SHARE\"");
    }
  }

  @Override
  String what() {
    return "record " + value;
  }

  @Override
  Change passing() {
    boolean on = !value.equals("off");
    return new Change(
        "record",
        value,
        state -> state.row("record").split(":", 2)[0],
        state -> isAsAsked(value, state.row("record")),
        !on);
  }

  /**
   * Whether a row shows a log as requested; a full or failed log has ended. A persisted row has the
   * form of a requested value.
   */
  static boolean isAsAsked(String value, String row) {
    boolean runs = row.startsWith("on:");
    boolean on = runs || row.startsWith(REQUESTS) || Units.fraction(row).isPresent();
    if (value.equals("off") || !on) {
      return value.equals("off") != on;
    }
    Matcher log = RUNNING.matcher(row);
    if (runs && !log.matches()) {
      // In another version's words.
      return true;
    }
    boolean requests = runs ? log.group(2) != null : row.startsWith(REQUESTS);
    double share = runs ? Double.parseDouble(log.group(1)) / 100 : share(row);
    // With `on`, the share is that of the node's file.
    return requests == value.startsWith(REQUESTS)
        && (value.equals(ON) || Math.abs(share - share(value)) < ROUNDING);
  }

  /** The share of a requested value other than off and on; 1 without one. */
  private static double share(String value) {
    String share = value.startsWith(REQUESTS) ? value.substring(REQUESTS.length()) : value;
    return Units.fraction(share.strip()).orElse(1);
  }

  @Override
  String hint() {
    return value.equals("off")
        ? ""
        : "./manx ctl status names each node's file; ./manx ctl fetch-log brings them here when"
            + " the recording has ended.";
  }
}
