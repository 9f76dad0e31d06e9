/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The plugin's jar with another wire format, like that of another version of Manx. */
final class OtherPlugin {
  private static final Path FACTS =
      ManxHome.find().root().resolve("policy/src/main/java/dev/manx/policy/facts");

  private OtherPlugin() {}

  /** Copies the jar built here, with another version number. */
  static void called(String version, Path target) throws IOException {
    try (JarFile plugin = new JarFile(ManxHome.find().pluginJar().toFile())) {
      Manifest manifest = new Manifest(plugin.getManifest());
      manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
      try (OutputStream file = Files.newOutputStream(target);
          JarOutputStream out = new JarOutputStream(file, manifest)) {
        for (JarEntry entry : Collections.list(plugin.entries())) {
          if (!entry.getName().equals(JarFile.MANIFEST_NAME)) {
            out.putNextEntry(new JarEntry(entry.getName()));
            plugin.getInputStream(entry).transferTo(out);
            out.closeEntry();
          }
        }
      }
    }
  }

  /** Tags and facts of a version that the jar built here does not know. */
  static Path ofAForeignVersion(Path folder) {
    return jar(
        folder,
        Map.of(
            "Facts", Map.of("VERSION = 1;", "VERSION = 2;"),
            "TagCodec", Map.of("VERSION = 1;", "VERSION = 2;")));
  }

  /**
   * The same version with one fact that carries a number more than is known here, one that carries
   * two less, and one that is not known.
   */
  static Path ofOtherFacts(Path folder) {
    return jar(
        folder,
        Map.of(
            "Fact",
            Map.of(
                "List.of(FactColumn.PENDING_READS)",
                "List.of(FactColumn.PENDING_READS, FactColumn.COMPLETED_READS)",
                "FactColumn.SERVICE_TIME,\n"
                    + "              FactColumn.SERVICE_TIME_SMALL,\n"
                    + "              FactColumn.SERVICE_TIME_LARGE",
                "FactColumn.SERVICE_TIME",
                "Fact(5, \"slowness\"",
                "Fact(99, \"slowness\"")));
  }

  /**
   * Compiles classes of {@code policy.facts} with other words in their sources.
   *
   * @param changes for each class its replacements
   */
  private static Path jar(Path folder, Map<String, Map<String, String>> changes) {
    try {
      Path sources = Files.createDirectories(folder.resolve("sources"));
      Path classes = Files.createDirectories(folder.resolve("classes"));
      List<Path> changed = new ArrayList<>();
      for (Map.Entry<String, Map<String, String>> change : changes.entrySet()) {
        String file = change.getKey() + ".java";
        String text = Files.readString(FACTS.resolve(file));
        for (Map.Entry<String, String> words : change.getValue().entrySet()) {
          if (!text.contains(words.getKey())) {
            throw new IllegalStateException(file + " has no " + words.getKey());
          }
          text = text.replace(words.getKey(), words.getValue());
        }
        changed.add(Files.writeString(sources.resolve(file), text));
      }
      compile(changed, classes);
      return copy(classes, folder.resolve("manx-other.jar"));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void compile(List<Path> sources, Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      String plugin = ManxHome.find().pluginJar().toString();
      List<String> options =
          List.of("--release", "17", "-proc:none", "-cp", plugin, "-d", classes.toString());
      var units = files.getJavaFileObjectsFromPaths(sources);
      if (!compiler.getTask(null, files, null, options, null, units).call()) {
        throw new IllegalStateException("the changed sources do not compile");
      }
    }
  }

  private static Path copy(Path classes, Path target) throws IOException {
    try (JarFile plugin = new JarFile(ManxHome.find().pluginJar().toFile());
        OutputStream file = Files.newOutputStream(target);
        JarOutputStream out = new JarOutputStream(file)) {
      for (JarEntry entry : Collections.list(plugin.entries())) {
        out.putNextEntry(new JarEntry(entry.getName()));
        Path other = classes.resolve(entry.getName());
        if (!entry.isDirectory() && Files.exists(other)) {
          Files.copy(other, out);
        } else {
          try (InputStream in = plugin.getInputStream(entry)) {
            in.transferTo(out);
          }
        }
        out.closeEntry();
      }
    }
    return target;
  }
}
