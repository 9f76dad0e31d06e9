/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import static dev.manx.lab.experiment.YamlText.nanos;
import static dev.manx.lab.experiment.YamlText.ordered;

import dev.manx.policy.config.ConfigNode;
import dev.manx.simulator.ModelSpec;
import dev.manx.simulator.ModelSpec.Cache;
import dev.manx.simulator.ModelSpec.Cpu;
import dev.manx.simulator.ModelSpec.Feedback;
import dev.manx.simulator.ModelSpec.Forecasts;
import dev.manx.simulator.ModelSpec.Knowledge;
import dev.manx.simulator.ModelSpec.Network;
import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.ModelSpec.Service;
import dev.manx.simulator.ModelSpec.Speeds;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads {@code model:}. */
final class ModelReader {
  private static final long SECOND = 1_000_000_000L;

  private final ConfigNode node;
  private final ConfigNode nothing = ConfigNode.parse("none", "none: {}").at("none");
  private final double meanBytes;

  /** For values of a mean size, which a mean service time is shared out over. */
  private ModelReader(ConfigNode node, double meanBytes) {
    this.node = node;
    this.meanBytes = meanBytes;
  }

  static ModelSpec read(ConfigNode node, double meanBytes) {
    return new ModelReader(node, meanBytes).read();
  }

  private ModelSpec read() {
    int nodes = (int) node.at("nodes").integer(1, ModelSpec.MOST_NODES);
    int copies =
        node.find("replication-factor")
            .map(n -> (int) n.integer(1, Math.min(9, nodes)))
            .orElse(Math.min(3, nodes));
    int cores = (int) node.at("cores").integer(1, 1024);
    int coordinators = (int) node.at("coordinators").integer(1, 100_000);
    Cpu cpu = cpu(part("cpu"));
    FaultReader faults = new FaultReader(nodes, coordinators, cpu);
    ModelSpec model =
        new ModelSpec(
            nodes,
            cores,
            node.find("read-threads").map(n -> (int) n.integer(cores, 1024)).orElse(cores),
            copies,
            coordinators,
            network(part("network")),
            service(node.at("service")),
            speeds(part("speeds"), nodes),
            node.find("cache").map(ModelReader::cache),
            feedback(part("feedback")),
            forecast(part("forecast")),
            cpu,
            node.find("faults").map(faults::read).orElse(List.of()),
            duration(node, "timeout", 1, 5 * SECOND));
    if (model.readThreads() > cores && model.cache().map(Cache::disks).orElse(0) > 0) {
      throw node.at("read-threads")
          .refuse("as many as cores, since reads that wait for a disk keep their cores");
    }
    node.noOtherKeys();
    return model;
  }

  private ConfigNode part(String name) {
    return node.find(name).orElse(nothing);
  }

  private static long duration(ConfigNode node, String name, long min, long standard) {
    return node.find(name).map(n -> n.durationNanos(min, 3600 * SECOND)).orElse(standard);
  }

  private static double number(ConfigNode node, String name, double max, double standard) {
    return node.find(name).map(n -> n.number(0, max)).orElse(standard);
  }

  private static Network network(ConfigNode node) {
    Network network =
        new Network(
            duration(node, "one-way", 0, 50_000),
            number(node, "cv", 10, 0),
            node.find("loss").map(n -> n.fraction(0, 0.5)).orElse(0.0));
    node.noOtherKeys();
    return network;
  }

  /** Either base and per-kib, or a rate per core of which a share does not depend on the size. */
  private Service service(ConfigNode service) {
    Scatter scatter =
        service
            .find("scatter")
            .map(n -> n.oneOf("none", "exponential", "lognormal"))
            .map(text -> Scatter.valueOf(text.toUpperCase(Locale.ROOT)))
            .orElse(Scatter.NONE);
    double cv = number(service, "cv", 100, 1);
    double base;
    double perByte;
    Optional<ConfigNode> rate = service.find("per-core");
    if (rate.isPresent()) {
      double mean = 1e9 / rate.get().perSecond(1e-3, 1e8);
      double constant = service.find("constant").map(n -> n.fraction(0, 1)).orElse(1.0);
      base = mean * constant;
      perByte = mean * (1 - constant) / meanBytes;
    } else {
      base = service.at("base").durationNanos(0, 3600 * SECOND);
      perByte = duration(service, "per-kib", 0, 0) / 1024.0;
      if (base + perByte <= 0) {
        throw service.refuse("a base or a time per KiB above 0, or per-core: a rate");
      }
    }
    service.noOtherKeys();
    // Whole nanoseconds, so that the resolved file says exactly what was played.
    return new Service(Math.round(base), Math.round(perByte * 1024) / 1024.0, scatter, cv);
  }

