/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.lab.settings.Items;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Bounds of an arm's cost relative to another arm, or of its throughput: bounds of ratios arm /
 * other arm, which the report judges by their 95 % intervals. Key {@code bounds}, of every kind of
 * experiment.
 *
 * @param arm the judged arm
 * @param over the arm for comparison, round by round
 * @param requestClass the class whose latency and answers count; CPU is of {@code all} only
 * @param ratios upper bounds; lower for {@link Quantity#ANSWERS}
 */
public record ArmBound(String arm, String over, String requestClass, Map<Quantity, Double> ratios) {
  private static final String ALL = "all";

  private static final Section SECTION =
      Section.of(
              Key.required(Setting.anyText("arm", null, "the arm that is judged")),
              Key.required(Setting.anyText("over", null, "the arm that it is compared with")),
              Key.of(
                      Setting.anyText(
                          "class",
                          ALL,
                          "whose latency and answers count: a class of requests, scan, index or write"))
                  .quiet())
          .and(Arrays.stream(Quantity.values()).map(ArmBound::ratio).toArray(Key[]::new));

  static final Key KEY =
      Key.optional(
          "bounds",
          new Items(SECTION),
          "limits of an arm's cost relative to another: bounds of the ratio arm / other arm, "
              + "round by round;"
              + " the report says whether the whole 95 % interval holds each");

  public enum Quantity {
    P50(LatencyStatistic.P50, "at most; median latency"),
    P95(LatencyStatistic.P95, "at most; 95th percentile of latency"),
    P99(LatencyStatistic.P99, "at most; 99th percentile of latency"),
    P999(LatencyStatistic.P999, "at most; 99.9th percentile of latency"),
    /** CPU time of the nodes per read. */
    CPU(null, "at most; CPU time of the nodes per read, of class all only"),
    /** Answers per second in a closed loop; the only quantity for which more is better. */
    ANSWERS(null, "at least; answers per second in a closed loop");

    private final LatencyStatistic latency;
    private final String meaning;

    Quantity(LatencyStatistic latency, String meaning) {
      this.latency = latency;
      this.meaning = meaning;
    }

    /** The bounded latency, if it is one. */
    public Optional<LatencyStatistic> latency() {
      return Optional.ofNullable(latency);
    }

    /** The key in the file. */
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The quantities that an experiment measures, for which bounds can be judged.
   *
   * @param classes classes that have latencies in the results
   * @param quantities measured quantities
   */
  public record Measures(List<String> classes, Set<Quantity> quantities) {
    /** Measures of latencies alone. */
    public static Measures latencies(List<String> classes) {
      return new Measures(
          classes,
          Arrays.stream(Quantity.values())
              .filter(quantity -> quantity.latency().isPresent())
              .collect(Collectors.toCollection(() -> EnumSet.noneOf(Quantity.class))));
    }

    /** Measures of latencies and of the costs of nodes. */
    public static Measures ofNodes(List<String> classes) {
      return new Measures(classes, EnumSet.allOf(Quantity.class));
    }
  }

  /** Keeps the quantities in their order. */
  public ArmBound {
    ratios = Collections.unmodifiableMap(new EnumMap<>(ratios));
  }

  /**
   * Reads the value of {@code bounds}.
   *
   * @param arms arms in the file
   * @throws ConfigException if a bound names an unknown arm, or no quantity
   */
  public static List<ArmBound> read(ConfigNode list, Collection<String> arms) {
    return list.items().stream().map(SECTION::read).map(one -> read(one, arms)).toList();
  }

  /**
   * Reads the bounds of a file that will run.
   *
   * @param measures bounds of other quantities would never be judged
   */
  static List<ArmBound> read(List<Part> parts, Collection<String> arms, Measures measures) {
    return parts.stream().map(one -> read(checked(one, measures), arms)).toList();
  }

  private static Part checked(Part part, Measures measures) {
    String[] names = measures.classes().toArray(String[]::new);
    Optional<ConfigNode> written = part.node().find("class");
    if (written.isPresent()) {
      written.get().oneOf(names);
    } else if (!measures.classes().contains(ALL)) {
      throw part.node().refuse("class: one of " + String.join(", ", names));
    }
    for (Quantity quantity : Quantity.values()) {
      if (part.has(quantity.key()) && !measures.quantities().contains(quantity)) {
        throw part.node(quantity.key())
            .refuse(
                "only what this kind of experiment measures: "
                    + measures.quantities().stream()
                        .map(Quantity::key)
                        .collect(Collectors.joining(", ")));
      }
    }
    if (part.has(Quantity.CPU.key()) && !part.word("class").equals(ALL)) {
      throw part.node(Quantity.CPU.key())
          .refuse("only a bound of class all, as CPU is not measured per class");
    }
    return part;
  }

  private static ArmBound read(Part part, Collection<String> arms) {
    String[] names = arms.toArray(String[]::new);
    Map<Quantity, Double> ratios = new EnumMap<>(Quantity.class);
    for (Quantity quantity : Quantity.values()) {
      if (part.has(quantity.key())) {
        ratios.put(quantity, part.real(quantity.key()));
      }
    }
    if (ratios.isEmpty()) {
      throw part.node()
          .refuse(
              "at least one of "
                  + Arrays.stream(Quantity.values())
                      .map(Quantity::key)
                      .collect(Collectors.joining(", ")));
    }
    String arm = part.node("arm").oneOf(names);
    String over = part.node("over").oneOf(names);
    if (arm.equals(over)) {
      throw part.node("over").refuse("an arm other than the judged one");
    }
    return new ArmBound(arm, over, part.word("class"), ratios);
  }

  private static Key ratio(Quantity quantity) {
    return Key.optional(Setting.number(quantity.key(), 1, 0.01, 100, quantity.meaning));
  }

  /** The bound's values by the names of its keys. */
  Map<String, Object> values() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("arm", arm);
    values.put("over", over);
    values.put("class", requestClass);
    ratios.forEach((quantity, ratio) -> values.put(quantity.key(), ratio));
    return values;
  }
}
