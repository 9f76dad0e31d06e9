/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.Request.Unit;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.facts.Fact;
import dev.manx.policy.fanout.Planners;
import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.strategy.StrategySpec.Choice;
import java.util.List;
import java.util.Map;

/** Refuses contradictory parts of a strategy. */
final class Contradictions {
  private static final List<String> BY_DURATION =
      List.of("order.boost", "order.slack-edf", "order.multilevel", "order.lottery");

  private Contradictions() {}

  static void refuse(StrategySpec spec, ConfigNode node, Host host) {
    refuseMissingFacts(spec, node);
    refuseForeignParts(spec, node);
    if ("pending-reads".equals(spec.select().settings().written().get("signal"))
        && !spec.facts().contains(Fact.PENDING_READS)) {
      throw node.at("select")
          .at("signal")
          .refuseBecause("it needs pending-reads in strategy.facts");
    }
    if ("completions".equals(spec.select().settings().written().get("service"))
        && !spec.facts().contains(Fact.COMPLETED_READS)) {
      throw node.at("select")
          .at("service")
          .refuseBecause("it needs completed-reads in strategy.facts");
    }
    if (spec.exchange().isPresent() && spec.facts().isEmpty() && !sharesKeys(spec)) {
      throw node.at("exchange")
          .refuseBecause("an exchange needs strategy.facts or oracles.size: oracle.size-bloom");
    }
    refuseUnits(spec, node);
    refuseSender(spec, node, host);
    if (spec.select().policy().name().equals("select.popularity-aware")) {
      refusePopularity(spec, node);
    }
  }

  private static void refusePopularity(StrategySpec spec, ConfigNode node) {
    if (spec.popularity().isEmpty()) {
      throw node.at("select")
          .refuseBecause("select.popularity-aware needs strategy.oracles.popularity");
    }
    if ("opset".equals(spec.fanout().settings().written().get("choose"))) {
      throw node.at("fanout")
          .at("choose")
          .refuseBecause("select.popularity-aware counts each read, so it must choose each");
    }
    double theta = spec.select().settings().real("theta");
    Choice counts = spec.popularity().get();
    // Halvings keep the count of all reads between one half-life and two.
    if (theta > 0
        && counts.policy().name().equals("oracle.popularity-space-saving")
        && spec.select().settings().real("warm-up")
            > theta * counts.settings().number("half-life")) {
      throw node.at("select")
          .refuseBecause("no key becomes popular: warm-up / theta exceeds the oracle's half-life");
    }
  }

  private static boolean sharesKeys(StrategySpec spec) {
    return spec.size().map(size -> size.policy().name().equals("oracle.size-bloom")).orElse(false);
  }

  private static void refuseMissingFacts(StrategySpec spec, ConfigNode node) {
    List<String> exchanged = spec.facts().stream().map(Fact::name).toList();
    for (Choice choice : List.of(spec.select(), spec.order(), spec.fanout())) {
      for (String needed : choice.policy().needsFacts()) {
        if (!exchanged.contains(needed)) {
          ConfigNode part = node.at(choice.policy().family());
          throw part.refuseBecause(
              choice.policy().name() + " needs " + needed + " in strategy.facts");
        }
      }
    }
  }

  private static void refuseForeignParts(StrategySpec spec, ConfigNode node) {
    if (spec.bound().isPresent()) {
      for (String part : List.of("select", "order", "fanout")) {
        if (node.find(part).isPresent()) {
          throw node.at(part).refuseBecause("strategy.bound replaces it");
        }
      }
    }
    if (spec.select().policy().needs().contains(Ability.GATE) && holds(spec.fanout().policy())) {
      throw node.at("fanout")
          .refuseBecause(
              spec.select().policy().name() + " holds reads back already; only one policy can");
    }
  }

  /** Only a replica can tell that a read has not started. */
  private static void refuseSender(StrategySpec spec, ConfigNode node, Host host) {
    if ("coordinator".equals(spec.fanout().settings().written().get("sender"))
        && !host.abilities().contains(Ability.COPIES)) {
      throw node.at("fanout")
          .refuseBecause(
              spec.fanout().policy().name()
                  + " with sender: coordinator works only in the simulator; use sender: replica");
    }
  }

  private static boolean holds(PolicyInfo policy) {
    return policy.needs().contains(Ability.GATE) || policy.needs().contains(Ability.HOLD);
  }

  /**
   * The units of Manx's own planners follow from their settings. The unit of a third party's
   * planner is known only once the planner is made.
   */
  private static void refuseUnits(StrategySpec spec, ConfigNode node) {
    if ("bytes".equals(spec.fanout().settings().written().get("cost")) && spec.size().isEmpty()) {
      throw node.at("fanout")
          .at("cost")
          .refuseBecause("it needs an oracle in strategy.oracles.size");
    }
    if (levelsByKeys(spec) && "slack".equals(spec.order().settings().written().get("inside"))) {
      throw node.at("order")
          .at("inside")
          .refuseBecause("slack is a duration; use levels-by: duration");
    }
    if (Planners.all().contains(spec.fanout().policy())) {
      refuseUnit(spec, node, unitOf(spec.fanout()));
    }
  }

  /**
   * Refuses an order that cannot rank by the planner's numbers, and a planner that counts bytes
   * without a size oracle.
   *
   * @param node the strategy's mapping
   * @param unit the planner's unit
   */
  static void refuseUnit(StrategySpec spec, ConfigNode node, Unit unit) {
    if (spec.bound().isPresent()) {
      return;
    }
    if (unit == Unit.BYTES && spec.size().isEmpty()) {
      throw node.at("fanout")
          .refuseBecause(
              spec.fanout().policy().name()
                  + " ranks by bytes and needs an oracle in strategy.oracles.size");
    }
    if (levelsByKeys(spec) && unit != Unit.KEYS) {
      throw node.at("order")
          .at("levels-by")
          .refuseBecause(
              "it needs fanout.rein-sbf, a planner with cost: keys, or another one that ranks by"
                  + " keys");
    }
    if (unit != Unit.NANOS
        && !levelsByKeys(spec)
        && BY_DURATION.contains(spec.order().policy().name())) {
      throw node.at("order")
          .refuseBecause(
              spec.order().policy().name()
                  + " ranks by durations; use order.fifo, order.bottleneck or order.sjf, or a"
                  + " planner with cost: forecast");
    }
  }

  private static boolean levelsByKeys(StrategySpec spec) {
    return "keys".equals(spec.order().settings().written().get("levels-by"));
  }

  private static Unit unitOf(Choice own) {
    Map<String, String> settings = own.settings().written();
    if (own.policy().name().equals("fanout.rein-sbf")
        || "rein-sbf".equals(settings.get("rank"))
        || "keys".equals(settings.get("cost"))) {
      return Unit.KEYS;
    }
    return "bytes".equals(settings.get("cost")) ? Unit.BYTES : Unit.NANOS;
  }
}
