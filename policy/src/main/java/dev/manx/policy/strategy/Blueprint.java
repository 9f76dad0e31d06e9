/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Setting.Kind;
import dev.manx.policy.spi.Settings;
import dev.manx.policy.strategy.StrategySpec.Choice;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A strategy as its document describes it, checked but not built: no policy code has run and
 * nothing is allocated, so that a host can first check its demands. Its values never change.
 */
public final class Blueprint {
  /** The setting in which a policy declares its memory in bytes. */
  public static final String MEMORY = "memory";

  private final StrategySpec spec;
  private final ConfigNode node;

  private Blueprint(StrategySpec spec, ConfigNode node) {
    this.spec = spec;
    this.node = node;
  }

  /**
   * Reads a document whose only key is {@code strategy}.
   *
   * @param file the document's name in errors
   * @throws dev.manx.policy.config.ConfigException for an unknown key, a bad value or parts that
   *     contradict each other
   */
  public static Blueprint parse(String file, String yamlText, Host host) {
    ConfigNode top = ConfigNode.parse(file, yamlText);
    Blueprint blueprint = of(top.at("strategy"), host);
    top.noOtherKeys();
    return blueprint;
  }

  /**
   * Reads a strategy inside another document: the mapping under its key, or the name of one of the
   * {@link Presets}.
   */
  public static Blueprint of(ConfigNode strategy, Host host) {
    ConfigNode node = Presets.resolve(strategy, host);
    return new Blueprint(StrategySpec.read(node, host), node);
  }

  /** The acting policy for each part of the document. */
  public Map<String, String> names() {
    return spec.names();
  }

  /** The document with every default written out; it parses to an equal blueprint. */
  public String document() {
    return spec.document();
  }

  /** The configured bound on the time that a queued read may be overtaken, if there is one. */
  public OptionalLong maxWaitNanos() {
    return spec.maxWaitNanos();
  }

  /** The settings of the messages between coordinators, if it sends any. */
  public Optional<Settings> exchange() {
    return spec.exchange();
  }

  /**
   * The bytes of memory of each part, by the key of its setting {@code memory}. Parts without that
   * setting are small.
   */
  public Map<String, Long> memoryBytes() {
    return memoryBytes(spec);
  }

  static Map<String, Long> memoryBytes(StrategySpec spec) {
    Map<String, Long> bytes = new TreeMap<>();
    note(bytes, "strategy.select", spec.select());
    note(bytes, "strategy.order", spec.order());
    note(bytes, "strategy.fanout", spec.fanout());
    spec.size().ifPresent(oracle -> note(bytes, "strategy.oracles.size", oracle));
    spec.popularity().ifPresent(oracle -> note(bytes, "strategy.oracles.popularity", oracle));
    return bytes;
  }

  private static void note(Map<String, Long> bytes, String key, Choice part) {
    for (Setting setting : part.policy().settings()) {
      if (setting.kind() == Kind.SIZE && setting.name().equals(MEMORY)) {
        bytes.put(key + "." + MEMORY, part.settings().number(MEMORY));
      }
    }
  }

  /** Whether {@link #build(Strategy)} would reuse the oracles of an earlier strategy. */
  public boolean learnsAs(Strategy earlier) {
    return earlier.isLearntAs(spec);
  }

  /**
   * Builds the strategy. Runs the policies' code and allocates their memory.
   *
   * @throws dev.manx.policy.config.ConfigException if the order cannot rank by the unit of the
   *     planner, which a planner of a third party states only when it is made
   */
  public Strategy build() {
    return checked(new Strategy(spec));
  }

  /**
   * Builds the strategy with the oracles and the forecast of an earlier one, if both were written
   * with the same settings: a switch of policies need not lose learnt data.
   *
   * @param earlier null for none
   * @throws dev.manx.policy.config.ConfigException as {@link #build()}
   */
  public Strategy build(Strategy earlier) {
    return earlier == null ? build() : checked(Strategy.learningOn(spec, earlier));
  }

  private Strategy checked(Strategy built) {
    Contradictions.refuseUnit(spec, node, built.unit());
    return built;
  }
}
