/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.RootPom;
import dev.manx.local.cluster.ManxHome;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A stranger builds the examples of docs/embed/client.md with the {@code pom.xml} shown there,
 * apart from this build, from the artifacts that it has made. Its programs need a core, so it takes
 * turns with the tests that boot nodes.
 */
@Tag("e2e")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(GuideEndToEndTest.ARTIFACTS_OF_THIS_BUILD)
@ResourceLock(OwnNodes.LOCK)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class GuideEndToEndTest {
  /** Their files are read by one test and may be written again by another. */
  static final String ARTIFACTS_OF_THIS_BUILD = "the artifacts of this build";

  private static final Path ROOT = ManxHome.find().root();
  private static final List<String> ARTIFACTS = List.of("policy", "shares", "client");
  private static final String VERSION = RootPom.version();

  /** One of the thirty services is down, so its part has a substitute. */
  private static final String PAGE_OF_30 =
      """
      package dev.manx.examples;

      import dev.manx.client.Loader;
      import java.time.Duration;
      import java.util.LinkedHashMap;
      import java.util.List;
      import java.util.Map;
      import java.util.stream.Collectors;

      class PageOf30 {
        public static void main(String[] none) {
          Map<String, Loader.Blocking<Integer, String>> services = new LinkedHashMap<>();
          for (int i = 0; i < 29; i++) {
            String text = "text " + i + "/";
            services.put(
                "service" + i,
                ids -> ids.stream().collect(Collectors.toMap(id -> id, id -> text + id)));
          }
          services.put(
              "broken",
              ids -> {
                throw new IllegalStateException("down");
              });
          try (ManyBackends page = new ManyBackends(services)) {
            System.out.println(page.page(List.of(7), Duration.ofMinutes(1)));
          }
        }
      }
      """;

  @TempDir Path folder;

  @Test
  void theExamplesBuildAndRun() throws Exception {
    String guide = Files.readString(ROOT.resolve("docs/embed/client.md"));
    Matcher pom =
        Pattern.compile("```xml\n(<project.*?</project>)\n", Pattern.DOTALL).matcher(guide);
    assertThat(pom.find()).as("the guide has a pom.xml").isTrue();
    Files.writeString(folder.resolve("pom.xml"), pom.group(1));
    Path source = Files.createDirectories(folder.resolve("src/main/java/dev/manx/examples"));
    Path examples = ROOT.resolve("examples/fanout-app/src/main/java/dev/manx/examples");
    for (String example : List.of("QuickStart.java", "ManyBackends.java")) {
      Files.copy(examples.resolve(example), source.resolve(example));
    }
    Files.writeString(
        source.resolve("Page.java"),
        "package dev.manx.examples; class Page {"
            + " public static void main(String[] none) { System.out.println(QuickStart.page()); } }");
    Files.writeString(source.resolve("PageOf30.java"), PAGE_OF_30);
    publish();
    Path local = folder.resolve("local");
    run(
        ROOT.resolve("mvnw").toString(),
        "-q",
        "-B",
        "-s",
        settings().toString(),
        "-Dmaven.repo.local=" + local,
        "-f",
        folder.resolve("pom.xml").toString(),
        "compile");
    String jars = jars(local);
    assertThat(java("Page", jars)).contains("ADA hears").contains("song 7").contains("song 9");
    String page = java("PageOf30", jars);
    for (int service = 0; service < 29; service++) {
      assertThat(page).contains("service" + service + "={7=text " + service + "/7}");
    }
    assertThat(page).contains("broken={7=not available}");
  }

  private String java(String main, String jars) throws Exception {
    return run(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        folder.resolve("target/classes") + File.pathSeparator + jars,
        "dev.manx.examples." + main);
  }

  /** lettuce and the driver bring different patch levels of Netty, which must not be mixed. */
  @ParameterizedTest
  @MethodSource("orders")
  void anApplicationWithRedisAndCassandraHasOneNetty(String first, String second) throws Exception {
    publish("manx", ROOT.resolve("pom.xml"));
    for (String module : List.of("policy", "shares", "client", first, second)) {
      publish("manx-" + module, ROOT.resolve(module).resolve("pom.xml"));
    }
    Files.writeString(
        folder.resolve("pom.xml"),
        """
        <project>
          <modelVersion>4.0.0</modelVersion>
          <groupId>shop</groupId>
          <artifactId>shop</artifactId>
          <version>1</version>
          <dependencies>%s%s</dependencies>
        </project>
        """
            .formatted(dependency(first), dependency(second)));
    String tree =
        run(
            ROOT.resolve("mvnw").toString(),
            "-B",
            "-s",
            settings().toString(),
            "-Dmaven.repo.local=" + folder.resolve("local"),
            "-f",
            folder.resolve("pom.xml").toString(),
            "-Dincludes=io.netty",
            RootPom.plugin("maven-dependency-plugin") + ":tree");
    assertThat(
            Pattern.compile("io\\.netty:(netty-[a-z-]+):jar:([0-9A-Za-z.]+):")
                .matcher(tree)
                .results())
        .as(tree)
        .hasSizeGreaterThan(4)
        .allMatch(netty -> netty.group(2).equals(RootPom.property("netty.version")));
  }

  /** Of two equally near dependencies, Maven takes the first. */
  static Stream<Arguments> orders() {
    Arguments usual = Arguments.of("client-redis", "client-cassandra");
    return "1".equals(System.getenv("MANX_FULL"))
        ? Stream.of(usual, Arguments.of("client-cassandra", "client-redis"))
        : Stream.of(usual);
  }

  private static String dependency(String module) {
    return """
        <dependency><groupId>dev.manx</groupId><artifactId>manx-%s</artifactId>\
        <version>%s</version></dependency>"""
        .formatted(module, VERSION);
  }

  @Test
  void everyJarHasItsLicence() throws IOException {
    for (String module : RootPom.ownModules()) {
      Path target = ROOT.resolve(module).resolve("target");
      List<Path> jars;
      try (Stream<Path> files = Files.list(target)) {
        jars =
            files
                .filter(file -> name(file).startsWith("manx-"))
                .filter(file -> name(file).contains(VERSION) && name(file).endsWith(".jar"))
                .toList();
      }
      assertThat(jars).as(module).isNotEmpty();
      for (Path jar : jars) {
        try (JarFile entries = new JarFile(jar.toFile())) {
          assertThat(entries.getEntry("META-INF/LICENSE")).as(jar.toString()).isNotNull();
          assertThat(entries.getEntry("META-INF/NOTICE")).as(jar.toString()).isNotNull();
        }
      }
    }
  }

  /** Otherwise a second build would shade the shaded jar, and ship the policies of the first. */
  @Test
  void thePluginIsShadedFromAJarWithoutPolicies() throws IOException {
    Path target = ROOT.resolve("cassandra/target");
    try (JarFile own =
            new JarFile(target.resolve("original-manx-cassandra-" + VERSION + ".jar").toFile());
        JarFile plugin = new JarFile(ManxHome.find().pluginJar().toFile())) {
      assertThat(own.stream()).noneMatch(entry -> entry.getName().startsWith("dev/manx/policy/"));
      assertThat(plugin.stream()).anyMatch(entry -> entry.getName().startsWith("dev/manx/policy/"));
    }
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  /** The artifacts as a repository of files. */
  private void publish() throws IOException {
    publish("manx", ROOT.resolve("pom.xml"));
    for (String module : ARTIFACTS) {
      Path to = publish("manx-" + module, ROOT.resolve(module).resolve("pom.xml"));
      String jar = "manx-" + module + "-" + VERSION + ".jar";
      Files.copy(ROOT.resolve(module).resolve("target").resolve(jar), to.resolve(jar));
    }
  }

  private Path publish(String artifact, Path pom) throws IOException {
    Path to = folder.resolve("published/dev/manx").resolve(artifact).resolve(VERSION);
    Files.createDirectories(to);
    Files.copy(pom, to.resolve(artifact + "-" + VERSION + ".pom"));
    return to;
  }

  /** All other artifacts come from this build's downloads, so that no network is needed. */
  private Path settings() throws IOException {
    String downloaded =
        Path.of(
                System.getProperty(
                    "maven.repo.local", System.getProperty("user.home") + "/.m2/repository"))
            .toUri()
            .toString();
    String published = folder.resolve("published").toUri().toString();
    return Files.writeString(
        folder.resolve("settings.xml"),
        "<settings><mirrors><mirror><id>downloaded</id><mirrorOf>*,!published</mirrorOf><url>"
            + downloaded
            + "</url></mirror></mirrors><profiles><profile><id>p</id><repositories><repository>"
            + "<id>published</id><url>"
            + published
            + "</url></repository></repositories></profile></profiles>"
            + "<activeProfiles><activeProfile>p</activeProfile></activeProfiles></settings>");
  }

  private static String jars(Path repository) throws IOException {
    try (Stream<Path> files = Files.walk(repository)) {
      return files
          .map(Path::toString)
          .filter(file -> file.endsWith(".jar"))
          .collect(Collectors.joining(File.pathSeparator));
    }
  }

  private String run(String... command) throws Exception {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(4, TimeUnit.MINUTES)).as("ends within 4 min").isTrue();
      assertThat(process.exitValue()).as(Files.readString(output)).isZero();
      return Files.readString(output);
    } finally {
      process.destroyForcibly();
    }
  }
}
