/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.simulator.ModelSpec.Fault;
import dev.manx.simulator.ModelSpec.Speeds;
import dev.manx.simulator.Outcome.Point;
import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.kernel.Streams.Purpose;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;

/** The events other than those of requests: timers, speeds, faults and samples of the cluster. */
final class ClusterEvents {
  /** After so long with timer events only, open requests will never end. */
  private static final long GIVE_UP_NANOS = 60_000_000_000L;

  private final World world;
  private final RunSpec run;
  private final Faults faults;
  private final Streams streams;
  private final UniformRandomProvider speedRandom;
  private final List<Point> points = new ArrayList<>();
  private long windowFromNanos = -1;
  private long windowToNanos;
  private Totals atOpening = Totals.NONE;
  private Totals atClosing = Totals.NONE;
  private Totals atLastLook = Totals.NONE;
  private int openAtMiddle;
  private int openAtClosing;
  private long lastLookNanos;
  private long lastLifeNanos;
  private int timers;

  /** Sums over the cluster at one time. */
  record Totals(
      long busyNanos,
      long wastedNanos,
      long wastedRuns,
      long reads,
      long waited,
      long sent,
      long copies,
      long lost,
      long messages,
      long cuts,
      long overloaded,
      long servedLong,
      long lookups,
      long misses,
      long missedBytes,
      Misjudged.Sums misjudged,
      long gossipMessages,
      long gossipBytes) {
    static final Totals NONE =
        new Totals(
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, new Misjudged.Sums(0, 0, 0, 0), 0, 0);
  }

  ClusterEvents(World world, RunSpec run, Streams streams) {
    this.world = world;
    this.run = run;
    this.streams = streams;
    faults = new Faults(world);
    speedRandom = streams.sampler(Purpose.SPEEDS);
  }

  void start() {
    Speeds speeds = world.model.speeds();
    for (int node = 0; node < speeds.fixed().size(); node++) {
      world.replicas[node].speed = speeds.fixed().get(node);
    }
    if (speeds.flipEveryNanos() > 0) {
      flip();
    }
    for (int i = 0; i < world.model.faults().size(); i++) {
      Fault fault = world.model.faults().get(i);
      world.calendar.at(fault.fromNanos(), World.FAULT_FROM, i);
    }
    timers = 4 + world.coordinators.length + world.model.faults().size();
    for (int id = 0; id < world.coordinators.length; id++) {
      startTimer(id);
    }
    if (world.credits != null) {
      again(World.CREDITS, world.credits.intervalNanos);
    }
    if (world.gossip != null) {
      again(World.EXCHANGE, world.gossip.intervalNanos);
    }
  }

  /** Timers of several nodes do not fire together; coordinators that decide together herd. */
  private void startTimer(int id) {
    long interval = world.coordinators[id].strategy.tickIntervalNanos();
    long phase = streams.generator(Purpose.TIMERS, id).nextLong(interval);
    world.calendar.at(phase, World.TICK, id);
  }

  void event(int kind, int payload, boolean ended) {
    boolean over = ended || isDead();
    switch (kind) {
      case World.TICK -> tick(payload, over);
      case World.FLIP -> {
        if (!over) {
          flip();
        }
      }
      case World.CREDITS -> {
        world.credits.exchange(world.calendar.now());
        if (!over) {
          again(World.CREDITS, world.credits.intervalNanos);
        }
      }
      case World.EXCHANGE -> {
        world.gossip.exchange();
        if (!over) {
          again(World.EXCHANGE, world.gossip.intervalNanos);
        }
      }
      case World.GOSSIP -> world.gossip.arrived();
      case World.FAULT_FROM -> {
        Fault fault = world.model.faults().get(payload);
        faults.begin(fault);
        world.calendar.at(
            world.calendar.now() + fault.toNanos() - fault.fromNanos(), World.FAULT_TO, payload);
      }
      case World.FAULT_TO -> {
        Fault fault = world.model.faults().get(payload);
        faults.end(fault);
        if (fault.everyNanos() > 0 && !over) {
          long rest = fault.everyNanos() - (fault.toNanos() - fault.fromNanos());
          world.calendar.at(world.calendar.now() + rest, World.FAULT_FROM, payload);
        }
      }
      case World.SAMPLE -> {
        look();
        if (!over && windowToNanos == 0) {
          again(World.SAMPLE, run.timelineNanos());
        }
      }
      default -> throw new IllegalStateException("no event is of kind " + kind);
    }
  }

  /** Whether only timers have fired for so long that no other event will follow. */
  private boolean isDead() {
    long now = world.calendar.now();
    int gossip = world.gossip == null ? 0 : world.gossip.underWay();
    int thinking = world.clients == null ? 0 : world.clients.thinking();
    int others = world.calendar.pending() + world.endsHeld - gossip - thinking;
    if (others > timers || windowToNanos == 0) {
      lastLifeNanos = now;
    }
    return now - lastLifeNanos > GIVE_UP_NANOS;
  }

