/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.manx.lab.architecture.Modules.CLASSES;
import static dev.manx.lab.architecture.Modules.THIN;
import static dev.manx.lab.architecture.Modules.packageOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The client adds few libraries to an application, and each thin module only its own. */
class ClientModulesTest {
  /** All libraries that an application with a heap cache needs. */
  @Test
  void theClientsCoreIsSlim() {
    String metrics = "dev.manx.client.metrics..";
    List<String> thin = THIN.keySet().stream().map(m -> packageOf(m) + "..").toList();
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
        .check(CLASSES);
    classes()
        .that()
        .resideInAPackage(metrics)
        .should()
        .onlyDependOnClassesThat(known.or(resideInAPackage("io.micrometer..")))
        .check(CLASSES);
  }

  /** A dependency costs its user a jar, even if no class uses it. */
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
    THIN.forEach(
        (module, libraries) -> {
          String own = packageOf(module) + "..";
          List<String> banned = new ArrayList<>();
          THIN.forEach(
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
              .check(CLASSES);
        });
  }
}
