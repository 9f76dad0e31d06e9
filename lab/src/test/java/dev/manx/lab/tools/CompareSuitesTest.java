/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code tools/compare-suites.py}: finds the tests of a driver's suite that fail with Manx only.
 */
@Tag("engines")
class CompareSuitesTest {
  private static final String PASSED = "";
  private static final String FAILED = "<failure/>";
  private static final String SKIPPED = "<skipped/>";

  @TempDir private Path folder;

  private record Run(int code, List<String> lines) {}

  private Run compare(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add("python3");
    command.add(ManxHome.find().root().resolve("tools/compare-suites.py").toString());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), text.lines().toList());
  }

  private Run table() throws Exception {
    return compare(folder.resolve("reports").toString(), folder.resolve("tests.csv").toString());
  }

  private void report(String suite, int round, String column, String cases) throws IOException {
    Path file = folder.resolve("reports/" + suite + "/" + round + "/" + column + "/report.xml");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "<testsuites><testsuite>" + cases + "</testsuite></testsuites>");
  }

  private static String java(String test, String child) {
    return "<testcase classname=\"com.datastax.oss.driver.core.cql.PagingIT\" name=\"%s\">%s</testcase>"
        .formatted(test, child);
  }

  private static String python(String test, String child) {
    return ("<testcase classname=\"tests.integration.standard.test_query.QueryTests\""
            + " file=\"tests/integration/standard/test_query.py\" name=\"%s\">%s</testcase>")
        .formatted(test, child);
  }

  @Test
  void equalColumnsAreNoFailureAlsoWhereATestFailsInBoth() throws Exception {
    String cases = java("a", PASSED) + java("b", FAILED) + java("c", SKIPPED);
    report("java", 0, "without", cases);
    report("java", 0, "with", cases);
    Run run = table();
    assertThat(run.code()).isZero();
    assertThat(run.lines())
        .contains(
            "| `core.cql.PagingIT` | 3 | 1 | 1 | 1 | 1 | 1 | 1 |",
            "* `core.cql.PagingIT`: `b`",
            "0 tests pass without Manx and fail with it.");
    assertThat(Files.readAllLines(folder.resolve("tests.csv")))
        .containsExactly(
            "suite,file,test,without,with",
            "java,core.cql.PagingIT,a,passed,passed",
            "java,core.cql.PagingIT,b,failed,failed",
            "java,core.cql.PagingIT,c,skipped,skipped");
    assertThat(compare("--again", folder.resolve("reports/java").toString()).lines())
        .allMatch(String::isEmpty);
  }

  @Test
  void aTestThatFailsWithManxInEveryRoundIsAFailure() throws Exception {
    for (int round = 0; round < 3; round++) {
      report("python", round, "without", python("a", PASSED) + python("b", PASSED));
      report("python", round, "with", python("a", FAILED) + python("b", PASSED));
    }
    Run run = table();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.lines())
        .contains(
            "| `standard/test_query.py`: `QueryTests.a` | passed, passed, passed |"
                + " failed, failed, failed | fails with Manx |",
            "1 tests pass without Manx and fail with it.");
    assertThat(compare("--again", folder.resolve("reports/python").toString()).lines())
        .containsExactly("tests/integration/standard/test_query.py::QueryTests");
  }

  @Test
  void aTestThatWasNotRunWithManxFailsWithIt() throws Exception {
    report("java", 0, "without", java("a", PASSED) + java("b", PASSED));
    report("java", 0, "with", java("b", PASSED));
    Run run = table();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.lines())
        .contains("| `core.cql.PagingIT`: `a` | passed | not run | fails with Manx |");
  }

  @Test
  void aTestThatPassesInSomeRoundIsNamedAsUnsteady() throws Exception {
    report("java", 0, "without", java("a", PASSED) + java("b", FAILED));
    report("java", 0, "with", java("a", FAILED) + java("b", PASSED));
    report("java", 1, "without", java("a", PASSED) + java("b", FAILED));
    report("java", 1, "with", java("a", PASSED) + java("b", PASSED));
    Run run = table();
    assertThat(run.code()).isZero();
    assertThat(run.lines())
        .contains(
            "| `core.cql.PagingIT`: `a` | passed, passed | failed, passed | unsteady |",
            "| `core.cql.PagingIT`: `b` | failed, failed | passed, passed | fails without Manx |");
    assertThat(compare("--again", folder.resolve("reports/java").toString()).lines())
        .containsExactly("PagingIT");
  }

  @Test
  void anErrorOfTheTeardownFailsATestThatPassed() throws Exception {
    String cases = python("a", PASSED) + python("a", "<error/>") + python("b", PASSED);
    report("python", 0, "without", cases);
    report("python", 0, "with", cases);
    assertThat(table().lines()).contains("* `standard/test_query.py`: `QueryTests.a`");
  }

  @Test
  void aTestThatFailsWithManxTwiceIsAFailureThoughItPassedOnce() throws Exception {
    for (int round = 0; round < 3; round++) {
      report("java", round, "without", java("a", PASSED) + java("b", PASSED));
      report("java", round, "with", java("a", round == 1 ? PASSED : FAILED) + java("b", PASSED));
    }
    Run run = table();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.lines()).anyMatch(line -> line.endsWith("| fails with Manx at times |"));
  }

  @Test
  void aSuiteOfWhichNothingPassesShowsNothing() throws Exception {
    report("java", 0, "without", java("a", FAILED));
    report("java", 0, "with", java("a", FAILED));
    Run run = table();
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.lines()).contains("No test of the java suite passed in one of the columns.");
  }

  @Test
  void columnsProveNothingUnlessManxWasAtWorkInOneOfThem() throws Exception {
    assertThat(proof()).isEqualTo(2);
    Path counters = folder.resolve("counters-java-with-0.json");
    Files.writeString(counters, "{\"requests_planned\": 0}");
    assertThat(proof()).isEqualTo(2);
    Files.writeString(counters, "{\"requests_planned\": 5, \"faults\": 1}");
    assertThat(proof()).isEqualTo(2);
    Files.writeString(counters, "{\"requests_planned\": 5, \"faults\": 0}");
    assertThat(proof()).isZero();
    Files.writeString(folder.resolve("counters-java-without-0.json"), "{}");
    assertThat(proof()).isEqualTo(2);
  }

  private int proof() throws Exception {
    return compare("--proof", folder.toString(), "java").code();
  }
}
