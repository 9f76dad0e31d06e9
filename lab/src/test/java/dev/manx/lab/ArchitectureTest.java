/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.manx.lab.cluster.ManxHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The house as docs and design draw it: who may know whom, and what is banned where. */
class ArchitectureTest {
  private static final List<String> MODULES =
      List.of(
          "policy",
          "shares",
          "workload",
          "simulator",
          "cassandra",
          "client",
          "client-testkit",
          "client-redis",
          "client-memcached",
          "client-cassandra",
          "client-opentelemetry",
          "client-reactor",
          "client-spring-boot-starter",
          "load",
          "contention",
          "operate",
          "lab");

  /** The client's thin modules, and the libraries that only they see. */
  private static final Map<String, List<String>> THIN_MODULES =
      Map.of(
          "client-testkit", List.of("org.junit..", "org.assertj.."),
          "client-redis", List.of("io.lettuce..", "io.netty..", "reactor.."),
          "client-memcached", List.of("net.rubyeye..", "com.google.code.yanf4j.."),
          "client-cassandra", List.of("com.datastax.."),
          "client-opentelemetry", List.of("io.opentelemetry.."),
          "client-reactor", List.of("reactor.."),
          "client-spring-boot-starter", List.of("org.springframework..", "io.micrometer.."));

  private static final JavaClasses ALL = load();

  /** Words of tests that start a cache server, a storage engine, a browser, squeezed workers. */
  private static final List<String> STARTERS =
      List.of(
          "CacheServer.start",
          "CacheServer.Kind",
          "DriverRun.",
          "new Crew(",
          "Chromium.",
          "IdleKind.read",
          "new IdleTurn(",
          "CacheLiveKind.read",
          "ThreeNodes");

  /** Words of tests that boot nodes where {@code ./manx} boots its own. */
  private static final List<String> BOOTERS =
      List.of(
          "LocalCluster.start",
          "OneNode.boot",
          "MixedNodes.boot",
          "TwoDatacenters.boot",
          "ClusterKind.booted",
          "CacheLiveKind.read");

  private static final List<String> STARTS_SOMETHING =
      List.of("@Tag(\"e2e\")", "@OwnNodes", "@SharedNodes", "@Tag(\"engines\")");

  /** From the compiled folders, so that the plugin is seen though nothing here depends on it. */
  private static JavaClasses load() {
    Path root = ManxHome.find().root();
    List<Path> folders =
        MODULES.stream().map(module -> root.resolve(module).resolve("target/classes")).toList();
    return new ClassFileImporter().importPaths(folders);
  }

  @Test
  void everyModuleWasLoaded() {
    for (String module : MODULES) {
      assertThat(ALL.stream().filter(c -> c.getPackageName().startsWith(packageOf(module))))
          .as("classes of module %s; build all modules first", module)
          .isNotEmpty();
    }
  }

  /** The package of a module; that of {@code client-redis} is {@code dev.manx.client.redis}. */
  private static String packageOf(String module) {
    return "dev.manx." + module.replace("-boot-starter", "").replace('-', '.');
  }

  private static void onlyKnows(String module, String... others) {
    List<String> banned =
        MODULES.stream()
            .filter(other -> !THIN_MODULES.containsKey(other))
            .filter(other -> !other.equals(module) && !List.of(others).contains(other))
            .map(other -> "dev.manx." + other + "..")
            .toList();
    noClasses()
        .that()
        .resideInAPackage("dev.manx." + module + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(banned.toArray(String[]::new))
        .check(ALL);
  }

  @Test
  void modulesDependInOneDirection() {
    onlyKnows("policy");
    onlyKnows("shares", "policy");
    onlyKnows("workload");
    onlyKnows("simulator", "policy", "shares", "workload");
    onlyKnows("cassandra", "policy");
    onlyKnows("client", "policy", "shares");
    onlyKnows("load", "workload");
    onlyKnows("contention", "policy", "workload");
    onlyKnows("operate", "policy", "load");
    onlyKnows(
        "lab",
        "policy",
        "shares",
        "workload",
        "simulator",
        "client",
        "load",
        "contention",
        "operate");
  }

  @Test
  void onlyThePluginSeesCassandrasServer() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.manx.cassandra..")
        .should()
        .dependOnClassesThat(resideInAPackage("org.apache.cassandra.."))
        .check(ALL);
  }

