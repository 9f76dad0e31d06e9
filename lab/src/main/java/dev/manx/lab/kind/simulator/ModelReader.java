/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import dev.manx.lab.settings.Items;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.Setting;
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
import dev.manx.simulator.ModelSpec.Trouble;
import dev.manx.simulator.recorded.RecordedSpec;
import dev.manx.simulator.source.SourceSpec;
import dev.manx.simulator.source.SyntheticSpec;
import java.util.List;

/** Reads {@code model:}. */
final class ModelReader {
  private static final String NOT_RECORDED = "a workload of kind keys or synthetic, not recorded";
  private static final String NODES = "nodes";
  private static final String COORDINATORS = "coordinators";
  private static final String COPIES = "replication-factor";

  private static final Section NETWORK =
      Section.of(
          duration("one-way", "50us", "mean time of a message"),
          Key.of(Setting.number("cv", 0, 0, 10, "coefficient of variation of that time")),
          Key.of(Setting.share("loss", 0, 0, 0.5, "messages that are lost")));

  private static final Section SERVICE =
      Section.of(
          Key.optional(Setting.duration("base", "0", "0", "1h", "time of each read")),
          Key.optional(
                  Setting.duration(
                      "per-kib", "0", "0", "1h", "added time for each KiB of the value"))
              .otherwise("0"),
          Key.of(Setting.choice("scatter", Scatter.class, "distribution of times around these")),
          Key.of(Setting.number("cv", 1, 0, 100, "coefficient of variation of lognormal scatter")),
          Key.optional(
              Setting.rate(
                  "per-core", 1, 1e-3, 1e8, "instead of base and per-kib: reads of a core")),
          Key.optional(
                  Setting.share(
                      "constant",
                      1,
                      0,
                      1,
                      "with per-core: part of the mean time that does not depend"
                          + " on the value's size"))
              .otherwise("100%"));

  private static final Section SPEEDS =
      Section.of(
          Key.of(
              Setting.number(
                  "fixed", 1, 1e-3, 1e3, "of each node, from the first; the others have 1"),
              List.of()),
          duration("flip-every", "0", "each node draws its speed anew after this time; 0: never"),
          Key.of(Setting.number("fast-factor", 1, 1e-3, 1e3, "speed of a fast node")),
          Key.of(Setting.share("fast-share", 0.5, 0, 1, "nodes that are fast")));

  private static final Section CACHE =
      Section.of(
          Key.required(Setting.size("size", "0", "0", "1PiB", "size of each node's page cache")),
          duration("miss", "0", "time that a miss adds"),
          duration("miss-per-kib", "0", "time that each KiB of a miss adds"),
          Key.of(Setting.whole("disks", 0, 0, 1024, "disks of each node; 0: one for every miss")));

  private static final Section FEEDBACK =
      Section.of(
          duration("extra-age", "0", "reported facts are older by this time"),
          Key.of(
              Setting.number(
                  "service-time-weight", 0.1, 1e-6, 1, "of the last read in the reported mean")));

  private static final Section FORECAST =
      Section.of(
          Key.of(
              Setting.choice(
                      "from",
                      Knowledge.class,
                      "the read's own time, the mean of its size, or the strategy's oracles")
                  .withStandard("mean")),
          Key.of(Setting.number("sigma", 0, 0, 10, "sigma of a lognormal error")),
          Key.of(Setting.number("bias", 1, 1e-3, 1e3, "factor on every forecast")),
          Key.of(Setting.share("false-large", 0, 0, 1, "reads forecast as large")),
          Key.of(
              Setting.size(
                  "false-large-size", "1MiB", "1B", "1GiB", "forecast size of these reads")));

  private static final Section CPU =
      Section.of(
          duration("per-message", "0", "CPU time of a node for each message"),
          Key.of(Setting.whole("coordinator-cores", 1, 1, 1024, "cores of each coordinator")),
          duration("per-request", "0", "CPU time of a coordinator for each request"),
          duration("per-read", "0", "CPU time of a coordinator for each read"),
          duration("per-answer", "0", "CPU time of a coordinator for each answer"));

