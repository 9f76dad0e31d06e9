/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting.Kind;
import dev.manx.policy.config.Values;
import dev.manx.policy.config.YamlScalar;
import dev.manx.policy.facts.Exchange;
import dev.manx.policy.facts.Fact;
import dev.manx.policy.oracle.Forecast;
import dev.manx.policy.oracle.PopularityOracle;
import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * A strategy as written: its policies with their settings, every default resolved. Immutable.
 *
 * @param select the selector
 * @param order the order of a replica's queue
 * @param fanout the fan-out planner
 * @param bound the reference that replaces the three above, if any
 * @param size the size oracle, if any
 * @param popularity the popularity oracle, if any
 * @param forecast settings of the forecast
 * @param exchange settings of the messages between coordinators, if it sends any
 * @param facts the exchanged facts, in wire order
 */
record StrategySpec(
    Choice select,
    Choice order,
    Choice fanout,
    Optional<Choice> bound,
    Optional<Choice> size,
    Optional<Choice> popularity,
    Settings forecast,
    Optional<Settings> exchange,
    List<Fact> facts) {
  private static final String NO_ORACLE = "none";

  /** A policy and its settings. */
  record Choice(PolicyInfo policy, Settings settings) {
    // The family determines the type that a factory makes; the caller names it.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    <T> T make() {
      return (T) Policies.make(policy, settings);
    }

    Choice with(PopularityOracle popularity) {
      return new Choice(policy, settings.with(popularity));
    }

    String written() {
      List<String> parts = new ArrayList<>(List.of("policy: " + policy.name()));
      parts.addAll(pairs(settings));
      return "{ " + String.join(", ", parts) + " }";
    }
  }

  /** Reads the mapping under {@code strategy} and refuses contradictory parts. */
  static StrategySpec read(ConfigNode node, Host host) {
    Choice select = orStandard(node, "select", "select.stock", host);
    Choice order = orStandard(node, "order", "order.fifo", host);
    Choice fanout = orStandard(node, "fanout", "fanout.none", host);
    Optional<Choice> bound = node.find("bound").map(n -> choice(n, "bound", host));
    Optional<Choice> size = Optional.empty();
    Optional<Choice> popularity = Optional.empty();
    Settings forecast = host.settings(Forecast.SETTINGS, null);
    Optional<ConfigNode> oracles = node.find("oracles");
    if (oracles.isPresent()) {
      size = oracle(oracles.get(), "size", host);
      popularity = oracle(oracles.get(), "popularity", host);
      Optional<ConfigNode> guesses = oracles.get().find("forecast");
      if (guesses.isPresent()) {
        forecast = host.settings(Forecast.SETTINGS, guesses.get());
        guesses.get().noOtherKeys();
      }
      oracles.get().noOtherKeys();
    }
    Optional<Settings> exchange = node.find("exchange").map(n -> exchange(n, host));
    List<Fact> listed = node.find("facts").map(StrategySpec::facts).orElse(List.of());
    List<Fact> facts = withCores(listed, fanout);
    node.noOtherKeys();
    StrategySpec spec =
        new StrategySpec(select, order, fanout, bound, size, popularity, forecast, exchange, facts);
    Contradictions.refuse(spec, node, host);
    return spec;
  }

  /** The configured bound on the time that a queued read may be overtaken, if there is one. */
  OptionalLong maxWaitNanos() {
    return bound(List.of(Kind.DURATION, Kind.DURATION_OR_WORD), "max-wait");
  }

  /** The most reads in a queue, if the order has such a bound. */
  OptionalLong queueCapacity() {
    return bound(List.of(Kind.WHOLE), "capacity");
  }

  private OptionalLong bound(List<Kind> kinds, String name) {
    return order.policy().settings().stream()
        .filter(setting -> kinds.contains(setting.kind()) && setting.name().equals(name))
        .mapToLong(setting -> order.settings().number(name))
        .filter(value -> value != Values.BY_ITSELF)
        .findFirst();
  }

  /** The acting policy for each part of the document. */
  Map<String, String> names() {
    Map<String, String> names = new LinkedHashMap<>();
    if (bound.isEmpty()) {
      names.put("select", select.policy().name());
      names.put("order", order.policy().name());
      names.put("fanout", fanout.policy().name());
    } else {
      names.put("bound", bound.get().policy().name());
    }
    names.put("oracles.size", size.map(choice -> choice.policy().name()).orElse(NO_ORACLE));
    popularity.ifPresent(choice -> names.put("oracles.popularity", choice.policy().name()));
    names.put("facts", facts.stream().map(Fact::name).collect(Collectors.joining(",")));
    return names;
  }

  /** Whether this strategy plans without the fact that shows a queue at another node. */
  boolean plansBlindly() {
    boolean plans =
        !select.policy().name().equals("select.stock")
            || !fanout.policy().name().equals("fanout.none");
    return plans && !facts.contains(Fact.WORK_AHEAD);
  }

  /** Whether oracle and forecast have the same settings as another spec's. */
  boolean learnsAs(StrategySpec other) {
    return size.map(Choice::written).equals(other.size.map(Choice::written))
        && popularity.map(Choice::written).equals(other.popularity.map(Choice::written))
        && pairs(forecast).equals(pairs(other.forecast));
  }

  /** The YAML with every default written out; it parses to an equal spec. */
  String document() {
    String acting =
        bound
            .map(choice -> "  bound: " + choice.written() + "\n")
            .orElseGet(
                () ->
                    ("  select: " + select.written() + "\n")
                        + ("  order: " + order.written() + "\n")
                        + ("  fanout: " + fanout.written() + "\n"));
    return "strategy:\n"
        + acting
        + "  oracles:\n"
        + ("    size: " + size.map(Choice::written).orElse(NO_ORACLE) + "\n")
        + ("    popularity: " + popularity.map(Choice::written).orElse(NO_ORACLE) + "\n")
        + ("    forecast: { " + String.join(", ", pairs(forecast)) + " }\n")
        + exchange.map(e -> "  exchange: { " + String.join(", ", pairs(e)) + " }\n").orElse("")
        + ("  facts: [" + facts.stream().map(Fact::name).collect(Collectors.joining(", ")) + "]\n");
  }

  private static Optional<Choice> oracle(ConfigNode oracles, String guessed, Host host) {
    return oracles
        .find(guessed)
        .filter(StrategySpec::namesPolicy)
        .map(node -> choice(node, "oracle", "oracle." + guessed + "-", host));
  }

  private static Settings exchange(ConfigNode node, Host host) {
    if (!host.abilities().contains(Ability.EXCHANGE)) {
      throw node.refuseBecause(
          "strategy.exchange %s, which works only in %s"
              .formatted(Ability.EXCHANGE.words(), Ability.EXCHANGE.host()));
    }
    Settings settings = host.settings(Exchange.SETTINGS, node);
    node.noOtherKeys();
    return settings;
  }

  private static boolean namesPolicy(ConfigNode size) {
    return size.isMapping() || !size.text().equals(NO_ORACLE);
  }

  private static List<String> pairs(Settings settings) {
    return settings.written().entrySet().stream()
        .map(entry -> entry.getKey() + ": " + YamlScalar.of(entry.getValue()))
        .toList();
  }

  private static Choice orStandard(ConfigNode parent, String family, String standard, Host host) {
    Optional<ConfigNode> node = parent.find(family);
    if (node.isPresent()) {
      return choice(node.get(), family, host);
    }
    PolicyInfo policy = Policies.find(standard).orElseThrow();
    return new Choice(policy, host.settings(policy.settings(), null));
  }

  static Choice choice(ConfigNode node, String family, Host host) {
    return choice(node, family, family + ".", host);
  }

  /** A policy by its bare name, or a mapping with its name and settings. */
  private static Choice choice(ConfigNode node, String family, String prefix, Host host) {
    ConfigNode name = node.isMapping() ? node.at("policy") : node;
    PolicyInfo policy =
        Policies.find(name.text())
            .filter(info -> info.name().startsWith(prefix))
            .orElseThrow(() -> unknown(name, family, prefix));
    Optional<Ability> missing =
        policy.needs().stream().filter(need -> !host.abilities().contains(need)).findFirst();
    if (missing.isPresent()) {
      throw name.refuseBecause(
          "%s %s, which works only in %s"
              .formatted(policy.name(), missing.get().words(), missing.get().host()));
    }
    if (!policy.actsAt(host.places())) {
      throw name.refuseBecause(policy.actsOnly());
    }
    ConfigNode mapping = node.isMapping() ? node : null;
    Choice choice = new Choice(policy, host.settings(policy.settings(), mapping));
    if (mapping != null) {
      mapping.noOtherKeys();
    }
    return choice;
  }

  private static ConfigException unknown(ConfigNode name, String family, String prefix) {
    String own =
        name.text().startsWith(prefix)
            ? "; a policy of your own needs its jar, which MANX_POLICIES names for ./manx"
            : "";
    return name.refuse("one of " + names(family, prefix) + own);
  }

  private static String names(String family, String prefix) {
    return Policies.family(family).stream()
        .map(PolicyInfo::name)
        .filter(name -> name.startsWith(prefix))
        .collect(Collectors.joining(", "));
  }

  /** The bound on busy cores holds by default, and without their fact it would bound nothing. */
  private static List<Fact> withCores(List<Fact> listed, Choice fanout) {
    boolean bounded =
        fanout.policy().name().equals("fanout.tied") && fanout.settings().real("most-cores") < 1;
    if (!bounded || listed.contains(Fact.CORES)) {
      return listed;
    }
    List<Fact> facts = new ArrayList<>(listed);
    facts.add(Fact.CORES);
    return List.copyOf(facts);
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
}
