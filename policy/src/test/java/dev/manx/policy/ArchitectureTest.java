/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** A policy is a pure decision: no wall clock, no global randomness, no input or output. */
@AnalyzeClasses(packages = "dev.manx.policy", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule NO_WALL_CLOCK =
      noClasses()
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .dependOnClassesThat()
          .resideInAnyPackage("java.time..");

  @ArchTest
  static final ArchRule NO_GLOBAL_RANDOMNESS =
      noClasses()
          .should()
          .dependOnClassesThat()
          .haveNameMatching(
              "java\\.util\\.(concurrent\\.ThreadLocalRandom|Random|SplittableRandom)")
          .orShould()
          .callMethod(Math.class, "random");

  @ArchTest
  static final ArchRule NO_INPUT_OR_OUTPUT =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.io..", "java.nio.file..", "java.nio.channels..", "java.net..")
          .orShould()
          .accessField(System.class, "out");

  @ArchTest
  static final ArchRule NO_THREADS =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("dev.manx.policy.idle.ThreadWaiter")
          .and()
          .doNotHaveFullyQualifiedName("dev.manx.policy.order.CallingThread")
          .should()
          .dependOnClassesThat()
          .haveNameMatching("java\\.util\\.(Timer|concurrent\\..*Executor.*)")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Thread.class);

  @ArchTest
  static final ArchRule ONLY_THE_JDK =
      classes()
          .that()
          .resideOutsideOfPackage("dev.manx.policy.config..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "dev.manx.policy..");

  @ArchTest
  static final ArchRule ONLY_THE_YAML_READER_BESIDES =
      classes()
          .that()
          .resideInAPackage("dev.manx.policy.config..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "dev.manx.policy.config..", "org.snakeyaml.engine..");

  @ArchTest
  static final ArchRule ONE_REGISTRY =
      noClasses()
          .that()
          .doNotHaveSimpleName("Policies")
          .should()
          .dependOnClassesThat()
          .haveSimpleName("ServiceLoader")
          .orShould()
          .callMethodWhere(
              target(owner(nameMatching("java.lang.Class"))).and(target(nameMatching("forName"))));

  @ArchTest
  static final ArchRule GLOBAL_STATE_FOR_BOUNDS_ONLY =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.manx.policy.bound..", "dev.manx.policy.strategy..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.manx.policy.bound..");

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("dev.manx.policy.(*)..").should().beFreeOfCycles();
}
