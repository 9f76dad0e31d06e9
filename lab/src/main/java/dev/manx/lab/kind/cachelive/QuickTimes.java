/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.settings.YamlText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The times of a quick run: a window of three seconds, or of one for the highest of very different
 * rates of {@code requests}; the disturbances keep their share of it.
 */
final class QuickTimes {
  private static final long SECOND = 1_000_000_000L;
  private static final long WINDOW_NANOS = 3 * SECOND;
  private static final long SETTLE_NANOS = 3 * SECOND;
  private static final long WARM_UP_NANOS = SECOND;
  private static final long LEAST_WINDOW_NANOS = SECOND;
  private static final long LEAST_EVERY_NANOS = 1_000_000;

  /** With one of these given, the window and the disturbances keep their times. */
  private static final Pattern KEPT =
      Pattern.compile("requests|window|(squeeze|late|errors|shift)(\\.(from|for|every))?");

  private QuickTimes() {}

  /** The settings that differ from the file's, by dotted path; none that the command line gives. */
  static Map<String, String> of(LiveSettings file, Choices choices) {
    Map<String, String> quick = new LinkedHashMap<>();
    if (file.settleNanos() > SETTLE_NANOS && !choices.gives("settle")) {
      quick.put("settle", YamlText.nanos(SETTLE_NANOS));
    }
    if (file.warmUpNanos() > WARM_UP_NANOS && !choices.gives("warm-up")) {
      quick.put("warm-up", YamlText.nanos(WARM_UP_NANOS));
    }
    double share = share(file);
    if (share >= 1 || keepsWindow(choices)) {
      return quick;
    }
    if (file.requests() > 0) {
      quick.put("requests", Long.toString((long) Math.ceil(file.requests() * share)));
    } else {
      quick.put("window", YamlText.nanos(Math.round(file.windowNanos() * share)));
    }
    phase(quick, "squeeze", Optional.ofNullable(file.squeeze()), share);
    phase(quick, "late", file.faults().late(), share);
    phase(quick, "errors", file.faults().errors(), share);
    phase(quick, "shift", file.faults().shift(), share);
    file.faults()
        .shift()
        .filter(shift -> shift.everyNanos() > 0)
        .ifPresent(
            shift ->
                quick.put(
                    "shift.every",
                    YamlText.nanos(
                        Math.max(LEAST_EVERY_NANOS, (long) (shift.everyNanos() * share)))));
    return quick;
  }

  /** Null takes a disturbance away, and gives no time. */
  private static boolean keepsWindow(Choices choices) {
    return choices.settings().entrySet().stream()
        .anyMatch(
            given ->
                KEPT.matcher(given.getKey()).matches() && !given.getValue().trim().equals("null"));
  }

  private static double share(LiveSettings file) {
    long longest = file.loads().stream().mapToLong(file::windowNanos).max().orElseThrow();
    long shortest = file.loads().stream().mapToLong(file::windowNanos).min().orElseThrow();
    return Math.max((double) WINDOW_NANOS / longest, (double) LEAST_WINDOW_NANOS / shortest);
  }

  /** Truncated, so that it still ends within the window. */
  private static void phase(
      Map<String, String> quick, String key, Optional<? extends Phase> phase, double share) {
    if (phase.isPresent()) {
      quick.put(key + ".from", YamlText.nanos((long) (phase.get().fromNanos() * share)));
      long during = Math.max(1, (long) (phase.get().forNanos() * share));
      quick.put(key + ".for", YamlText.nanos(during));
    }
  }
}
