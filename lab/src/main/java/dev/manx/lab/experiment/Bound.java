/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Bounds of an arm's cost over another, or of its yield: bounds of ratios arm / other arm, which
 * the report judges by their 95 % intervals. Key {@code bounds}, of every kind of experiment.
 *
 * @param arm that is judged
 * @param over the arm that it is compared with, round by round
 * @param requestClass whose latency counts
 * @param ratios at most so much, or at least for {@link Quantity#ANSWERS}
 */
public record Bound(String arm, String over, String requestClass, Map<Quantity, Double> ratios) {
  private static final String ALL = "all";

  /** The bounded quantities. */
  public enum Quantity {
    /** Median latency. */
    P50,
    /** 95th percentile of latency. */
    P95,
    /** 99th percentile of latency. */
    P99,
    /** 99.9th percentile of latency. */
    P999,
    /** CPU time of the nodes per read. */
    CPU,
    /** Answers per second in a closed loop; the one quantity of which more is better. */
    ANSWERS;

    /** As it stands in the file. */
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Keeps the quantities in their order. */
  public Bound {
    ratios = Collections.unmodifiableMap(new EnumMap<>(ratios));
  }

  /**
   * Reads {@code bounds}; without the key there are none.
   *
   * @param arms that the file has
   * @throws ConfigException if one names another arm, or bounds nothing
   */
  public static List<Bound> read(ConfigNode top, Collection<String> arms) {
    List<Bound> bounds = new ArrayList<>();
    for (ConfigNode node : top.find("bounds").map(ConfigNode::items).orElse(List.of())) {
      String[] names = arms.toArray(String[]::new);
      Map<Quantity, Double> ratios = new EnumMap<>(Quantity.class);
      for (Quantity quantity : Quantity.values()) {
        node.find(quantity.key()).ifPresent(n -> ratios.put(quantity, n.number(0.01, 100)));
      }
      bounds.add(
          new Bound(
              node.at("arm").oneOf(names),
              node.at("over").oneOf(names),
              node.find("class").map(ConfigNode::text).orElse(ALL),
              ratios));
      node.noOtherKeys();
      if (ratios.isEmpty()) {
        throw node.refuse("at least one of p50, p95, p99, p999, cpu, answers");
      }
    }
    return List.copyOf(bounds);
  }

  /** As it is read. */
  Map<String, Object> written() {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("arm", arm);
    out.put("over", over);
    if (!requestClass.equals(ALL)) {
      out.put("class", requestClass);
    }
    ratios.forEach((quantity, ratio) -> out.put(quantity.key(), ratio));
    return out;
  }
}
