/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** A share policy is a pure decision: no wall clock, no global randomness, no input or output. */
@AnalyzeClasses(packages = "dev.manx.shares", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule ONLY_THE_JDK_AND_POLICY =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "dev.manx.policy..", "dev.manx.shares..");

  @ArchTest
  static final ArchRule NO_CLOCK_AND_NO_RANDOMNESS =
      noClasses()
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .dependOnClassesThat()
          .haveNameMatching(
              "java\\.time\\..*|java\\.util\\.(concurrent\\.ThreadLocalRandom|Random|SplittableRandom)");

  @ArchTest
  static final ArchRule NO_INPUT_OUTPUT_OR_THREADS =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.io..", "java.nio.file..", "java.nio.channels..", "java.net..")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Thread.class);
}
