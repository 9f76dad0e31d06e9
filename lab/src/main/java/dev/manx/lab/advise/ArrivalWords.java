/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import dev.manx.simulator.recorded.ArrivalShape;
import dev.manx.simulator.recorded.ArrivalTimes;
import dev.manx.simulator.recorded.Dispersion;
import java.util.List;
import java.util.Locale;

/** Describes recorded arrivals, and those of the model. */
final class ArrivalWords {
  private ArrivalWords() {}

  static String of(ArrivalShape shape) {
    return recorded(shape)
        + (shape.times() == ArrivalTimes.RECORDED
            ? "; the model plays the recorded times"
            : "; the model's are Poisson");
  }

  private static String recorded(ArrivalShape shape) {
    List<Dispersion> scales = shape.scales();
    if (scales.isEmpty()) {
      return "too few to compare them with Poisson arrivals";
    }
    String seen =
        shape.isWhole()
            ? ""
            : ", judging by the " + number(100 * shape.share()) + " % of the requests in the logs";
    String like =
        shape
            .deviation()
            .map(
                scale ->
                    number(shape.isWhole() ? scale.index() : shape.indexOfAll(scale))
                        + " times as variable as Poisson arrivals at "
                        + window(scale))
            .orElseGet(
                () ->
                    "like Poisson arrivals at "
                        + window(scales.get(0))
                        + (scales.size() > 1
                            ? " to " + window(scales.get(scales.size() - 1))
                            : ""));
    return like + seen;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 9.95 ? "%.1f" : "%.0f", value);
  }

  private static String window(Dispersion scale) {
    long millis = scale.windowNanos() / 1_000_000;
    return millis < 1_000 ? millis + " ms" : millis / 1_000 + " s";
  }
}
