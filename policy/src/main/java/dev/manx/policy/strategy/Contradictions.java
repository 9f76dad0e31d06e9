/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.facts.Fact;
import dev.manx.policy.spi.Ability;
import dev.manx.policy.strategy.StrategySpec.Choice;
import java.util.List;

/** Refuses parts of a strategy that do not fit together. */
final class Contradictions {
  private static final List<String> BY_DURATION =
      List.of("order.boost", "order.slack-edf", "order.multilevel", "order.lottery");

  private Contradictions() {}

  static void refuse(StrategySpec spec, ConfigNode node) {
    refuseMissingFacts(spec, node);
    refuseForeignParts(spec, node);
    if ("pending-reads".equals(spec.select().settings().written().get("signal"))
        && !spec.facts().contains(Fact.PENDING_READS)) {
      throw node.at("select")
          .at("signal")
          .refuse("outstanding or work, or pending-reads together with it in strategy.facts");
    }
    if ("completions".equals(spec.select().settings().written().get("service"))
        && !spec.facts().contains(Fact.COMPLETED_READS)) {
      throw node.at("select")
          .at("service")
          .refuse("reported, or completions together with completed-reads in strategy.facts");
    }
    if (spec.exchange().isPresent() && spec.facts().isEmpty() && !tellsKeys(spec)) {
      throw node.at("exchange")
          .refuse("something to tell: strategy.facts, or oracles.size: oracle.size-bloom");
    }
    refuseUnits(spec, node);
    if (spec.select().policy().name().equals("select.popularity-aware")
        && spec.popularity().isEmpty()) {
      throw node.at("select")
          .refuse("select.popularity-aware only together with strategy.oracles.popularity");
    }
  }

  private static boolean tellsKeys(StrategySpec spec) {
    return spec.size().map(size -> size.policy().name().equals("oracle.size-bloom")).orElse(false);
  }

  private static void refuseMissingFacts(StrategySpec spec, ConfigNode node) {
    List<String> exchanged = spec.facts().stream().map(Fact::name).toList();
    for (Choice choice : List.of(spec.select(), spec.order(), spec.fanout())) {
      for (String needed : choice.policy().needsFacts()) {
        if (!exchanged.contains(needed)) {
          ConfigNode part = node.at(choice.policy().family());
          throw part.refuse(
              choice.policy().name() + " only together with " + needed + " in strategy.facts");
        }
      }
    }
  }

  private static void refuseForeignParts(StrategySpec spec, ConfigNode node) {
    if (spec.bound().isPresent()) {
      for (String part : List.of("select", "order", "fanout")) {
        if (node.find(part).isPresent()) {
          throw node.at(part).refuse("nothing: strategy.bound stands in for it");
        }
      }
    }
    if (spec.select().policy().needs().contains(Ability.HOLD)
        && spec.fanout().policy().needs().contains(Ability.HOLD)) {
      throw node.at("fanout")
          .refuse(
              "a policy that holds no reads back, since "
                  + spec.select().policy().name()
                  + " does");
    }
  }

  private static void refuseUnits(StrategySpec spec, ConfigNode node) {
    String cost = spec.fanout().settings().written().get("cost");
    if ("bytes".equals(cost) && spec.size().isEmpty()) {
      throw node.at("fanout")
          .at("cost")
          .refuse("forecast or keys, or bytes together with an oracle in strategy.oracles.size");
    }
    boolean durations =
        (cost == null || cost.equals("forecast"))
            && !spec.fanout().policy().name().equals("fanout.rein-sbf");
    if (!durations && BY_DURATION.contains(spec.order().policy().name())) {
      throw node.at("order")
          .refuse(
              "order.fifo, order.bottleneck or order.sjf, or a planner with cost: forecast, since "
                  + spec.order().policy().name()
                  + " ranks by durations");
    }
  }
}
