/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import dev.manx.load.connect.FileReasons;
import dev.manx.policy.config.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folders of a Cassandra that is not running, or is running without Manx.
 *
 * @param home a tarball's folder, or {@code /usr/share/cassandra} of a package
 * @param conf its configuration
 * @param java the Java that starts it; empty for the one on the path
 * @param config its manx.yaml, if neither its files nor the environment name it
 * @param extraOptions JVM options that the environment adds to those of its files
 */
record CassandraHome(
    Path home, Path conf, Optional<Path> java, Optional<Path> config, String extraOptions) {
  // An RPM has a folder conf in the one of a Debian package.
  private static final List<Path> OF_PACKAGES =
      List.of(Path.of("/etc/cassandra"), Path.of("/etc/cassandra/conf"));
  private static final String YAML = "cassandra.yaml";
  static final String SCRIPT = "cassandra-env.sh";

  // A pattern of a case statement has a star, and other variables are unknown here.
  private static final Pattern NAMED_JAR = Pattern.compile("[^\\s:;\"'=*$]+\\.jar(?![^\\s:;\"')])");

  /**
   * Finds the folders.
   *
   * @param conf null for the default
   * @param java null for the default
   * @param config null for the one named by its options
   * @throws ConfigException if one is missing
   */
  static CassandraHome at(Path home, Path conf, Path java, Path config) {
    return at(home, conf, java, config, OF_PACKAGES);
  }

  /**
   * @param ofPackages folders of configuration outside of the home
   */
  static CassandraHome at(Path home, Path conf, Path java, Path config, List<Path> ofPackages) {
    if (!Files.isDirectory(home)) {
      throw new ConfigException("command line", 0, "--home", home.toString(), "a Cassandra folder");
    }
    Path found = conf != null ? conf : conf(home, ofPackages);
    if (!Files.isDirectory(found)) {
      throw new ConfigException(
          "command line", 0, "--conf", found.toString(), "a folder that contains " + YAML);
    }
    String variable = System.getenv("JAVA_HOME");
    Optional<Path> runs =
        java != null
            ? Optional.of(java)
            : Optional.ofNullable(variable).filter(one -> !one.isBlank()).map(Path::of);
    String extra = System.getenv("JVM_EXTRA_OPTS");
    return new CassandraHome(
        home, found, runs, Optional.ofNullable(config), extra == null ? "" : extra);
  }

  /** The first folder with a cassandra.yaml; without one, the first folder. */
  private static Path conf(Path home, List<Path> ofPackages) {
    List<Path> folders = new ArrayList<>(List.of(home.resolve("conf")));
    folders.addAll(ofPackages);
    folders.removeIf(folder -> !Files.isDirectory(folder));
    if (folders.isEmpty()) {
      throw new ConfigException(
          "command line",
          0,
          "--home",
          home.toString(),
          "a Cassandra folder; this one has no folder conf, and there is no "
              + ofPackages.get(0)
              + " (--conf names another)");
    }
    return folders.stream()
        .filter(folder -> Files.isRegularFile(folder.resolve(YAML)))
        .findFirst()
        .orElse(folders.get(0));
  }

  /** Whether its configuration has a {@code cassandra.yaml}. */
  boolean hasYaml() {
    return Files.isRegularFile(conf.resolve(YAML));
  }

  /** The files on its class path that match a pattern such as {@code manx-cassandra-*.jar}. */
  List<Path> jars(String pattern) {
    List<Path> jars = new ArrayList<>();
    for (Path folder : List.of(home.resolve("lib"), home)) {
      if (Files.isDirectory(folder)) {
        jars.addAll(files(folder, pattern));
      }
    }
    PathMatcher named = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    for (Path jar : jarsOfScript()) {
      if (named.matches(jar.getFileName()) && jars.stream().noneMatch(one -> isSame(one, jar))) {
        jars.add(jar);
      }
    }
    return jars;
  }

  /** The existing jars that the script of the environment names, usually in CLASSPATH. */
  private List<Path> jarsOfScript() {
    Path script = conf.resolve(SCRIPT);
    List<Path> jars = new ArrayList<>();
    for (String line : Files.isRegularFile(script) ? lines(script) : List.<String>of()) {
      if (line.strip().startsWith("#")) {
        continue;
      }
      String known =
          line.replaceAll("\\$\\{?CASSANDRA_HOME}?", Matcher.quoteReplacement(home.toString()))
              .replaceAll("\\$\\{?CASSANDRA_CONF}?", Matcher.quoteReplacement(conf.toString()));
      Matcher jar = NAMED_JAR.matcher(known);
      while (jar.find()) {
        Path path = Path.of(jar.group());
        if (Files.isRegularFile(path)) {
          jars.add(path);
        }
      }
    }
    return jars;
  }

  private static boolean isSame(Path one, Path other) {
    return one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
  }

  /**
   * The lines of a file. A comment may be in another encoding than UTF-8.
   *
   * @throws ConfigException if it cannot be read
   */
  static List<String> lines(Path file) {
    try {
      return text(file).lines().toList();
    } catch (IOException e) {
      throw ConfigException.unreadable(file.toString(), FileReasons.why(e));
    }
  }

  /** The text of {@code cassandra.yaml}; empty if it cannot be read, which Cassandra reports. */
  String yaml() {
    try {
      return text(conf.resolve(YAML));
    } catch (IOException e) {
      return "";
    }
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  /**
   * The existing configuration files from which a server reads its JVM options, in the order in
   * which it reads them.
   *
   * @param javaMajor of the Java that starts it
   */
  List<Path> optionFiles(int javaMajor) {
    String ofJava = javaMajor >= 17 ? "jvm17-server.options" : "jvm11-server.options";
    return Stream.of("jvm-server.options", ofJava, SCRIPT)
        .map(conf::resolve)
        .filter(Files::isRegularFile)
        .toList();
  }

  private static List<Path> files(Path folder, String pattern) {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, pattern)) {
      found.forEach(files::add);
    } catch (IOException e) {
      throw ConfigException.unreadable(folder.toString(), FileReasons.why(e));
    }
    Collections.sort(files);
    return files;
  }

  /** The command that starts Java. */
  String javaCommand() {
    return java.map(folder -> folder.resolve("bin/java").toString()).orElse("java");
  }
}
