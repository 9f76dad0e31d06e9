/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Java of nodes: Apache Cassandra 5.0 supports 17 and no later release; the tools may use
 * another.
 */
public final class NodeJava {
  /** The release that nodes need. */
  static final int RELEASE = 17;

  private NodeJava() {}

  /** The folder of a Java for nodes, if found. */
  public static Optional<Path> home() {
    return home(
        System.getProperty("manx.node-java", ""),
        Runtime.version().feature(),
        Path.of(System.getProperty("java.home")));
  }

  /** Its exact version, as its folder says; the folder if it does not, empty without one. */
  public static String version() {
    return home().map(NodeJava::version).orElse("");
  }

  static String version(Path home) {
    try (Stream<String> lines = Files.lines(home.resolve("release"))) {
      return lines
          .filter(line -> line.matches("(IMPLEMENTOR|JAVA_VERSION|JAVA_RUNTIME_VERSION)=.*"))
          .map(line -> line.substring(line.indexOf('=') + 1).replace("\"", ""))
          .collect(Collectors.joining(" "));
    } catch (IOException | UncheckedIOException e) {
      return home.toString();
    }
  }

  /**
   * The Java found by the script, or this JVM's if it has the required release.
   *
   * @param found folder of the Java found by a search, or empty
   */
  static Optional<Path> home(String found, int ownRelease, Path own) {
    if (!found.isEmpty() && Files.isExecutable(Path.of(found, "bin", "java"))) {
      return Optional.of(Path.of(found));
    }
    return ownRelease == RELEASE ? Optional.of(own) : Optional.empty();
  }
}
