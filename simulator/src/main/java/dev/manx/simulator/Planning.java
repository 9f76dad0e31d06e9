/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.Copies;
import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.oracle.SizeOracle;
import dev.manx.policy.strategy.Strategy;
import dev.manx.simulator.ModelSpec.Knowledge;
import dev.manx.simulator.source.Draw;

/** Makes requests and reads of what was drawn, for one coordinator. Confined to one thread. */
final class Planning {
  private final World world;
  private final int coordinator;
  private final boolean forecasts;
  private final boolean bound;
  private final boolean keepsNodes;

  /**
   * For a coordinator.
   *
   * @param bound whether a global queue stands in for its strategy
   * @param gated whether a gate may hold reads back, and chooses their nodes then
   */
  Planning(World world, int coordinator, boolean bound, boolean gated) {
    this.world = world;
    this.coordinator = coordinator;
    this.bound = bound;
    keepsNodes = bound || gated;
    forecasts = world.model.forecast().knowledge() == Knowledge.STRATEGY;
  }

  /** Fills a request with its reads and their replicas, forecasts and plans them. */
  void plan(Request request, Draw draw, long[] baseNanos, Strategy strategy, View view) {
    int reads = draw.reads();
    for (int read = 0; read < reads; read++) {
      request.addRead(null, draw.keyHash(read), 1);
      if (draw.replicas(read) == null) {
        ring(request, draw.home(read));
      } else {
        listed(request, draw.replicas(read));
      }
    }
    if (forecasts) {
      strategy.plan(request, view);
      judge(request, draw, strategy.sizes());
      return;
    }
    Unit unit = strategy.unit();
    for (int read = 0; read < reads; read++) {
      int bytes = draw.bytes(read);
      boolean large = bytes >= world.largeFromBytes;
      long nanos =
          draw.serviceNanos(read) > 0
              ? draw.forecastNanos(read)
              : world.services.forecastNanos(bytes, large, baseNanos[read]);
      long cost = unit == Unit.NANOS ? nanos : unit == Unit.KEYS ? 1 : bytes;
      request.forecast(read, bytes, nanos, cost);
    }
    strategy.planner().plan(request, strategy.selector(), view);
  }

  /** The replicas are a node and those that follow it. */
  private void ring(Request request, int home) {
    int node = home;
    for (int copy = 0; copy < world.model.replicationFactor(); copy++) {
      if (world.nodesAway == 0 || world.isThere(node, home)) {
        request.addReplica(node, 0);
      }
      node = node + 1 == world.model.nodes() ? 0 : node + 1;
    }
  }

  /** The replicas are known; those that are away are left out unless all are. */
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

  /** Compares what the oracle took for large with what is. */
  private void judge(Request request, Draw draw, SizeOracle sizes) {
    if (sizes != null) {
      long above = sizes.largeAboveBytes();
      for (int read = 0, reads = request.reads(); read < reads; read++) {
        world.misjudged.judged(draw.bytes(read) >= above, request.sizeBytes(read) >= above);
      }
    }
  }

  /** A read of a planned request. */
  Read read(Request request, int at, Draw draw, long baseNanos, Flight flight) {
    Read read = world.pool.take();
    read.flight = flight;
    read.coordinator = coordinator;
    read.keyHash = draw.keyHash(at);
    read.bytes = draw.bytes(at);
    read.large = read.bytes >= world.largeFromBytes;
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
    read.node = request.replica(at, 0);
    if (keepsNodes) {
      read.arrivalNanos = world.calendar.now();
      int count = request.replicaCount(at);
      int candidates = bound ? count : Math.min(request.candidates(at), count);
      int node = read.node;
      read.clearNodes();
      for (int rank = 0; rank < candidates; rank++) {
        read.addNode(request.replica(at, rank));
      }
      read.node = node;
    }
    Copies rule = request.copies();
    if (rule != Copies.NONE
        && request.copyAfterNanos(at) != Request.NEVER
        && request.replicaCount(at) > 1) {
      int other = request.replica(at, request.contacts(at));
      read.twins = new Twins(rule, request.copyAfterNanos(at), other, request.cost(at), read);
    }
    return read;
  }
}
