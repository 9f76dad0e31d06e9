/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Compiles the driver, the C program that squeezes and measures an engine. It is C because a JVM
 * would add its garbage collector, compiler and safepoints to the measurement, and because a thread
 * that spins for ever must not hang the tool.
 */
public final class DriverBuild {
  /** The compiler options, for every build; warnings are errors. */
  static final List<String> FLAGS =
      List.of(
          "-std=c11",
          "-D_GNU_SOURCE",
          "-O2",
          "-g",
          "-Wall",
          "-Wextra",
          "-Wshadow",
          "-Wconversion",
          "-pedantic",
          "-Werror");

  private static final String PROGRAM = "driver";

  private final EngineStore store;

  /** Creates a builder that keeps its results in a store. */
  public DriverBuild(EngineStore store) {
    this.store = store;
  }

  /**
   * The driver for an engine's headers; at start it can be run with any build of that version.
   *
   * @param version of the headers; part of the name of the stored driver
   * @throws EngineException if it cannot be compiled
   */
  public Path get(String version, EngineLibrary engine) throws InterruptedException {
    String name = "driver-" + version + "-" + DriverSources.driverVersion(FLAGS);
    return store.get(name, folder -> make(folder, engine)).resolve(PROGRAM);
  }

  private void make(Path folder, EngineLibrary engine) throws IOException, InterruptedException {
    Tool.require(List.of(Tool.Need.program("gcc", "gcc")));
    DriverSources.writeTo(folder);
    List<String> command = new ArrayList<>(List.of("gcc"));
    command.addAll(FLAGS);
    // Suppresses warnings in the engine's header.
    command.addAll(List.of("-isystem", engine.include().toString(), "-o", PROGRAM));
    command.addAll(DriverSources.SOURCES);
    command.addAll(List.of("-L", engine.library().toString()));
    command.addAll(List.of("-lwiredtiger", "-lm", "-lpthread", "-ldl"));
    new Tool(store.root().resolve("driver.log")).run(folder, command, line -> {});
  }
}
