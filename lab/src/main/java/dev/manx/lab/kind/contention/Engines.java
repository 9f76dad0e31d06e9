/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import dev.manx.contention.engine.DriverBuild;
import dev.manx.contention.engine.EngineBuild;
import dev.manx.contention.engine.EngineLibrary;
import dev.manx.contention.engine.EngineStore;
import dev.manx.contention.engine.Repetition.Engine;
import dev.manx.contention.engine.StepListener;
import dev.manx.lab.experiment.Arm;
import dev.manx.lab.kind.contention.EngineArm.Build;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Builds the engines of the arms, once. */
final class Engines {
  private final EngineStore store;
  private final StepListener listener;

  Engines(EngineStore store, StepListener listener) {
    this.store = store;
    this.listener = listener;
  }

  /**
   * The engine of each arm; arms of packages that are not installed are left out and reported.
   *
   * @throws dev.manx.contention.engine.EngineException if an engine cannot be built, before any is
   *     built if a file or a tool is missing
   */
  Map<String, Engine> of(Collection<Arm<EngineArm>> arms) throws InterruptedException {
    Map<String, String> versions = versionsOfOwn(arms);
    EngineBuild build = new EngineBuild(store, listener);
    build.requireTools(anyOf(arms, Build.STOCK), anyOf(arms, Build.PATCHED));
    DriverBuild driver = new DriverBuild(store);
    Map<String, Engine> engines = new LinkedHashMap<>();
    for (Arm<EngineArm> arm : arms) {
      switch (arm.settings().build()) {
        case STOCK -> engines.put(arm.name(), own(build.stock(), driver, Map.of()));
        case PATCHED ->
            engines.put(arm.name(), own(build.patched(), driver, waiting(arm.settings())));
        case OWN -> {
          EngineLibrary library = arm.settings().own().orElseThrow();
          Path program = driver.get(versions.get(arm.name()), library);
          engines.put(arm.name(), new Engine(library, program, Map.of()));
        }
        case DEBIAN -> {
          Optional<EngineLibrary> debian = EngineBuild.debian();
          if (debian.isPresent()) {
            Path program = driver.get("debian", debian.get());
            engines.put(arm.name(), new Engine(debian.get(), program, Map.of()));
          } else {
            listener.step(arm.name() + " is left out: package libwiredtiger-dev is not installed");
          }
        }
      }
    }
    return engines;
  }

  /** Checks the user's builds. */
  private static Map<String, String> versionsOfOwn(Collection<Arm<EngineArm>> arms) {
    Map<String, String> versions = new HashMap<>();
    for (Arm<EngineArm> arm : arms) {
      arm.settings().own().ifPresent(own -> versions.put(arm.name(), EngineBuild.check(own)));
    }
    return versions;
  }

  private static boolean anyOf(Collection<Arm<EngineArm>> arms, Build build) {
    return arms.stream().anyMatch(arm -> arm.settings().build() == build);
  }

  private static Engine own(EngineLibrary library, DriverBuild driver, Map<String, String> env)
      throws InterruptedException {
    return new Engine(library, driver.get(EngineBuild.VERSION, library), env);
  }

  private static Map<String, String> waiting(EngineArm arm) {
    return Map.of(
        "MANX_WAIT", arm.waiting(), "MANX_WAIT_SLEEP_US", Integer.toString(arm.sleepMicros()));
  }
}
