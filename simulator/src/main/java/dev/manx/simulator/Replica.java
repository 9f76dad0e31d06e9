/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.Copies;
import dev.manx.policy.fanout.CopyBudget;
import dev.manx.policy.fanout.FanoutPlanner;
import dev.manx.policy.order.Order;
import dev.manx.policy.strategy.Strategy;
import dev.manx.simulator.Read.Place;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** One node as a replica: its queue and its cores. */
class Replica {
  /** Creates replicas; tests may create others. */
  interface Maker {
    Replica make(World world, int id, Order<Read> order);
  }

  final World world;
  final int id;
  final NodeQueue queue;
  final Storage storage;
  private final Cores cores;
  double speed = 1;
  private double faultSpeed = 1;
  private boolean dead;

  /** Whether coordinators know that this node is absent and do not send it new reads. */
  boolean away;

  /** How far the node's clock is ahead; only its order uses this clock. */
  long clockNanos;

  /** Added to the delay of every message to and from it. */
  long farNanos;

  private final long messageNanos;
  private final long largeAboveBytes;

  /** CPU time of messages since a read last started. */
  private long debtNanos;

  private boolean messagesStand;
  private final ArrayDeque<Read> deferred = new ArrayDeque<>();

  final NodeLoad load;
  final Cancels cancels;
  private CopyBudget budget;
  long busyNanos;

  /** The part of the busy time spent on reads that another copy answered. */
  long wastedNanos;

  long wastedRuns;

  Replica(World world, int id, Order<Read> order) {
    this.world = world;
    this.id = id;
    queue = new NodeQueue(order);
    Strategy strategy = world.coordinators[0].strategy;
    FanoutPlanner planner = strategy.planner();
    largeAboveBytes = strategy.traits().largeAboveBytes();
    cancels = new Cancels(world, this, planner.cancelling());
    budget = planner.newReplicaBudget();
    messageNanos = world.model.cpu().messageNanos();
    cores = new Cores(world, id);
    load = new NodeLoad(world.model.feedback().serviceTimeWeight());
    storage = new Storage(world.model.cache());
  }

  void arrive(Read read) {
    long now = world.calendar.now();
    read.arrivedNanos = now;
    read.arrivalNanos = now + clockNanos;
    if (dead) {
      world.checks.lost(read.number, false, now, now);
      world.coordinator(read).ends.lost(read);
      return;
    }
    message();
    Twins twins = read.twins;
    // A cancellation that overtook its copy left a tombstone.
    boolean late = twins != null && twins.second == read && now >= twins.tombstoneNanos;
    if (late || read.place == Place.CANCELLED) {
      world.checks.cancelled(read.number, false, now, now);
      world.coordinator(read).ends.cancelled(read);
      return;
    }
    world.checks.entered(now);
    read.place = Place.QUEUED;
    load.enqueued(read.costNanos);
    if (world.credits != null) {
      world.credits.arrived(id, read.costNanos, now);
    }
    queue.add(read);
    serve(now);
    if (twins != null
        && twins.rule() == Copies.FORWARDED
        && twins.first == read
        && read.place == Place.QUEUED) {
      read.holds++;
      world.calendar.at(now + twins.copyAfterNanos, World.COPY, read.index);
    }
  }

  /** Ends the service of a read whose end is due. */
  void done(Read read) {
    long now = world.calendar.now();
    if (!cores.takeEnd(read, now) || read.place == Place.CANCELLED) {
      world.pool.release(read);
      return;
    }
    if (!cores.runs(read)) {
      // The node has died meanwhile.
      world.coordinator(read).ends.lost(read);
      return;
    }
    if (!cores.postpones(read, now)) {
      ended(read, now);
    }
  }

  /** Handles a possible end among the reads that share cores. */
  void sharedDue() {
    long now = world.calendar.now();
    if (!cores.isEndDue(now)) {
      return;
    }
    for (Read read = cores.ended(now); read != null; read = cores.ended(now)) {
      ended(read, now);
    }
    cores.awaitEnd();
  }

  private void ended(Read read, long now) {
    storage.ended(read, true);
    long nanos = cores.end(read, now);
    busyNanos += nanos;
    read.servedNanos = cores.areShared() ? nanos : now - read.startNanos;
    if (world.credits != null) {
      world.credits.served(id, read);
    }
    load.finished(read.bytes >= largeAboveBytes, now, now - read.startNanos, read.costNanos);
    world.checks.executed(read.number, read.arrivedNanos, read.startNanos, now);
    Twins twins = read.twins;
    if (twins != null && twins.finished) {
      wasted(nanos);
    } else if (twins != null) {
      twins.finished = true;
    }
    if (budget != null) {
      budget.succeeded();
    }
    load.report(read.facts, world.columns);
    message();
    world.deliver(World.REPLY, read);
    serve(now);
  }

  /** Receives the cancellation of a copy. */
  void cancel(Read read) {
    message();
    cancels.cancel(read);
  }

  /** Records that this node received or sent a message. */
  void message() {
    if (!dead) {
      debtNanos += messageNanos;
    }
  }

  /** Whether a read is running here. */
  boolean runs(Read read) {
    return cores.runs(read);
  }

  /** Removes a read from the queue permanently. */
  void drop(Read read) {
    long now = world.calendar.now();
    queue.remove(read);
    load.dropped(read.costNanos);
    read.place = Place.CANCELLED;
    world.checks.cancelled(read.number, true, read.arrivedNanos, now);
    world.coordinator(read).ends.cancelled(read);
  }

