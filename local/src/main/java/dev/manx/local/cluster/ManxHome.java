/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The built checkout from which the lab runs, with the plugin and the nodes' class path.
 *
 * @param root the folder with the {@code manx} script
 * @param policies a third party's jars, loaded by the nodes in addition to the plugin
 * @param pluginJar the production plugin
 * @param runtime the Cassandra and the Java of the nodes, if they differ from the lab's
 */
public record ManxHome(
    Path root, List<Path> policies, Path pluginJar, Optional<NodeRuntime> runtime) {
  /** The first version in the pom is the project's own. */
  private static final Pattern VERSION = Pattern.compile("<version>(.*?)</version>");

  /** Copies the list. */
  public ManxHome {
    policies = List.copyOf(policies);
  }

  /** Uses the plugin built here, for nodes of its Cassandra version. */
  public ManxHome(Path root, List<Path> policies) {
    this(root, policies, jar(root, ""), Optional.empty());
  }

  /** Returns this home for nodes of another version. */
  public ManxHome on(NodeRuntime other) {
    return new ManxHome(root, policies, pluginJar, Optional.of(other));
  }

  /** Returns this home with another jar of the plugin. */
  public ManxHome withPlugin(Path jar) {
    return new ManxHome(root, policies, jar, runtime);
  }

  /**
   * From the system properties {@code manx.home} and {@code manx.policies}, which the script sets;
   * otherwise the current folder and no policies.
   */
  public static ManxHome find() {
    String jars = System.getProperty("manx.policies", "");
    return new ManxHome(
        Path.of(System.getProperty("manx.home", "")).toAbsolutePath().normalize(),
        Stream.of(jars.split(File.pathSeparator, -1))
            .filter(jar -> !jar.isEmpty())
            .map(Path::of)
            .toList());
  }

  /** The folder of the nodes of {@code cluster up}. */
  public Path clusterFolder() {
    return root.resolve(".manx/cluster");
  }

  /** The model of slow storage; never installed outside the lab. */
  public Path labJar() {
    return jar(root, "-lab");
  }

  /**
   * A jar of the plugin's module, of the version in the checkout's pom.
   *
   * @throws ClusterException if the folder is not a checkout
   */
  private static Path jar(Path root, String classifier) {
    Path pom = root.resolve("pom.xml");
    try {
      Matcher version = VERSION.matcher(Files.readString(pom));
      if (version.find()) {
        String name = "manx-cassandra-" + version.group(1) + classifier + ".jar";
        return root.resolve("cassandra/target").resolve(name);
      }
    } catch (IOException e) {
      throw new ClusterException("cannot read " + pom + ": is this folder a checkout of Manx?", e);
    }
    throw new ClusterException(pom + " has no version: is this folder a checkout of Manx?");
  }

  /**
   * Class path of a node: Cassandra as published, then the plugin and the model if requested.
   *
   * @throws ClusterException if a build product is missing
   */
  String nodeClasspath(ClusterSettings settings) {
    String published =
        runtime.map(other -> classpath(other.classpath())).orElseGet(this::cassandraClasspath);
    return Stream.concat(Stream.of(published), jars(settings).stream().map(Path::toString))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * Class path of Cassandra as published, with absolute paths.
   *
   * @throws ClusterException if it has not been built
   */
  public String cassandraClasspath() {
    return classpath(root.resolve("cassandra/target/node.classpath"));
  }

  /** The class path in a file, whose entries in the checkout are relative to it. */
  private String classpath(Path file) {
    try {
      return Stream.of(Files.readString(file).trim().split(File.pathSeparator, -1))
          .map(entry -> root.resolve(entry).toString())
          .collect(Collectors.joining(File.pathSeparator));
    } catch (IOException e) {
      throw new ClusterException(
          "cannot read " + file + ": build first with ./mvnw -q -DskipTests package", e);
    }
  }

  private List<Path> jars(ClusterSettings settings) {
    List<Path> jars =
        Stream.concat(
                settings.plugin()
                    ? Stream.concat(Stream.of(pluginJar()), policies.stream())
                    : Stream.empty(),
                settings.model() != null ? Stream.of(labJar()) : Stream.empty())
            .toList();
    for (Path jar : jars) {
      if (!Files.isRegularFile(jar)) {
        throw new ClusterException(jar + " is missing: build with ./mvnw -q -DskipTests package");
      }
    }
    return jars;
  }

  /** The Java of the nodes, if found. */
  Optional<Path> nodeJava() {
    return runtime.map(NodeRuntime::java).or(NodeJava::home);
  }

  /** Cassandra's memory meter is a Java agent, as in Cassandra's start script. */
  static String memoryMeter(String classpath) {
    return Stream.of(classpath.split(File.pathSeparator, -1))
        .filter(entry -> entry.matches(".*/jamm-[^/]*\\.jar"))
        .findFirst()
        .orElseThrow(() -> new ClusterException("jamm is not on the nodes' class path"));
  }
}
