/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The papers' files themselves, and the page in the checkout. */
@Tag("slow")
class PapersTest {
  private static final String SMALL =
      """
      paper: X
      title: a paper
      setup: somewhere
      runs: { trial: { file: examples/trial.yaml } }
      claims:
        - id: X-1
          setting: all
          published: half
          figures: { P99: { of: P99, arm: a, over: b } }
          reproduced: { P99: at most 0.5 }
      """;

  private static final Pattern NUMBER = Pattern.compile("[0-9]+(?:\\.[0-9]+)?");

  private static final String NOT_HERE = "not in this repository";

  @TempDir private Path folder;

  /** No published claim is missing, and none is there twice. */
  @Test
  void everyPublishedClaimIsThereOnce() {
    List<String> wanted = new ArrayList<>();
    add(wanted, "TX", 10);
    add(wanted, "BRB", 5);
    add(wanted, "MDB", 6);
    add(wanted, "RH", 16);
    add(wanted, "HEC", 9);
    List<String> found =
        PaperReader.all().stream().flatMap(p -> p.claims().stream()).map(Claim::id).toList();
    assertThat(found).containsExactlyElementsOf(wanted);
  }

  private static void add(List<String> all, String paper, int claims) {
    IntStream.rangeClosed(1, claims).forEach(i -> all.add(paper + "-" + i));
  }

  /** Runs have their results by the experiment's name, so a name is a name of one run. */
  @Test
  void runsAreNamedOnce() {
    List<String> names =
        PaperReader.all().stream()
            .flatMap(p -> p.runs().stream())
            .map(Paper.Run::experiment)
            .toList();
    assertThat(names).doesNotHaveDuplicates();
  }

  @Test
  void thePageIsWhatTheStoredRowsGive() throws Exception {
    assertThat(Claims.of(ManxHome.find()).stale()).as("run ./manx claims").isEmpty();
  }

  /** Their words are not computed: new rows may contradict them. */
  @Test
  void remarksAreOfTheStoredRows() throws Exception {
    assertThat(Claims.of(ManxHome.find()).oldRemarks()).isEmpty();
  }

  @Test
  void remarksOfOtherRowsAreNamed() throws Exception {
    Paper paper =
        PaperReader.read("x.yaml", SMALL.replace("trial.yaml", "trial.yaml, remarks-of: abc123"));
    assertThat(new Claims(List.of(paper), folder).oldRemarks())
        .containsExactly(
            "trial: the remarks of X are of revision abc123, the rows of none, as there are no rows;"
                + " read them again and set remarks-of");
  }

  /** A bound that could have been chosen to fit the figures needs a reason. */
  @Test
  void boundsArePublishedNumbersOrSayWhyNot() {
    List<String> without = new ArrayList<>();
    for (Paper paper : PaperReader.all()) {
      for (Claim claim : paper.claims()) {
        List<String> published =
            NUMBER.matcher(claim.published()).results().map(MatchResult::group).toList();
        Stream.of(claim.reproduced(), claim.regime(), claim.beyond())
            .flatMap(rules -> rules.values().stream())
            .filter(rule -> !published.containsAll(numbers(rule)))
            .filter(rule -> claim.bounds().isEmpty())
            .forEach(rule -> without.add(claim.id() + ": " + rule.text()));
      }
    }
    assertThat(without).isEmpty();
  }

  /** Its bounds, or the published numbers that give them. */
  private static List<String> numbers(Rule rule) {
    return rule.other().isPresent()
        ? List.of()
        : NUMBER.matcher(rule.text()).results().map(MatchResult::group).toList();
  }

  private static final Pattern CLAIM = Pattern.compile("[A-Z]+-[0-9]+");
  private static final Pattern BOUND = Pattern.compile("at (?:most|least) ([0-9.]+)");

