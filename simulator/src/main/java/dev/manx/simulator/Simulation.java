/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.simulator.kernel.Calendar;
import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.kernel.Streams.Purpose;
import dev.manx.simulator.source.Draw;
import dev.manx.simulator.source.Source;
import dev.manx.simulator.source.SourceSpec;
import dev.manx.simulator.source.TimedSource;
import dev.manx.workload.Arrivals;
import java.util.function.DoubleSupplier;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * One run of a workload in virtual time, with a strategy on a modelled cluster, until every request
 * has ended. The same arguments give the same outcome, bit for bit. Confined to one thread; many
 * simulations may run at once.
 */
public final class Simulation {
  private final ModelSpec model;
  private final RunSpec run;
  private final World world;
  private final Source source;
  private final Draw draw = new Draw();
  private final Times times = new Times();
  private final ServiceTimes services;
  private final int largeFromBytes;
  private final DoubleSupplier gaps;
  private final UniformRandomProvider coordinatorRandom;
  private final ClusterEvents surroundings;
  private final ClosedLoop clients;
  private final double meanGapNanos;
  private final double offeredLoad;
  private final long middleRequest;
  private final long firstMeasured;
  private double nextArrivalNanos;
  private long requestsDrawn;

  /**
   * Prepares a run.
   *
   * @param strategyDocument YAML whose only key is {@code strategy}; each coordinator and replica
   *     gets separate objects
   * @throws dev.manx.policy.config.ConfigException if the strategy is refused
   */
  public Simulation(ModelSpec model, SourceSpec spec, String strategyDocument, RunSpec run) {
    this(model, spec, strategyDocument, run, new Checks(), Replica::new);
  }

  Simulation(
      ModelSpec model,
      SourceSpec spec,
      String strategyDocument,
      RunSpec run,
      Checks checks,
      Replica.Maker replicas) {
    this.model = model;
    this.run = run;
    Streams streams = new Streams(run.seed());
    source = spec.open(streams, model.nodes(), run.requests());
    world =
        new World(
            model,
            strategyDocument,
            streams,
            new LatencyRecorder(run, model.faults()),
            checks,
            replicas);
    services = new ServiceTimes(model, streams);
    largeFromBytes = spec.largeFromBytes();
    surroundings = new ClusterEvents(world, run, streams);
    gaps = gaps(source, run, streams);
    coordinatorRandom = streams.sampler(Purpose.COORDINATORS);
    offeredLoad =
        run.requestsPerSecond() * spec.meanReads() / model.capacityReadsPerSecond(spec.meanBytes());
    clients = run.thinkNanos() == 0 ? null : new ClosedLoop(world, run, streams);
    world.clients = clients;
    meanGapNanos = 1e9 / run.requestsPerSecond();
    firstMeasured = LatencyRecorder.firstMeasured(run);
    middleRequest = run.requests() / 2;
  }

  /**
   * Most requests of a run: each request has at least one event of its own, and three for each
   * read: arrival, end and answer.
   */
  public static long mostRequests(SourceSpec source) {
    return (long) (Calendar.MOST_EVENTS / (1 + 3 * source.meanReads()));
  }

  /** Gaps between requests, in mean gaps. */
  private static DoubleSupplier gaps(Source source, RunSpec run, Streams streams) {
    if (source instanceof TimedSource timed) {
      return timed::gap;
    }
    return run.arrivals() == Arrivals.FIXED
        ? () -> 1
        : ZigguratSampler.Exponential.of(streams.sampler(Purpose.ARRIVALS))::sample;
  }

  /** Plays the run, once. */
  public Outcome run() {
    Meter meter = new Meter();
    Calendar calendar = world.calendar;
    if (clients == null) {
      scheduleRequest();
    } else {
      clients.start();
    }
    surroundings.start();
    while (calendar.advance()) {
      world.checks.event(calendar.now());
      int payload = calendar.payload();
      switch (calendar.kind()) {
        case World.ARRIVE -> world.arrive(world.pool.get(payload));
        case World.DONE -> {
          Read read = world.pool.get(payload);
          world.replicas[read.node].done(read);
        }
        case World.REPLY -> {
          Read read = world.pool.get(payload);
          world.coordinator(read).ends.heard(read);
        }
        case World.REQUEST -> request();
        case World.SEND -> {
          Read read = world.pool.get(payload);
          world.coordinator(read).release(read);
        }
        default -> rareEvent(calendar.kind(), payload);
      }
    }
    for (Coordinator coordinator : world.coordinators) {
      world.checks.tickets(coordinator.view.isIdle());
    }
    return new Results(world, surroundings, run, offeredLoad).outcome(meter);
  }

  /** Handles the rare events; separate, so that the loop over reads stays small. */
  private void rareEvent(int kind, int payload) {
    switch (kind) {
      case World.ANSWERED -> {
        Read read = world.pool.get(payload);
        world.coordinator(read).ends.answerRead(read);
      }
      case World.SHARED -> world.replicas[payload].sharedDue();
      case World.TIMEOUT -> {
        Read read = world.pool.get(payload);
        world.coordinator(read).ends.timedOut(read);
      }
      case World.COPY -> {
        Read read = world.pool.get(payload);
        world.coordinator(read).copier.due(read);
      }
      case World.RESCUE -> {
        Read read = world.pool.get(payload);
        world.coordinator(read).copier.rescue(read);
      }
      case World.PLAN -> world.unplanned.due(payload);
      case World.COPY_WRITTEN -> {
        Read read = world.pool.get(payload);
        world.coordinator(read).copier.written(read);
      }
      case World.CANCEL -> {
        Read read = world.pool.get(payload);
        world.replicas[read.node].cancel(read);
      }
      case World.ABORT -> {
        Read read = world.pool.get(payload);
        world.replicas[read.node].cancels.abortDue(read);
      }
      case World.FACTS -> {
        Read read = world.pool.get(payload);
        world.coordinator(read).ends.learn(read);
        world.pool.release(read);
      }
      case World.GATE -> world.coordinators[payload].gateDue();
      default -> surroundings.event(kind, payload, isOver());
    }
  }

  private boolean isOver() {
    return requestsDrawn == run.requests() && world.openRequests == 0;
  }

  private void scheduleRequest() {
    nextArrivalNanos += meanGapNanos * gaps.getAsDouble();
    world.calendar.at(Math.round(nextArrivalNanos), World.REQUEST, 0);
  }

  private void request() {
    if (clients != null && !clients.sends()) {
      return;
    }
    source.next(draw);
    int reads = draw.reads();
    services.draw(draw, largeFromBytes, times);
    if (requestsDrawn == firstMeasured) {
      surroundings.windowOpens();
    }
    if (requestsDrawn == middleRequest) {
      surroundings.halfArrived();
    }
    if (requestsDrawn == run.requests() - 1) {
      surroundings.lastArrives();
    }
    Flight flight = world.pool.takeFlight();
    flight.arrivalNanos = world.calendar.now();
    flight.sequence = requestsDrawn++;
    flight.reads = reads;
    flight.open = reads;
    flight.large = draw.large();
    flight.failed = false;
    world.openRequests++;
    world.checks.requestOpened();
    int self = draw.coordinator();
    if (self == Draw.ANY) {
      self = model.coordinators() == 1 ? 0 : coordinatorRandom.nextInt(model.coordinators());
    }
    world.coordinators[self].begin(draw, times, flight);
    if (requestsDrawn == run.requests()) {
      surroundings.windowCloses();
    } else if (clients == null) {
      scheduleRequest();
    }
  }
}
