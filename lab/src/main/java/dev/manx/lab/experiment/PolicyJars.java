/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The third parties' jars in {@code MANX_POLICIES}. Any arm may use their policies, so an
 * interrupted run continues only with the same jars.
 */
final class PolicyJars {
  private static final String NAME = "policies of ";

  private PolicyJars() {}

  /** Size and checksum of each jar, by its file name. */
  static Map<String, String> contents(List<Path> jars) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    for (Path jar : jars) {
      // Two jars may have the same name in different folders.
      contents.merge(
          NAME + jar.getFileName(),
          NamedFiles.contents(jar),
          (one, other) -> one + ", and " + other);
    }
    return contents;
  }
}
