/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Quantity;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.simulator.ModelSpec;
import dev.manx.simulator.ModelSpec.Cpu;
import dev.manx.simulator.ModelSpec.Fault;
import dev.manx.simulator.ModelSpec.Place;
import dev.manx.simulator.ModelSpec.Trouble;
import java.util.ArrayList;
import java.util.List;

/** Reads {@code model.faults}. */
final class FaultReader {
  private static final long DAY = 86_400_000_000_000L;
  private static final String ALL = "all";

  static final Section SECTION =
      Section.of(
          Key.optional("node", which(ModelSpec.MOST_NODES), "from 0; or all"),
          Key.optional(
              "coordinator",
              which(100_000),
              "instead of node: from 0, or all; it can be slow, if its work takes time (cpu)"),
          Key.required(Setting.choice("is", Trouble.class, "kind of fault")),
          Key.required(Setting.duration("from", "0", "0", "24h", "since the start")),
          Key.required(Setting.duration("to", "1ns", "1ns", "24h", "since the start")),
          Key.optional(Setting.duration("every", "1s", "1ns", "24h", "again after this time"))
              .otherwise("once"),
          Key.of(Setting.number("speed", 0.5, 1e-6, 1e3, "of a slow node or coordinator")),
          Key.of(
              Setting.duration(
                  "delay",
                  "1ms",
                  "0",
                  "1min",
                  "of messages to and from a far node; size of a clock's step")));

  private final int nodes;
  private final int coordinators;
  private final boolean coordinatorsWork;

  /** Reads faults of a cluster with the given numbers of nodes and coordinators. */
  FaultReader(int nodes, int coordinators, Cpu cpu) {
    this.nodes = nodes;
    this.coordinators = coordinators;
    coordinatorsWork = cpu.atCoordinators();
  }

  private static Quantity which(int most) {
    return new Quantity(
        List.of(
            Setting.whole("which", 0, 0, most - 1L, "one"), Setting.word(ALL, "each of them", ALL)),
        "a whole number from 0, or all");
  }

  List<Fault> read(List<Part> parts) {
    List<Fault> faults = new ArrayList<>();
    for (Part part : parts) {
      Fault fault = fault(part);
      if (faults.stream().anyMatch(before -> undoes(before, fault))) {
        throw part.node("from")
            .refuse("a time after the end of the other fault of this kind at this place");
      }
      faults.add(fault);
    }
    return faults;
  }

  /** Whether the end of one fault would also end the other. Repeated faults have no end. */
  private static boolean undoes(Fault one, Fault other) {
    boolean samePlace =
        one.place() == other.place()
            && (one.id() == other.id()
                || one.id() == ModelSpec.EVERY
                || other.id() == ModelSpec.EVERY);
    return samePlace
        && kind(one) == kind(other)
        && !isDelay(one.trouble())
        && one.fromNanos() <= end(other)
        && other.fromNanos() <= end(one);
  }

  /** Whether a fault is a delay; the delays of several faults add up. */
  private static boolean isDelay(Trouble trouble) {
    return trouble == Trouble.FAR || trouble == Trouble.STEPPED;
  }

  /** A node can be paused in one way at a time. */
  private static Trouble kind(Fault fault) {
    return fault.trouble() == Trouble.STALLED ? Trouble.PAUSED : fault.trouble();
  }

  private static long end(Fault fault) {
    return fault.everyNanos() > 0 ? Long.MAX_VALUE : fault.toNanos();
  }

  private Fault fault(Part part) {
    boolean atNode = !part.has("coordinator");
    ConfigNode which = part.node(atNode ? "node" : "coordinator");
    if (!atNode && part.has("node")) {
      throw which.refuse("a node or a coordinator, not both");
    }
    if (!atNode && !coordinatorsWork) {
      throw which.refuse("a node, or a coordinator whose work takes time (model.cpu)");
    }
    Trouble trouble = part.choice("is", Trouble.class);
    if (!atNode) {
      part.node("is").oneOf("slow");
    }
    int id =
        which.text().equals(ALL)
            ? ModelSpec.EVERY
            : (int) which.integer(0, (atNode ? nodes : coordinators) - 1L);
    if (id == ModelSpec.EVERY && trouble == Trouble.RESTARTED) {
      throw which.refuse("one node: requests need the others");
    }
    part.only("speed", trouble == Trouble.SLOW, "is: slow");
    part.only("delay", isDelay(trouble), "is: far or stepped");
    long from = part.number("from");
    long to = part.within("to", from + 1, DAY);
    return new Fault(
        atNode ? Place.NODE : Place.COORDINATOR,
        id,
        trouble,
        from,
        to,
        part.has("every") ? part.within("every", to - from + 1, DAY) : 0,
        part.real("speed"),
        part.number("delay"));
  }
}
