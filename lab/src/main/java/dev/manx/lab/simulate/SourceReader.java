/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.simulate;

import static dev.manx.lab.experiment.ExperimentWriter.ordered;

import dev.manx.lab.experiment.ExperimentWriter;
import dev.manx.lab.experiment.WorkloadReader;
import dev.manx.policy.config.ConfigNode;
import dev.manx.simulator.source.KeyedSpec;
import dev.manx.simulator.source.Sizes;
import dev.manx.simulator.source.SourceSpec;
import dev.manx.simulator.source.SyntheticSpec;
import dev.manx.simulator.source.Widths;
import dev.manx.workload.Arrivals;
import dev.manx.workload.Workload;
import dev.manx.workload.WorkloadSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code workload:} of a simulated experiment. */
final class SourceReader {
  /**
   * What was read.
   *
   * @param written the mapping with every value in place
   */
  record Described(
      SourceSpec source, Arrivals arrivals, int narrowMaxReads, Map<String, Object> written) {}

  private static final int WIDEST = 10_000;

  private SourceReader() {}

  static Described read(ConfigNode node) {
    String kind = node.find("kind").map(n -> n.oneOf("keys", "synthetic")).orElse("keys");
    if (kind.equals("synthetic")) {
      return synthetic(node);
    }
    WorkloadSpec spec = WorkloadReader.read(node);
    Map<String, Object> written = ordered("kind", "keys");
    written.putAll(ExperimentWriter.workload(spec));
    return new Described(
        new KeyedSpec(new Workload(spec)), spec.arrivals(), spec.narrowMaxReads(), written);
  }

  private static Described synthetic(ConfigNode node) {
    Map<String, Object> written = ordered("kind", "synthetic");
    List<Widths> kinds = requests(node.at("requests"), written);
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
    try {
      return new Described(
          new SyntheticSpec(kinds, sizes, keys, largeKeys, zipf), arrivals, narrow, written);
    } catch (IllegalArgumentException e) {
      throw node.at("requests").refuse(e.getMessage());
    }
  }

  private static List<Widths> requests(ConfigNode node, Map<String, Object> written) {
    if (node.find("kind").isPresent()) {
      node.at("kind").oneOf("bounded-pareto");
      double single = node.at("single").fraction(0, 0.999);
      double mean = node.at("mean").number(1, WIDEST);
      int max = (int) node.at("max").integer(2, WIDEST);
      node.noOtherKeys();
      written.put(
          "requests",
          ordered("kind", "bounded-pareto", "single", single, "mean", mean, "max", max));
      try {
        return List.of(Widths.boundedPareto(single, mean, max));
      } catch (IllegalArgumentException e) {
        throw node.refuse("another mean than " + e.getMessage());
      }
    }
    List<Widths> kinds = new ArrayList<>();
    Map<String, Object> named = new LinkedHashMap<>();
    for (String name : node.names()) {
      ConfigNode item = node.at(name);
      double share = item.find("share").map(n -> n.fraction(0, 1)).orElse(1.0);
      int reads = (int) item.at("reads").integer(1, WIDEST);
      double large = item.find("large").map(n -> n.fraction(0, 1)).orElse(-1.0);
      item.noOtherKeys();
      kinds.add(Widths.fixed(share, reads, large));
      Map<String, Object> one = ordered("share", share, "reads", reads);
      if (large >= 0) {
        one.put("large", large);
      }
      named.put(name, one);
    }
    written.put("requests", named);
    return kinds;
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
