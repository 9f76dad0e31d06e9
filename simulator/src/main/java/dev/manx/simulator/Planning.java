/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.Copies;
import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.oracle.SizeOracle;
import dev.manx.policy.strategy.Strategy;
import dev.manx.simulator.ModelSpec.Knowledge;
import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.source.Draw;

/** Builds requests and reads from a draw, for one coordinator. Confined to one thread. */
final class Planning {
  private final World world;
  private final int coordinator;
  private final boolean forecasts;
  private final boolean bound;
  private final boolean keepsNodes;

  /**
   * Creates the planning of a coordinator.
   *
   * @param bound whether a global queue replaces its strategy
   * @param gated whether a gate may hold reads back and then chooses their nodes
   */
  Planning(World world, int coordinator, boolean bound, boolean gated) {
    this.world = world;
    this.coordinator = coordinator;
    this.bound = bound;
    keepsNodes = bound || gated;
    forecasts = world.model.forecast().knowledge() == Knowledge.STRATEGY;
  }

  /** Fills a request with its reads and their replicas, forecasts and plans them. */
  void plan(Request request, Draw draw, Times times, Strategy strategy, View view) {
    fillAndPlan(request, draw, times, strategy, view);
    world.checks.ranked(request.reads(), request.mended());
  }

  private void fillAndPlan(Request request, Draw draw, Times times, Strategy strategy, View view) {
    int reads = draw.reads();
    for (int read = 0; read < reads; read++) {
      request.addRead(null, draw.keyHash(read), draw.contacts(read));
      if (draw.replicas(read) == null) {
        ring(request, home(draw, read));
      } else {
        listed(request, draw.replicas(read));
      }
    }
    if (forecasts) {
      strategy.plan(request, view);
      fixNodes(request, strategy, view);
      judge(request, draw, strategy.sizes());
      return;
    }
    Unit unit = strategy.unit();
    for (int read = 0; read < reads; read++) {
      int bytes = times.forecastBytes[read];
      long nanos = times.forecastNanos[read];
      long cost = unit == Unit.NANOS ? nanos : unit == Unit.KEYS ? 1 : bytes;
      request.forecast(read, bytes, nanos, cost);
    }
    strategy.planner().plan(request, strategy.selector(), view);
    fixNodes(request, strategy, view);
    // As Strategy does on a node: a planner need not assign the reads that it ranks.
    for (int read = 0; read < reads; read++) {
      request.verify(read);
    }
  }

  /** A gate has no choice for reads at several replicas, so the planner makes it. */
  private static void fixNodes(Request request, Strategy strategy, View view) {
    if (!strategy.planner().gated()) {
      return;
    }
    for (int read = 0, reads = request.reads(); read < reads; read++) {
      if (request.contacts(read) > 1) {
        strategy.planner().fixNodes(request, view);
        return;
      }
    }
  }

  /** The first replica of a read; the same for every read of a key. */
  private int home(Draw draw, int read) {
    long seed = world.model.placementSeed();
    if (seed == 0) {
      return draw.home(read);
    }
    long mixed = Streams.mix(draw.keyHash(read) ^ Streams.mix(seed));
    return (int) Math.floorMod(mixed >>> 8, (long) world.model.nodes());
  }

  /** Sets the replicas to a node and those that follow it. */
  private void ring(Request request, int home) {
    int node = home;
    for (int copy = 0; copy < world.model.replicationFactor(); copy++) {
      if (world.nodesAway == 0 || world.isThere(node, home)) {
        request.addReplica(node, 0);
      }
      node = node + 1 == world.model.nodes() ? 0 : node + 1;
    }
  }

  /** Sets known replicas; absent nodes are left out unless all are absent. */
  private void listed(Request request, int[] replicas) {
    boolean none = true;
    for (int node : replicas) {
      if (!world.replicas[node].away) {
        request.addReplica(node, 0);
        none = false;
      }
    }
    for (int i = 0; none && i < replicas.length; i++) {
      request.addReplica(replicas[i], 0);
    }
  }

  /** Compares the large reads forecast by the oracle with the actual ones. */
  private void judge(Request request, Draw draw, SizeOracle sizes) {
    if (sizes != null) {
      long above = sizes.largeAboveBytes();
      for (int read = 0, reads = request.reads(); read < reads; read++) {
        world.misjudged.judged(draw.bytes(read) >= above, request.sizeBytes(read) >= above);
      }
    }
  }

  /** Creates a read of a planned request, with its reads at further replicas. */
  Read read(Request request, int at, Draw draw, Times times, Flight flight) {
    int contacts = request.contacts(at);
    Read first = read(request, at, 0, draw, times.baseNanos[at], flight);
    if (contacts == 1) {
      mayBeCopied(first, request, at);
      return first;
    }
    Quorum quorum = new Quorum(contacts);
    first.quorum = quorum;
    Read last = first;
    for (int rank = 1; rank < contacts; rank++) {
      long nanos = times.baseNanos[draw.execution(at, rank)];
      last.nextContact = read(request, at, rank, draw, nanos, flight);
      last = last.nextContact;
      last.quorum = quorum;
    }
    return first;
  }

  private Read read(Request request, int at, int rank, Draw draw, long baseNanos, Flight flight) {
    Read read = world.pool.take();
    read.flight = flight;
    read.coordinator = coordinator;
    read.keyHash = draw.keyHash(at);
    read.bytes = draw.bytes(at);
    read.forecastNanos = request.costNanos(at);
    read.baseNanos = baseNanos;
    read.costNanos = read.forecastNanos;
    read.requestId = bound || request.longestFirst() ? flight.sequence + 1 : 0;
    read.level = request.level(at);
    read.ageNanos = 0;
    if (request.tagged()) {
      read.priority = request.priority(at);
      read.slack = request.slack(at);
    } else {
      read.priority = request.cost(at);
      read.slack = 0;
    }
    read.node = request.replica(at, rank);
    if (keepsNodes) {
      read.arrivalNanos = world.calendar.now();
      keepNodes(read, request, at);
    }
    return read;
  }

  /** The possible replicas of a read; a read at several replicas has no further choice. */
  private void keepNodes(Read read, Request request, int at) {
    int node = read.node;
    read.clearNodes();
    if (request.contacts(at) > 1) {
      read.addNode(node);
    } else {
      int count = request.replicaCount(at);
      int candidates = bound ? count : Math.min(request.candidates(at), count);
      for (int rank = 0; rank < candidates; rank++) {
        read.addNode(request.replica(at, rank));
      }
    }
    read.node = node;
  }

  /** Nodes send no second copies of reads at several replicas, so the model does not either. */
  private void mayBeCopied(Read read, Request request, int at) {
    Copies rule = request.copies();
    if (rule == Copies.NONE) {
      return;
    }
    world.mayCopy = true;
    if (request.copyAfterNanos(at) != Request.NEVER && request.replicaCount(at) > 1) {
      int other = request.replica(at, request.contacts(at));
      read.twins = new Twins(rule, request.copyAfterNanos(at), other, request.cost(at), read);
    }
  }
}
