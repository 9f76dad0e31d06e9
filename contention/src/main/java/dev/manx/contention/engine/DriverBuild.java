/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Compiles the driver, the C program that squeezes and measures an engine. It is C because the
 * collector, the compiler and the safepoints of a JVM would be measured too, and because a thread
 * that spins for ever must not hang the tool.
 */
public final class DriverBuild {
  /** How it is compiled, everywhere; warnings are errors. */
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

  /** Keeps what it builds in a store. */
  public DriverBuild(EngineStore store) {
    this.store = store;
  }

  /**
   * The driver for an engine's headers; which of several builds of that version it runs on is
   * chosen when it starts.
   *
   * @param version of the headers; part of the name under which the driver is kept
   * @throws EngineException if it cannot be compiled
   */
  public Path get(String version, EngineLibrary engine) throws InterruptedException {
    String name = "driver-" + version + "-" + DriverSources.driverVersion();
    return store.get(name, folder -> make(folder, engine)).resolve(PROGRAM);
  }

  private void make(Path folder, EngineLibrary engine) throws IOException, InterruptedException {
    Tool.require(List.of("gcc"), List.of("gcc"));
    DriverSources.writeTo(folder);
    List<String> command = new ArrayList<>(List.of("gcc"));
    command.addAll(FLAGS);
    // The engine's header is not ours to warn about.
    command.addAll(List.of("-isystem", engine.include().toString(), "-o", PROGRAM));
    command.addAll(DriverSources.SOURCES);
    command.addAll(List.of("-L", engine.library().toString()));
    command.addAll(List.of("-lwiredtiger", "-lm", "-lpthread", "-ldl"));
    new Tool(store.root().resolve("driver.log")).run(folder, command, line -> {});
  }
}
