/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import dev.manx.lab.experiment.NamedFiles;
import dev.manx.lab.experiment.WorkloadReader;
import dev.manx.lab.settings.Forms;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Named;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Scalar;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.simulator.source.SyntheticSpec;
import dev.manx.simulator.source.Widths;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Reads {@code requests:} of a synthetic workload: the number of reads per request. */
final class WidthsReader {
  private static final int WIDEST = SourceReader.WIDEST;

  private static final Key READS =
      Key.required(Setting.whole("reads", 1, 1, WIDEST, "reads of each request"));
  private static final Key MEAN =
      Key.required(Setting.number("mean", 1, 1, WIDEST, "mean reads of a request"));
  private static final Key MAX =
      Key.required(Setting.whole("max", 1, 1, WIDEST, "reads of the widest request"));
  private static final String WIDTHS = "numbers of reads from 1 to " + WIDEST;

  private static final Section NAMED =
      Section.of(
          Key.of(Setting.share("share", 1, 0, 1, "share of the requests")),
          READS,
          Key.optional(
                  Setting.share(
                      "large",
                      0,
                      0,
                      1,
                      "share of large values among its reads, rounded to whole reads; the others"
                          + " are small"))
              .otherwise("those of `values`"));

  /** The mapping. */
  static final Forms SHAPE =
      Forms.byKind(
              Setting.word(
                      "kind",
                      "the distribution of reads",
                      "bounded-pareto",
                      "fixed",
                      "geometric",
                      "lognormal",
                      "listed",
                      "recorded")
                  .withoutStandard(),
              Map.of(
                  "bounded-pareto",
                  Section.of(
                      Key.required(
                          Setting.share("single", 1, 0, 0.999, "share of requests with one read")),
                      MEAN,
                      MAX),
                  "fixed",
                  Section.of(READS),
                  "geometric",
                  Section.of(MEAN, MAX),
                  "lognormal",
                  Section.of(
                      MEAN,
                      Key.required(
                          Setting.number(
                              "sigma", 1, 1e-3, 5, "standard deviation of the logarithm")),
                      MAX),
                  "listed",
                  Section.of(
                      Key.required(
                          "widths",
                          new Named(
                              "[1-9][0-9]{0,4}",
                              WIDTHS,
                              new Scalar(
                                  Setting.share("widths", 1, 0, 1, "share of the requests"))),
                          "shares by numbers of reads")),
                  "recorded",
                  Section.of(
                      Key.required(
                          Setting.anyText(
                              "file",
                              null,
                              "one number of reads per line, next to the experiment; blank lines and"
                                  + " lines that begin with # are skipped")))))
          .or(
              Forms.otherwise(
                  "without kind", new Named(".+", "names of kinds of requests", NAMED)));

  private WidthsReader() {}

  /**
   * Reads key {@code requests}.
   *
   * @param files receives the file of a recorded fan-out
   */
  static List<Widths> read(Part workload, NamedFiles files) {
    if (!(workload.value("requests") instanceof Part part)) {
      return workload.named("requests", Part.class).values().stream()
          .map(WidthsReader::kind)
          .toList();
    }
    return List.of(
        switch (part.word("kind")) {
          case "fixed" -> Widths.fixed(1, part.whole("reads"), -1);
          case "geometric" ->
              checked(part, () -> Widths.geometric(part.real("mean"), part.whole("max")));
          case "lognormal" ->
              checked(
                  part,
                  () -> Widths.lognormal(part.real("mean"), part.real("sigma"), part.whole("max")));
          case "listed" -> {
            Map<Integer, Double> weights = new TreeMap<>();
            part.named("widths", Double.class)
                .forEach((reads, share) -> weights.put(width(part.node("widths"), reads), share));
            WorkloadReader.checkShares(part.node("widths"), weights.values());
            part.put("widths", weights);
            yield Widths.listed(weights);
          }
          case "recorded" -> Widths.listed(recorded(part, files));
          default ->
              checked(
                  part,
                  () ->
                      Widths.boundedPareto(
                          part.real("single"), part.real("mean"), part.whole("max")));
        });
  }

  /** A kind of requests. Its share of large values may not vanish in the rounding. */
  private static Widths kind(Part part) {
    int reads = part.whole("reads");
    double share = part.has("large") ? part.real("large") : -1;
    Widths kind = Widths.fixed(part.real("share"), reads, share);
    int large = SyntheticSpec.largeReads(kind, reads);
    if (share > 0 && large == 0 || share < 1 && large == reads) {
      throw part.node("large")
          .refuse(
              "0%%, 100%%, or a share that is not rounded to them: of %d reads, a whole number is"
                      .formatted(reads)
                  + " large");
    }
    return kind;
  }

  private static int width(ConfigNode node, String text) {
    if (!isWidth(text)) {
      throw node.refuse(WIDTHS);
    }
    return Integer.parseInt(text);
  }

  private static boolean isWidth(String text) {
    return text.matches("[1-9][0-9]{0,4}") && Integer.parseInt(text) <= WIDEST;
  }

  /**
   * Counts each width in a file: one number of reads per line, except blank lines and comments (#).
   */
  private static Map<Integer, Double> recorded(Part part, NamedFiles files) {
    ConfigNode node = part.node("file");
    Path named = files.path(node);
    Map<Integer, Double> weights = new TreeMap<>();
    try {
      int number = 0;
      for (String line : Files.readAllLines(named)) {
        number++;
        String text = line.strip();
        if (text.isEmpty() || text.startsWith("#")) {
          continue;
        }
        if (!isWidth(text)) {
          throw new ConfigException(
              named.toString(), number, "reads", text, "a number of reads from 1 to " + WIDEST);
        }
        weights.merge(Integer.parseInt(text), 1.0, Double::sum);
      }
    } catch (MalformedInputException e) {
      throw node.refuse("a file in UTF-8 (" + named + " is not)");
    } catch (IOException e) {
      throw node.refuse("a readable file (looked for " + named + ")");
    }
    if (weights.isEmpty()) {
      throw node.refuse("a file with at least one number of reads");
    }
    part.put("file", files.used(node));
    return weights;
  }

  private static Widths checked(Part part, Supplier<Widths> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw part.node().refuse("another mean than " + e.getMessage());
    }
  }
}
