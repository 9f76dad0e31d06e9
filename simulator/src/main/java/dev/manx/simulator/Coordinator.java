/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.oracle.SizeOracle;
import dev.manx.policy.strategy.Strategy;
import dev.manx.simulator.ModelSpec.Knowledge;
import dev.manx.simulator.source.Draw;
import java.util.SplittableRandom;

/**
 * Who plans requests, sends their reads and hears the answers, with a strategy and a view of its
 * own. The {@link Request} it plans in is shared by all, since only one plans at a time.
 */
final class Coordinator {
  private final World world;
  final Strategy strategy;
  final View view;
  private final SplittableRandom random;
  private final boolean forecasts;

  Coordinator(World world, Strategy strategy, SplittableRandom random) {
    this.world = world;
    this.strategy = strategy;
    this.random = random;
    view = new View(world.model.nodes(), !strategy.facts().isEmpty());
    forecasts = world.model.forecast().knowledge() == Knowledge.STRATEGY;
  }

  /** Plans a request that has just arrived, and sends what is to be sent at once. */
  void begin(Draw draw, long[] baseNanos, Flight flight, int self) {
    Request request = world.request;
    long now = world.calendar.now();
    int nodes = world.model.nodes();
    int copies = world.model.replicationFactor();
    request.begin(now, random, nodes);
    int reads = draw.reads();
    for (int read = 0; read < reads; read++) {
      request.addRead(null, draw.keyHash(read), 1);
      int node = draw.home(read);
      for (int copy = 0; copy < copies; copy++) {
        request.addReplica(node, 0);
        node = node + 1 == nodes ? 0 : node + 1;
      }
    }
    plan(request, draw, baseNanos);
    Unit unit = request.unit();
    int[] order = request.order();
    long requestId = request.longestFirst() ? flight.sequence + 1 : 0;
    for (int i = 0; i < reads; i++) {
      int at = order[i];
      Read read = world.pool.take();
      read.flight = flight;
      read.coordinator = self;
      read.node = request.replica(at, 0);
      read.home = draw.home(at);
      read.keyHash = draw.keyHash(at);
      read.bytes = draw.bytes(at);
      read.large = read.bytes >= world.largeFromBytes;
      read.forecastNanos = request.costNanos(at);
      read.baseNanos = baseNanos[at];
      read.costNanos = read.forecastNanos;
      read.requestId = requestId;
      if (request.tagged()) {
        read.priority = request.priority(at);
        read.slack = request.slack(at);
      } else {
        read.priority = request.cost(at);
        read.slack = 0;
      }
      long delay = request.sendDelayNanos(at);
      if (delay > 0) {
        world.calendar.at(now + delay, World.SEND, read.index);
      } else {
        send(read);
      }
    }
  }

  private void plan(Request request, Draw draw, long[] baseNanos) {
    if (forecasts) {
      strategy.plan(request, view);
      return;
    }
    Unit unit = strategy.unit();
    for (int read = 0, reads = request.reads(); read < reads; read++) {
      int bytes = draw.bytes(read);
      boolean large = bytes >= world.largeFromBytes;
      long nanos = world.services.forecastNanos(bytes, large, baseNanos[read]);
      long cost = unit == Unit.NANOS ? nanos : unit == Unit.KEYS ? 1 : bytes;
      request.forecast(read, bytes, nanos, cost);
    }
    strategy.planner().plan(request, strategy.selector(), view);
  }

  void send(Read read) {
    read.sentNanos = world.calendar.now();
    world.checks.sent(read.number);
    if (world.global == null) {
      view.opened(read.node, read.forecastNanos);
      strategy.selector().sent(read.node, read.forecastNanos);
    }
    world.deliver(World.ARRIVE, read);
  }

  void answered(Read read) {
    long now = world.calendar.now();
    if (world.global == null) {
      view.closed(read.node, read.forecastNanos);
      answeredBy(read, now);
    }
    SizeOracle sizes = strategy.sizes();
    if (sizes != null) {
      sizes.learn(null, read.keyHash, read.bytes);
    }
    ended(read);
  }

  private void answeredBy(Read read, long now) {
    for (int column : world.columns) {
      view.apply(column, read.node, read.facts[column], now);
    }
    strategy.selector().answered(read.node, read.forecastNanos, now - read.sentNanos, view);
  }

  /** A dead node lost a read: nobody tells, so it ends when its time is over. */
  void lost(Read read) {
    long due = Math.max(world.calendar.now(), read.sentNanos + world.model.timeoutNanos());
    world.calendar.at(due, World.TIMEOUT, read.index);
  }

  void timedOut(Read read) {
    view.closed(read.node, read.forecastNanos);
    strategy.selector().timedOut(read.node, read.forecastNanos);
    read.flight.failed = true;
    ended(read);
  }

  private void ended(Read read) {
    Flight flight = read.flight;
    world.pool.give(read);
    if (--flight.open == 0) {
      world.requestEnded(flight);
    }
  }
}