  /** A report next to a run and the page of claims would give two verdicts. */
  @Test
  void publishedNumbersOfExamplesAreThoseOfTheClaims() throws Exception {
    List<String> wrong = new ArrayList<>();
    int checked = 0;
    List<Path> files;
    try (Stream<Path> all = Files.list(ManxHome.find().root().resolve("examples"))) {
      files = all.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
    for (Path file : files) {
      ConfigNode top = ConfigNode.parse(file.toString(), Files.readString(file));
      for (ConfigNode item : top.find("published").map(ConfigNode::items).orElse(List.of())) {
        String id = item.find("claim").map(ConfigNode::text).orElse("");
        if (!CLAIM.matcher(id).matches()) {
          continue;
        }
        checked++;
        double published = Double.parseDouble(item.at("published").text());
        String expect = item.find("expect").map(ConfigNode::text).orElse("");
        Matcher own = BOUND.matcher(expect);
        double bound = own.matches() ? Double.parseDouble(own.group(1)) : published;
        if (!knows(id, published, true) || !expect.isEmpty() && !knows(id, bound, false)) {
          wrong.add(file.getFileName() + ": " + id + ": " + published + ", " + expect);
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(checked).isGreaterThan(15);
  }

  /** Whether a claim has a rule of a ratio of two arms, or of a number published for it. */
  private static boolean knows(String id, double ratio, boolean published) {
    Claim claim =
        PaperReader.all().stream()
            .flatMap(paper -> paper.claims().stream())
            .filter(one -> one.id().equals(id))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no claim " + id));
    return Stream.of(claim.reproduced(), claim.regime())
        .flatMap(rules -> rules.entrySet().stream())
        .anyMatch(
            rule -> {
              FigureSpec.Form form = claim.figures().get(rule.getKey()).as();
              Rule of = rule.getValue();
              Stream<Double> bounds =
                  published
                      ? numbers(of).stream().map(Double::valueOf)
                      : Stream.of(of.least(), of.most());
              return bounds.anyMatch(value -> Math.abs(ratio(form, value) - ratio) < 1e-6);
            });
  }

  private static double ratio(FigureSpec.Form form, double value) {
    return switch (form) {
      case REDUCTION -> 1 - value / 100;
      case INCREASE -> 1 + value / 100;
      default -> value;
    };
  }

  /** It ends with the rows that it is about. */
  @Test
  void aNoteIsShownWithRowsOfItsRevision() throws Exception {
    String noted = SMALL.replace("trial.yaml", "trial.yaml, notes: { abc1234: which is lost }");
    Path rows = folder.resolve("docs/research/claims/results/trial");
    Files.createDirectories(rows);
    String nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    for (String revision : List.of("abc1234", "def5678")) {
      Files.writeString(
          rows.resolve("provenance.yaml"),
          new Provenance("./manx run x", revision, "2 cores", "1 round", nothing).text());
      String page = new Claims(List.of(PaperReader.read("x.yaml", noted)), folder).page();
      assertThat(
              page.contains("* **X-1**: the stored rows are of revision abc1234, which is lost.\n"))
          .isEqualTo(revision.equals("abc1234"));
    }
  }

  /** In a complete checkout. */
  @Test
  void storedRevisionsAreInTheRepositoryOrSaidToBeMissing() throws Exception {
    ManxHome home = ManxHome.find();
    assumeTrue(git(home, "rev-parse", "--is-shallow-repository").equals("false"));
    List<String> wrong = new ArrayList<>();
    for (Claims.Tried tried : Claims.of(home).tried()) {
      for (Paper.Run run : tried.paper().runs()) {
        String revision = tried.provenance(run).map(Provenance::revision).orElse("");
        boolean found = git(home, "cat-file", "-t", revision).equals("commit");
        boolean lost = run.notes().getOrDefault(revision, "").contains(NOT_HERE);
        if (found == lost && !revision.isEmpty()) {
          wrong.add(run.experiment() + ": " + revision);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** Its output; empty if git is missing or fails. */
  private static String git(ManxHome home, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("git", "-C", home.root().toString()));
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

  @Test
  void workedExamplesAreAsPublished() throws Exception {
    List<JudgedClaim> played =
        Claims.of(ManxHome.find()).tried().stream()
            .flatMap(tried -> tried.claims().stream())
            .filter(judged -> judged.claim().example().isPresent())
            .toList();
    assertThat(played).extracting(j -> j.claim().id()).containsExactly("TX-10", "BRB-5");
    assertThat(played).extracting(JudgedClaim::verdict).containsOnly(ClaimVerdict.REPRODUCED);
    assertThat(played.get(0).figures().get("mean, first-in first-out").value().value())
        .isEqualTo(4.0);
  }

  /** A worked example does not pass with every strategy. */
  @Test
  void aWorkedExampleUnderAnotherPolicyIsNotAsPublished() {
    String text =
        """
        paper: X
        title: a paper
        setup: paper and pencil
        runs: {}
        claims:
          - id: X-1
            setting: figure 1
            published: 1 unit
            example:
              servers: 3
              requests: { T1: [S1=1, S2=1, S2=1], T2: [S3=1, S1=1] }
              figures: { first: { of: first, strategy: { order: order.fifo } } }
            reproduced: { first: exactly 1 }
            remarks: { refuted: in order of arrival it waits }
        """;
    Claim claim = PaperReader.read("x.yaml", text).claims().get(0);
    JudgedClaim judged = JudgedClaim.of(claim, spec -> java.util.Optional.empty(), spec -> false);
    assertThat(judged.verdict()).isEqualTo(ClaimVerdict.REFUTED);
    assertThat(judged.figures().get("first").value().value()).isEqualTo(2.0);
    assertThat(judged.remark()).isEqualTo("in order of arrival it waits");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "at most 0.5 | at most half of 1 | at most X, at least X",
        "at most 0.5 | about 0.5 | at most X, at least X",
        "at most 0.5 | at most half | at most X, at least X",
        "at most 0.5 | above figure P95 | figures of this claim: P99",
        "{ P99: at most | { P50: at most | figures of this claim: P99",
        "over: b } | over: b, as: value } | 'over' with every form but value",
        "arm: a, | arm: [a, c], | take: max, min or max-of-least",
        "over: b } | over: b, take: max } | take: max, min or max-of-least",
        "over: b } | over: b, run: other } | runs of this paper: trial",
        "over: b } | over: b, colour: red } | unknown key",
        "id: X-1 | name: X-1 | id is missing",
        "reproduced: { P99: at most 0.5 } | verdict: reproduced | unknown key",
      })
  void refusesInvalidClaims(String part, String other, String words) {
    assertThat(SMALL).contains(part);
    assertThatThrownBy(() -> PaperReader.read("x.yaml", SMALL.replace(part, other)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("x.yaml")
        .hasMessageContaining(words);
  }
}
