/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab;

import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;

/** The root pom: the folders of its modules in its order, its properties and plugins. */
public final class RootPom {
  private RootPom() {}

  /** Those of Manx itself, without the examples. */
  public static List<String> ownModules() {
    return modules().stream().filter(module -> !module.startsWith("examples/")).toList();
  }

  /** All of them. */
  public static List<String> modules() {
    return found("<module>(.*?)</module>");
  }

  /** The version of Manx. */
  public static String version() {
    return found("<artifactId>manx</artifactId>\\s*<version>(.*?)</version>").get(0);
  }

  /** The value of a property. */
  public static String property(String name) {
    return found("<%1$s>(.*?)</%1$s>".formatted(name)).get(0);
  }

  /** A plugin of Maven's own, with the version of this build. */
  public static String plugin(String artifact) {
    String version = found("<artifactId>" + artifact + "</artifactId>\\s*<version>(.*?)<").get(0);
    return "org.apache.maven.plugins:" + artifact + ":" + version;
  }

  private static List<String> found(String pattern) {
    try {
      return Pattern.compile(pattern)
          .matcher(Files.readString(ManxHome.find().root().resolve("pom.xml")))
          .results()
          .map(found -> found.group(1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
