/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import dev.manx.contention.engine.BuildOptions;
import dev.manx.contention.engine.DriverBuild;
import dev.manx.contention.engine.EngineBuild;
import dev.manx.contention.engine.EngineLibrary;
import dev.manx.contention.engine.EngineStore;
import dev.manx.contention.engine.Repetition.Engine;
import dev.manx.contention.engine.StepListener;
import dev.manx.lab.experiment.Arm;
import dev.manx.lab.kind.contention.EngineArm.Build;
import java.util.Collection;
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
    arms.forEach(arm -> arm.settings().own().ifPresent(EngineBuild::check));
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
          engines.put(arm.name(), others(library, driver));
          warn(arm.name(), library);
        }
        case DEBIAN -> {
          Optional<EngineLibrary> debian = EngineBuild.debian();
          if (debian.isPresent()) {
            engines.put(arm.name(), others(debian.get(), driver));
          } else {
            listener.step(arm.name() + " is left out: package libwiredtiger-dev is not installed");
          }
        }
      }
    }
    return engines;
  }

  /**
   * Builds the driver for a library from elsewhere, whose header changes with an upgrade or a new
   * build.
   */
  private static Engine others(EngineLibrary library, DriverBuild driver)
      throws InterruptedException {
    return new Engine(library, driver.get(EngineBuild.check(library), library), Map.of());
  }

  /**
   * Warns about a build with other options, which differs from the other arms in more than its
   * source.
   */
  private void warn(String arm, EngineLibrary library) {
    Optional<BuildOptions> options = BuildOptions.of(library);
    String differences = options.map(BuildOptions::differences).orElse("");
    if (options.isEmpty()) {
      listener.step(
          "warning: arm "
              + arm
              + " has no CMakeCache.txt next to its library: its build options are unknown");
    } else if (!differences.isEmpty()) {
      listener.step(
          "warning: arm "
              + arm
              + " cannot be compared with builds made here, because it has "
              + differences
              + "; build it anew with: "
              + EngineBuild.buildLines().get(0));
    }
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
