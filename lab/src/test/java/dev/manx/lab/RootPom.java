/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab;

import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;

/** The folders of the modules that the root pom lists, in its order. */
public final class RootPom {
  private RootPom() {}

  /** Those of Manx itself, without the examples. */
  public static List<String> ownModules() {
    return modules().stream().filter(module -> !module.startsWith("examples/")).toList();
  }

  /** All of them. */
  public static List<String> modules() {
    try {
      return Pattern.compile("<module>(.*?)</module>")
          .matcher(Files.readString(ManxHome.find().root().resolve("pom.xml")))
          .results()
          .map(module -> module.group(1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
