/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.contention.squeeze.Schedule;
import dev.manx.contention.squeeze.Squeeze;
import dev.manx.lab.experiment.YamlText;
import dev.manx.policy.config.ConfigNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A node is squeezed for a while in every turn, at the same time of its window whatever the arm.
 *
 * @param atNanos since the start of the window
 * @param forNanos how long
 * @param node from 1
 * @param squeeze what is done to its process
 */
public record SqueezeEvent(long atNanos, long forNanos, int node, Squeeze squeeze) {
  /** Reads {@code events}; they fit into the window, and a node has one at a time. */
  static List<SqueezeEvent> read(ConfigNode list, int nodes, long windowNanos) {
    if (windowNanos == 0) {
      throw list.refuse("events only with window, which says when they are");
    }
    List<SqueezeEvent> events = new ArrayList<>();
    for (ConfigNode item : list.items()) {
      long at = item.at("at").durationNanos(0, windowNanos - Schedule.LEAST_NANOS);
      long duration = item.at("for").durationNanos(Schedule.LEAST_NANOS, windowNanos - at);
      ConfigNode node = item.at("squeeze");
      int index = (int) node.at("node").integer(1, nodes);
      Squeeze squeeze = Squeeze.read(node);
      node.noOtherKeys();
      item.noOtherKeys();
      SqueezeEvent event = new SqueezeEvent(at, duration, index, squeeze);
      if (events.stream().anyMatch(event::overlaps)) {
        throw item.refuse("one squeeze of a node at a time");
      }
      events.add(event);
    }
    return List.copyOf(events);
  }

  private boolean overlaps(SqueezeEvent other) {
    return node == other.node
        && atNanos < other.atNanos + other.forNanos
        && other.atNanos < atNanos + forNanos;
  }

  /** The same in a window of another length. */
  SqueezeEvent scaled(double factor) {
    return new SqueezeEvent((long) (atNanos * factor), (long) (forNanos * factor), node, squeeze);
  }

  /** The mapping that reads as this. */
  Map<String, Object> written() {
    Map<String, Object> what = new LinkedHashMap<>();
    what.put("node", node);
    what.putAll(squeeze.written());
    return YamlText.ordered(
        "at", YamlText.nanos(atNanos),
        "for", YamlText.nanos(forNanos),
        "squeeze", what);
  }

  /** For people: {@code node2: 1 core}. */
  public String words() {
    return "node" + node + ": " + squeeze.words();
  }
}
