/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Quantity;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.Setting;
import java.util.List;

/**
 * The settings in which arms of a storage engine differ.
 *
 * @param build the library
 * @param waiting strategy for waiting for transaction ids; empty for the build as shipped
 * @param sleepMicros time for the strategy {@code sleep}
 * @param limit largest number of sessions inside the engine; 0 for no limit, -1 for the number of
 *     cores
 */
record EngineArm(Build build, String waiting, int sleepMicros, int limit) {
  private static final long MICRO = 1_000L;
  private static final int STANDARD_SLEEP_MICROS = 100;
  private static final String CORES = "cores";
  private static final int AS_CORES = -1;

  /** The build of an arm. */
  enum Build {
    /** As shipped. */
    STOCK,
    /** With a choice of waiting strategies. */
    PATCHED,
    /** Debian's package. */
    DEBIAN
  }

  /** The keys of an arm. */
  static final Section SECTION =
      Section.of(
          CommonSettings.ARM_DESCRIPTION,
          Key.required(
              Setting.choice(
                  "build",
                  Build.class,
                  "as shipped, with a choice of waiting strategies, or Debian's package")),
          Key.optional(
              Setting.word(
                  "wait",
                  "how threads wait for transaction ids; with build: patched, and only with it",
                  "spin",
                  "adaptive",
                  "blocking",
                  "yield",
                  "sleep")),
          Key.optional(Setting.duration("sleep", "100us", "1us", "1s", "of wait: sleep"))
              .otherwise("100us"),
          Key.optional(
                  "limit",
                  new Quantity(
                      List.of(
                          Setting.whole("limit", 1, 1, 512, "sessions"),
                          Setting.word("cores", "as many as cores", CORES)),
                      "cores, or a number from 1 to 512"),
                  "sessions inside the engine at a time")
              .otherwise("no limit"));

  static EngineArm read(Part arm) {
    Build build = arm.choice("build", Build.class);
    if (arm.has("wait") != (build == Build.PATCHED)) {
      throw arm.node().refuse("wait: with build: patched, and only with it");
    }
    EngineArm read =
        new EngineArm(
            build,
            arm.has("wait") ? arm.word("wait") : "",
            arm.has("sleep") ? (int) (arm.number("sleep") / MICRO) : STANDARD_SLEEP_MICROS,
            arm.has("limit") ? limit(arm.word("limit")) : 0);
    arm.put("sleep", read.waiting.isEmpty() ? null : (Object) (read.sleepMicros * MICRO));
    return read;
  }

  private static int limit(String text) {
    return text.equals(CORES) ? AS_CORES : Integer.parseInt(text.replace("_", ""));
  }

  /** The limit of sessions for a number of allowed cores. */
  int admitted(int cores) {
    return limit < 0 ? cores : limit;
  }
}
