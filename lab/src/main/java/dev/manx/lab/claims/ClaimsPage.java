/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import dev.manx.lab.claims.Claims.Tried;
import dev.manx.lab.claims.Paper.Run;
import dev.manx.lab.stats.Estimate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The page {@code docs/research/claims.md}: a function of the papers' files and the stored rows
 * alone.
 */
final class ClaimsPage {
  private static final String INTRO =
      """
      # Published claims, tried

      This page lists every claim of the papers that Manx is built on, how Manx tries it, and the result. `./manx claims`
      writes the page from the papers' claims (`lab/src/main/resources/dev/manx/lab/claims`) and the measured rows in
      [claims/results](claims/results). Numbers and verdicts are never written by hand, and a test checks that the page
      equals the rows.

      * **published** is the paper's result on its own machines.
      * **ours** is the median over rounds (seeds, in a simulation), with its 95 % bootstrap interval, which contains
        the true median a little less often (in 88 to 94 % of cases, for 6 to 12 rounds). *range*: fewer than 6 rounds
        have no such interval, and their lowest and highest value are printed. Two arms are compared inside each round,
        and the figure is the median of those ratios or differences. *x* is a ratio, *lower* and *higher* are in
        percent; a negative end of an interval means the opposite direction. The rule is printed after the figure.
        Where it comes from a published number, four fifths of an effect count as reproduced, and up to five quarters
        of a cost.
      * **reproduced**: all rules of the claim hold for our whole intervals. **refuted**: a rule fails for the whole
        interval of its figure; the remark gives the reason as far as we know. **not decided**: neither, because an
        interval contains its bound. **regime found**: a rule fails in this way, but the claim holds in another setting,
        which the verdict or the remark names. **not even the ideal**: a rule fails in this way, and the best ideal
        tried, whose figure is next to it, does not reach the claim either. An ideal is greedy and not a limit, so this
        does not prove that no order of reads could. **saturated or failing**: an arm was saturated in the stored run
        or failed more than one request in a thousand, so its latency is not compared. Rows stored without `failed_pct`
        and without `summary.csv` do not show failures and count as not failing. **not yet tried**: no run has been
        stored, or it lacks a figure.
      * **few rounds**: a deciding figure has fewer than 6 rounds; it was judged by their range, which contains the true
        median of 5 rounds in 94 % of cases, of 3 in 75 %. **close**: the interval of the other setting, or of the
        ideal, contains its bound. More rounds may change both.

      Absolute times depend on the machine, and in a simulation on a model ([simulator.md](simulator.md)), so mostly ratios
      are judged. A refuted claim is refuted for our reading of a setting that papers leave open in part, not for the
      authors' machines.

          ./manx claims                        # this page again, from the stored rows
          ./manx claims --run BRB              # run a paper's experiments and store their rows
          ./manx claims --from RESULT_FOLDER   # store the rows of an existing run

      The settings of a run are stored with its rows (`experiment.yaml`), and `./manx claims` reports where they differ from
      those of its file. It also prints how many commits have changed the modules that each run plays since its revision.

      """;

  private static final double LARGE = 1_000;
  private static final double SMALL = 1e-9;

  private final StringBuilder out = new StringBuilder(INTRO);

  private ClaimsPage() {}

  static String of(List<Tried> papers) {
    ClaimsPage page = new ClaimsPage();
    page.overview(papers);
    papers.forEach(page::paper);
    return page.out.toString();
  }

  private void overview(List<Tried> papers) {
    List<String> head = new ArrayList<>(List.of("paper", "claims"));
    Arrays.stream(ClaimVerdict.values()).map(ClaimVerdict::words).forEach(head::add);
    row(head.toArray(String[]::new));
    row(Collections.nCopies(head.size(), "---").toArray(String[]::new));
    for (Tried tried : papers) {
      List<String> cells = new ArrayList<>(List.of(tried.paper().id(), "" + tried.claims().size()));
      for (ClaimVerdict verdict : ClaimVerdict.values()) {
        cells.add("" + tried.claims().stream().filter(one -> one.verdict() == verdict).count());
      }
      row(cells.toArray(String[]::new));
    }
    out.append('\n');
  }

  private void paper(Tried tried) {
    Paper paper = tried.paper();
    out.append("## ").append(paper.id()).append("\n\n");
    String setup = ". Published setup: " + paper.setup() + ".";
    out.append(WrappedText.paragraph(paper.title() + setup)).append('\n');
    row("claim", "of", "published", "ours", "verdict", "tried by");
    row("---", "---", "---", "---", "---", "---");
    for (JudgedClaim judged : tried.claims()) {
      Claim claim = judged.claim();
      row(
          "**" + claim.id() + "**",
          claim.setting(),
          claim.published(),
          ours(judged),
          verdict(judged),
          by(claim, tried));
    }
    out.append('\n');
    for (JudgedClaim judged : tried.claims()) {
      List<String> said = new ArrayList<>();
      if (!judged.remark().isEmpty()) {
        said.add(judged.words() + ": " + judged.remark());
      }
      if (!judged.claim().bounds().isEmpty()) {
        said.add((said.isEmpty() ? "bounds: " : "Bounds: ") + judged.claim().bounds());
      }
      if (!said.isEmpty()) {
        out.append(WrappedText.item("**" + judged.claim().id() + "**, " + String.join(" ", said)));
      }
    }
    notes(tried);
    out.append('\n');
    commands(tried);
  }

  private static String verdict(JudgedClaim judged) {
    String doubt = judged.doubt().words();
    return judged.words() + (doubt.isEmpty() ? "" : ", " + doubt);
  }

