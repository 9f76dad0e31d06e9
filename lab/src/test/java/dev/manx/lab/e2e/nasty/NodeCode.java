/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e.nasty;

import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.spi.PolicyProvider;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A jar for nodes with a clock that can be stepped and a policy that sends garbage. Both use
 * Cassandra's classes, which are not visible to tests, so they are resources, compiled against the
 * nodes' classes.
 */
public final class NodeCode {
  private static final Path SOURCES = Path.of("src/test/resources/nasty");

  private NodeCode() {}

  /** Compiles them and writes the jar. */
  public static Path jar(Path folder) {
    ManxHome home = ManxHome.find();
    try {
      Path classes = Files.createDirectories(folder.resolve("classes"));
      compile(home, classes);
      Path jar = folder.resolve("node-code.jar");
      try (OutputStream out = Files.newOutputStream(jar);
          JarOutputStream entries = new JarOutputStream(out)) {
        for (Path file : files(classes)) {
          entries.putNextEntry(new JarEntry(classes.relativize(file).toString()));
          Files.copy(file, entries);
          entries.closeEntry();
        }
        entries.putNextEntry(new JarEntry("META-INF/services/" + PolicyProvider.class.getName()));
        entries.write("nasty.Garbling".getBytes(StandardCharsets.UTF_8));
        entries.closeEntry();
      }
      return jar;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void compile(ManxHome home, Path classes) throws IOException {
    String published = home.cassandraClasspath();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of(
              "--release",
              "17",
              "-proc:none",
              "-cp",
              published + File.pathSeparator + home.pluginJar(),
              "-d",
              classes.toString());
      var units =
          files.getJavaFileObjectsFromPaths(files(home.root().resolve("lab").resolve(SOURCES)));
      if (!compiler.getTask(null, files, null, options, null, units).call()) {
        throw new IllegalStateException(SOURCES + " does not compile");
      }
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }
}
