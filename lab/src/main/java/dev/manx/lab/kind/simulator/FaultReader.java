/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import static dev.manx.lab.experiment.YamlText.nanos;
import static dev.manx.lab.experiment.YamlText.ordered;

import dev.manx.policy.config.ConfigNode;
import dev.manx.simulator.ModelSpec;
import dev.manx.simulator.ModelSpec.Cpu;
import dev.manx.simulator.ModelSpec.Fault;
import dev.manx.simulator.ModelSpec.Place;
import dev.manx.simulator.ModelSpec.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads and writes {@code model.faults}. */
final class FaultReader {
  private static final long SECOND = 1_000_000_000L;
  private static final long DAY = 86_400 * SECOND;
  private static final String ALL = "all";

  private final int nodes;
  private final int coordinators;
  private final boolean coordinatorsWork;

  /** For a cluster of so many nodes and coordinators. */
  FaultReader(int nodes, int coordinators, Cpu cpu) {
    this.nodes = nodes;
    this.coordinators = coordinators;
    coordinatorsWork = cpu.perRequestNanos() + cpu.perReadNanos() + cpu.perAnswerNanos() > 0;
  }

  List<Fault> read(ConfigNode list) {
    List<Fault> faults = new ArrayList<>();
    for (ConfigNode item : list.items()) {
      faults.add(fault(item));
    }
    return faults;
  }

  private Fault fault(ConfigNode item) {
    boolean atNode = item.find("coordinator").isEmpty();
    ConfigNode which = item.at(atNode ? "node" : "coordinator");
    if (!atNode && !coordinatorsWork) {
      throw which.refuse("a node, or a coordinator whose work takes time (model.cpu)");
    }
    Trouble trouble =
        Trouble.valueOf(
            item.at("is")
                .oneOf(
                    atNode
                        ? new String[] {
                          "dead", "slow", "paused", "stalled", "restarted", "far", "stepped"
                        }
                        : new String[] {"slow"})
                .toUpperCase(Locale.ROOT));
    int id =
        which.text().equals(ALL)
            ? ModelSpec.EVERY
            : (int) which.integer(0, (atNode ? nodes : coordinators) - 1L);
    if (id == ModelSpec.EVERY && trouble == Trouble.RESTARTED) {
      throw which.refuse("one node: requests need the others");
    }
    long from = item.at("from").durationNanos(0, DAY);
    long to = item.at("to").durationNanos(from + 1, DAY);
    Fault fault =
        new Fault(
            atNode ? Place.NODE : Place.COORDINATOR,
            id,
            trouble,
            from,
            to,
            item.find("every").map(n -> n.durationNanos(to - from + 1, DAY)).orElse(0L),
            item.find("speed").map(n -> n.number(1e-6, 1e3)).orElse(0.5),
            item.find("delay").map(n -> n.durationNanos(0, 60 * SECOND)).orElse(1_000_000L));
    item.noOtherKeys();
    return fault;
  }

  /** Faults with every value in place, as they are read. */
  static List<Map<String, Object>> written(List<Fault> faults) {
    List<Map<String, Object>> list = new ArrayList<>();
    for (Fault fault : faults) {
      Map<String, Object> one =
          ordered(
              fault.place() == Place.NODE ? "node" : "coordinator",
              fault.id() == ModelSpec.EVERY ? ALL : fault.id(),
              "is",
              fault.trouble().name().toLowerCase(Locale.ROOT),
              "from",
              nanos(fault.fromNanos()),
              "to",
              nanos(fault.toNanos()));
      if (fault.everyNanos() > 0) {
        one.put("every", nanos(fault.everyNanos()));
      }
      one.put("speed", fault.factor());
      one.put("delay", nanos(fault.delayNanos()));
      list.add(one);
    }
    return list;
  }
}