  /** What an application with a heap cache needs: no more libraries than these. */
  @Test
  void theClientsCoreIsSlim() {
    String metrics = "dev.manx.client.metrics..";
    List<String> thin = THIN_MODULES.keySet().stream().map(m -> packageOf(m) + "..").toList();
    List<String> libraries =
        List.of(
            "java..",
            "dev.manx.client..",
            "dev.manx.policy..",
            "dev.manx.shares..",
            "com.github.benmanes.caffeine..",
            "org.slf4j..");
    DescribedPredicate<JavaClass> known =
        resideInAnyPackage(libraries.toArray(String[]::new))
            .and(not(resideInAnyPackage(thin.toArray(String[]::new))));
    classes()
        .that()
        .resideInAPackage("dev.manx.client..")
        .and()
        .resideOutsideOfPackages(thin.toArray(String[]::new))
        .and()
        .resideOutsideOfPackage(metrics)
        .should()
        .onlyDependOnClassesThat(known)
        .check(ALL);
    classes()
        .that()
        .resideInAPackage(metrics)
        .should()
        .onlyDependOnClassesThat(known.or(resideInAPackage("io.micrometer..")))
        .check(ALL);
  }

  /** A dependency costs its user a jar, even one that no class uses. */
  @Test
  void theClientsCoreBringsFewJars() throws IOException {
    String pom = Files.readString(ManxHome.find().root().resolve("client/pom.xml"));
    assertThat(
            Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL)
                .matcher(pom)
                .results()
                .map(one -> one.group(1))
                .filter(one -> !one.contains("<scope>test</scope>"))
                .filter(one -> !one.contains("<optional>true</optional>"))
                .map(one -> one.replaceAll("(?s).*<artifactId>(.*?)</artifactId>.*", "$1")))
        .containsExactlyInAnyOrder("manx-policy", "manx-shares", "caffeine", "slf4j-api");
  }

  @Test
  void theClientsThinModulesSeeTheCoreAndTheirLibrary() {
    THIN_MODULES.forEach(
        (module, libraries) -> {
          String own = packageOf(module) + "..";
          List<String> banned = new ArrayList<>();
          THIN_MODULES.forEach(
              (other, theirs) -> {
                if (!other.equals(module)) {
                  banned.add(packageOf(other) + "..");
                  banned.addAll(theirs);
                }
              });
          // Two may need the same library.
          banned.removeAll(libraries);
          noClasses()
              .that()
              .resideInAPackage(own)
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(banned.toArray(String[]::new))
              .check(ALL);
        });
  }

  /** Else the jars would not work on a module path. */
  @Test
  void noPackageIsInTwoModules() throws IOException {
    Map<String, String> modules = new HashMap<>();
    for (String module : MODULES) {
      Path classes = ManxHome.find().root().resolve(module + "/target/classes");
      try (Stream<Path> files = Files.walk(classes)) {
        for (Path file : files.filter(one -> one.toString().endsWith(".class")).toList()) {
          String folder = classes.relativize(file.getParent()).toString();
          assertThat(modules.merge(folder, module, (one, other) -> one))
              .as("the module of %s, which is in %s too", folder, module)
              .isEqualTo(module);
        }
      }
    }
  }

  @Test
  void thePluginNeedsOnlyWhatEveryNodeHas() {
    classes()
        .that()
        .resideInAPackage("dev.manx.cassandra..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                "java..",
                "javax.management..",
                "dev.manx.cassandra..",
                "dev.manx.policy..",
                "org.apache.cassandra..",
                "org.slf4j..",
                "com.codahale.metrics..",
                "com.google.common..",
                "io.netty.util..",
                "com.sun.management.."))
        .check(ALL);
  }

  @Test
  void policiesLiveInModulePolicy() {
    for (String spi :
        List.of(
            "dev.manx.policy.select.Selector",
            "dev.manx.policy.order.Order",
            "dev.manx.policy.fanout.FanoutPlanner")) {
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.manx.policy..")
          .should()
          .implement(spi)
          .check(ALL);
    }
  }

  @Test
  void simulatedCodeHasNoClockAndNoGlobalRandomness() {
    DescribedPredicate<JavaAccess<?>> banned =
        new DescribedPredicate<>("a clock or global randomness") {
          @Override
          public boolean test(JavaAccess<?> access) {
            JavaClass owner = access.getTargetOwner();
            String name = access.getTarget().getName();
            return owner.isEquivalentTo(System.class)
                    && (name.equals("nanoTime") || name.equals("currentTimeMillis"))
                || owner.isEquivalentTo(ThreadLocalRandom.class)
                || owner.isEquivalentTo(Math.class) && name.equals("random");
          }
        };
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.manx.policy..", "dev.manx.shares..", "dev.manx.workload..", "dev.manx.simulator..")
        .and()
        .doNotHaveFullyQualifiedName("dev.manx.simulator.Meter")
        .should()
        .accessTargetWhere(banned)
        .check(ALL);
  }

  @Test
  void policiesDoNoInputAndOutput() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.manx.policy..", "dev.manx.shares..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("java.net..", "java.nio.file..", "java.nio.channels.."))
        .check(ALL);
  }

  @Test
  void onlyTheCommandLineWritesToTheTerminal() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.manx.lab.cli..")
        // the plugin's own command: what java -jar of it prints
        .and()
        .doNotHaveFullyQualifiedName("dev.manx.cassandra.boot.ConfigCheck")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(ALL);
  }

  /** Page and terminal show a report.json, not the objects behind it. */
  @Test
  void reportsAreShownFromTheFileAlone() {
    String render = "dev.manx.lab.report.render..";
    noClasses()
        .that()
        .resideInAPackage(render)
        .should()
        .dependOnClassesThat(resideInAPackage("dev.manx..").and(not(resideInAPackage(render))))
        .check(ALL);
  }

  /** Threads wait for each other by {@code policy.idle}, which starves no thread. */
  @Test
  void onlyPolicyIdleSpinsOrYields() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.manx.policy.idle..")
        // waits for a time, not for a thread: yields away the last 100 us before it
        .and()
        .doNotHaveFullyQualifiedName("dev.manx.load.Pacer$1")
        .should()
        .callMethod(Thread.class, "onSpinWait")
        .orShould()
        .callMethod(Thread.class, "yield")
        .check(ALL);
  }

  /** A sleep in a loop is a poll as well; those that sleep for another reason stand here. */
  @Test
  void sleepingThreadsDoNotWaitForOurs() {
    List<String> sleepers =
        List.of(
            "dev.manx.load.Pacer$1", // until the next request is due
            "dev.manx.load.NodeAdmin", // until a cut connection may be back
            "dev.manx.cassandra.lab.ServiceModel", // the modelled service time
            "dev.manx.cassandra.boot.Timer", // between two ticks
            "dev.manx.cassandra.copy.CopyTimer", // until the next read may be late
            "dev.manx.cassandra.hold.HoldTimer", // until the next read is due
            "dev.manx.cassandra.record.LogFile", // between two looks at its buffer
            "dev.manx.operate.log.LogFetcher", // so as not to take more of a node than it may
            "dev.manx.contention.squeeze.GuardMain", // while it looks who is busy
            "dev.manx.contention.squeeze.Target", // the same
            "dev.manx.operate.warm.WarmCommand", // until the next look
            "dev.manx.operate.top.TopCommand"); // the same
    DescribedPredicate<JavaAccess<?>> sleeps =
        new DescribedPredicate<>("a sleep of its own") {
          @Override
          public boolean test(JavaAccess<?> access) {
            JavaClass owner = access.getTargetOwner();
            String name = access.getTarget().getName();
            return name.equals("sleep")
                    && (owner.isEquivalentTo(Thread.class) || owner.isEquivalentTo(TimeUnit.class))
                || owner.isEquivalentTo(LockSupport.class) && name.startsWith("park");
          }
        };
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.manx.policy.idle..", "dev.manx.lab..", "dev.manx.client..")
        .and(
            new DescribedPredicate<JavaClass>("are not named as sleepers") {
              @Override
              public boolean test(JavaClass one) {
                return !sleepers.contains(one.getName());
              }
            })
        .should()
        .accessTargetWhere(sleeps)
        .check(ALL);
  }

  /** Every result says whether the working copy had changes, because one class asks git. */
  @Test
  void onlyGitRevisionAsksGit() throws IOException {
    List<String> asking = new ArrayList<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(ManxHome.find().root().resolve(module + "/src/main"))) {
        for (Path file : files.filter(one -> one.toString().endsWith(".java")).toList()) {
          if (Files.readString(file).contains("\"git\"")) {
            asking.add(file.getFileName().toString());
          }
        }
      }
    }
    assertThat(asking).containsExactly("GitRevision.java");
  }

  /** A test that hangs must fail by its name and not hold everything up. */
  @Test
  void everyModuleLimitsTheTimeOfItsTests() throws IOException {
    Path root = ManxHome.find().root();
    List<String> modules =
        Pattern.compile("<module>(.*?)</module>")
            .matcher(Files.readString(root.resolve("pom.xml")))
            .results()
            .map(module -> module.group(1))
            .toList();
    assertThat(modules).containsAll(MODULES);
    for (String module : modules) {
      Path settings = root.resolve(module + "/src/test/resources/junit-platform.properties");
      assertThat(settings).exists();
      assertThat(Files.readString(settings))
          .as(settings.toString())
          .containsPattern("(?m)^junit\\.jupiter\\.execution\\.timeout\\.default = [0-9]+ [sm]$");
    }
  }

  /** What {@code ./test --fast} leaves out says so: tests that start processes of others. */
  @Test
  void testsThatStartEnginesAreTagged() throws IOException {
    List<String> untagged = new ArrayList<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(ManxHome.find().root().resolve(module + "/src/test"))) {
        for (Path file : files.filter(one -> one.toString().endsWith("Test.java")).toList()) {
          String text = Files.readString(file);
          boolean starts =
              STARTERS.stream().anyMatch(text::contains)
                  && !file.getFileName().toString().equals("ArchitectureTest.java");
          if (starts && STARTS_SOMETHING.stream().noneMatch(text::contains)) {
            untagged.add(file.getFileName().toString());
          }
        }
      }
    }
    assertThat(untagged).isEmpty();
  }

  /** Nodes at the same addresses never run at once: their classes share a lock. */
  @Test
  void testsThatBootNodesOfTheirOwnTakeTurns() throws IOException {
    List<String> free = new ArrayList<>();
    Path folder = ManxHome.find().root().resolve("lab/src/test/java/dev/manx/lab/e2e");
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(one -> one.toString().endsWith("EndToEndTest.java")).toList()) {
        String text = Files.readString(file);
        if (BOOTERS.stream().anyMatch(text::contains) && !text.contains("@OwnNodes")
            || text.contains("ThreeNodes fixture") && !text.contains("@SharedNodes")) {
          free.add(file.getFileName().toString());
        }
      }
    }
    assertThat(free).isEmpty();
  }
}
