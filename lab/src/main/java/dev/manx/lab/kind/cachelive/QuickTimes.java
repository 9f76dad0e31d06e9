/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.TurnWindow;
import dev.manx.lab.settings.Part;
import java.util.List;

/** The times of a quick run; the disturbances keep their share of the window. */
final class QuickTimes {
  private static final int ROUNDS = 2;
  private static final long LEAST_EVERY_NANOS = 1_000_000;

  private static final List<String> DISTURBANCES = List.of("squeeze", "late", "errors", "shift");

  /** If one of these is given, the window and the disturbances keep their times. */
  private static final String TIMES =
      "(" + String.join("|", DISTURBANCES) + ")(\\.(from|for|every))?";

  private QuickTimes() {}

  /** Shortens the values of a file, except those that the command line gives. */
  static void shorten(Part top, Choices choices) {
    LiveSettings file = LiveSettings.read(top);
    choices.shorten(top, "rounds", ROUNDS);
    choices.shorten(top, "settle", TurnWindow.QUICK_NANOS);
    choices.shorten(top, "warm-up", TurnWindow.QUICK_WARM_UP_NANOS);
    double share = share(file);
    if (share < 1 && TurnWindow.isShortened(choices, TIMES)) {
      file.window().times(share).resolve(top);
      DISTURBANCES.forEach(key -> top.find(key).ifPresent(phase -> shorten(phase, share)));
    }
  }

  private static double share(LiveSettings file) {
    long longest = file.loads().stream().mapToLong(file::windowNanos).max().orElseThrow();
    long shortest = file.loads().stream().mapToLong(file::windowNanos).min().orElseThrow();
    return TurnWindow.quickShare(longest, shortest);
  }

  /** Truncated, so that it still ends within the window. */
  private static void shorten(Part phase, double share) {
    phase.put("from", (long) (phase.number("from") * share));
    phase.put("for", Math.max(1, (long) (phase.number("for") * share)));
    if (phase.isKey("every") && phase.has("every")) {
      phase.put("every", Math.max(LEAST_EVERY_NANOS, (long) (phase.number("every") * share)));
    }
  }
}
