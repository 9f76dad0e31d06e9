/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import static dev.manx.lab.experiment.YamlText.ordered;

import dev.manx.lab.experiment.WorkloadReader;
import dev.manx.lab.experiment.YamlText;
import dev.manx.policy.config.ConfigNode;
import dev.manx.simulator.source.KeyedSpec;
import dev.manx.simulator.source.Sizes;
import dev.manx.simulator.source.SourceSpec;
import dev.manx.simulator.source.SyntheticSpec;
import dev.manx.simulator.source.Widths;
import dev.manx.workload.Arrivals;
import dev.manx.workload.Workload;
import dev.manx.workload.WorkloadSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads {@code workload:} of a simulated experiment. */
final class SourceReader {
  /**
   * The result of reading.
   *
   * @param thinkNanos mean think time of a closed loop; 0 for open arrivals
   * @param written the mapping with every value in place
   */
  record Described(
      SourceSpec source,
      Arrivals arrivals,
      long thinkNanos,
      int narrowMaxReads,
      Map<String, Object> written) {}

  static final int WIDEST = 10_000;
  private static final long SECOND = 1_000_000_000L;

  private SourceReader() {}

  /**
   * Reads the mapping.
   *
   * @param file the experiment's; files that the mapping names stand beside it
   */
  static Described read(ConfigNode node, Path file) {
    String kind =
        node.find("kind").map(n -> n.oneOf("keys", "synthetic", "recorded")).orElse("keys");
    if (kind.equals("recorded")) {
      return RecordedReader.read(node, file);
    }
    if (kind.equals("synthetic")) {
      return synthetic(node, file);
    }
    WorkloadSpec spec = WorkloadReader.read(node);
    Map<String, Object> written = ordered("kind", "keys");
    written.putAll(WorkloadReader.written(spec));
    return new Described(
        new KeyedSpec(new Workload(spec)), spec.arrivals(), 0, spec.narrowMaxReads(), written);
  }

  private static Described synthetic(ConfigNode node, Path file) {
    Map<String, Object> written = ordered("kind", "synthetic");
    List<Widths> kinds = WidthsReader.read(node.at("requests"), file, written);
    Sizes sizes = values(node.at("values"), written);
    int keys = node.find("keys").map(n -> (int) n.integer(0, Integer.MAX_VALUE)).orElse(0);
    int largeKeys =
        node.find("large-keys").map(n -> (int) n.integer(0, Integer.MAX_VALUE)).orElse(0);
    double zipf = node.find("zipf").map(n -> n.number(0, 10)).orElse(0.0);
    Arrivals arrivals =
        node.find("arrivals")
                .map(n -> n.oneOf("poisson", "fixed"))
                .orElse("poisson")
                .equals("fixed")
            ? Arrivals.FIXED
            : Arrivals.POISSON;
    long think = node.find("think").map(n -> n.durationNanos(1, 3600 * SECOND)).orElse(0L);
    int narrow =
        node.find("narrow-to")
            .map(n -> (int) n.integer(1, WIDEST))
            .orElse(WorkloadSpec.NARROW_MAX_READS);
    node.noOtherKeys();
    written.putAll(
        ordered(
            "keys", keys,
            "large-keys", largeKeys,
            "zipf", zipf,
            "arrivals", arrivals == Arrivals.FIXED ? "fixed" : "poisson",
            "narrow-to", narrow));
    if (think > 0) {
      written.put("think", YamlText.nanos(think));
    }
    try {
      return new Described(
          new SyntheticSpec(kinds, sizes, keys, largeKeys, zipf), arrivals, think, narrow, written);
    } catch (IllegalArgumentException e) {
      throw node.at("requests").refuse(e.getMessage());
    }
  }

  private static Sizes values(ConfigNode node, Map<String, Object> written) {
    Sizes sizes;
    if (node.find("scale").isPresent()) {
      Sizes.GeneralizedPareto pareto =
          new Sizes.GeneralizedPareto(
              node.at("scale").number(1e-3, 1e9),
              node.at("shape").number(1e-3, 0.999),
              (int) node.at("max").bytes(1, 1 << 30),
              (int)
                  node.find("large-from")
                      .map(n -> n.bytes(1, 1 << 30))
                      .orElse(64L << 10)
                      .longValue());
      sizes = pareto;
      written.put(
          "values",
          ordered(
              "scale",
              pareto.scale(),
              "shape",
              pareto.shape(),
              "max",
              pareto.maxBytes() + "B",
              "large-from",
              pareto.largeFromBytes() + "B"));
    } else {
      int small = (int) node.at("small").bytes(1, 1 << 30);
      Sizes.Two two =
          new Sizes.Two(
              small,
              node.find("large").map(n -> (int) n.bytes(small + 1L, 1 << 30)).orElse(small + 1),
              node.find("large-share").map(n -> n.fraction(0, 1)).orElse(0.0));
      sizes = two;
      written.put(
          "values",
          ordered(
              "small", two.smallBytes() + "B",
              "large", two.largeBytes() + "B",
              "large-share", two.largeShare()));
    }
    node.noOtherKeys();
    return sizes;
  }
}
