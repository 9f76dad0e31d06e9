/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.manx.lab.RootPom;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The modules of the project and their compiled classes. */
final class Modules {
  static final List<String> NAMES = RootPom.ownModules();

  /** The client's thin modules, and the libraries that only they use. */
  static final Map<String, List<String>> THIN =
      Map.of(
          "client-testkit", List.of("org.junit..", "org.assertj.."),
          "client-redis", List.of("io.lettuce..", "io.netty..", "reactor.."),
          "client-memcached", List.of("net.rubyeye..", "com.google.code.yanf4j.."),
          "client-cassandra", List.of("com.datastax.."),
          "client-opentelemetry", List.of("io.opentelemetry.."),
          "client-reactor", List.of("reactor.."),
          "client-spring-boot-starter", List.of("org.springframework..", "io.micrometer.."));

  static final JavaClasses CLASSES = load();

  private Modules() {}

  /** From the compiled folders, to include the plugin, on which this module does not depend. */
  private static JavaClasses load() {
    Path root = ManxHome.find().root();
    List<Path> folders =
        NAMES.stream().map(module -> root.resolve(module).resolve("target/classes")).toList();
    return new ClassFileImporter().importPaths(folders);
  }

  /** The package of a module; that of {@code client-redis} is {@code dev.manx.client.redis}. */
  static String packageOf(String module) {
    return "dev.manx." + module.replace("-boot-starter", "").replace('-', '.');
  }

  /** The Java files in a folder of a module. */
  static List<Path> javaFiles(String module, String folder) throws IOException {
    try (Stream<Path> files = Files.walk(ManxHome.find().root().resolve(module).resolve(folder))) {
      return files.filter(one -> one.toString().endsWith(".java")).toList();
    }
  }
}
