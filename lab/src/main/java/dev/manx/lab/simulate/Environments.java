/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.simulate;

import dev.manx.lab.experiment.Load;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What {@code environment.json} says of a simulated experiment; the one place for host clocks. */
final class Environments {
  private Environments() {}

  static Map<String, String> settings(SimulatedExperiment experiment, Tally tally) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("on", "simulator: virtual time, no node and no network is real");
    settings.put(
        "workload",
        String.format(
            Locale.ROOT,
            "%.2f reads a request, %.0f bytes a read (means)",
            experiment.source().meanReads(),
            experiment.source().meanBytes()));
    settings.put(
        "modelled capacity",
        String.format(
            Locale.ROOT,
            "%.0f reads/s",
            experiment.model().capacityReadsPerSecond(experiment.source().meanBytes())));
    for (Load load : experiment.loads()) {
      settings.put(
          "load " + load.label(),
          String.format(Locale.ROOT, "%.1f requests/s", experiment.requestsPerSecond(load)));
    }
    tally.checks().forEach((name, line) -> settings.put("check: " + name, line));
    tally.costs().forEach((name, line) -> settings.put("speed: " + name, line));
    return settings;
  }
}
