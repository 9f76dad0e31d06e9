/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.policy.config.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the command line says about an experiment.
 *
 * @param settings {@code --set} by dotted path; the other options but arms and quick are set so too
 * @param arms only these, or empty for all
 * @param quick fewer rounds and short windows, to see whether an experiment works at all
 */
public record Choices(Map<String, String> settings, List<String> arms, boolean quick) {
  private static final int QUICK_ROUNDS = 3;
  private static final long QUICK_WINDOW_NANOS = 3_000_000_000L;
  private static final long QUICK_SETTLE_NANOS = 3_000_000_000L;
  private static final long QUICK_WARM_UP_NANOS = 1_000_000_000L;

  /** Copies the collections in their order. */
  public Choices {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    arms = List.copyOf(arms);
  }

  /** The file as it is. */
  public static Choices none() {
    return new Choices(Map.of(), List.of(), false);
  }

  /**
   * Reads a file and applies what was chosen.
   *
   * @throws ConfigException if the file or a choice is refused
   */
  public Experiment read(Path file) {
    Map<String, String> overrides = new LinkedHashMap<>(settings);
    if (quick || fewRounds(overrides.get("rounds"))) {
      overrides.put("quick", "true");
    }
    Experiment all = ExperimentReader.read(file, overrides);
    List<Arm> chosen = new ArrayList<>();
    for (String name : arms) {
      chosen.add(
          all.arms().stream()
              .filter(arm -> arm.name().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new ConfigException(
                          "--arms",
                          0,
                          "arms",
                          name,
                          "arms of "
                              + file
                              + ": "
                              + String.join(", ", all.arms().stream().map(Arm::name).toList()))));
    }
    List<Arm> some = chosen.isEmpty() ? all.arms() : chosen;
    if (!all.cluster().plugin() && some.stream().anyMatch(arm -> arm.mode() != Arm.Mode.OFF)) {
      throw new ConfigException(
          file.toString(), 0, "cluster.plugin", "false", "true, since an arm is not in mode off");
    }
    return resolve(all, some);
  }

  private Experiment resolve(Experiment all, List<Arm> chosen) {
    boolean hasBaseline = chosen.stream().anyMatch(arm -> arm.name().equals(all.baseline()));
    long window = all.windowNanos();
    return new Experiment(
        all.name(),
        all.description(),
        hasBaseline ? all.baseline() : chosen.get(0).name(),
        all.quick(),
        all.cluster(),
        all.replicationFactor(),
        all.workload(),
        all.client(),
        all.classes(),
        all.loads(),
        all.seeds(),
        quick && !settings.containsKey("rounds")
            ? Math.min(QUICK_ROUNDS, all.rounds())
            : all.rounds(),
        quick ? Math.min(QUICK_SETTLE_NANOS, all.settleNanos()) : all.settleNanos(),
        quick ? Math.min(QUICK_WARM_UP_NANOS, all.warmUpNanos()) : all.warmUpNanos(),
        quick && window > 0 ? Math.min(QUICK_WINDOW_NANOS, window) : window,
        all.requests(),
        quick && window > QUICK_WINDOW_NANOS
            ? all.events().stream()
                .map(event -> event.scaled((double) QUICK_WINDOW_NANOS / window))
                .toList()
            : all.events(),
        chosen,
        all.saturation());
  }

  /** Asking for few rounds on the command line is allowed, and marks the result. */
  private static boolean fewRounds(String rounds) {
    return rounds != null
        && rounds.matches("[0-9]{1,3}")
        && Integer.parseInt(rounds) < Experiment.ENOUGH_ROUNDS;
  }
}
