/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.SourceFiles;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Links of the guide, and paths of its pages in code, messages and examples, are those of files;
 * its lines are short, and its index is complete.
 */
class DocsTest {
  private static final Path ROOT = ManxHome.find().root();
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s#]*)(?:#([^)\\s]*))?\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");
  private static final Pattern MENTION = Pattern.compile("docs/[a-z/-]+\\.md");
  private static final Pattern TEXT =
      Pattern.compile(".*(\\.(java|md|yaml|yml|xml|json|c|h|sh|properties)|/manx|/test|/run)");

  private static final int WIDEST = 120;

  /** Rows of tables, terminal output, and a command that is longer than a line. */
  private static final Pattern MAY_BE_WIDE =
      Pattern.compile("\\|.*| {4}(?! *[*-] ).*|[*] `[^`]*`,?");

  private static final Pattern COMMENT = Pattern.compile("(^|\\s)#");

  static List<Path> files(Pattern name) throws IOException {
    return SourceFiles.under(ROOT).stream()
        .filter(file -> name.matcher(file.toString()).matches())
        .toList();
  }

  @Test
  void everyLinkLeadsToAFileAndAHeadingOfIt() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : files(Pattern.compile(".*\\.md"))) {
      LINK.matcher(Files.readString(page))
          .results()
          .filter(link -> !link.group(1).contains(":"))
          .filter(link -> !leads(page, link.group(1), link.group(2)))
          .forEach(link -> broken.add(ROOT.relativize(page) + ": " + link.group()));
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void everyPageNamedAnywhereExists() throws IOException {
    Set<String> named = new TreeSet<>();
    for (Path file : files(TEXT)) {
      MENTION
          .matcher(Files.readString(file))
          .results()
          .map(mention -> mention.group())
          .forEach(named::add);
    }
    assertThat(named).isNotEmpty().allMatch(page -> Files.exists(ROOT.resolve(page)));
  }

  @Test
  void theIndexNamesEveryPage() throws IOException {
    Path index = ROOT.resolve("docs/README.md");
    String text = Files.readString(index);
    assertThat(files(Pattern.compile(".*/docs/.*\\.md")))
        .filteredOn(page -> !page.equals(index))
        .allMatch(page -> text.contains("](" + index.getParent().relativize(page) + ")"));
  }

  @Test
  void linesOfProseHaveAtMost120Columns() throws IOException {
    Set<String> wide = new TreeSet<>();
    for (Path page : files(Pattern.compile(".*\\.md"))) {
      wide.addAll(wide(page, line -> !MAY_BE_WIDE.matcher(line).matches()));
    }
    for (Path file : files(Pattern.compile(".*\\.yaml"))) {
      wide.addAll(wide(file, line -> COMMENT.matcher(line).find()));
    }
    assertThat(wide).isEmpty();
  }

  private static List<String> wide(Path file, Predicate<String> counts) throws IOException {
    List<String> lines = Files.readAllLines(file);
    return IntStream.range(0, lines.size())
        .filter(i -> lines.get(i).length() > WIDEST && counts.test(lines.get(i)))
        .mapToObj(i -> ROOT.relativize(file) + ":" + (i + 1))
        .toList();
  }

  private static boolean leads(Path page, String path, String heading) {
    Path target = path.isEmpty() ? page : page.resolveSibling(path).normalize();
    if (!Files.exists(target)) {
      return false;
    }
    try {
      return heading == null || headings(Files.readString(target)).contains(heading);
    } catch (IOException e) {
      return false;
    }
  }

  /** The anchors that a hosting site gives the headings of a page. */
  private static Set<String> headings(String page) {
    return HEADING
        .matcher(page)
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^a-z0-9 _-]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }
}
