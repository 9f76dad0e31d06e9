/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.contention.squeeze.Schedule;
import dev.manx.policy.config.ConfigNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Something that happens to a node for a while, at the same time of the window in every turn. */
public interface NodeEvent {
  /** When it begins, since the start of the window. */
  long atNanos();

  /** How long it lasts. */
  long forNanos();

  /** The node, from 1. */
  int node();

  /** The same in a window of another length. */
  NodeEvent scaled(double factor);

  /** The mapping that reads as this. */
  Map<String, Object> written();

  /** For people: {@code node2: 1 core}. */
  String words();

  /**
   * Makes it ready for one turn; nothing happens yet.
   *
   * @param host does things to nodes
   * @throws dev.manx.contention.squeeze.SqueezeException if it is not permitted here
   */
  Running prepare(EventHost host);

  /** An event of one turn. Closing it undoes what is left of it. */
  interface Running extends AutoCloseable {
    /** Lets it begin now; may block for as long as beginning takes. */
    void begin();

    /** Lets it end, if it does not end by itself; may block for as long as ending takes. */
    void end();

    /**
     * Waits until it is over and says when it really was.
     *
     * @throws RuntimeException if it did not take place, or could not be undone
     */
    Span span();

    @Override
    void close();
  }

  /** From when to when something was, by {@code System.nanoTime()}. */
  record Span(long fromNanos, long toNanos) {}

  /** Reads {@code events}; they fit into the window, and a node has one at a time. */
  static List<NodeEvent> read(ConfigNode list, int nodes, long windowNanos, boolean modelled) {
    if (windowNanos == 0) {
      throw list.refuse("events only with window, which says when they are");
    }
    List<NodeEvent> events = new ArrayList<>();
    for (ConfigNode item : list.items()) {
      long at = item.at("at").durationNanos(0, windowNanos - Schedule.LEAST_NANOS);
      long duration = item.at("for").durationNanos(Schedule.LEAST_NANOS, windowNanos - at);
      NodeEvent event =
          Disturbance.read(item, at, duration, nodes, modelled)
              .map(NodeEvent.class::cast)
              .orElseGet(() -> SqueezeEvent.read(item, at, duration, nodes));
      item.noOtherKeys();
      if (events.stream().anyMatch(event::overlaps)) {
        throw item.refuse("one event of a node at a time");
      }
      events.add(event);
    }
    return List.copyOf(events);
  }

  /** Whether both concern the same node at the same time. */
  default boolean overlaps(NodeEvent other) {
    return node() == other.node()
        && atNanos() < other.atNanos() + other.forNanos()
        && other.atNanos() < atNanos() + forNanos();
  }
}
