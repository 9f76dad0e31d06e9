/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.local.cluster.ManxHome;
import dev.manx.local.cluster.NodeJava;
import dev.manx.local.cluster.NodeRuntime;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/** Nodes of other versions, as {@code cassandra/other-versions/fetch} brings them, or altered. */
final class OtherCassandra {
  static final boolean FULL = "1".equals(System.getenv("MANX_FULL"));

  /** The version that Manx is built for. */
  static final String OWN = "5.0.9";

  private static final Path ROOT = ManxHome.find().root();
  private static final Path FETCHED = ROOT.resolve(".manx/other-versions");

  /** Names of keys of cassandra.yaml before 4.1. */
  static final Map<String, String> YAML_4_0 =
      Map.ofEntries(
          Map.entry("commitlog_sync_period", ""),
          Map.entry("commitlog_sync_period_in_ms", "10000"),
          Map.entry("read_request_timeout", ""),
          Map.entry("write_request_timeout", ""),
          Map.entry("counter_write_request_timeout", ""),
          Map.entry("cas_contention_timeout", ""),
          Map.entry("key_cache_size", ""),
          Map.entry("row_cache_size", ""),
          Map.entry("counter_cache_size", ""),
          Map.entry("file_cache_size", ""),
          Map.entry("file_cache_size_in_mb", "32"),
          Map.entry("networking_cache_size", ""),
          Map.entry("networking_cache_size_in_mb", "64"),
          Map.entry("memtable_offheap_space", ""),
          Map.entry("memtable_heap_space", ""));

  private OtherCassandra() {}

  /**
   * A version on a release of Java.
   *
   * @param java 11, or that of all other nodes
   */
  static NodeRuntime of(String version, int java) {
    Path classpath =
        version.equals(OWN)
            ? ROOT.resolve("cassandra/target/node.classpath")
            : FETCHED.resolve(version + ".classpath");
    Path home = java == 11 ? FETCHED.resolve("java-11") : NodeJava.home().orElseThrow();
    for (Path needed : new Path[] {classpath, home.resolve("bin/java")}) {
      assertThat(needed).as("run cassandra/other-versions/fetch first").exists();
    }
    return new NodeRuntime(classpath, home);
  }

  /** This version with one class that has lost all methods of a name. */
  static NodeRuntime without(Path folder, String type, String method) throws IOException {
    return altered(
        folder,
        type,
        written ->
            new ClassVisitor(Opcodes.ASM9, written) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String types, String generic, String[] thrown) {
                return name.equals(method)
                    ? null
                    : super.visitMethod(access, name, types, generic, thrown);
              }
            });
  }

  /** This version with one class in which a field has another name. */
  static NodeRuntime renamed(Path folder, String type, String field) throws IOException {
    return altered(
        folder,
        type,
        written ->
            new ClassRemapper(
                written,
                new Remapper() {
                  @Override
                  public String mapFieldName(String owner, String name, String types) {
                    boolean it = owner.equals(type.replace('.', '/')) && name.equals(field);
                    return it ? field + "Moved" : name;
                  }
                }));
  }

  private static NodeRuntime altered(Path folder, String type, UnaryOperator<ClassVisitor> change)
      throws IOException {
    NodeRuntime own = of(OWN, 17);
    String stock = ManxHome.find().cassandraClasspath();
    String jar =
        Stream.of(stock.split(File.pathSeparator, -1))
            .filter(entry -> entry.endsWith("cassandra-all-" + OWN + ".jar"))
            .findFirst()
            .orElseThrow();
    String entry = type.replace('.', '/') + ".class";
    try (JarFile classes = new JarFile(jar);
        InputStream in = classes.getInputStream(classes.getEntry(entry))) {
      ClassWriter written = new ClassWriter(0);
      new ClassReader(in).accept(change.apply(written), 0);
      Path file = folder.resolve("classes").resolve(entry);
      Files.createDirectories(file.getParent());
      Files.write(file, written.toByteArray());
    }
    Path classpath = folder.resolve("altered.classpath");
    Files.writeString(classpath, folder.resolve("classes") + File.pathSeparator + stock);
    return new NodeRuntime(classpath, own.java());
  }
}