  private static String ours(JudgedClaim judged) {
    List<String> figures = new ArrayList<>();
    Map<String, Rule> rules = new LinkedHashMap<>(judged.claim().reproduced());
    judged.claim().regime().forEach(rules::putIfAbsent);
    judged
        .figures()
        .forEach(
            (name, figure) -> {
              FigureSpec spec = judged.claim().figures().get(name);
              String rule =
                  Optional.ofNullable(rules.get(name)).map(r -> rule(r, figure, spec)).orElse("");
              figures.add(name + ": " + print(figure, spec) + rule);
            });
    return figures.isEmpty() ? "–" : String.join("<br>", figures);
  }

  /**
   * {@code ; at least 60}. With its unit if the figure is printed as its opposite, and in words if
   * it is compared with another one.
   */
  private static String rule(Rule rule, Figure figure, FigureSpec spec) {
    boolean turned = spec != null && isTurned(figure, spec);
    if (rule.other().isPresent()) {
      String side = rule.above().isPresent() ? "above" : "below";
      return turned
          ? "; " + spec.as().words() + " " + side + " that of " + rule.other().get()
          : "; " + rule.text();
    }
    String unit = turned ? unit(spec, false) : "";
    OptionalDouble derived = rule.derivedBound();
    if (derived.isEmpty()) {
      return "; " + rule.text() + unit;
    }
    String[] words = rule.text().split(" ", 3);
    String bound = words[0] + " " + words[1] + " " + number(derived.getAsDouble()) + unit;
    return "; " + bound + " (" + words[2] + ")";
  }

  private static boolean isTurned(Figure figure, FigureSpec spec) {
    return spec.as().isDirection() && figure.value().value() < 0;
  }

  /** {@code 1.09x (1.07–1.12)}, with its case. */
  static String print(Figure figure, FigureSpec spec) {
    boolean turned = spec != null && isTurned(figure, spec);
    Estimate value = turned ? negated(figure.value()) : figure.value();
    String unit = spec == null ? "" : unit(spec, turned);
    String interval = "";
    if (spec != null && value.rounds() < 2) {
      interval = " (one round)";
    } else if (value.lo() < value.hi()) {
      // A dash next to a minus would be hard to read.
      String to = value.lo() < 0 ? " to " : "–";
      String range = value.isRange() ? "range " : "";
      interval = " (" + range + number(value.lo()) + to + number(value.hi()) + ")";
    }
    String of = figure.of().isEmpty() ? "" : " [" + figure.of() + "]";
    return "**" + number(value.value()) + unit + "**" + interval + of;
  }

  /** {@code -52 % lower} reads as {@code 52 % higher}. */
  private static Estimate negated(Estimate value) {
    return new Estimate(-value.value(), -value.hi(), -value.lo(), value.rounds());
  }

  private static String unit(FigureSpec spec, boolean turned) {
    String unit =
        spec.unit().isEmpty() || spec.unit().equals("x") ? spec.unit() : " " + spec.unit();
    return switch (spec.as()) {
      case REDUCTION -> unit + (turned ? " higher" : " lower");
      case INCREASE -> unit + (turned ? " lower" : " higher");
      default -> unit;
    };
  }

  /** Three digits, whole from a thousand on. */
  static String number(double value) {
    if (Math.abs(value) < SMALL) {
      return "0";
    }
    if (Math.abs(value) >= LARGE) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    return new BigDecimal(value)
        .round(new MathContext(3, RoundingMode.HALF_UP))
        .stripTrailingZeros()
        .toPlainString();
  }

  /** Writes the notes on the stored rows, next to the claims that the rows judge. */
  private void notes(Tried tried) {
    for (Run run : tried.paper().runs()) {
      Optional<Provenance> stored = tried.provenance(run);
      String note = stored.map(one -> run.notes().get(one.revision())).orElse(null);
      if (note != null) {
        String ids =
            tried.paper().claims().stream()
                .filter(claim -> runs(claim).contains(run.experiment()))
                .map(claim -> "**" + claim.id() + "**")
                .collect(Collectors.joining(", "));
        String rows = ": the stored rows are of revision " + revision(stored.get()) + ", ";
        out.append(WrappedText.item(ids + rows + note + "."));
      }
    }
  }

  private static Set<String> runs(Claim claim) {
    return claim.figures().values().stream().map(FigureSpec::run).collect(Collectors.toSet());
  }

  private static String by(Claim claim, Tried tried) {
    if (claim.example().isPresent()) {
      return "worked example, played by `./manx claims`";
    }
    Set<String> runs = runs(claim);
    List<String> commands = new ArrayList<>();
    for (Run run : tried.paper().runs()) {
      if (runs.contains(run.experiment())) {
        commands.add("`" + tried.command(run) + "`");
      }
    }
    return commands.isEmpty() ? "–" : String.join("<br>", commands);
  }

  private void commands(Tried tried) {
    for (Run run : tried.paper().runs()) {
      Optional<Provenance> stored = tried.provenance(run);
      String takes = run.takes().isEmpty() ? "" : ", " + run.takes();
      String made = stored.map(ClaimsPage::made).orElse("not stored yet");
      boolean unchecked = stored.isPresent() && !tried.settings().contains(run.experiment());
      String note =
          unchecked
              ? "; its settings were not stored with it, so they cannot be checked again"
              : "";
      out.append(
          WrappedText.item("`" + tried.command(run) + "`" + takes + ": " + made + note + "."));
    }
    out.append('\n');
  }

  private static String made(Provenance stored) {
    return stored.amount() + "; revision " + revision(stored) + "; " + stored.machine();
  }

  private static String revision(Provenance stored) {
    return stored.revision().isEmpty() ? "unknown" : stored.revision();
  }

  private void row(String... cells) {
    out.append('|');
    for (String cell : cells) {
      out.append(' ').append(cell.replace("|", "\\|").replace('\n', ' ')).append(" |");
    }
    out.append('\n');
  }
}
