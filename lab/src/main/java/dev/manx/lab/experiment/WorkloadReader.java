/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import static dev.manx.lab.experiment.YamlText.ordered;

import dev.manx.policy.config.ConfigNode;
import dev.manx.workload.Arrivals;
import dev.manx.workload.Fanout;
import dev.manx.workload.Popularity;
import dev.manx.workload.SizeClass;
import dev.manx.workload.Values;
import dev.manx.workload.WorkloadSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** Reads and writes {@code workload:}. */
public final class WorkloadReader {
  private static final int MOST_KEYS = 50_000_000;
  private static final int WIDEST = 10_000;

  private WorkloadReader() {}

  /** Reads the mapping and refuses other keys. */
  public static WorkloadSpec read(ConfigNode node) {
    int keys = (int) node.at("keys").integer(1, MOST_KEYS);
    List<SizeClass> sizes = sizes(node.at("values"));
    int largeFrom =
        (int)
            node.find("large-from")
                .map(n -> n.bytes(1, Integer.MAX_VALUE))
                .orElse(64L << 10)
                .longValue();
    long dataSeed =
        node.find("data-seed").map(n -> n.integer(Long.MIN_VALUE, Long.MAX_VALUE)).orElse(1L);
    Popularity popularity =
        node.find("popularity").map(WorkloadReader::popularity).orElse(new Popularity.Uniform());
    Fanout fanout = fanout(node.at("fan-out"));
    Arrivals arrivals =
        node.find("arrivals")
            .map(n -> n.oneOf("poisson", "fixed"))
            .map(text -> text.equals("fixed") ? Arrivals.FIXED : Arrivals.POISSON)
            .orElse(Arrivals.POISSON);
    int narrow =
        node.find("narrow-to")
            .map(n -> (int) n.integer(1, WIDEST))
            .orElse(WorkloadSpec.NARROW_MAX_READS);
    node.noOtherKeys();
    return checked(
        node.at("keys"),
        () ->
            new WorkloadSpec(
                keys, sizes, largeFrom, dataSeed, popularity, fanout, arrivals, narrow));
  }

  private static List<SizeClass> sizes(ConfigNode node) {
    List<SizeClass> sizes = new ArrayList<>();
    double sum = 0;
    for (ConfigNode item : node.items()) {
      int bytes = (int) item.at("bytes").bytes(Values.MIN_BYTES, 8L << 20);
      double share = item.at("share").fraction(0, 1);
      item.noOtherKeys();
      sizes.add(checked(item, () -> new SizeClass(bytes, share)));
      sum += share;
    }
    if (sizes.isEmpty() || Math.abs(sum - 1) > 1e-9) {
      throw node.refuse("shares that add up to 100%, not " + Math.round(sum * 1e6) / 1e4 + "%");
    }
    return sizes;
  }

  private static Popularity popularity(ConfigNode node) {
    if (!node.isMapping()) {
      node.oneOf("uniform");
      return new Popularity.Uniform();
    }
    double exponent = node.at("zipf").number(0, 10);
    node.noOtherKeys();
    return new Popularity.Zipf(exponent);
  }

  private static Fanout fanout(ConfigNode node) {
    Fanout fanout =
        switch (node.at("kind").oneOf("heavy-tailed", "fixed", "lognormal")) {
          case "fixed" -> new Fanout.Fixed((int) node.at("reads").integer(1, WIDEST));
          case "lognormal" -> {
            double mu = node.at("mu").number(-5, 10);
            double sigma = node.at("sigma").number(1e-6, 5);
            int max = (int) node.at("max").integer(1, WIDEST);
            yield new Fanout.Lognormal(mu, sigma, max);
          }
          default -> {
            double single = node.at("single").fraction(0, 1);
            double mean = node.at("mean").number(1, WIDEST);
            int max = (int) node.at("max").integer(2, WIDEST);
            yield checked(node, () -> new Fanout.Zeta(single, mean, max));
          }
        };
    node.noOtherKeys();
    return fanout;
  }

  /** Turns a refusal of the workload's own checks into one at its place in the file. */
  private static <T> T checked(ConfigNode node, Supplier<T> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw node.refuse(e.getMessage());
    }
  }

  /** A workload with every value in place, as it is read. */
  public static Map<String, Object> written(WorkloadSpec spec) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("keys", spec.keys());
    out.put(
        "values",
        spec.sizes().stream()
            .map(size -> ordered("bytes", size.valueBytes() + "B", "share", size.share()))
            .toList());
    out.put("large-from", spec.largeFromBytes() + "B");
    out.put("data-seed", spec.dataSeed());
    out.put(
        "popularity",
        spec.popularity() instanceof Popularity.Zipf zipf
            ? ordered("zipf", zipf.exponent())
            : "uniform");
    out.put("fan-out", fanout(spec.fanout()));
    out.put("arrivals", spec.arrivals().name().toLowerCase(Locale.ROOT));
    out.put("narrow-to", spec.narrowMaxReads());
    return out;
  }

  private static Map<String, Object> fanout(Fanout fanout) {
    if (fanout instanceof Fanout.Fixed fixed) {
      return ordered("kind", "fixed", "reads", fixed.reads());
    }
    if (fanout instanceof Fanout.Lognormal lognormal) {
      return ordered(
          "kind", "lognormal",
          "mu", lognormal.mu(),
          "sigma", lognormal.sigma(),
          "max", lognormal.maxReads());
    }
    Fanout.Zeta zeta = (Fanout.Zeta) fanout;
    return ordered(
        "kind", "heavy-tailed",
        "single", zeta.singleShare(),
        "mean", zeta.meanReads(),
        "max", zeta.maxReads());
  }
}
