/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import dev.manx.lab.experiment.NamedFiles;
import dev.manx.lab.experiment.WorkloadReader;
import dev.manx.lab.settings.Forms;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.Setting;
import dev.manx.simulator.source.KeyedSpec;
import dev.manx.simulator.source.Sizes;
import dev.manx.simulator.source.SourceSpec;
import dev.manx.simulator.source.SyntheticSpec;
import dev.manx.simulator.source.Widths;
import dev.manx.workload.Arrivals;
import dev.manx.workload.Workload;
import dev.manx.workload.WorkloadSpec;
import java.util.List;
import java.util.Map;

/** Reads {@code workload:} of a simulated experiment. */
final class SourceReader {
  /**
   * The result of reading.
   *
   * @param thinkNanos mean think time of a closed loop; 0 for open arrivals
   * @param words lines for the environment, by name
   * @param doubts warnings for users, in sentences
   */
  record Described(
      SourceSpec source,
      Arrivals arrivals,
      long thinkNanos,
      int narrowMaxReads,
      Map<String, String> words,
      List<String> doubts) {
    Described(SourceSpec source, Arrivals arrivals, long thinkNanos, int narrowMaxReads) {
      this(source, arrivals, thinkNanos, narrowMaxReads, Map.of(), List.of());
    }
  }

  static final int WIDEST = 10_000;

  static final Key LARGE_FROM =
      Key.of(
          Setting.size(
              "large-from",
              "64KiB",
              "1B",
              "1GiB",
              "requests with a value of this size or more are `large`"));

  private static final Forms VALUES =
      Forms.of(
          Forms.having(
              "scale",
              Section.of(
                  Key.required(
                      Setting.number(
                          "scale", 1, 1e-3, 1e9, "of a generalized Pareto distribution, in bytes")),
                  Key.required(Setting.number("shape", 0.5, 1e-3, 0.999, "of that distribution")),
                  Key.required(Setting.size("max", "1B", "1B", "1GiB", "the largest value")),
                  LARGE_FROM)),
          Forms.otherwise(
              "without scale",
              Section.of(
                  Key.required(Setting.size("small", "1B", "1B", "1GiB", "size of most values")),
                  Key.optional(Setting.size("large", "2B", "2B", "1GiB", "size of the others"))
                      .otherwise("small and 1B"),
                  Key.of(
                      Setting.share(
                          "large-share",
                          0,
                          0,
                          1,
                          "share of reads with a large value, in requests without `large`")))));

  private static final Section SYNTHETIC =
      Section.of(
          Key.required(
              "requests",
              WidthsReader.SHAPE,
              "number of reads per request: a distribution, or kinds of requests by name"),
          Key.required("values", VALUES, "sizes of values"),
          Key.of(
              Setting.whole("keys", 0, 0, Integer.MAX_VALUE, "0: every read has a different key")),
          Key.of(
              Setting.whole(
                  "large-keys",
                  0,
                  0,
                  Integer.MAX_VALUE,
                  "further keys, which have large values; 0: as many as `keys`")),
          Key.of(Setting.number("zipf", 0, 0, 10, "Zipf's exponent of popularity")),
          WorkloadReader.ARRIVALS,
          WorkloadReader.NARROW_TO,
          Key.optional(
              Setting.duration(
                  "think", "1ns", "1ns", "1h", "mean think time; makes the loop a closed one")));

  /** The mapping. */
  static final Forms SHAPE =
      Forms.byKind(
          Setting.word("kind", "source of requests", "keys", "synthetic", "recorded", "trace"),
          Map.of(
              "keys",
              WorkloadReader.SECTION,
              "synthetic",
              SYNTHETIC,
              "recorded",
              RecordedReader.SECTION,
              "trace",
              OwnTraceReader.SECTION));

  private SourceReader() {}

  /**
   * Reads the mapping.
   *
   * @param files those that the mapping names
   */
  static Described read(Part part, NamedFiles files) {
    return switch (part.word("kind")) {
      case "recorded" -> RecordedReader.read(part, files);
      case "trace" -> OwnTraceReader.read(part, files);
      case "synthetic" -> synthetic(part, files);
      default -> {
        WorkloadSpec spec = WorkloadReader.read(part);
        yield new Described(
            new KeyedSpec(new Workload(spec)), spec.arrivals(), 0, spec.narrowMaxReads());
      }
    };
  }

  private static Described synthetic(Part part, NamedFiles files) {
    if (part.whole("keys") == 0 && part.real("zipf") > 0) {
      throw part.node("zipf").refuse("0, or a number of keys: without keys there is no popularity");
    }
    List<Widths> kinds = WidthsReader.read(part, files);
    Sizes sizes = values(part.part("values"), kinds);
    boolean largeReads = SyntheticSpec.mostLarge(kinds, sizes) > 0;
    part.only(
        "large-keys", part.whole("keys") > 0 && largeReads, "keys, and reads of large values");
    if (part.whole("keys") > 0) {
      checkKeys(part, kinds, sizes);
    }
    try {
      return new Described(
          new SyntheticSpec(
              kinds, sizes, part.whole("keys"), part.whole("large-keys"), part.real("zipf")),
          part.choice("arrivals", Arrivals.class),
          part.has("think") ? part.number("think") : 0,
          part.whole("narrow-to"));
    } catch (IllegalArgumentException e) {
      throw part.node("requests").refuse(e.getMessage());
    }
  }

  /** Refuses fewer keys than the widest request reads, as its keys are distinct. */
  private static void checkKeys(Part part, List<Widths> kinds, Sizes sizes) {
    int small = SyntheticSpec.mostSmall(kinds, sizes);
    int large = SyntheticSpec.mostLarge(kinds, sizes);
    boolean apart = part.whole("large-keys") > 0;
    checkKeys(part, "keys", apart ? small : Math.max(small, large));
    if (apart) {
      checkKeys(part, "large-keys", large);
    }
  }

  private static void checkKeys(Part part, String name, int most) {
    if (part.whole(name) < most) {
      throw part.node(name)
          .refuse(
              "0, or a number from %d to %d: a request may read %d of them, all distinct"
                  .formatted(most, Integer.MAX_VALUE, most));
    }
  }

  private static Sizes values(Part part, List<Widths> kinds) {
    if (part.isKey("scale")) {
      if (part.whole("large-from") == 1 && kinds.stream().anyMatch(Widths::specifiesLarge)) {
        throw part.node("large-from").refuse("2B to 1GiB, since some requests have small values");
      }
      return new Sizes.GeneralizedPareto(
          part.real("scale"), part.real("shape"), part.whole("max"), part.whole("large-from"));
    }
    int small = part.whole("small");
    boolean given = part.has("large");
    int large = given ? part.whole("large", small + 1L, 1 << 30) : small + 1;
    part.putDerived("large", large);
    boolean open = !kinds.stream().allMatch(Widths::specifiesLarge);
    part.only("large-share", open, "a kind of requests that has no `large`");
    Sizes sizes = new Sizes.Two(small, large, part.real("large-share"));
    if (!given && SyntheticSpec.mostLarge(kinds, sizes) > 0) {
      throw part.node().refuse("a mapping with `large`, the size of the large values");
    }
    return sizes;
  }
}
