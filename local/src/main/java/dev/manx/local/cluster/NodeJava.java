/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The Java that nodes run on: Apache Cassandra 5.0 supports 17 and no later release, whatever the
 * tools run on.
 */
public final class NodeJava {
  /** The release that nodes need. */
  static final int RELEASE = 17;

  private NodeJava() {}

  /** The folder of a Java for nodes, if there is one. */
  public static Optional<Path> home() {
    return home(
        System.getProperty("manx.node-java", ""),
        Runtime.version().feature(),
        Path.of(System.getProperty("java.home")));
  }

  /**
   * The Java that the script found, else this JVM's own if it is of the right release.
   *
   * @param found folder of a Java that was looked for, or empty
   */
  static Optional<Path> home(String found, int ownRelease, Path own) {
    if (!found.isEmpty() && Files.isExecutable(Path.of(found, "bin", "java"))) {
      return Optional.of(Path.of(found));
    }
    return ownRelease == RELEASE ? Optional.of(own) : Optional.empty();
  }
}
