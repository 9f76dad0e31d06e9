/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.cluster.ClusterSettings.ServiceModel;
import dev.manx.lab.cluster.ClusterSettings.ServiceModel.Unequal;
import dev.manx.lab.experiment.YamlText;
import dev.manx.policy.config.ConfigNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads and writes {@code service-model:}. */
final class ServiceModelReader {
  private static final long SECOND = 1_000_000_000L;
  private static final double SLOWEST = 100;

  private ServiceModelReader() {}

  static ServiceModel read(ConfigNode node, int nodes) {
    ServiceModel model =
        new ServiceModel(
            node.at("base").durationNanos(0, 10 * SECOND),
            node.find("per-kib").map(n -> n.durationNanos(0, SECOND)).orElse(0L),
            node.find("nodes").map(n -> unequal(n, nodes)).orElse(Map.of()));
    node.noOtherKeys();
    if (model.baseNanos() + model.perKibNanos() == 0) {
      throw node.refuse("a base or a time per KiB above 0, or no service-model at all");
    }
    return model;
  }

  private static Map<Integer, Unequal> unequal(ConfigNode node, int nodes) {
    Map<Integer, Unequal> unequal = new TreeMap<>();
    IntStream.rangeClosed(1, nodes)
        .forEach(index -> node.find("node" + index).ifPresent(one -> unequal.put(index, one(one))));
    node.noOtherKeys();
    return unequal;
  }

  private static Unequal one(ConfigNode node) {
    double times = node.find("times").map(n -> n.number(0.01, SLOWEST)).orElse(1.0);
    long pause = node.find("pause").map(n -> n.durationNanos(1_000, 60 * SECOND)).orElse(0L);
    long every = pause == 0 ? 0 : node.at("every").durationNanos(pause + pause / 10, 600 * SECOND);
    node.noOtherKeys();
    if (times == 1 && pause == 0) {
      throw node.refuse("times, or a pause and every");
    }
    return new Unequal(times, pause, every);
  }

  static Map<String, Object> written(ServiceModel model) {
    Map<String, Object> out =
        YamlText.ordered(
            "base", YamlText.nanos(model.baseNanos()),
            "per-kib", YamlText.nanos(model.perKibNanos()));
    if (!model.unequal().isEmpty()) {
      Map<String, Object> nodes = new LinkedHashMap<>();
      model.unequal().forEach((index, one) -> nodes.put("node" + index, written(one)));
      out.put("nodes", nodes);
    }
    return out;
  }

  private static Map<String, Object> written(Unequal one) {
    Map<String, Object> out = YamlText.ordered("times", one.times());
    if (one.pauseNanos() > 0) {
      out.put("pause", YamlText.nanos(one.pauseNanos()));
      out.put("every", YamlText.nanos(one.everyNanos()));
    }
    return out;
  }

  /** {@code node2 2 times as slow; node3 stalls 100ms of every 1s}; empty if all are alike. */
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
