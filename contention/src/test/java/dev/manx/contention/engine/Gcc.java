/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Compiles the driver's tests and runs programs. */
final class Gcc {
  /** The sources of the driver and of its tests. */
  static final Path MAIN = root().resolve("src/main/c");

  static final Path TEST = root().resolve("src/test/c");

  private static final long PATIENCE_SECONDS = 180;

  private Gcc() {}

  private static Path root() {
    return Path.of(System.getProperty("manx.home", "..")).resolve("contention").toAbsolutePath();
  }

  /** A program's output, both streams together. */
  record Said(int code, String text) {}

  /** Without a compiler the test is skipped, but fails in continuous integration. */
  static void require() {
    needed(Tool.exists("gcc"), "gcc");
  }

  /** Skips, or fails where CI guarantees the requirement. */
  static void needed(boolean there, String what) {
    if (!there) {
      assertThat(System.getenv("CI")).as("continuous integration needs " + what).isNull();
    }
    assumeTrue(there, what + " is not installed");
  }

  /** Compiles sources with the flags of the driver and a sanitizer. */
  static Path compile(Path folder, String name, String sanitizer, List<Path> sources)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("gcc"));
    command.addAll(DriverBuild.FLAGS);
    command.addAll(List.of("-fsanitize=" + sanitizer, "-fno-sanitize-recover=all"));
    command.addAll(List.of("-I", MAIN.toString(), "-o", name));
    sources.forEach(source -> command.add(source.toString()));
    command.addAll(List.of("-lm", "-lpthread", "-ldl"));
    if (sources.contains(MAIN.resolve("engine_wiredtiger.c"))) {
      command.add("-lwiredtiger");
    }
    Said said = run(folder, Map.of(), command);
    assertThat(said.code()).as(said.text()).isZero();
    return folder.resolve(name);
  }

  /** The driver's sources with another engine. */
  static List<Path> driver(Path engine) {
    List<Path> sources = new ArrayList<>();
    for (String name : DriverSources.SOURCES) {
      Path source = MAIN.resolve(name);
      sources.add(name.equals("engine_wiredtiger.c") ? engine : source);
    }
    return sources;
  }

  static Said run(Path folder, Map<String, String> env, List<String> command)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "said", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().putAll(env);
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(ended).as(command + " ended").isTrue();
      return new Said(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8));
    } finally {
      process.destroyForcibly();
    }
  }
}
