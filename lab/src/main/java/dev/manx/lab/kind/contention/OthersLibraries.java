/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import dev.manx.contention.engine.BuildOptions;
import dev.manx.contention.engine.EngineException;
import dev.manx.contention.engine.EngineLibrary;
import dev.manx.contention.engine.Repetition.Engine;
import dev.manx.lab.experiment.Arm;
import dev.manx.lab.experiment.UnchangedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The libraries of arms that this project does not build: the user's and Debian's. They may be
 * replaced between two turns, and then one arm would be of two engines.
 */
final class OthersLibraries {
  private static final String NAME = "library of ";
  private static final String BUILD = "build of ";

  private final Map<String, UnchangedFile> files = new LinkedHashMap<>();
  private final Map<String, String> contents = new LinkedHashMap<>();
  private final Map<String, String> builds = new LinkedHashMap<>();

  /**
   * Records the present contents of the libraries.
   *
   * @param engines of the arms that run, by arm
   * @throws EngineException if one cannot be read
   */
  OthersLibraries(Collection<Arm<EngineArm>> arms, Map<String, Engine> engines) {
    for (Arm<EngineArm> arm : arms) {
      if (arm.settings().build().isOthers() && engines.containsKey(arm.name())) {
        UnchangedFile file = unchanged(engines.get(arm.name()).library().file());
        files.put(arm.name(), file);
        contents.put(NAME + arm.name(), file.contents());
        arm.settings().own().ifPresent(own -> builds.put(BUILD + arm.name(), options(own)));
      }
    }
  }

  private static String options(EngineLibrary own) {
    return BuildOptions.of(own)
        .map(BuildOptions::words)
        .orElse("unknown: no CMakeCache.txt next to its library");
  }

  private static UnchangedFile unchanged(Path file) {
    try {
      return new UnchangedFile(file);
    } catch (IOException e) {
      throw new EngineException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /** Size and checksum of each library at the start, by a name with its arm. */
  Map<String, String> contents() {
    return Collections.unmodifiableMap(contents);
  }

  /** The options of the user's builds, by a name with their arm. */
  Map<String, String> builds() {
    return Collections.unmodifiableMap(builds);
  }

  /**
   * Checks the library of an arm before a turn.
   *
   * @throws dev.manx.lab.experiment.ReplacedFileException if it differs from the one at the start
   */
  void check(String arm) throws InterruptedException {
    UnchangedFile file = files.get(arm);
    if (file != null) {
      file.check();
    }
  }
}
