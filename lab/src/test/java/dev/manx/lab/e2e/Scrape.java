/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import dev.manx.lab.docs.Dashboards;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The answer of an exporter, and whether a PromQL query would find its metrics: every name, with a
 * sample that has the labels and values of its selector.
 */
final class Scrape {
  private static final Pattern LINE = Pattern.compile("(\\w+)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");
  private static final Pattern SELECTOR = Pattern.compile("(cassandra_manx_\\w+)(?:\\{([^}]*)})?");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)(=~|!=|!~|=)\"([^\"]*)\"");
  private static final Pattern GROUPING =
      Pattern.compile("\\b(?:by|without|on|ignoring)\\s*\\(([^)]*)\\)");
  private static final Pattern WORD = Pattern.compile("[A-Za-z_][\\w:]*");

  /** Labels of the scraping job and of queries themselves. */
  private static final Set<String> OUTER = Set.of("cluster", "instance", "job");

  private static final Set<String> KNOWN =
      Set.of(
          "and",
          "or",
          "unless",
          "bool",
          "rate",
          "increase",
          "sum",
          "max",
          "max_over_time",
          "min",
          "count",
          "count_values",
          "quantile",
          "changes",
          "vector",
          "label_values",
          "up");

  private final Map<String, List<Map<String, String>>> samples = new HashMap<>();

  // Names that the rules compute from metrics.
  private final Set<String> recorded;

  Scrape(String text) {
    recorded = recorded();
    for (String line : text.split("\n", -1)) {
      Matcher parts = LINE.matcher(line);
      if (line.startsWith("#") || !parts.matches()) {
        continue;
      }
      Map<String, String> sample = new HashMap<>();
      if (parts.group(2) != null) {
        LABEL
            .matcher(parts.group(2))
            .results()
            .forEach(label -> sample.put(label.group(1), label.group(2)));
      }
      sample.put("", parts.group(3));
      samples.computeIfAbsent(parts.group(1), name -> new ArrayList<>()).add(sample);
    }
  }

  private static Set<String> recorded() {
    try {
      return Dashboards.rules().keySet();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The names of all samples. */
  Set<String> names() {
    return samples.keySet();
  }

  /** The value of a sample without labels. */
  double value(String name) {
    return Double.parseDouble(samples.get(name).get(0).get(""));
  }

  /** Missing metrics of a query; empty if it finds all. */
  Set<String> missing(String query) {
    Set<String> missing = new TreeSet<>();
    SELECTOR
        .matcher(query)
        .results()
        .filter(selector -> !isThere(selector.group(1), selector.group(2)))
        .forEach(selector -> missing.add(selector.group()));
    Set<String> labels = new TreeSet<>(OUTER);
    samples.values().forEach(all -> all.forEach(sample -> labels.addAll(sample.keySet())));
    GROUPING
        .matcher(query)
        .results()
        .flatMap(grouping -> List.of(grouping.group(1).split("\\s*,\\s*", -1)).stream())
        .filter(label -> !labels.contains(label))
        .forEach(label -> missing.add("label " + label));
    WORD.matcher(bare(query))
        .results()
        .map(word -> word.group())
        .filter(word -> !word.startsWith("cassandra_manx_") && !KNOWN.contains(word))
        .filter(word -> !labels.contains(word) && !recorded.contains(word))
        .forEach(word -> missing.add("word " + word));
    return missing;
  }

  /** Without strings, selectors' labels, ranges and groupings. */
  private static String bare(String query) {
    return GROUPING
        .matcher(query.replaceAll("\\{[^}]*}", "").replaceAll("\\[[^\\]]*]", ""))
        .replaceAll("")
        .replaceAll("\"[^\"]*\"", "");
  }

  private boolean isThere(String name, String matchers) {
    List<Map<String, String>> found = samples.getOrDefault(name, List.of());
    return found.stream().anyMatch(sample -> matches(sample, matchers == null ? "" : matchers));
  }

  private static boolean matches(Map<String, String> sample, String matchers) {
    return MATCHER
        .matcher(matchers)
        .results()
        .filter(matcher -> !OUTER.contains(matcher.group(1)))
        .allMatch(
            matcher ->
                matcher.group(2).equals("=")
                    ? matcher.group(3).equals(sample.get(matcher.group(1)))
                    : sample.containsKey(matcher.group(1)));
  }
}
