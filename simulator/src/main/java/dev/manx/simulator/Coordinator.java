/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.Copies;
import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.fanout.FanoutPlanner;
import dev.manx.policy.hold.Gate;
import dev.manx.policy.oracle.SizeOracle;
import dev.manx.policy.select.Selector;
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
  private final int self;
  final Strategy strategy;
  final View view;
  private final Selector selector;
  private final FanoutPlanner planner;
  private final Gate<Read> gate;
  private final SplittableRandom random;
  private final boolean forecasts;
  private final boolean bound;
  private final boolean knowsFacts;
  private long gateDueNanos = Long.MAX_VALUE;

  Coordinator(World world, int self, Strategy strategy, SplittableRandom random) {
    this.world = world;
    this.self = self;
    this.strategy = strategy;
    this.random = random;
    selector = strategy.selector();
    planner = strategy.planner();
    gate = strategy.newGate();
    bound = strategy.bound() != null;
    knowsFacts = !strategy.facts().isEmpty();
    view = new View(world.model.nodes(), knowsFacts);
    forecasts = world.model.forecast().knowledge() == Knowledge.STRATEGY;
  }

  /** Plans a request that has just arrived, and sends what is to be sent at once. */
  void begin(Draw draw, long[] baseNanos, Flight flight) {
    Request request = world.request;
    int nodes = world.model.nodes();
    int copies = world.model.replicationFactor();
    request.begin(world.calendar.now(), random, nodes);
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
    int[] order = request.order();
    for (int i = 0; i < reads; i++) {
      int at = order[i];
      Read read = made(request, at, draw, baseNanos[at], flight);
      long delay = request.sendDelayNanos(at);
      if (delay > 0) {
        world.calendar.at(world.calendar.now() + delay, World.SEND, read.index);
      } else {
        release(read);
      }
    }
    drain();
  }

  private void plan(Request request, Draw draw, long[] baseNanos) {
    if (forecasts) {
      strategy.plan(request, view);
      judge(request, draw);
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
    planner.plan(request, selector, view);
  }

  /** Compares what the oracle took for large with what is. */
  private void judge(Request request, Draw draw) {
    SizeOracle sizes = strategy.sizes();
    if (sizes != null) {
      long above = sizes.largeAboveBytes();
      for (int read = 0, reads = request.reads(); read < reads; read++) {
        world.misjudged.judged(draw.bytes(read) >= above, request.sizeBytes(read) >= above);
      }
    }
  }

  private Read made(Request request, int at, Draw draw, long baseNanos, Flight flight) {
    Read read = world.pool.take();
    read.flight = flight;
    read.coordinator = self;
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
    if (gate != null || bound) {
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
      read.twins = new Twins(rule, request.copyAfterNanos(at), other, read);
    }
    return read;
  }

  /** A read may go as far as the plan is concerned; a gate may still hold it. */
  void release(Read read) {
    if (gate == null || !gate.offer(read)) {
      send(read);
    } else {
      drain();
    }
  }

  /** Sends what the gate lets go, and comes back when it may let more go. */
  void drain() {
    if (gate == null) {
      return;
    }
    long now = world.calendar.now();
    for (Read read = gate.release(now, view); read != null; read = gate.release(now, view)) {
      send(read);
    }
    long next = gate.nextReleaseNanos(now);
    if (next < gateDueNanos) {
      gateDueNanos = next;
      world.calendar.at(Math.max(next, now + 1), World.GATE, self);
    }
  }

  void gateDue() {
    gateDueNanos = Long.MAX_VALUE;
    drain();
  }

  private void send(Read read) {
    depart(read, true);
    Twins twins = read.twins;
    if (twins != null) {
      twins.firstSentNanos = read.sentNanos;
    }
    if (twins != null && twins.rule != Copies.FORWARDED) {
      read.holds++;
      world.calendar.at(world.calendar.now() + twins.copyAfterNanos, World.COPY, read.index);
    }
  }

  private void depart(Read read, boolean ticket) {
    read.sentNanos = world.calendar.now();
    world.checks.sent(read.number);
    if (ticket && !bound) {
      read.ticketOpen = true;
      view.opened(read.node, read.forecastNanos);
      selector.sent(read.node, read.forecastNanos);
    }
    world.deliver(World.ARRIVE, read);
  }

  /** The time has come for a second copy of a read, if it is still wanted. */
  void copyDue(Read first) {
    Twins twins = first.twins;
    boolean forwarded = twins.rule == Copies.FORWARDED;
    boolean wanted = forwarded ? first.place == Read.Place.QUEUED : !twins.answered;
    boolean asks = twins.rule == Copies.HEDGED || twins.rule == Copies.SPECULATIVE;
    long now = world.calendar.now();
    if (wanted && (!asks || planner.mayCopy(first.forecastNanos, twins.copyNode, view, now))) {
      Read second = world.pool.take();
      second.copyOf(first, twins.copyNode);
      second.ageNanos = forwarded ? now - first.arrivalNanos : 0;
      twins.second = second;
      twins.copied = true;
      twins.open++;
      world.copies++;
      depart(second, !forwarded);
    }
    world.pool.release(first);
  }

  void answered(Read read) {
    long now = world.calendar.now();
    Twins twins = read.twins;
    boolean first = twins == null || !twins.answered;
    if (knowsFacts) {
      hear(read);
    }
    if (read.ticketOpen) {
      close(read);
      selector.answered(read.node, read.forecastNanos, now - read.sentNanos, view);
    }
    if (first) {
      SizeOracle sizes = strategy.sizes();
      if (sizes != null) {
        sizes.learn(null, read.keyHash, read.bytes);
      }
      if (twins == null) {
        planner.answered(read.forecastNanos, now - read.sentNanos, false);
      } else {
        twins.answered = true;
        planner.answered(read.forecastNanos, now - twins.firstSentNanos, twins.copied);
        giveUp(twins.other(read), twins.rule);
      }
      ended(read.flight);
    }
    over(read);
    drain();
  }

  /** The other copy of an answered read is no longer wanted. */
  private void giveUp(Read other, Copies rule) {
    if (other == null || rule == Copies.SPECULATIVE) {
      return;
    }
    if (other.ticketOpen) {
      close(other);
      selector.cancelled(other.node, other.forecastNanos);
    }
    if (other.isOver) {
      forget(other);
    } else if (rule == Copies.HEDGED) {
      world.cancel(other);
    }
  }

  private void close(Read read) {
    read.ticketOpen = false;
    view.closed(read.node, read.forecastNanos);
  }

  private void hear(Read read) {
    long age = world.model.feedback().extraAgeNanos();
    if (age == 0) {
      learn(read);
    } else {
      read.holds++;
      world.calendar.at(world.calendar.now() + age, World.FACTS, read.index);
    }
  }

  /** Takes in the facts that came with an answer. */
  void learn(Read read) {
    long now = world.calendar.now();
    for (int column : world.columns) {
      view.apply(column, read.node, read.facts[column], now);
    }
  }

  /** A dead node lost a read: nobody tells, so it ends when its time is over. */
  void lost(Read read) {
    long due = Math.max(world.calendar.now(), read.sentNanos + world.model.timeoutNanos());
    world.calendar.at(due, World.TIMEOUT, read.index);
  }

  void timedOut(Read read) {
    if (read.ticketOpen) {
      close(read);
      selector.timedOut(read.node, read.forecastNanos);
    }
    Twins twins = read.twins;
    if (twins == null || (twins.open == 1 && !twins.answered)) {
      read.flight.failed = true;
      if (twins != null) {
        giveUp(twins.other(read), twins.rule);
      }
      ended(read.flight);
    }
    over(read);
    drain();
  }

  /** A copy was cancelled before it was served; its coordinator learns it by the answer. */
  void cancelled(Read read) {
    if (read.ticketOpen) {
      read.isOver = true;
      read.twins.open--;
    } else {
      over(read);
    }
  }

  /** A copy's way is at its end. */
  private void over(Read read) {
    read.isOver = true;
    if (read.twins != null) {
      read.twins.open--;
    }
    forget(read);
  }

  private void forget(Read read) {
    if (read.twins != null) {
      read.twins.forget(read);
    }
    world.pool.release(read);
  }

  private void ended(Flight flight) {
    if (--flight.open == 0) {
      world.requestEnded(flight);
    }
  }
}
