/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import dev.manx.contention.engine.EngineLibrary;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.settings.Forms;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Quantity;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The settings in which arms of a storage engine differ.
 *
 * @param build the library
 * @param own its folders, if it is the user's
 * @param waiting strategy for waiting for transaction ids; empty for the build as shipped
 * @param sleepMicros time for the strategy {@code sleep}
 * @param limit largest number of sessions inside the engine; 0 for no limit, -1 for the number of
 *     cores
 */
record EngineArm(
    Build build, Optional<EngineLibrary> own, String waiting, int sleepMicros, int limit) {
  private static final long MICRO = 1_000L;
  private static final int STANDARD_SLEEP_MICROS = 100;
  private static final String CORES = "cores";
  private static final int AS_CORES = -1;

  /** The build of an arm. */
  enum Build {
    /** The build as shipped. */
    STOCK,
    /** The build with a choice of waiting strategies. */
    PATCHED,
    /** Debian's package. */
    DEBIAN,
    /** The user's own build. */
    OWN;

    /** Whether the library is not built here, so that it may be replaced. */
    boolean isOthers() {
      return this == DEBIAN || this == OWN;
    }
  }

  private static final Section OWN =
      Section.of(
          Key.required(
              Setting.path("library", null, "the folder of your libwiredtiger.so, as built")),
          Key.required(Setting.path("include", null, "the folder of its wiredtiger.h")));

  private static final Forms BUILD =
      Forms.of(
          Forms.single(
              Setting.word(
                      "build",
                      "as shipped, with a choice of waiting strategies, or Debian's package",
                      "stock",
                      "patched",
                      "debian")
                  .withoutStandard()),
          Forms.otherwise("a mapping", OWN));

  static final Section SECTION =
      Section.of(
          CommonSettings.DESCRIPTION,
          Key.required(
              "build",
              BUILD,
              "as shipped, with a choice of waiting strategies, Debian's package, or a mapping with"
                  + " the folders of your own build"),
          Key.optional(
              Setting.word(
                  "wait",
                  "how threads wait for transaction ids; requires build: patched",
                  "spin",
                  "adaptive",
                  "blocking",
                  "yield",
                  "sleep")),
          Key.optional(
                  Setting.duration(
                      "sleep", "100us", "1us", "1s", "length of the sleep; requires wait: sleep"))
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

  /**
   * Reads an arm.
   *
   * @param beside gives the path of a file that the experiment's file names
   */
  static EngineArm read(Part arm, Function<String, Path> beside) {
    Optional<EngineLibrary> own = own(arm.value("build"), beside);
    Build build = own.isPresent() ? Build.OWN : arm.choice("build", Build.class);
    if (arm.has("wait") != (build == Build.PATCHED)) {
      throw arm.node().refuse("wait together with build: patched, or neither");
    }
    boolean sleeps = arm.has("wait") && arm.word("wait").equals("sleep");
    arm.only("sleep", sleeps, "wait: sleep");
    EngineArm read =
        new EngineArm(
            build,
            own,
            arm.has("wait") ? arm.word("wait") : "",
            arm.has("sleep") ? (int) (arm.number("sleep") / MICRO) : STANDARD_SLEEP_MICROS,
            arm.has("limit") ? limit(arm.word("limit")) : 0);
    arm.put("sleep", sleeps ? (Object) (read.sleepMicros * MICRO) : null);
    return read;
  }

  /** A resolved file is elsewhere, so it has absolute paths. */
  private static Optional<EngineLibrary> own(Object build, Function<String, Path> beside) {
    if (!(build instanceof Part folders)) {
      return Optional.empty();
    }
    EngineLibrary own =
        new EngineLibrary(
            beside.apply(folders.word("include")).normalize(),
            beside.apply(folders.word("library")).normalize());
    folders.put("library", own.library().toString());
    folders.put("include", own.include().toString());
    return Optional.of(own);
  }

  private static int limit(String text) {
    return text.equals(CORES) ? AS_CORES : Integer.parseInt(text.replace("_", ""));
  }

  /** The limit of sessions for a number of allowed cores. */
  int admitted(int cores) {
    return limit < 0 ? cores : limit;
  }
}
