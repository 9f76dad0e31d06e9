/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.contention;

import static dev.manx.lab.experiment.ExperimentWriter.nanos;
import static dev.manx.lab.experiment.ExperimentWriter.ordered;

import dev.manx.lab.contention.ContentionExperiment.Build;
import dev.manx.lab.contention.ContentionExperiment.EngineArm;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.policy.config.ConfigNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads and writes {@code arms:} of an experiment on a storage engine. */
final class EngineArms {
  private static final long MICRO = 1_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final int STANDARD_SLEEP_MICROS = 100;
  private static final int AS_CORES = -1;

  private final ConfigNode node;
  private final List<String> chosen;

  /**
   * @param chosen only these arms; empty for all
   */
  EngineArms(ConfigNode node, List<String> chosen) {
    this.node = node;
    this.chosen = chosen;
  }

  List<EngineArm> read() {
    List<String> names = CommonSettings.arms(node);
    List<String> running = CommonSettings.chosen(chosen, names, node.file());
    return names.stream()
        .map(name -> arm(name, node.at(name)))
        .filter(arm -> running.contains(arm.name()))
        .toList();
  }

  private static EngineArm arm(String name, ConfigNode arm) {
    String description = arm.find("description").map(ConfigNode::text).orElse("");
    Build build =
        Build.valueOf(arm.at("build").oneOf("stock", "patched", "debian").toUpperCase(Locale.ROOT));
    Optional<ConfigNode> wait = arm.find("wait");
    if (wait.isPresent() != (build == Build.PATCHED)) {
      throw arm.refuse("wait: with build: patched, and only with it");
    }
    String way =
        wait.map(n -> n.oneOf("spin", "adaptive", "blocking", "yield", "sleep")).orElse("");
    int sleep =
        arm.find("sleep")
            .map(n -> (int) (n.durationNanos(MICRO, SECOND) / MICRO))
            .orElse(STANDARD_SLEEP_MICROS);
    int limit =
        arm.find("limit")
            .map(n -> n.text().equals("cores") ? AS_CORES : (int) n.integer(1, 512))
            .orElse(0);
    arm.noOtherKeys();
    return new EngineArm(name, description, build, way, sleep, limit);
  }

  /** The arms with every value in place, as they are read. */
  static Map<String, Object> written(List<EngineArm> arms) {
    Map<String, Object> out = new LinkedHashMap<>();
    for (EngineArm arm : arms) {
      Map<String, Object> one = new LinkedHashMap<>();
      if (!arm.description().isEmpty()) {
        one.put("description", arm.description());
      }
      one.put("build", arm.build().name().toLowerCase(Locale.ROOT));
      if (!arm.waiting().isEmpty()) {
        one.putAll(ordered("wait", arm.waiting(), "sleep", nanos(arm.sleepMicros() * MICRO)));
      }
      if (arm.limit() != 0) {
        one.put("limit", arm.limit() < 0 ? "cores" : Integer.toString(arm.limit()));
      }
      out.put(arm.name(), one);
    }
    return out;
  }
}
