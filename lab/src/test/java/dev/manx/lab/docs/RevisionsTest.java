/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A reader can check out every revision that the docs name, unless the page says next to it that it
 * is not in this history.
 */
@Timeout(60)
class RevisionsTest {
  private static final Path ROOT = ManxHome.find().root();

  /** A word after "revision", or eight hexadecimal digits, as in a column of a table. */
  private static final Pattern REVISION =
      Pattern.compile(
          "\\b[Rr]evisions?\\s+(?<named>[0-9a-f]{7,40})\\b"
              + "|(?<![\\w-])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])(?<bare>[0-9a-f]{8})(?![\\w-])");

  /** A revision that names a change, and not the code of a run. */
  private static final Pattern CHANGE =
      Pattern.compile("\\b(?:before|without|up\\s+to)\\s+(?:revision\\s+)?[0-9a-f]{8}\\b");

  private static final Pattern DAYS =
      Pattern.compile("(?m)^\\| (?<day>\\d{4}-\\d\\d-\\d\\d) \\| (?<revisions>[0-9a-f, ]+) \\|$");

  private static final Pattern MARK = Pattern.compile("not\\s+in\\s+this\\s+(history|repository)");
  private static final Pattern PARAGRAPHS = Pattern.compile("\\n\\s*\\n|\\n(?=[*|] )");

  @Test
  void revisionsAreInTheHistoryOrSaidNotToBe() throws Exception {
    List<String> history = history();
    Set<String> lost = new TreeSet<>();
    Set<String> named = new TreeSet<>();
    for (Path page : pages()) {
      String text = Files.readString(page);
      named.addAll(revisions(text));
      for (String revision : lost(text, one -> isIn(history, one))) {
        lost.add(ROOT.relativize(page) + ": " + revision);
      }
    }
    assertThat(named).isNotEmpty();
    // The tree may be the first commit of another repository.
    assumeTrue(named.stream().anyMatch(one -> isIn(history, one)));
    assertThat(lost).isEmpty();
  }

  @Test
  void aMarkCountsForTheRevisionsOfItsParagraph() {
    String text =
        """
        Measured at revision 1234abc.

        The other rows are of revision
        7654321, a revision that is not
        in this history.

        | figure | revision |
        |---|---|
        | 1.2 | 89abcdef |

        Of 10000000 requests at id 0a1b2c3d-89ab and `UUID-0a1b2c3d`; revisions 89abcdef apart.
        """;
    assertThat(revisions(text)).containsExactly("1234abc", "7654321", "89abcdef");
    assertThat(lost(text, revision -> false)).containsExactly("1234abc", "89abcdef");
    assertThat(lost(text, "89abcdef"::equals)).containsExactly("1234abc");
  }

  @Test
  void everyResultHasADayThatIsNotBeforeItsRevision() throws Exception {
    String page = Files.readString(ROOT.resolve("docs/measure/results.md"));
    int end = page.indexOf("\n## Dates\n");
    Map<String, String> days = days(page.substring(end));
    assertThat(days.keySet())
        .as("add a new revision to the table of dates")
        .isEqualTo(revisions(CHANGE.matcher(page.substring(0, end)).replaceAll("")));
    List<String> early = new ArrayList<>();
    for (Map.Entry<String, String> entry : days.entrySet()) {
      String committed = git("log", "-1", "--format=%ad", "--date=short", entry.getKey(), "--");
      if (committed.compareTo(entry.getValue()) > 0) {
        early.add(entry + " was committed on " + committed);
      }
    }
    assertThat(early).isEmpty();
  }

  /** The day of each revision. */
  private static Map<String, String> days(String table) {
    Map<String, String> days = new TreeMap<>();
    DAYS.matcher(table)
        .results()
        .forEach(
            row ->
                Arrays.stream(row.group(2).split(", "))
                    .forEach(revision -> days.put(revision, row.group(1))));
    return days;
  }

  /** The revisions of a page without those of the history and those that are marked. */
  private static Set<String> lost(String text, Predicate<String> isThere) {
    Set<String> lost = revisions(text);
    lost.removeIf(isThere);
    PARAGRAPHS
        .splitAsStream(text)
        .filter(paragraph -> MARK.matcher(paragraph).find())
        .forEach(paragraph -> lost.removeAll(revisions(paragraph)));
    return lost;
  }

  private static Set<String> revisions(String text) {
    Set<String> found = new TreeSet<>();
    REVISION.matcher(text).results().map(RevisionsTest::revision).forEach(found::add);
    return found;
  }

  private static String revision(MatchResult found) {
    return found.group(1) == null ? found.group(2) : found.group(1);
  }

  private static boolean isIn(List<String> history, String revision) {
    return history.stream().anyMatch(commit -> commit.startsWith(revision));
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(DocsTest.files(Pattern.compile(".*/docs/.*\\.md")));
    pages.add(ROOT.resolve("README.md"));
    return pages;
  }

  /** All commits; the test is skipped without git, in an exported tree and in a shallow clone. */
  private static List<String> history() throws Exception {
    String top = git("rev-parse", "--show-toplevel");
    assumeTrue(!top.isEmpty() && Files.isSameFile(Path.of(top), ROOT));
    assumeTrue(git("rev-parse", "--is-shallow-repository").equals("false"));
    List<String> commits = Arrays.asList(git("rev-list", "HEAD").split("\n"));
    assumeTrue(commits.size() > 1);
    return commits;
  }

  /** Its output; empty if git is missing or fails. */
  private static String git(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("git", "-C", ROOT.toString()));
    command.addAll(List.of(words));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String said = new String(process.getInputStream().readAllBytes(), UTF_8).trim();
      return process.waitFor() == 0 ? said : "";
    } catch (IOException e) {
      return "";
    }
  }
}
