/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Named;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.lab.settings.YamlText;
import dev.manx.local.cluster.ClusterSettings.ServiceModel;
import dev.manx.local.cluster.ClusterSettings.ServiceModel.Unequal;
import dev.manx.policy.config.Setting;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads {@code service-model:}. */
final class ServiceModelReader {
  private static final long SECOND = 1_000_000_000L;
  private static final double SLOWEST = 100;

  private static final Section UNEQUAL =
      Section.of(
          Key.of(
              Setting.number("times", 1, 0.01, SLOWEST, "its reads take this many times as long")),
          Key.optional(
              Setting.duration("pause", "1s", "1us", "1min", "it serves no read for this long")),
          Key.optional(
              Setting.duration("every", "1s", "1us", "10min", "the period of these pauses")));

  static final Section SECTION =
      Section.of(
          Key.required(Setting.duration("base", "0", "0", "10s", "time of each read")),
          Key.of(
              Setting.duration("per-kib", "0", "0", "1s", "added time for each KiB of the value")),
          Key.optional(
              "nodes",
              new Named(
                  "node[1-" + ClusterReader.MOST_NODES + "]", "names of nodes: node1", UNEQUAL),
              "exceptions for single nodes, such as node2"));

  private ServiceModelReader() {}

  static ServiceModel read(Part part, int nodes) {
    Map<Integer, Unequal> unequal = new TreeMap<>();
    part.named("nodes", Part.class)
        .forEach(
            (name, one) -> {
              int index = Integer.parseInt(name.substring("node".length()));
              if (index > nodes) {
                throw one.node().refuse("nodes of the cluster: node1 to node" + nodes);
              }
              unequal.put(index, one(one));
            });
    ServiceModel model = new ServiceModel(part.number("base"), part.number("per-kib"), unequal);
    if (model.baseNanos() + model.perKibNanos() == 0) {
      throw part.node().refuse("a base or a time per KiB above 0, or no service-model at all");
    }
    return model;
  }

  private static Unequal one(Part part) {
    double times = part.real("times");
    long pause = part.has("pause") ? part.number("pause") : 0;
    if (pause > 0) {
      part.node("every");
    } else if (part.has("every")) {
      throw part.node("every").refuse("pause and every together");
    }
    long every = pause == 0 ? 0 : part.within("every", pause + pause / 10, 600 * SECOND);
    if (times == 1 && pause == 0) {
      throw part.node().refuse("times, or a pause and every");
    }
    return new Unequal(times, pause, every);
  }

  /**
   * {@code node2 2 times as slow; node3 stalls 100ms of every 1s}; empty if all nodes are equal.
   */
  static String words(ServiceModel model) {
    return model.unequal().entrySet().stream()
        .map(
            entry ->
                "node"
                    + entry.getKey()
                    + (entry.getValue().times() == 1
                        ? ""
                        : " takes " + entry.getValue().times() + " times as long")
                    + (entry.getValue().pauseNanos() == 0
                        ? ""
                        : " stalls for "
                            + YamlText.nanos(entry.getValue().pauseNanos())
                            + " of every "
                            + YamlText.nanos(entry.getValue().everyNanos())))
        .collect(Collectors.joining("; "));
  }
}