  private static Speeds speeds(ConfigNode node, int nodes) {
    List<Double> fixed =
        node.find("fixed")
            .map(n -> n.items().stream().map(i -> i.number(1e-3, 1e3)).toList())
            .orElse(List.of());
    if (fixed.size() > nodes) {
      throw node.at("fixed").refuse("at most one speed for each of " + nodes + " nodes");
    }
    Speeds speeds =
        new Speeds(
            fixed,
            duration(node, "flip-every", 0, 0),
            node.find("fast-factor").map(n -> n.number(1e-3, 1e3)).orElse(1.0),
            node.find("fast-share").map(n -> n.fraction(0, 1)).orElse(0.5));
    node.noOtherKeys();
    return speeds;
  }

  private static Cache cache(ConfigNode node) {
    Cache cache =
        new Cache(
            node.at("size").bytes(0, 1L << 50),
            duration(node, "miss", 0, 0),
            duration(node, "miss-per-kib", 0, 0) / 1024.0,
            node.find("disks").map(n -> (int) n.integer(0, 1024)).orElse(0));
    node.noOtherKeys();
    return cache;
  }

  private static Feedback feedback(ConfigNode node) {
    Feedback feedback =
        new Feedback(
            duration(node, "extra-age", 0, 0),
            node.find("service-time-weight").map(n -> n.number(1e-6, 1)).orElse(0.1));
    node.noOtherKeys();
    return feedback;
  }

  private static Forecasts forecast(ConfigNode node) {
    Forecasts forecasts =
        new Forecasts(
            node.find("from")
                .map(n -> n.oneOf("exact", "mean", "strategy"))
                .map(text -> Knowledge.valueOf(text.toUpperCase(Locale.ROOT)))
                .orElse(Knowledge.MEAN),
            number(node, "sigma", 10, 0),
            node.find("bias").map(n -> n.number(1e-3, 1e3)).orElse(1.0),
            node.find("false-large").map(n -> n.fraction(0, 1)).orElse(0.0),
            (int)
                node.find("false-large-size")
                    .map(n -> n.bytes(1, 1 << 30))
                    .orElse(1L << 20)
                    .longValue());
    node.noOtherKeys();
    return forecasts;
  }

  private static Cpu cpu(ConfigNode node) {
    Cpu cpu =
        new Cpu(
            duration(node, "per-message", 0, 0),
            node.find("coordinator-cores").map(n -> (int) n.integer(1, 1024)).orElse(1),
            duration(node, "per-request", 0, 0),
            duration(node, "per-read", 0, 0),
            duration(node, "per-answer", 0, 0));
    node.noOtherKeys();
    return cpu;
  }

  /** The model with every value in place, as it is read. */
  static Map<String, Object> written(ModelSpec model) {
    Map<String, Object> out =
        ordered(
            "nodes", model.nodes(),
            "cores", model.cores(),
            "replication-factor", model.replicationFactor(),
            "coordinators", model.coordinators(),
            "network",
                ordered(
                    "one-way", nanos(model.network().oneWayNanos()),
                    "cv", model.network().cv(),
                    "loss", model.network().loss()));
    if (model.readThreads() != model.cores()) {
      // A point of a sweep may have other cores, and then other threads by default.
      out.put("read-threads", model.readThreads());
    }
    Service service = model.service();
    out.put(
        "service",
        ordered(
            "base",
            Math.round(service.baseNanos()) + "ns",
            "per-kib",
            Math.round(service.perByteNanos() * 1024) + "ns",
            "scatter",
            word(service.scatter()),
            "cv",
            service.cv()));
    Speeds speeds = model.speeds();
    out.put(
        "speeds",
        ordered(
            "fixed", speeds.fixed(),
            "flip-every", nanos(speeds.flipEveryNanos()),
            "fast-factor", speeds.fastFactor(),
            "fast-share", speeds.fastShare()));
    model
        .cache()
        .ifPresent(
            cache ->
                out.put(
                    "cache",
                    ordered(
                        "size",
                        cache.bytesPerNode() + "B",
                        "miss",
                        nanos(cache.missNanos()),
                        "miss-per-kib",
                        Math.round(cache.missPerByteNanos() * 1024) + "ns",
                        "disks",
                        cache.disks())));
    out.put(
        "feedback",
        ordered(
            "extra-age", nanos(model.feedback().extraAgeNanos()),
            "service-time-weight", model.feedback().serviceTimeWeight()));
    Forecasts forecast = model.forecast();
    out.put(
        "forecast",
        ordered(
            "from", word(forecast.knowledge()),
            "sigma", forecast.sigma(),
            "bias", forecast.bias(),
            "false-large", forecast.falseLarge(),
            "false-large-size", forecast.falseLargeBytes() + "B"));
    Cpu cpu = model.cpu();
    out.put(
        "cpu",
        ordered(
            "per-message", nanos(cpu.messageNanos()),
            "coordinator-cores", cpu.coordinatorCores(),
            "per-request", nanos(cpu.perRequestNanos()),
            "per-read", nanos(cpu.perReadNanos()),
            "per-answer", nanos(cpu.perAnswerNanos())));
    out.put("faults", FaultReader.written(model.faults()));
    out.put("timeout", nanos(model.timeoutNanos()));
    return out;
  }

  private static String word(Enum<?> one) {
    return one.name().toLowerCase(Locale.ROOT);
  }
}
