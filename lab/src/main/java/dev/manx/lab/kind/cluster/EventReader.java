/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.contention.squeeze.Schedule;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Reads {@code events:}. */
final class EventReader {
  /** The keys of an event; one of the keys after the first two is the disturbance. */
  static final Section SECTION =
      Section.of(
              Key.required(
                  Setting.duration("at", "0", "0", "24h", "since the start of the window")),
              Key.required(
                  Setting.duration(
                      "for", "1s", "100ms", "24h", "duration; it ends within the window")))
          .and(Disturbance.keys())
          .and(SqueezeEvent.KEY);

  private EventReader() {}

  /** Reads {@code events}; they fit into the window, and a node has one at a time. */
  static List<NodeEvent> read(Part top, int nodes, long windowNanos, boolean modelled) {
    if (top.has("events") && windowNanos == 0) {
      throw top.node("events")
          .refuse(
              "events only with window, in which their times lie"
                  + (top.node("requests").isOverride()
                      ? "; the command line replaces it by requests"
                      : ""));
    }
    List<NodeEvent> events = new ArrayList<>();
    for (Part item : top.parts("events")) {
      long at = inside(top, item, "at", 0, windowNanos - Schedule.LEAST_NANOS);
      long duration = inside(top, item, "for", Schedule.LEAST_NANOS, windowNanos - at);
      List<String> kinds =
          SECTION.keys().stream().map(Key::name).skip(2).filter(item::has).toList();
      if (kinds.size() != 1) {
        throw item.node()
            .refuse(
                "one of "
                    + SECTION.keys().stream()
                        .map(Key::name)
                        .skip(2)
                        .collect(Collectors.joining(", ")));
      }
      Part what = item.part(kinds.get(0));
      NodeEvent event =
          kinds.get(0).equals(SqueezeEvent.KEY.name())
              ? SqueezeEvent.read(what, at, duration, nodes)
              : Disturbance.read(what, kinds.get(0), at, duration, nodes, modelled);
      if (events.stream().anyMatch(event::overlaps)) {
        throw item.node().refuse("one event of a node at a time");
      }
      if (events.stream().anyMatch(one -> misses(one, event) || misses(event, one))) {
        throw item.node()
            .refuseBecause(
                "a squeeze does not work after a restart of its node: it is prepared before the"
                    + " turn, for the process that the restart ends");
      }
      events.add(event);
    }
    return List.copyOf(events);
  }

  private static boolean misses(NodeEvent restart, NodeEvent squeeze) {
    return Disturbance.isRestart(restart)
        && squeeze instanceof SqueezeEvent
        && restart.node() == squeeze.node()
        && restart.atNanos() < squeeze.atNanos();
  }

  /** Scales the times of {@code events}, in the resolved file too. */
  static List<NodeEvent> scaled(Part top, List<NodeEvent> events, double factor) {
    List<NodeEvent> scaled = events.stream().map(event -> event.scaled(factor)).toList();
    for (int i = 0; i < scaled.size(); i++) {
      Part item = top.parts("events").get(i);
      item.put("at", scaled.get(i).atNanos());
      item.put("for", scaled.get(i).forNanos());
    }
    return scaled;
  }

  /** Reads a time of an event; the event must lie within the window. */
  private static long inside(Part top, Part item, String key, long min, long max) {
    long nanos = item.number(key);
    if (nanos < min || nanos > max) {
      throw item.node(key)
          .refuse(
              "a duration from %s to %s, within the window of %s%s"
                  .formatted(
                      Units.bound(min),
                      Units.bound(max),
                      top.node("window").text(),
                      top.node("window").isOverride() ? " (of the command line)" : ""));
    }
    return nanos;
  }
}
