/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Our C sources, which are packed into the jar. */
final class DriverSources {
  /** The header that the build includes into WiredTiger. */
  static final String WAIT_HEADER = "manx_wait.h";

  /** Sources of the driver, the engine's part last. */
  static final List<String> SOURCES =
      List.of(
          "main.c",
          "options.c",
          "chance.c",
          "histogram.c",
          "machine.c",
          "priority.c",
          "session.c",
          "controller.c",
          "outcome.c",
          "engine_wiredtiger.c");

  private static final List<String> HEADERS =
      List.of(
          "clock.h",
          "options.h",
          "chance.h",
          "histogram.h",
          "machine.h",
          "priority.h",
          "session.h",
          "controller.h",
          "outcome.h",
          "engine.h");

  private DriverSources() {}

  static String waitHeader() {
    return text("patch/" + WAIT_HEADER);
  }

  /** Writes sources and headers into a folder. */
  static void writeTo(Path folder) throws IOException {
    for (List<String> names : List.of(SOURCES, HEADERS)) {
      for (String name : names) {
        Files.writeString(folder.resolve(name), text(name));
      }
    }
  }

  /** A version that changes with any source, header or option of the compiler. */
  static String driverVersion(List<String> flags) {
    StringBuilder all = new StringBuilder(flags.toString());
    SOURCES.forEach(name -> all.append(text(name)));
    HEADERS.forEach(name -> all.append(text(name)));
    return version(all.toString());
  }

  /** The first 12 hexadecimal digits of a text's SHA-256. */
  static String version(String text) {
    return sha256(text.getBytes(StandardCharsets.UTF_8)).substring(0, 12);
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static String text(String name) {
    try (InputStream in =
        DriverSources.class.getResourceAsStream("/dev/manx/contention/c/" + name)) {
      if (in == null) {
        throw new IllegalStateException("the jar holds no " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
