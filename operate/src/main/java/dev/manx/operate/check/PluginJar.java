/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/** Checks that exactly one valid jar of the plugin is installed. */
final class PluginJar {
  private static final String ENTRY = EngineChecks.HANDLER.replace('.', '/') + ".class";

  private PluginJar() {}

  /** Returns the jar that a node would load, if there is one. */
  static Optional<Path> look(CassandraHome home, Findings found) {
    List<Path> jars = home.jars("manx-cassandra-*.jar");
    List<Path> lab = jars.stream().filter(PluginJar::isLab).toList();
    List<Path> plugins = jars.stream().filter(jar -> !isLab(jar)).toList();
    for (Path jar : lab) {
      found.error(
          jar.toString(), "the lab's model of slow storage", "Remove it: it slows every read.");
    }
    if (plugins.isEmpty()) {
      found.error(
          home.home().toString(),
          "Manx's jar is missing",
          "Copy manx-cassandra-VERSION.jar into its lib. See docs/operate/install.md.");
      return Optional.empty();
    }
    if (plugins.size() > 1) {
      found.error(
          home.home().toString(),
          "Manx's jar is installed more than once: "
              + plugins.stream()
                  .map(jar -> shown(home.home(), jar))
                  .collect(Collectors.joining(", ")),
          "Keep one of them: the class path's order decides which is loaded.");
    }
    Path jar = plugins.get(0);
    return isWhole(jar, found) ? Optional.of(jar) : Optional.empty();
  }

  private static String shown(Path home, Path jar) {
    return (jar.startsWith(home) ? home.relativize(jar) : jar).toString();
  }

  private static boolean isLab(Path jar) {
    return jar.getFileName().toString().endsWith("-lab.jar");
  }

  private static boolean isWhole(Path jar, Findings found) {
    if (!Files.isReadable(jar)) {
      found.error(
          jar.toString(),
          "this user may not read it",
          "Run this as Cassandra's user, or allow all to read it: chmod a+r " + jar);
      return false;
    }
    try (JarFile file = new JarFile(jar.toFile())) {
      Manifest manifest = file.getManifest();
      String version =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
      if (file.getEntry(ENTRY) != null && version != null) {
        found.ok(jar.toString(), "Manx " + version);
        return true;
      }
      found.error(
          jar.toString(),
          "this is not the plugin: it lacks "
              + (version == null ? "its version" : EngineChecks.HANDLER),
          "Copy the jar from cassandra/target, not original-*.jar.");
    } catch (IOException e) {
      found.error(jar.toString(), "damaged: " + e.getMessage(), "Copy it again.");
    }
    return false;
  }
}
