/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.spi.Ability;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Named strategies, which may replace any strategy in a document: {@code strategy: manx}. They are
 * Manx's own and those of published systems.
 */
public final class Presets {
  private static final String LOW =
      """
        select: select.low
        oracles: { size: oracle.size-bloom }
        facts: [pending-reads, service-time, work-ahead, slowness]
      """;

  private static final List<Preset> ALL =
      List.of(
          new Preset(
              "manx",
              "least work in the node's actual time, boosted by bottleneck, longest read first",
              """
              strategy:
              %s  order: order.boost
                fanout: { policy: fanout.brb-equalmax, longest-first: true }
              """
                  .formatted(LOW)),
          new Preset(
              "manx-hedged",
              "manx, and late reads are sent again within a budget",
              """
              strategy:
              %s  order: order.boost
                fanout: { policy: fanout.hedged, rank: brb-equalmax, longest-first: true }
              """
                  .formatted(LOW)),
          new Preset(
              "manx-tied",
              "manx, and a waiting read is passed on to a second replica",
              """
              strategy:
              %s  order: order.boost
                fanout: { policy: fanout.tied, sender: replica, rank: brb-equalmax, longest-first: true }
              """
                  .formatted(LOW)),
          new Preset(
              "low-fifo",
              "least work in the node's actual time, arrival order",
              """
              strategy:
              %s  order: order.fifo
                fanout: fanout.none
              """
                  .formatted(LOW)),
          new Preset(
              "rein",
              "Rein (EuroSys'17): shortest bottleneck first, counted in keys; least outstanding reads",
              """
              strategy:
                select: select.lor
                order: order.bottleneck
                fanout: fanout.rein-sbf
              """),
          new Preset(
              "brb-credits",
              "BRB: credits from a controller, EqualMax",
              """
              strategy:
                order: order.bottleneck
                fanout: { policy: fanout.brb-credits, prefer: least-work }
                oracles: { size: oracle.size-bloom }
                facts: [pending-reads, service-time]
              """),
          new Preset(
              "tailx",
              "TailX (DAIS'20): opsets held for their slack, dynamic snitch",
              """
              strategy:
                select: select.dynamic-snitch
                order: order.fifo
                fanout: fanout.tailx-hold
                oracles: { size: oracle.size-bloom }
                facts: [service-time]
              """),
          new Preset(
              "c3",
              "C3 (NSDI'15): its score for each read, arrival order",
              """
              strategy:
                select: select.c3
                order: order.fifo
                fanout: fanout.none
                facts: [pending-reads, service-time]
              """),
          new Preset(
              "stock",
              "Cassandra's own decisions; in the simulator its snitch and speculative retry",
              "strategy: {}\n"));

  private static final String STOCK_IN_SIMULATOR =
      """
      strategy:
        select: select.dynamic-snitch
        order: order.fifo
        fanout: fanout.speculative-retry
      """;

  private Presets() {}

  /**
   * A named strategy.
   *
   * @param name its name in a document
   * @param summary one line
   * @param document its document on a node
   */
  public record Preset(String name, String summary, String document) {}

  /** Every preset. */
  public static List<Preset> all() {
    return ALL;
  }

  /** A preset by its name. */
  public static Optional<Preset> find(String name) {
    return ALL.stream().filter(preset -> preset.name().equals(name)).findFirst();
  }

  /** The names, for messages. */
  public static String names() {
    return ALL.stream().map(Preset::name).collect(Collectors.joining(", "));
  }

  /**
   * The mapping for a strategy's place in a document.
   *
   * @param place a mapping, or the name of a preset
   */
  static ConfigNode resolve(ConfigNode place, Host host) {
    if (place.isMapping()) {
      return place;
    }
    if (place.isList()) {
      throw place.refuse("a mapping, or a preset: " + names());
    }
    Preset preset =
        find(place.text()).orElseThrow(() -> place.refuse("a mapping, or a preset: " + names()));
    // A node's stock order already is the snitch's; a simulator's is the ring's.
    boolean simulated = host.abilities().contains(Ability.GLOBAL_STATE);
    String document =
        simulated && preset.name().equals("stock") ? STOCK_IN_SIMULATOR : preset.document();
    String label = place.file() + ": " + place.key() + " = " + preset.name();
    return ConfigNode.parse(label, document).at("strategy");
  }
}