  static final Section SECTION =
      Section.of(
          Key.required(Setting.whole(NODES, 1, 1, ModelSpec.MOST_NODES, "number of replicas")),
          Key.required(Setting.whole("cores", 1, 1, 1024, "cores of each node")),
          Key.optional(Setting.whole(COPIES, 3, 1, 9, "replicas of each key"))
              .otherwise("3, or as many as there are nodes"),
          Key.of(
              Setting.whole(
                  "placement-seed",
                  0,
                  0,
                  Integer.MAX_VALUE,
                  "any other number puts the keys on other nodes, the same for all seeds")),
          Key.required(
              Setting.whole(
                  COORDINATORS,
                  1,
                  1,
                  100_000,
                  "number of coordinators, separate from the replicas")),
          Key.of("network", NETWORK, "between coordinators and nodes"),
          Key.optional(
                  Setting.whole("read-threads", 1, 1, 1024, "of each node, at least its cores"))
              .otherwise("cores"),
          Key.required("service", SERVICE, "time of a read on a core of speed 1"),
          Key.of("speeds", SPEEDS, "speeds of nodes"),
          Key.optional("cache", CACHE, "of values, in each node"),
          Key.of("feedback", FEEDBACK, "the facts that nodes report"),
          Key.of("forecast", FORECAST, "the policies' knowledge of service times"),
          Key.of("cpu", CPU, "costs in addition to the reads"),
          Key.of(
              "faults",
              new Items(FaultReader.SECTION),
              List.of(),
              "faults of nodes and coordinators"),
          Key.of(
              Setting.duration(
                  "timeout", "5s", "1ns", "1h", "a read that was lost fails after this time")),
          Key.of(
              Setting.duration(
                  "longest-wait",
                  "2500ms",
                  "1ns",
                  "1h",
                  "in a queue, for an order with max-wait: auto; half of a node's read time-out")));

  private ModelReader() {}

  private static Key duration(String name, String standard, String meaning) {
    return Key.of(Setting.duration(name, standard, "0", "1h", meaning));
  }

  /**
   * Reads the mapping, and adds derived values.
   *
   * @param source the requests; the mean size of their values divides a mean service time
   */
  static ModelSpec read(Part part, SourceSpec source) {
    int nodes = part.whole(NODES);
    if (source instanceof RecordedSpec recorded) {
      checkRecorded(part, recorded);
    } else if (source instanceof SyntheticSpec synthetic) {
      part.only("placement-seed", synthetic.keys() > 0, "keys, which have places");
    }
    int copies = copies(part, nodes, source instanceof RecordedSpec);
    int cores = part.whole("cores");
    int threads = part.has("read-threads") ? part.whole("read-threads", cores, 1024) : cores;
    Cpu cpu = cpu(part.part("cpu"));
    FaultReader faults = new FaultReader(nodes, part.whole(COORDINATORS), cpu);
    ModelSpec model =
        new ModelSpec(
            nodes,
            cores,
            threads,
            copies,
            part.whole(COORDINATORS),
            network(part.part("network")),
            service(part.part("service"), source.meanBytes()),
            speeds(part.part("speeds"), nodes),
            part.find("cache").map(ModelReader::cache),
            feedback(part.part("feedback")),
            forecast(part.part("forecast")),
            cpu,
            faults.read(part.parts("faults")),
            part.number("timeout"),
            part.number("placement-seed"),
            part.number("longest-wait"));
    if (model.readThreads() > cores && model.cache().map(Cache::disks).orElse(0) > 0) {
      throw part.node("read-threads")
          .refuse("as many as cores, since reads that wait for a disk keep their cores");
    }
    boolean losses =
        model.network().loss() > 0
            || model.faults().stream().anyMatch(fault -> fault.trouble() == Trouble.DEAD);
    part.only("timeout", losses, "lost messages (network.loss) or a dead node");
    part.putDerived(COPIES, copies);
    return model;
  }

  /** Recorded reads name their replicas, so only 1 may be written for them. */
  private static int copies(Part part, int nodes, boolean recorded) {
    if (recorded) {
      return 1;
    }
    return part.has(COPIES) ? part.whole(COPIES, 1, Math.min(9, nodes)) : Math.min(3, nodes);
  }

