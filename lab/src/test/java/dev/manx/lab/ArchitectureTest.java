/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab;

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
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** The house as docs and design draw it: who may know whom, and what is banned where. */
class ArchitectureTest {
  private static final JavaClasses ALL = load();

  /** From the compiled folders, so that the plugin is seen though nothing here depends on it. */
  private static JavaClasses load() {
    Path root = ManxHome.find().root();
    List<Path> folders =
        List.of("policy", "workload", "simulator", "cassandra", "load", "lab").stream()
            .map(module -> root.resolve(module).resolve("target/classes"))
            .toList();
    return new ClassFileImporter().importPaths(folders);
  }

  @Test
  void everyModuleWasLoaded() {
    for (String module : List.of("policy", "workload", "simulator", "cassandra", "load", "lab")) {
      assertThat(ALL.stream().filter(c -> c.getPackageName().startsWith("dev.manx." + module)))
          .as("classes of module %s; build all modules first", module)
          .isNotEmpty();
    }
  }

  private static void onlyKnows(String module, String... others) {
    List<String> banned =
        List.of(
                "policy",
                "workload",
                "simulator",
                "cassandra",
                "client",
                "load",
                "contention",
                "lab")
            .stream()
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
    onlyKnows("workload");
    onlyKnows("simulator", "policy", "workload");
    onlyKnows("cassandra", "policy");
    onlyKnows("load", "workload");
    onlyKnows("lab", "policy", "workload", "simulator", "load");
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
  void whatIsPlayedHasNoClockAndNoGlobalRandomness() {
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
        .resideInAnyPackage("dev.manx.policy..", "dev.manx.workload..", "dev.manx.simulator..")
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
        .resideInAPackage("dev.manx.policy..")
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
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(ALL);
  }
}