  /** Stops a running read permanently. */
  void abort(Read read) {
    long now = world.calendar.now();
    if (cores.missLeftNanos(read, now) > 0) {
      storage.stopped(read, cores.awaiting(read, now));
    } else {
      storage.ended(read, true);
    }
    long nanos = cores.stop(read, now);
    read.place = Place.CANCELLED;
    busyNanos += nanos;
    wasted(nanos);
    load.aborted();
    world.checks.cancelled(read.number, true, read.arrivedNanos, now);
    world.coordinator(read).ends.cancelled(read);
    serve(now);
  }

  private void wasted(long nanos) {
    wastedNanos += nanos;
    wastedRuns++;
  }

  /** Whether a read that waits here may be handed on; if so, this is recorded. */
  boolean mayForward() {
    return budget == null || budget.take();
  }

  /**
   * Records that a read handed on from here started here before its copy was known to have started.
   */
  void copyWasted() {
    if (budget != null) {
      budget.wasted();
    }
  }

  /** Starts all reads that may start. */
  final void serve(long now) {
    if (dead || cores.isPaused()) {
      return;
    }
    startWaiting(now);
    if (cores.hasIdle() && (world.global == null ? queue.hasWork() : world.global.hasWork(id))) {
      world.checks.idleWithWork();
    }
  }

  void startWaiting(long now) {
    while (cores.hasIdle()) {
      Read next = world.global == null ? queue.poll(now + clockNanos) : pull();
      if (next == null) {
        break;
      }
      start(next, now);
    }
  }

  private Read pull() {
    Read read = world.global.poll(id);
    if (read != null) {
      message();
      load.enqueued(read.costNanos);
    }
    return read;
  }

  private void start(Read read, long now) {
    load.started(read.costNanos);
    if (read.twins != null) {
      read.twins.started(read, world);
    }
    int found = storage.look(read);
    double missNanos = found == PageCache.ABSENT ? storage.missNanos(read.bytes) : 0;
    double nanos = read.baseNanos + missNanos;
    double waitedNanos = 0;
    read.missEndNanos = 0;
    if (missNanos > 0) {
      double actualNanos = missNanos / (speed * faultSpeed);
      waitedNanos = storage.begin(actualNanos, now);
      read.missEndNanos = now + waitedNanos + actualNanos;
    } else if (found >= 0 && world.model.readThreads() <= world.model.cores()) {
      // Shared cores would take the wait for work.
      waitedNanos = cores.missLeftNanos(world.pool.get(found), now);
      read.missEndNanos = now + waitedNanos;
    }
    if (debtNanos > 0) {
      nanos += debtNanos;
      debtNanos = 0;
    }
    if (speed != 1 || faultSpeed != 1) {
      nanos /= speed * faultSpeed;
    }
    read.afterMissNanos = nanos - missNanos / (speed * faultSpeed);
    cores.start(read, nanos + waitedNanos, now);
  }

  boolean hasIdleCore() {
    return cores.hasIdle() && !dead && !cores.isPaused();
  }

  /**
   * Pauses: running reads end later by its length, and no read starts.
   *
   * @param messagesToo whether its messages are held too
   */
  void pause(boolean messagesToo) {
    cores.pause(world.calendar.now());
    messagesStand = messagesToo;
  }

  /** Serves at another speed from now on, including running reads. */
  void faultSpeed(double factor) {
    long now = world.calendar.now();
    double longer = faultSpeed / factor;
    faultSpeed = factor;
    storage.stretch(longer, cores.worksUntil(now));
    cores.stretch(longer, now);
  }

  void resume() {
    long now = world.calendar.now();
    storage.goOn(now - cores.resume(now), now);
    messagesStand = false;
    serve(now);
    for (int waiting = deferred.size(); waiting > 0; waiting--) {
      Read read = deferred.remove();
      world.coordinator(read).copier.due(read);
    }
  }

  /** Whether a read's copy cannot be handed on now; it is handed on when this node resumes. */
  boolean defers(Read read) {
    if (messagesStand) {
      deferred.add(read);
    }
    return messagesStand;
  }

  /** Returns from absence as a new process, with a cold page cache and without learned data. */
  void comeBack() {
    away = false;
    load.restarted();
    storage.clear();
    queue.renew(world.newOrder(), world.calendar.now() + clockNanos);
    budget = world.coordinators[0].strategy.planner().newReplicaBudget();
  }

  /** Loses all its reads. */
  void die() {
    long now = world.calendar.now();
    dead = true;
    debtNanos = 0;
    cores.forEach(read -> storage.ended(read, cores.missLeftNanos(read, now) == 0));
    storage.die();
    for (Read read : queue.empty(now + clockNanos)) {
      world.checks.lost(read.number, true, read.arrivedNanos, now);
      read.place = Place.SERVED;
      world.coordinator(read).ends.lost(read);
    }
    List<Read> gone = new ArrayList<>();
    boolean endsRemain = cores.clear(gone::add, now);
    for (Read read : gone) {
      world.checks.lost(read.number, true, read.arrivedNanos, now);
      if (!endsRemain) {
        world.coordinator(read).ends.lost(read);
      }
    }
    load.lost();
  }

  void revive() {
    dead = false;
    serve(world.calendar.now());
  }
}
