/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The project {@code examples/own-policy}, compiled against the plugin's jar. */
final class OwnPolicy {
  static final Path PROJECT = ManxHome.find().root().resolve("examples/own-policy");

  private OwnPolicy() {}

  /** Compiles its sources and writes a jar, all that a third party would provide. */
  static Path jar(Path folder) {
    try {
      Files.createDirectories(folder);
      Path classes = Files.createDirectories(folder.resolve("classes"));
      compile(files(PROJECT.resolve("src/main/java")), classes);
      Path jar = folder.resolve("own-policy.jar");
      try (OutputStream out = Files.newOutputStream(jar);
          JarOutputStream entries = new JarOutputStream(out)) {
        add(entries, classes);
        add(entries, PROJECT.resolve("src/main/resources"));
      }
      return jar;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void compile(List<Path> sources, Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of(
              "--release",
              "17",
              "-proc:none",
              "-cp",
              ManxHome.find().pluginJar().toString(),
              "-d",
              classes.toString());
      var units = files.getJavaFileObjectsFromPaths(sources);
      if (!compiler.getTask(null, files, null, options, null, units).call()) {
        throw new IllegalStateException("examples/own-policy does not compile");
      }
    }
  }

  private static void add(JarOutputStream jar, Path folder) throws IOException {
    for (Path file : files(folder)) {
      jar.putNextEntry(new JarEntry(folder.relativize(file).toString()));
      Files.copy(file, jar);
      jar.closeEntry();
    }
  }
}
