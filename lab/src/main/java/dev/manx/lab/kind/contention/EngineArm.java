/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import static dev.manx.lab.experiment.YamlText.nanos;
import static dev.manx.lab.experiment.YamlText.ordered;

import dev.manx.policy.config.ConfigNode;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The settings in which arms of a storage engine differ.
 *
 * @param build the library
 * @param waiting how threads wait for transaction ids; empty where the build is as shipped
 * @param sleepMicros of the way {@code sleep}
 * @param limit sessions inside the engine at a time; 0 for no limit, -1 for as many as cores
 */
record EngineArm(Build build, String waiting, int sleepMicros, int limit) {
  private static final long MICRO = 1_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final int STANDARD_SLEEP_MICROS = 100;
  private static final int AS_CORES = -1;

  /** The build that an arm runs on. */
  enum Build {
    /** As shipped. */
    STOCK,
    /** With ways of waiting to choose from. */
    PATCHED,
    /** Debian's package. */
    DEBIAN
  }

  static EngineArm read(ConfigNode arm) {
    Build build =
        Build.valueOf(arm.at("build").oneOf("stock", "patched", "debian").toUpperCase(Locale.ROOT));
    Optional<ConfigNode> wait = arm.find("wait");
    if (wait.isPresent() != (build == Build.PATCHED)) {
      throw arm.refuse("wait: with build: patched, and only with it");
    }
    return new EngineArm(
        build,
        wait.map(n -> n.oneOf("spin", "adaptive", "blocking", "yield", "sleep")).orElse(""),
        arm.find("sleep")
            .map(n -> (int) (n.durationNanos(MICRO, SECOND) / MICRO))
            .orElse(STANDARD_SLEEP_MICROS),
        arm.find("limit")
            .map(n -> n.text().equals("cores") ? AS_CORES : (int) n.integer(1, 512))
            .orElse(0));
  }

  /** The keys that read as this. */
  Map<String, Object> written() {
    Map<String, Object> one = ordered("build", build.name().toLowerCase(Locale.ROOT));
    if (!waiting.isEmpty()) {
      one.putAll(ordered("wait", waiting, "sleep", nanos(sleepMicros * MICRO)));
    }
    if (limit != 0) {
      one.put("limit", limit < 0 ? "cores" : Integer.toString(limit));
    }
    return one;
  }

  /** The limit of sessions where so many cores are allowed. */
  int admitted(int cores) {
    return limit < 0 ? cores : limit;
  }
}
