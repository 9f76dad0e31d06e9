/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.Copies;
import dev.manx.policy.order.Order;
import dev.manx.simulator.Read.Place;
import java.util.ArrayDeque;
import java.util.stream.IntStream;

/**
 * One node as a replica: its queue and its cores. The order is the strategy's own; it is called by
 * one thread, as its contract asks, so without a lock.
 */
class Replica {
  /** Makes replicas; a test may make others. */
  interface Maker {
    Replica make(World world, int id, Order<Read> order);
  }

  final World world;
  final int id;
  private final Order<Read> order;
  private final PageCache cache;
  private final ArrayDeque<Read> overflow = new ArrayDeque<>();
  private final Read[] running;
  private final int[] freeCores;
  private int idle;

  double speed = 1;
  double faultSpeed = 1;
  private boolean dead;
  private long pausedSinceNanos = -1;
  private long pausedNanos;

  final NodeLoad load;
  long busyNanos;
  long misses;
  long missedBytes;
  long overflowed;

  Replica(World world, int id, Order<Read> order) {
    this.world = world;
    this.id = id;
    this.order = order;
    idle = world.model.cores();
    running = new Read[idle];
    freeCores = IntStream.range(0, idle).toArray();
    load = new NodeLoad(world.model.feedback().serviceTimeWeight());
    cache = world.model.cache().map(c -> new PageCache(c.bytesPerNode())).orElse(null);
  }

  void arrive(Read read) {
    long now = world.calendar.now();
    read.arrivalNanos = now;
    if (dead) {
      world.checks.lost(read.number, false, now, now);
      world.coordinator(read).lost(read);
      return;
    }
    Twins twins = read.twins;
    // A cancellation that overtook its copy has left a tombstone.
    boolean late = twins != null && twins.second == read && twins.tied() && twins.started;
    if (late || read.place == Place.CANCELLED) {
      world.checks.cancelled(read.number, false, now, now);
      world.coordinator(read).cancelled(read);
      return;
    }
    world.checks.entered(now);
    read.place = Place.QUEUED;
    load.enqueued(read.costNanos);
    if (world.credits != null) {
      world.credits.arrived(id, read.costNanos, now);
    }
    if (!order.offer(read)) {
      overflowed++;
      overflow.add(read);
    }
    serve(now);
    if (twins != null
        && twins.rule == Copies.FORWARDED
        && twins.first == read
        && read.place == Place.QUEUED) {
      read.holds++;
      world.calendar.at(now + twins.copyAfterNanos, World.COPY, read.index);
    }
  }

  /** Ends the service of a read whose time has come. */
  void done(Read read) {
    if (running[read.core] != read) {
      // The node died meanwhile.
      world.coordinator(read).lost(read);
      return;
    }
    long now = world.calendar.now();
    long stood = pausedNanos(now) - read.pausedBeforeNanos;
    if (stood > 0) {
      read.pausedBeforeNanos += stood;
      world.calendar.at(now + stood, World.DONE, read.index);
      return;
    }
    running[read.core] = null;
    freeCores[idle++] = read.core;
    long nanos = now - read.startNanos;
    busyNanos += nanos;
    load.finished(read.large, nanos, read.costNanos);
    world.checks.executed(read.number, read.arrivalNanos, read.startNanos, now);
    if (read.twins != null && read.twins.answered) {
      world.wasted++;
    }
    load.report(read.facts, world.columns);
    world.deliver(World.REPLY, read);
    serve(now);
  }

  /** A message that a copy is no longer wanted. */
  void cancel(Read read) {
    if (read.place == Place.QUEUED) {
      long now = world.calendar.now();
      if (!order.remove(read)) {
        overflow.remove(read);
      }
      load.dropped(read.costNanos);
      read.place = Place.CANCELLED;
      world.checks.cancelled(read.number, true, read.arrivalNanos, now);
      world.coordinator(read).cancelled(read);
    } else if (read.place == Place.AWAY) {
      read.place = Place.CANCELLED;
    }
    world.pool.release(read);
  }

  /** Starts what may start. */
  final void serve(long now) {
    if (dead || pausedSinceNanos >= 0) {
      return;
    }
    startWaiting(now);
    if (idle > 0 && (world.global == null ? order.size() > 0 : world.global.hasWork(id))) {
      world.checks.idleWithWork();
    }
  }

  void startWaiting(long now) {
    while (idle > 0) {
      Read next = world.global == null ? next(now) : pull();
      if (next == null) {
        break;
      }
      start(next, now);
    }
  }

  private Read next(long now) {
    Read read = order.poll(now);
    return read == null ? overflow.poll() : read;
  }

  private Read pull() {
    Read read = world.global.poll(id);
    if (read != null) {
      load.enqueued(read.costNanos);
    }
    return read;
  }

  private void start(Read read, long now) {
    load.started(read.costNanos);
    read.place = Place.SERVED;
    read.core = freeCores[--idle];
    running[read.core] = read;
    if (read.twins != null) {
      startedTwin(read);
    }
    double nanos = read.baseNanos;
    if (cache != null && !cache.read(read.keyHash, read.bytes)) {
      misses++;
      missedBytes += read.bytes;
      ModelSpec.Cache spec = world.model.cache().orElseThrow();
      nanos += spec.missNanos() + read.bytes * spec.missPerByteNanos();
    }
    if (speed != 1 || faultSpeed != 1) {
      nanos /= speed * faultSpeed;
    }
    read.startNanos = now;
    read.pausedBeforeNanos = pausedNanos;
    world.calendar.at(now + Math.max(1, Math.round(nanos)), World.DONE, read.index);
  }

  private void startedTwin(Read read) {
    Twins twins = read.twins;
    Read other = twins.other(read);
    if (read == twins.first) {
      twins.started = true;
    }
    if (twins.tied() && other != null && !other.isOver) {
      world.cancel(other);
    }
  }

  /** Reads served because they had waited for {@code max-wait}. */
  long cuts() {
    return order.cuts();
  }

  boolean hasIdleCore() {
    return idle > 0 && !dead && pausedSinceNanos < 0;
  }

  private long pausedNanos(long now) {
    return pausedNanos + (pausedSinceNanos < 0 ? 0 : now - pausedSinceNanos);
  }

  /** Stands still: what runs ends later by as long, nothing starts. */
  void pause() {
    pausedSinceNanos = world.calendar.now();
  }

  void resume() {
    long now = world.calendar.now();
    pausedNanos += now - pausedSinceNanos;
    pausedSinceNanos = -1;
    serve(now);
  }

  /** Loses all it holds. */
  void die() {
    long now = world.calendar.now();
    dead = true;
    for (Read read = next(now); read != null; read = next(now)) {
      world.checks.lost(read.number, true, read.arrivalNanos, now);
      read.place = Place.SERVED;
      world.coordinator(read).lost(read);
    }
    for (int core = 0; core < running.length; core++) {
      if (running[core] != null) {
        world.checks.lost(running[core].number, true, running[core].arrivalNanos, now);
        running[core] = null;
        freeCores[idle++] = core;
      }
    }
    load.lost();
  }

  void revive() {
    dead = false;
    serve(world.calendar.now());
  }
}
