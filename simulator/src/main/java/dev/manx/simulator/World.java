/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.Copies;
import dev.manx.policy.Request;
import dev.manx.policy.bound.GlobalOrder;
import dev.manx.policy.facts.Fact;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.order.Order;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Strategy;
import dev.manx.simulator.kernel.Calendar;
import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.kernel.Streams.Purpose;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** The shared state of one run. Confined to one thread. */
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
  static final int COPY = 11;
  static final int CANCEL = 12;
  static final int GATE = 13;
  static final int CREDITS = 14;
  static final int FACTS = 15;
  static final int EXCHANGE = 16;
  static final int GOSSIP = 17;
  static final int ABORT = 18;
  static final int SHARED = 19;
  static final int ANSWERED = 20;
  static final int RESCUE = 21;
  static final int PLAN = 22;
  static final int COPY_WRITTEN = 23;

  final ModelSpec model;
  final Calendar calendar;
  final ReadPool pool = new ReadPool();
  final Unplanned unplanned = new Unplanned();
  final Request request = new Request();
  final Checks checks;
  final LatencyRecorder recorder;
  final Coordinator[] coordinators;
  final Replica[] replicas;
  final CreditExchange credits;
  final Gossip gossip;
  final Misjudged misjudged = new Misjudged();

  /** The global queue of a bound, or null. */
  final GlobalOrder<Read> global;

  /** Ordinals of the fact columns that the strategy exchanges. */
  final int[] columns;

  private final ZigguratSampler.NormalizedGaussian networkNormal;
  private final double networkSigma;
  private final UniformRandomProvider lossRandom;
  private final double loss;

  /** Whether every message arrives after the same delay. */
  private final boolean plain;

  /** Nodes that coordinators know to be absent. */
  int nodesAway;

  /** Nodes whose messages are delayed. */
  int nodesFar;

  /** The clients of a closed loop; null for open arrivals. */
  ClosedLoop clients;

  /** Ends of reads that are scheduled when the pause of their node ends. */
  int endsHeld;

  int openRequests;

  /** Reads and copies sent whose answer, loss or cancellation their coordinator does not know. */
  private int onTheirWay;

  int mostOnTheirWay;
  long messages;
  long copies;

  /** Whether reads of a planned request may have second copies. */
  boolean mayCopy;

  World(
      ModelSpec model,
      String strategyDocument,
      Streams streams,
      LatencyRecorder recorder,
      Checks checks,
      Replica.Maker maker) {
    this.model = model;
    this.recorder = recorder;
    this.checks = checks;
    calendar = new Calendar(model.network().oneWayNanos());
    networkNormal = ZigguratSampler.NormalizedGaussian.of(streams.sampler(Purpose.NETWORK));
    networkSigma = ServiceTimes.lognormalSigma(model.network().cv());
    lossRandom = streams.sampler(Purpose.LOSS);
    loss = model.network().loss();
    plain = networkSigma == 0 && loss == 0;
    coordinators = new Coordinator[model.coordinators()];
    for (int i = 0; i < coordinators.length; i++) {
      SplittableRandom seeds = streams.generator(Purpose.STRATEGIES, i);
      Host host = Host.simulator(calendar, seeds::nextLong);
      Strategy strategy = Strategy.parse("strategy", strategyDocument, host);
      coordinators[i] =
          new Coordinator(this, i, strategy, streams.generator(Purpose.COORDINATOR_POLICIES, i));
    }
    Strategy any = coordinators[0].strategy;
    columns = columns(any);
    global = any.bound() == null ? null : any.bound().newOrder();
    credits = CreditExchange.of(this, any);
    gossip = any.exchange() == null ? null : new Gossip(this, streams);
    replicas = new Replica[model.nodes()];
    for (int i = 0; i < replicas.length; i++) {
      replicas[i] = maker.make(this, i, newOrder());
    }
  }

  // Columns are never stored or sent, so their ordinal may serve as an index.
  @SuppressWarnings("EnumOrdinal")
  private static int[] columns(Strategy strategy) {
    return strategy.facts().wired().stream()
        .map(Fact::columns)
        .flatMap(List::stream)
        .mapToInt(FactColumn::ordinal)
        .toArray();
  }

  /** The empty order of a node that starts, with the longest wait that nodes allow. */
  Order<Read> newOrder() {
    Order<Read> order = coordinators[0].strategy.newOrder();
    order.limitWait(model.longestWaitNanos());
    return order;
  }

  Coordinator coordinator(Read read) {
    return coordinators[read.coordinator];
  }

  /** Sends a message that carries or concerns a read. */
  void deliver(int kind, Read read) {
    messages++;
    if (plain && nodesFar == 0) {
      calendar.afterDelay(kind, read.index);
    } else {
      deliverOddly(kind, read);
    }
  }

  /** Sends a message that may be lost or delayed. */
  private void deliverOddly(int kind, Read read) {
    if (loss > 0 && lossRandom.nextDouble() < loss) {
      lose(kind, read);
      return;
    }
    double factor =
        Math.exp(networkSigma * networkNormal.sample() - networkSigma * networkSigma / 2);
    long nanos = Math.round(model.network().oneWayNanos() * factor);
    // A read of a bound goes to the global queue, and its node is not chosen yet.
    boolean toQueue = global != null && kind == ARRIVE;
    long farNanos = toQueue ? 0 : replicas[read.node].farNanos + senderFarNanos(kind, read);
    calendar.at(calendar.now() + nanos + farNanos, kind, read.index);
  }

  /** The delay of a message at the replica that sends it to another one; 0 for a coordinator. */
  private long senderFarNanos(int kind, Read read) {
    Twins twins = read.twins;
    if (twins == null || !twins.tied()) {
      return 0;
    }
    boolean handedOn = kind == ARRIVE && twins.rule() == Copies.FORWARDED && twins.second == read;
    return handedOn || kind == CANCEL ? replicas[twins.other(read).node].farNanos : 0;
  }

  /** Handles a lost message; the read or answer that it carried ends at its time-out. */
  private void lose(int kind, Read read) {
    if (kind == CANCEL) {
      pool.release(read);
      return;
    }
    if (kind == ARRIVE) {
      checks.lost(read.number, false, calendar.now(), calendar.now());
    }
    coordinator(read).ends.lost(read);
  }

  /** Whether a node accepts reads; if all nodes of a group are absent, all of them accept. */
  boolean isThere(int node, int home) {
    if (!replicas[node].away) {
      return true;
    }
    for (int copy = 0; copy < model.replicationFactor(); copy++) {
      if (!replicas[(home + copy) % replicas.length].away) {
        return false;
      }
    }
    return true;
  }

  /** Sends a replica the cancellation of a copy. */
  void cancel(Read read) {
    read.holds++;
    deliver(CANCEL, read);
  }

  /** Delivers a read to its replica, or to the queue of a bound. */
  void arrive(Read read) {
    if (global == null) {
      replicas[read.node].arrive(read);
      return;
    }
    long now = calendar.now();
    read.arrivalNanos = now;
    read.arrivedNanos = now;
    read.place = Read.Place.QUEUED;
    checks.entered(now);
    global.offer(read);
    Replica nearest = null;
    for (int i = 0; i < read.nodeCount; i++) {
      Replica replica = replicas[read.nodes[i]];
      if (replica.hasIdleCore() && (nearest == null || replica.farNanos < nearest.farNanos)) {
        nearest = replica;
      }
    }
    if (nearest != null) {
      nearest.serve(now);
    }
  }

  /** Records that a read or a copy is sent. */
  void left() {
    if (++onTheirWay > mostOnTheirWay) {
      mostOnTheirWay = onTheirWay;
    }
  }

  /** Records that a read or a copy was answered, lost or cancelled. */
  void cameBack() {
    onTheirWay--;
  }

  void requestEnded(Flight flight) {
    long now = calendar.now();
    openRequests--;
    checks.requestClosed(flight.arrivalNanos, now);
    recorder.ended(flight, now);
    pool.give(flight);
    if (clients != null) {
      clients.ended();
    }
  }
}
