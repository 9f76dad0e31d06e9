/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.simulator.ModelSpec.Feedback;
import dev.manx.simulator.ModelSpec.Forecasts;
import dev.manx.simulator.ModelSpec.Knowledge;
import dev.manx.simulator.ModelSpec.Network;
import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.ModelSpec.Service;
import dev.manx.simulator.ModelSpec.Speeds;
import dev.manx.simulator.source.Sizes;
import dev.manx.simulator.source.SourceSpec;
import dev.manx.simulator.source.SyntheticSpec;
import dev.manx.simulator.source.Widths;
import dev.manx.workload.Arrivals;
import dev.manx.workload.RequestClass;
import java.util.List;
import java.util.Optional;

/** Small models that tests share. */
final class Models {
  /** Mean service time of every model here. */
  static final long SERVICE_NANOS = 1_000_000;

  static final String RANDOM = "strategy: { select: select.random }";

  static final String LOW_EQUALMAX =
      """
      strategy:
        select: select.low
        order: order.bottleneck
        fanout: { policy: fanout.brb-equalmax, longest-first: true }
      """;

  private Models() {}

  /** Nodes without a network, so that only queues matter. */
  static ModelSpec bare(int nodes, int cores, int copies, Scatter scatter, double cv) {
    return new ModelSpec(
        nodes,
        cores,
        cores,
        copies,
        1,
        new Network(0, 0, 0),
        new Service(SERVICE_NANOS, 0, scatter, cv),
        Speeds.EVEN,
        Optional.empty(),
        new Feedback(0, 1),
        new Forecasts(Knowledge.EXACT, 0, 1, 0, 0),
        ModelSpec.Cpu.FREE,
        List.of(),
        5_000_000_000L);
  }

  /** A small cluster with a network and three coordinators. */
  static ModelSpec cluster(List<ModelSpec.Fault> faults) {
    return new ModelSpec(
        6,
        2,
        2,
        3,
        3,
        new Network(50_000, 0, 0),
        new Service(500_000, 500, Scatter.NONE, 0),
        Speeds.EVEN,
        Optional.empty(),
        new Feedback(0, 0.1),
        new Forecasts(Knowledge.EXACT, 0, 1, 0, 0),
        ModelSpec.Cpu.FREE,
        faults,
        100_000_000L);
  }

  /** A small cluster with a given network. */
  static ModelSpec with(ModelSpec model, Network network) {
    return with(model, model.readThreads(), network, model.speeds(), model.cache(), model.cpu());
  }

  /** A small cluster with a page cache in each node. */
  static ModelSpec with(ModelSpec model, ModelSpec.Cache cache) {
    return with(
        model,
        model.readThreads(),
        model.network(),
        model.speeds(),
        Optional.of(cache),
        model.cpu());
  }

  /** A small cluster whose nodes have given speeds. */
  static ModelSpec with(ModelSpec model, Speeds speeds) {
    return with(model, model.readThreads(), model.network(), speeds, model.cache(), model.cpu());
  }

  /** A small cluster in which messages and decisions take CPU. */
  static ModelSpec with(ModelSpec model, ModelSpec.Cpu cpu) {
    return with(model, model.readThreads(), model.network(), model.speeds(), model.cache(), cpu);
  }

  /** A small cluster with other forecasts. */
  static ModelSpec with(ModelSpec model, Forecasts forecast) {
    return new ModelSpec(
        model.nodes(),
        model.cores(),
        model.readThreads(),
        model.replicationFactor(),
        model.coordinators(),
        model.network(),
        model.service(),
        model.speeds(),
        model.cache(),
        model.feedback(),
        forecast,
        model.cpu(),
        model.faults(),
        model.timeoutNanos());
  }

  /** A small cluster in which the given number of reads share the cores. */
  static ModelSpec withReadThreads(ModelSpec model, int readThreads) {
    return with(model, readThreads, model.network(), model.speeds(), model.cache(), model.cpu());
  }

  private static ModelSpec with(
      ModelSpec model,
      int readThreads,
      Network network,
      Speeds speeds,
      Optional<ModelSpec.Cache> cache,
      ModelSpec.Cpu cpu) {
    return new ModelSpec(
        model.nodes(),
        model.cores(),
        readThreads,
        model.replicationFactor(),
        model.coordinators(),
        network,
        model.service(),
        speeds,
        cache,
        model.feedback(),
        model.forecast(),
        cpu,
        model.faults(),
        model.timeoutNanos());
  }

  /** Requests of a fixed width with uniformly spread reads. */
  static SourceSpec reads(int width) {
    return new SyntheticSpec(
        List.of(Widths.fixed(1, width, -1)), new Sizes.Two(1000, 1001, 0), 0, 0, 0);
  }

  /** Requests of many widths and sizes. */
  static SourceSpec mixed() {
    return new SyntheticSpec(
        List.of(Widths.boundedPareto(0.6, 4, 50)),
        new Sizes.GeneralizedPareto(214.476, 0.348238, 1_000_000, 4096),
        0,
        0,
        0);
  }

  /** A run at a share of a model's capacity. */
  static RunSpec run(ModelSpec model, SourceSpec source, double load, long requests, long seed) {
    double reads = model.capacityReadsPerSecond(source.meanBytes());
    return new RunSpec(
        load * reads / source.meanReads(),
        Arrivals.POISSON,
        requests,
        0.05,
        seed,
        List.of(RequestClass.SINGLE, RequestClass.WIDE),
        10,
        0,
        0);
  }
}
