/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.Head;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.YamlText;
import dev.manx.lab.kind.simulator.SourceReader.Described;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import dev.manx.simulator.ModelSpec;
import dev.manx.simulator.RunSpec;
import dev.manx.workload.RequestClass;
import java.util.List;
import java.util.Map;

/**
 * Model and requests of a simulated experiment, or of a point of its sweep.
 *
 * @param model the cluster
 * @param workload the requests
 * @param classes recorded beside all
 * @param loads each played on its own
 * @param requests of a run, warm-up included
 * @param warmUpShare of them
 * @param timelineNanos distance of its points; 0 for none
 */
record SimulatorSettings(
    ModelSpec model,
    Described workload,
    List<RequestClass> classes,
    List<Load> loads,
    long requests,
    double warmUpShare,
    long timelineNanos) {
  private static final long QUICK_REQUESTS = 12_000;
  private static final String[] CLASSES = {"single", "narrow", "wide", "small", "large"};
  private static final long SECOND = 1_000_000_000L;

  static SimulatorSettings read(ExperimentSource source, ConfigNode top, boolean quick) {
    Described workload = SourceReader.read(top.at("workload"), source.file());
    long requests = top.at("requests").integer(1, 10_000_000_000L);
    return new SimulatorSettings(
        ModelReader.read(top.at("model"), workload.source().meanBytes()),
        workload,
        top
            .find("classes")
            .map(n -> n.items().stream().map(item -> item.oneOf(CLASSES)).toList())
            .orElse(List.of(CLASSES))
            .stream()
            .distinct()
            .map(RequestClass::ofLabel)
            .toList(),
        top.at("loads").items().stream().map(SimulatorSettings::load).toList(),
        quick ? Math.min(requests, QUICK_REQUESTS) : requests,
        top.find("warm-up").map(n -> n.fraction(0, 0.9)).orElse(0.05),
        top.find("timeline").map(n -> n.durationNanos(0, 3600 * SECOND)).orElse(0L));
  }

  private static Load load(ConfigNode item) {
    String label = item.text();
    if (Units.perSecond(label).isPresent()) {
      return new Load(label, Double.NaN, item.perSecond(1e-3, 1e9));
    }
    if (Units.fraction(label).isPresent()) {
      return new Load(label, item.fraction(0.001, 2), Double.NaN);
    }
    throw item.refuse("a share of the modelled capacity (70%) or a rate of requests (120/s)");
  }

  /** The first keys of {@code experiment.yaml}. */
  Map<String, Object> written(Head head) {
    Map<String, Object> written = head.written();
    written.put("model", ModelReader.written(model));
    written.put("workload", workload.written());
    written.put("classes", classes.stream().map(RequestClass::label).toList());
    written.put("loads", loads.stream().map(Load::label).toList());
    written.put("seeds", head.seeds());
    written.put("requests", requests);
    written.put("warm-up", warmUpShare);
    written.put("timeline", YamlText.nanos(timelineNanos));
    return written;
  }

  /** Requests per second of all coordinators at a load. */
  double requestsPerSecond(Load load) {
    return Double.isNaN(load.fraction())
        ? load.requestsPerSecond()
        : load.fraction()
            * model.capacityReadsPerSecond(workload.source().meanBytes())
            / workload.source().meanReads();
  }

  /** How a load and seed are played. */
  RunSpec run(Load load, long seed) {
    return new RunSpec(
        requestsPerSecond(load),
        workload.arrivals(),
        requests,
        warmUpShare,
        seed,
        classes,
        workload.narrowMaxReads(),
        timelineNanos,
        workload.thinkNanos());
  }
}
