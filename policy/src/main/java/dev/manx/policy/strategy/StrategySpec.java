/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.NanoClock;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.facts.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A strategy as written: which policies with which settings, every default resolved. Immutable.
 *
 * @param select the selector
 * @param order the order of a replica's queue
 * @param fanout the fan-out planner
 * @param size the size oracle, if there is one
 * @param forecast settings of the forecast
 * @param facts facts exchanged, in wire order
 */
record StrategySpec(
    Choice select,
    Choice order,
    Choice fanout,
    Optional<Choice> size,
    Settings forecast,
    List<Fact> facts) {
  private static final String NO_ORACLE = "none";

  /** A policy and its settings. */
  record Choice(PolicyInfo policy, Settings settings) {
    // The family fixes what a factory makes; the caller names it.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    <T> T make() {
      return (T) policy.factory().apply(settings);
    }

    private String written() {
      List<String> parts = new ArrayList<>(List.of("policy: " + policy.name()));
      parts.addAll(pairs(settings));
      return "{ " + String.join(", ", parts) + " }";
    }
  }

  /** Reads the mapping under {@code strategy} and refuses what does not fit together. */
  static StrategySpec read(ConfigNode node, NanoClock clock) {
    Choice select = choice(node, "select", "select.stock", clock);
    Choice order = choice(node, "order", "order.fifo", clock);
    Choice fanout = choice(node, "fanout", "fanout.none", clock);
    Optional<Choice> size = Optional.empty();
    Settings forecast = Settings.read(Policies.FORECAST, null, clock);
    Optional<ConfigNode> oracles = node.find("oracles");
    if (oracles.isPresent()) {
      Optional<ConfigNode> named = oracles.get().find("size").filter(StrategySpec::namesPolicy);
      size = named.map(n -> choice(n, "oracle", clock));
      Optional<ConfigNode> guesses = oracles.get().find("forecast");
      if (guesses.isPresent()) {
        forecast = Settings.read(Policies.FORECAST, guesses.get(), clock);
        guesses.get().noOtherKeys();
      }
      oracles.get().noOtherKeys();
    }
    List<Fact> facts = node.find("facts").map(StrategySpec::facts).orElse(List.of());
    node.noOtherKeys();
    StrategySpec spec = new StrategySpec(select, order, fanout, size, forecast, facts);
    spec.refuseContradictions(node);
    return spec;
  }

  /** The YAML with every default written out; it reads as this same spec. */
  String document() {
    return "strategy:\n"
        + ("  select: " + select.written() + "\n")
        + ("  order: " + order.written() + "\n")
        + ("  fanout: " + fanout.written() + "\n")
        + "  oracles:\n"
        + ("    size: " + size.map(Choice::written).orElse(NO_ORACLE) + "\n")
        + ("    forecast: { " + String.join(", ", pairs(forecast)) + " }\n")
        + ("  facts: [" + facts.stream().map(Fact::name).collect(Collectors.joining(", ")) + "]\n");
  }

  private static boolean namesPolicy(ConfigNode size) {
    return size.isMapping() || !size.text().equals(NO_ORACLE);
  }

  private static List<String> pairs(Settings settings) {
    return settings.written().entrySet().stream()
        .map(entry -> entry.getKey() + ": " + entry.getValue())
        .toList();
  }

  private static Choice choice(ConfigNode parent, String family, String standard, NanoClock clock) {
    Optional<ConfigNode> node = parent.find(family);
    if (node.isPresent()) {
      return choice(node.get(), family, clock);
    }
    PolicyInfo policy = Policies.find(standard).orElseThrow();
    return new Choice(policy, Settings.read(policy.settings(), null, clock));
  }

  /** A policy by its bare name, or a mapping with its name and settings. */
  private static Choice choice(ConfigNode node, String family, NanoClock clock) {
    ConfigNode name = node.isMapping() ? node.at("policy") : node;
    PolicyInfo policy =
        Policies.find(name.text())
            .filter(info -> info.family().equals(family))
            .orElseThrow(() -> name.refuse("one of " + names(family)));
    ConfigNode mapping = node.isMapping() ? node : null;
    Choice choice = new Choice(policy, Settings.read(policy.settings(), mapping, clock));
    if (mapping != null) {
      mapping.noOtherKeys();
    }
    return choice;
  }

  private static String names(String family) {
    return Policies.family(family).stream().map(PolicyInfo::name).collect(Collectors.joining(", "));
  }

  private static List<Fact> facts(ConfigNode list) {
    List<Fact> facts = new ArrayList<>();
    for (ConfigNode item : list.items()) {
      Fact fact =
          Fact.ALL.stream()
              .filter(known -> known.name().equals(item.text()))
              .findFirst()
              .orElseThrow(
                  () ->
                      item.refuse(
                          "one of "
                              + Fact.ALL.stream()
                                  .map(Fact::name)
                                  .collect(Collectors.joining(", "))));
      if (facts.contains(fact)) {
        throw item.refuse("each fact once");
      }
      facts.add(fact);
    }
    return List.copyOf(facts);
  }

  private void refuseContradictions(ConfigNode node) {
    List<String> exchanged = facts.stream().map(Fact::name).toList();
    for (Choice choice : List.of(select, order, fanout)) {
      for (String needed : choice.policy().needsFacts()) {
        if (!exchanged.contains(needed)) {
          ConfigNode part = node.at(choice.policy().family());
          throw part.refuse(
              choice.policy().name() + " only together with " + needed + " in strategy.facts");
        }
      }
    }
    boolean inBytes = "bytes".equals(fanout.settings().written().get("cost"));
    if (inBytes && size.isEmpty()) {
      throw node.at("fanout")
          .at("cost")
          .refuse("forecast or keys, or bytes together with an oracle in strategy.oracles.size");
    }
  }
}
