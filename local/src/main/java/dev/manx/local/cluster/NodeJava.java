/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

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