  private void tick(int id, boolean over) {
    Coordinator coordinator = world.coordinators[id];
    coordinator.tick();
    if (!over) {
      world.calendar.at(
          world.calendar.now() + coordinator.strategy.tickIntervalNanos(), World.TICK, id);
    }
  }

  private void again(int kind, long afterNanos) {
    world.calendar.at(world.calendar.now() + afterNanos, kind, 0);
  }

  private void flip() {
    Speeds speeds = world.model.speeds();
    for (Replica replica : world.replicas) {
      double fixed = replica.id < speeds.fixed().size() ? speeds.fixed().get(replica.id) : 1;
      boolean fast = speedRandom.nextDouble() < speeds.fastShare();
      replica.speed = fixed * (fast ? speeds.fastFactor() : 1);
    }
    again(World.FLIP, speeds.flipEveryNanos());
  }

  void windowOpens() {
    windowFromNanos = world.calendar.now();
    world.recorder.window(true);
    atOpening = totals();
    atLastLook = atOpening;
    lastLookNanos = windowFromNanos;
    if (run.timelineNanos() > 0) {
      again(World.SAMPLE, run.timelineNanos());
    }
  }

  void halfArrived() {
    openAtMiddle = world.openRequests;
  }

  /** Ends the sums before the last request, since its effects are not counted. */
  void lastArrives() {
    atClosing = totals();
  }

  void windowCloses() {
    windowToNanos = world.calendar.now();
    world.recorder.window(false);
    openAtClosing = world.openRequests;
  }

  long windowNanos() {
    return Math.max(1, windowToNanos - windowFromNanos);
  }

  Totals atOpening() {
    return atOpening;
  }

  Totals atClosing() {
    return atClosing;
  }

  /** Open requests when half of all had arrived, warm-up included. */
  int openAtMiddle() {
    return openAtMiddle;
  }

  /** Open requests at the arrival of the last one. */
  int openAtClosing() {
    return openAtClosing;
  }

  List<Point> points() {
    return points;
  }

  private Totals totals() {
    long busy = 0;
    long wasted = 0;
    long wastedRuns = 0;
    long cuts = 0;
    long overloaded = 0;
    long servedLong = 0;
    long lookups = 0;
    long misses = 0;
    long missedBytes = 0;
    for (Replica replica : world.replicas) {
      busy += replica.busyNanos;
      wasted += replica.wastedNanos;
      wastedRuns += replica.wastedRuns;
      cuts += replica.queue.cuts();
      overloaded += replica.queue.overloaded();
      servedLong += replica.queue.servedLong();
      lookups += replica.storage.lookups;
      misses += replica.storage.misses;
      missedBytes += replica.storage.missedBytes;
    }
    return new Totals(
        busy,
        wasted,
        wastedRuns,
        world.checks.executedCount(),
        world.checks.waitedCount(),
        world.checks.sentCount(),
        world.copies,
        world.checks.lostCount(),
        world.messages,
        cuts,
        overloaded,
        servedLong,
        lookups,
        misses,
        missedBytes,
        world.misjudged.sums(),
        world.gossip == null ? 0 : world.gossip.messages,
        world.gossip == null ? 0 : world.gossip.bytes);
  }

  /** Adds timeline points of utilisation, reads, queue, disk and oracle since the last sample. */
  private void look() {
    long now = world.calendar.now();
    Totals totals = totals();
    double span = now - lastLookNanos;
    double seconds = (now - windowFromNanos) / 1e9;
    long pending = 0;
    for (Replica replica : world.replicas) {
      pending += replica.load.pending();
    }
    double cores = (double) world.model.nodes() * world.model.cores();
    double busy = totals.busyNanos() - atLastLook.busyNanos();
    point(seconds, Outcome.UTILISATION, 100 * busy / span / cores);
    point(seconds, "reads_per_s", (totals.reads() - atLastLook.reads()) / span * 1e9);
    point(seconds, "pending_reads", pending);
    if (world.model.cache().isPresent()) {
      double bytes = totals.missedBytes() - atLastLook.missedBytes();
      point(seconds, "disk_mb_per_s", bytes / 1e6 / span * 1e9);
    }
    if (world.gossip != null) {
      double bytes = totals.gossipBytes() - atLastLook.gossipBytes();
      point(seconds, "exchange_kb_per_s", bytes / 1e3 / span * 1e9);
    }
    point(seconds, "large_misjudged_pct", totals.misjudged().largePct(atLastLook.misjudged()));
    point(seconds, "small_misjudged_pct", totals.misjudged().smallPct(atLastLook.misjudged()));
    atLastLook = totals;
    lastLookNanos = now;
  }

  /** Adds a point unless the value is undefined. */
  private void point(double seconds, String metric, double value) {
    if (!Double.isNaN(value)) {
      points.add(new Point(seconds, "cluster", metric, value));
    }
  }
}