  /**
   * Refuses settings that a recording contains itself: its nodes, their replicas and the scatter of
   * its reads. A recording does not relate sizes to times.
   */
  private static void checkRecorded(Part part, RecordedSpec recorded) {
    int nodes = recorded.recording().nodes().size();
    for (String name : List.of(NODES, COORDINATORS)) {
      if (part.whole(name) != nodes) {
        throw part.node(name).refuse(nodes + ", the number of nodes that the decision logs name");
      }
    }
    if (part.has(COPIES) && part.whole(COPIES) != 1) {
      throw part.node(COPIES).refuse("1, or omit the key: recorded reads name their replicas");
    }
    part.only("placement-seed", false, NOT_RECORDED);
    part.part("service").only("scatter", false, NOT_RECORDED);
    part.part("forecast").only("false-large", false, NOT_RECORDED);
  }

  private static Network network(Part part) {
    return new Network(part.number("one-way"), part.real("cv"), part.real("loss"));
  }

  /** Either base and per-kib, or a rate per core with a share independent of the size. */
  private static Service service(Part part, double meanBytes) {
    boolean rate = part.has("per-core");
    if (rate ? part.has("base") || part.has("per-kib") : part.has("constant")) {
      throw part.node().refuse("base and per-kib, or per-core and constant");
    }
    double base;
    double perByte;
    if (rate) {
      double mean = 1e9 / part.real("per-core");
      double constant = part.has("constant") ? part.real("constant") : 1;
      base = mean * constant;
      perByte = mean * (1 - constant) / meanBytes;
    } else {
      part.node("base");
      base = part.number("base");
      perByte = part.has("per-kib") ? part.number("per-kib") / 1024.0 : 0;
      if (base + perByte <= 0) {
        throw part.node().refuse("a base or a time per KiB above 0, or per-core: a rate");
      }
    }
    // Whole nanoseconds, so that a resolved file without a sweep contains the exact values.
    long baseNanos = Math.round(base);
    long perKibNanos = Math.round(perByte * 1024);
    part.putDerived("base", baseNanos + "ns");
    part.putDerived("per-kib", perKibNanos + "ns");
    part.putDerived("per-core", null);
    part.putDerived("constant", null);
    Scatter scatter = part.choice("scatter", Scatter.class);
    part.only("cv", scatter == Scatter.LOGNORMAL, "scatter: lognormal");
    return new Service(baseNanos, perKibNanos / 1024.0, scatter, part.real("cv"));
  }

  private static Speeds speeds(Part part, int nodes) {
    List<Double> fixed = part.items("fixed", Double.class);
    if (fixed.size() > nodes) {
      throw part.node("fixed").refuse("at most one speed for each of " + nodes + " nodes");
    }
    for (String name : List.of("fast-factor", "fast-share")) {
      part.only(name, part.number("flip-every") > 0, "flip-every");
    }
    return new Speeds(
        fixed, part.number("flip-every"), part.real("fast-factor"), part.real("fast-share"));
  }

  private static Cache cache(Part part) {
    Cache cache =
        new Cache(
            part.number("size"),
            part.number("miss"),
            part.number("miss-per-kib") / 1024.0,
            part.whole("disks"));
    boolean slower = cache.missNanos() + cache.missPerByteNanos() > 0;
    part.only("disks", slower, "miss or miss-per-kib");
    return cache;
  }

  private static Feedback feedback(Part part) {
    return new Feedback(part.number("extra-age"), part.real("service-time-weight"));
  }

  private static Forecasts forecast(Part part) {
    Knowledge knowledge = part.choice("from", Knowledge.class);
    for (String name : List.of("sigma", "bias", "false-large")) {
      part.only(name, knowledge != Knowledge.STRATEGY, "from: exact or mean");
    }
    part.only("false-large-size", part.real("false-large") > 0, "false-large");
    return new Forecasts(
        knowledge,
        part.real("sigma"),
        part.real("bias"),
        part.real("false-large"),
        part.whole("false-large-size"));
  }

  private static Cpu cpu(Part part) {
    Cpu cpu =
        new Cpu(
            part.number("per-message"),
            part.whole("coordinator-cores"),
            part.number("per-request"),
            part.number("per-read"),
            part.number("per-answer"));
    part.only("coordinator-cores", cpu.atCoordinators(), "per-request, per-read or per-answer");
    return cpu;
  }
}
