/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import static dev.manx.lab.experiment.YamlText.ordered;

import dev.manx.policy.config.ConfigNode;
import dev.manx.simulator.source.Widths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Reads {@code requests:} of a synthetic workload: how many reads requests have. */
final class WidthsReader {
  private static final int WIDEST = SourceReader.WIDEST;

  private WidthsReader() {}

  /**
   * Reads the mapping, and writes it with every value in place.
   *
   * @param file the experiment's; a recorded fan-out stands beside it
   */
  static List<Widths> read(ConfigNode node, Path file, Map<String, Object> written) {
    if (node.find("kind").isEmpty()) {
      return named(node, written);
    }
    String kind =
        node.at("kind")
            .oneOf("bounded-pareto", "fixed", "geometric", "lognormal", "listed", "recorded");
    Map<String, Object> own = ordered("kind", kind);
    Widths widths =
        switch (kind) {
          case "fixed" -> {
            int reads = whole(node, "reads", own);
            yield Widths.fixed(1, reads, -1);
          }
          case "geometric" -> {
            double mean = number(node, "mean", 1, WIDEST, own);
            int max = whole(node, "max", own);
            yield checked(node, () -> Widths.geometric(mean, max));
          }
          case "lognormal" -> {
            double mean = number(node, "mean", 1, WIDEST, own);
            double sigma = number(node, "sigma", 1e-3, 5, own);
            int max = whole(node, "max", own);
            yield checked(node, () -> Widths.lognormal(mean, sigma, max));
          }
          case "listed" -> {
            Map<Integer, Double> weights = new TreeMap<>();
            ConfigNode list = node.at("widths");
            for (String reads : list.names()) {
              weights.put(width(list, reads), list.at(reads).fraction(0, 1));
            }
            own.put("widths", weights);
            yield listed(list, weights);
          }
          case "recorded" -> {
            own.put("file", node.at("file").text());
            yield listed(node.at("file"), recorded(node.at("file"), file));
          }
          default -> {
            double single = node.at("single").fraction(0, 0.999);
            own.put("single", single);
            double mean = number(node, "mean", 1, WIDEST, own);
            int max = whole(node, "max", own);
            yield checked(node, () -> Widths.boundedPareto(single, mean, max));
          }
        };
    node.noOtherKeys();
    written.put("requests", own);
    return List.of(widths);
  }

  private static int whole(ConfigNode node, String key, Map<String, Object> written) {
    int value = (int) node.at(key).integer(1, WIDEST);
    written.put(key, value);
    return value;
  }

  private static double number(
      ConfigNode node, String key, double min, double max, Map<String, Object> written) {
    double value = node.at(key).number(min, max);
    written.put(key, value);
    return value;
  }

  private static int width(ConfigNode list, String text) {
    if (!text.matches("[1-9][0-9]{0,4}") || Integer.parseInt(text) > WIDEST) {
      throw list.refuse("numbers of reads from 1 to " + WIDEST + " with their shares");
    }
    return Integer.parseInt(text);
  }

  private static Widths listed(ConfigNode node, Map<Integer, Double> weights) {
    return checked(node, () -> Widths.listed(weights));
  }

  /** How often each width stands in a file: a number of reads a line, blank lines and # apart. */
  private static Map<Integer, Double> recorded(ConfigNode node, Path file) {
    Path named = file.toAbsolutePath().resolveSibling(node.text());
    Map<Integer, Double> weights = new TreeMap<>();
    try {
      for (String line : Files.readAllLines(named)) {
        String text = line.strip();
        if (!text.isEmpty() && !text.startsWith("#")) {
          weights.merge(width(node, text), 1.0, Double::sum);
        }
      }
    } catch (IOException e) {
      throw node.refuse("a readable file (looked for " + named + ")");
    }
    return weights;
  }

  private static List<Widths> named(ConfigNode node, Map<String, Object> written) {
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

  private static Widths checked(ConfigNode node, Supplier<Widths> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw node.refuse("another mean than " + e.getMessage());
    }
  }
}
