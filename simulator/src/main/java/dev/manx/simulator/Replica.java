/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.order.Order;
import java.util.ArrayDeque;
import java.util.stream.IntStream;

/**
 * One node as a replica: its queue, its cores and what it knows of itself. The order is the
 * strategy's own; it is called by one thread, as its contract asks, so without a lock.
 */
final class Replica {
  private static final FactColumn[] FACT_COLUMNS = FactColumn.values();

  private final World world;
  final int id;
  private final Order<Read> order;
  private final boolean conserving;
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

  private long pending;
  private long workAheadNanos;
  private final double weight;
  private double service = Double.NaN;
  private double serviceSmall = Double.NaN;
  private double serviceLarge = Double.NaN;

  long busyNanos;
  long misses;
  long missedBytes;
  long overflowed;

  Replica(World world, int id, Order<Read> order, boolean conserving) {
    this.world = world;
    this.id = id;
    this.order = order;
    this.conserving = conserving;
    int cores = world.model.cores();
    idle = cores;
    running = new Read[cores];
    freeCores = IntStream.range(0, cores).toArray();
    weight = world.model.feedback().serviceTimeWeight();
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
    world.checks.entered(now);
    pending++;
    workAheadNanos += read.costNanos;
    if (!order.offer(read)) {
      overflowed++;
      overflow.add(read);
    }
    serve(now);
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
    pending--;
    long nanos = now - read.startNanos;
    busyNanos += nanos;
    learn(read.large, nanos);
    world.checks.executed(read.number, read.arrivalNanos, read.startNanos, now);
    report(read);
    world.reply(read);
    serve(now);
  }

  /** Starts what may start. */
  void serve(long now) {
    if (!dead && pausedSinceNanos < 0) {
      while (idle > 0) {
        Read next = world.global == null ? next(now) : pull();
        if (next == null) {
          break;
        }
        start(next, now);
      }
      if (conserving && idle > 0 && hasWork()) {
        world.checks.idleWithWork();
      }
    }
  }

  private void start(Read read, long now) {
    workAheadNanos -= read.costNanos;
    read.core = freeCores[--idle];
    running[read.core] = read;
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

  private void learn(boolean large, long nanos) {
    service = mean(service, nanos);
    if (large) {
      serviceLarge = mean(serviceLarge, nanos);
    } else {
      serviceSmall = mean(serviceSmall, nanos);
    }
  }

  private double mean(double mean, long nanos) {
    return Double.isNaN(mean) ? nanos : weight * nanos + (1 - weight) * mean;
  }

  /** Writes the facts that the strategy exchanges onto the answer. */
  private void report(Read read) {
    for (int column : world.columns) {
      read.facts[column] =
          switch (FACT_COLUMNS[column]) {
            case PENDING_READS -> pending;
            case SERVICE_TIME -> Math.round(service);
            case SERVICE_TIME_SMALL -> Math.round(serviceSmall);
            case SERVICE_TIME_LARGE -> Math.round(serviceLarge);
            case WORK_AHEAD -> workAheadNanos;
          };
    }
  }

  /** Reads waiting or running. */
  long pending() {
    return pending;
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
      workAheadNanos -= read.costNanos;
      world.checks.lost(read.number, true, read.arrivalNanos, now);
      world.coordinator(read).lost(read);
    }
    for (int core = 0; core < running.length; core++) {
      if (running[core] != null) {
        world.checks.lost(running[core].number, true, running[core].arrivalNanos, now);
        running[core] = null;
        freeCores[idle++] = core;
      }
    }
    pending = 0;
  }

  void revive() {
    dead = false;
  }

  private boolean hasWork() {
    return world.global == null ? order.size() > 0 : world.global.hasWork(id);
  }

  boolean hasIdleCore() {
    return idle > 0 && !dead && pausedSinceNanos < 0;
  }

  private Read pull() {
    Read read = world.global.poll(id);
    if (read != null) {
      read.node = id;
      pending++;
      workAheadNanos += read.costNanos;
    }
    return read;
  }

  private Read next(long now) {
    Read read = order.poll(now);
    return read == null ? overflow.poll() : read;
  }
}
