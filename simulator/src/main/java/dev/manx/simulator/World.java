/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.Request;
import dev.manx.policy.facts.Fact;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.strategy.Strategy;
import dev.manx.simulator.kernel.Calendar;
import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.kernel.Streams.Purpose;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** Everything of one run that its parts share. Confined to one thread. */
final class World {
  static final int REQUEST = 0;
  static final int SEND = 1;
  static final int ARRIVE = 2;
  static final int DONE = 3;
  static final int REPLY = 4;
  static final int TICK = 5;
  static final int FLIP = 6;
  static final int FAULT_FROM = 7;
  static final int FAULT_TO = 8;
  static final int TIMEOUT = 9;
  static final int SAMPLE = 10;

  final ModelSpec model;
  final int largeFromBytes;
  final Calendar calendar;
  final Pool pool = new Pool();
  final Request request = new Request();
  final Checks checks;
  final Recorder recorder;
  final ServiceTimes services;
  final Coordinator[] coordinators;
  final Replica[] replicas;

  /** The one queue of a bound, or null. */
  final GlobalQueue global;

  /** Ordinals of the fact columns that the strategy exchanges. */
  final int[] columns;

  private final UniformRandomProvider networkRandom;
  private final ZigguratSampler.NormalizedGaussian networkNormal;
  private final double networkSigma;
  int openRequests;

  World(
      ModelSpec model,
      int largeFromBytes,
      Player player,
      Streams streams,
      Recorder recorder,
      Checks checks) {
    this.model = model;
    this.largeFromBytes = largeFromBytes;
    this.recorder = recorder;
    this.checks = checks;
    calendar = new Calendar(model.network().oneWayNanos());
    services = new ServiceTimes(model, streams);
    networkRandom = streams.sampler(Purpose.NETWORK);
    networkNormal = ZigguratSampler.NormalizedGaussian.of(networkRandom);
    networkSigma = ServiceTimes.lognormalSigma(model.network().cv());
    coordinators = new Coordinator[model.coordinators()];
    for (int i = 0; i < coordinators.length; i++) {
      Strategy strategy = Strategy.parse("strategy", player.strategyDocument(), calendar);
      coordinators[i] =
          new Coordinator(this, strategy, streams.generator(Purpose.COORDINATOR_POLICIES, i));
    }
    global =
        player.globalQueue() ? new GlobalQueue(model.nodes(), model.replicationFactor()) : null;
    Strategy any = coordinators[0].strategy;
    columns = columns(any);
    replicas = new Replica[model.nodes()];
    for (int i = 0; i < replicas.length; i++) {
      replicas[i] = new Replica(this, i, any.newOrder(), true);
    }
  }

  // Columns are never stored or sent, so their ordinal may serve as a place.
  @SuppressWarnings("EnumOrdinal")
  private static int[] columns(Strategy strategy) {
    return strategy.facts().wired().stream()
        .map(Fact::columns)
        .flatMap(java.util.List::stream)
        .mapToInt(FactColumn::ordinal)
        .toArray();
  }

  Coordinator coordinator(Read read) {
    return coordinators[read.coordinator];
  }

  /** Sends a message that carries a read. */
  void deliver(int kind, Read read) {
    if (networkSigma == 0) {
      calendar.afterDelay(kind, read.index);
      return;
    }
    double factor =
        Math.exp(networkSigma * networkNormal.sample() - networkSigma * networkSigma / 2);
    long nanos = Math.round(model.network().oneWayNanos() * factor);
    calendar.at(calendar.now() + nanos, kind, read.index);
  }

  /** A read reaches the replica it was sent to, or the global queue. */
  void arrive(Read read) {
    if (global == null) {
      replicas[read.node].arrive(read);
      return;
    }
    long now = calendar.now();
    read.arrivalNanos = now;
    checks.entered(now);
    global.offer(read);
    int node = read.home;
    for (int copy = 0; copy < model.replicationFactor(); copy++) {
      if (replicas[node].hasIdleCore()) {
        replicas[node].serve(now);
        return;
      }
      node = node + 1 == replicas.length ? 0 : node + 1;
    }
  }

  void reply(Read read) {
    deliver(REPLY, read);
  }

  void requestEnded(Flight flight) {
    long now = calendar.now();
    openRequests--;
    checks.requestClosed(flight.arrivalNanos, now);
    recorder.ended(flight, now);
    pool.give(flight);
  }
}
