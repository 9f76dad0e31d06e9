/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.manx.lab.architecture.Modules.CLASSES;
import static dev.manx.lab.architecture.Modules.NAMES;
import static dev.manx.lab.architecture.Modules.THIN;
import static dev.manx.lab.architecture.Modules.javaFiles;
import static dev.manx.lab.architecture.Modules.packageOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The dependencies between modules, as in docs/design/house.md. */
class ArchitectureTest {
  @Test
  void everyModuleWasLoaded() {
    for (String module : NAMES) {
      assertThat(CLASSES.stream().filter(c -> c.getPackageName().startsWith(packageOf(module))))
          .as("classes of module %s; build all modules first", module)
          .isNotEmpty();
    }
  }

  private static void onlyKnows(String module, String... others) {
    List<String> banned =
        NAMES.stream()
            .filter(other -> !THIN.containsKey(other))
            .filter(other -> !other.equals(module) && !List.of(others).contains(other))
            .map(other -> "dev.manx." + other + "..")
            .toList();
    noClasses()
        .that()
        .resideInAPackage("dev.manx." + module + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(banned.toArray(String[]::new))
        .check(CLASSES);
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
    onlyKnows("local", "policy", "client", "load");
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
        "local",
        "contention",
        "operate");
  }

  private static void labOnlyKnows(String room, String... others) {
    String[] known =
        Stream.concat(Stream.of(room), Stream.of(others))
            .map(one -> "dev.manx.lab." + one + "..")
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage("dev.manx.lab." + room + "..")
        // The one place where a report asks for the words of its experiment's kind.
        .and()
        .doNotHaveFullyQualifiedName("dev.manx.lab.report.ExperimentFile")
        .should()
        .dependOnClassesThat(resideInAPackage("dev.manx.lab..").and(not(resideInAnyPackage(known))))
        .check(CLASSES);
  }

  @Test
  void theRoomsOfTheLabDependInOneDirection() {
    labOnlyKnows("settings");
    labOnlyKnows("stats");
    labOnlyKnows("rbc");
    labOnlyKnows("reference", "settings");
    labOnlyKnows("experiment", "settings", "stats");
    labOnlyKnows("kind", "experiment", "settings", "stats");
    labOnlyKnows("report", "experiment", "settings", "stats");
    labOnlyKnows("claims", "experiment", "settings", "stats");
    labOnlyKnows("advise", "experiment", "settings");
  }

  /** Otherwise the jars would not work on a module path. */
  @Test
  void noPackageIsInTwoModules() throws IOException {
    Map<String, String> modules = new HashMap<>();
    for (String module : NAMES) {
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

  /**
   * {@code Copier} and {@code Flight} are the same parts of a coordinator, in the model and on a
   * node.
   */
  @Test
  void aNameMeansOneThing() throws IOException {
    Set<String> alike = Set.of("Copier", "Flight", "package-info", "module-info");
    Map<String, Path> files = new HashMap<>();
    for (String module : NAMES) {
      for (Path file : javaFiles(module, "src/main/java")) {
        String name = file.getFileName().toString().replace(".java", "");
        Path other = alike.contains(name) ? null : files.put(name, file);
        assertThat(other).as("%s and", file).isNull();
      }
    }
  }

  @Test
  void onlyThePluginSeesCassandrasServer() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.manx.cassandra..")
        .should()
        .dependOnClassesThat(resideInAPackage("org.apache.cassandra.."))
        .check(CLASSES);
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
        .check(CLASSES);
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
          .check(CLASSES);
    }
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
        .check(CLASSES);
  }
}
