/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each promise of the page on safety names existing tests. */
@Timeout(60)
class PromisesTest {
  private static final Path PAGE = ManxHome.find().root().resolve("docs/operate/safety.md");
  private static final Pattern NAME =
      Pattern.compile("`([A-Z]\\w*(?:Test|Benchmark|Costs))(?:\\.(\\w+))?`");

  private static Map<String, String> sources() throws IOException {
    return DocsTest.files(Pattern.compile(".*/src/test/.*\\.java")).stream()
        .collect(
            Collectors.toMap(
                file -> file.getFileName().toString().replace(".java", ""),
                PromisesTest::text,
                // The page names the test, not its package.
                (one, other) -> one + other,
                TreeMap::new));
  }

  private static List<String> rows() throws IOException {
    return Files.readAllLines(PAGE).stream()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| guarantee"))
        .toList();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isThere(Map<String, String> sources, MatchResult name) {
    String source = sources.get(name.group(1));
    return source != null
        && (name.group(2) == null || source.contains("void " + name.group(2) + "("));
  }

  @Test
  void everyTestThatIsNamedExists() throws IOException {
    Map<String, String> sources = sources();
    List<String> names = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    NAME.matcher(Files.readString(PAGE))
        .results()
        .forEach(name -> (isThere(sources, name) ? names : missing).add(name.group()));
    assertThat(missing).as("named, but not there").isEmpty();
    assertThat(names).hasSizeGreaterThan(50);
  }

  /** A guarantee that only {@code ./test --full} checks must not look as if each run checked it. */
  @Test
  void testsOfFullAloneAreMarked() throws IOException {
    Map<String, String> sources = sources();
    List<String> marked = new ArrayList<>();
    List<String> unmarked = new ArrayList<>();
    for (String row : rows()) {
      String tests = row.split(" \\| ", 3)[1];
      NAME.matcher(tests)
          .results()
          .filter(name -> isOfFullAlone(sources.getOrDefault(name.group(1), ""), name))
          .forEach(name -> (tests.contains("--full") ? marked : unmarked).add(name.group()));
    }
    assertThat(unmarked).as("their rows do not name --full").isEmpty();
    assertThat(marked).hasSizeGreaterThan(10);
  }

  /** Whether its class or its method is disabled in a usual run. */
  private static boolean isOfFullAlone(String source, MatchResult name) {
    String declared = "class " + name.group(1) + "\\b";
    if (name.group(2) != null) {
      declared += "|void " + name.group(2) + "\\(";
    }
    return Pattern.compile(
            "named = \"MANX_FULL\",[^)]*\\)\\s+(?:@\\S+\\s+)*(?:final )?(?:" + declared + ")")
        .matcher(source)
        .find();
  }

  @Test
  void everyPromiseNamesATest() throws IOException {
    List<String> rows = rows();
    assertThat(rows).hasSizeGreaterThan(40);
    assertThat(rows.stream().map(row -> row.split(" \\| ", 3)[1]).toList())
        .allSatisfy(tests -> assertThat(tests).containsPattern("(Test|Benchmark|tools/[a-z-]+)`?"));
  }
}
