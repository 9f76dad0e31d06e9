/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.simulator.Read.Place;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Where one node serves its reads: a core for each, or cores that more reads share. Confined to one
 * thread.
 */
final class Cores {
  private final World world;
  private final int node;
  private final Read[] running;
  private final int[] free;
  private int idle;

  /** Null where each read has a core of its own. */
  private final SharedCores shared;

  private long pausedSinceNanos = -1;
  private long pausedNanos;

  Cores(World world, int node) {
    this.world = world;
    this.node = node;
    idle = world.model.readThreads();
    shared = idle > world.model.cores() ? new SharedCores(world.model.cores(), idle) : null;
    running = new Read[idle];
    free = IntStream.range(0, idle).toArray();
  }

  /** Whether another read may start, if nothing stands still. */
  boolean hasIdle() {
    return idle > 0;
  }

  boolean isPaused() {
    return pausedSinceNanos >= 0;
  }

  boolean runs(Read read) {
    return read.place == Place.SERVED && running[read.core] == read;
  }

  /** Starts a read; there is a place. */
  void start(Read read, double workNanos, long now) {
    read.place = Place.SERVED;
    read.core = free[--idle];
    running[read.core] = read;
    read.startNanos = now;
    if (shared == null) {
      read.pausedBeforeNanos = pausedNanos;
      world.calendar.at(now + Math.max(1, Math.round(workNanos)), World.DONE, read.index);
    } else {
      shared.add(read, Math.max(1, workNanos), now);
      awaitEnd();
    }
  }

  /**
   * Whether a read whose end has come has stood still meanwhile, and so ends later; where each read
   * has a core of its own.
   */
  boolean postpones(Read read, long now) {
    long stood = pausedNanos(now) - read.pausedBeforeNanos;
    if (stood > 0) {
      read.pausedBeforeNanos += stood;
      world.calendar.at(now + stood, World.DONE, read.index);
    }
    return stood > 0;
  }

  /** The next of the reads that share cores that has ended; null for none. */
  Read ended(long now) {
    return shared.ended(now);
  }

  /** Whether the next end of a read that shares cores is due. */
  boolean isEndDue(long now) {
    return shared.isDue(now);
  }

  /** Waits for the next end of a read that shares cores. */
  void awaitEnd() {
    long next = shared.nextEndNanos();
    if (next < Long.MAX_VALUE) {
      world.calendar.at(next, World.SHARED, node);
    }
  }

  /** Takes out a read that has ended, and returns the time that it has had of a core. */
  long end(Read read, long now) {
    running[read.core] = null;
    free[idle++] = read.core;
    return shared == null ? now - read.startNanos : Math.round(shared.endedWorkNanos());
  }

  /** Takes out a read before its end, and returns the time that it has had of a core. */
  long stop(Read read, long now) {
    running[read.core] = null;
    free[idle++] = read.core;
    if (shared == null) {
      // Its end is still in the calendar.
      read.holds++;
      return now - read.startNanos;
    }
    long done = Math.round(shared.remove(read, now));
    awaitEnd();
    return done;
  }

  /**
   * Drops every read that runs.
   *
   * @param lost gets each; its end stays in the calendar where each read has a core of its own
   * @return whether the ends stay in the calendar
   */
  boolean clear(Consumer<Read> lost, long now) {
    for (int core = 0; core < running.length; core++) {
      Read read = running[core];
      if (read != null) {
        running[core] = null;
        free[idle++] = core;
        if (shared != null) {
          shared.remove(read, now);
        }
        lost.accept(read);
      }
    }
    return shared == null;
  }

  /** Stops all cores; reads that run end later by the length of the pause. */
  void pause(long now) {
    pausedSinceNanos = now;
    if (shared != null) {
      shared.freeze(true, now);
      shared.nextEndNanos();
    }
  }

  void resume(long now) {
    pausedNanos += now - pausedSinceNanos;
    pausedSinceNanos = -1;
    if (shared != null) {
      shared.freeze(false, now);
      awaitEnd();
    }
  }

  private long pausedNanos(long now) {
    return pausedNanos + (pausedSinceNanos < 0 ? 0 : now - pausedSinceNanos);
  }
}
