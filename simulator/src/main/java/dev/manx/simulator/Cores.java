/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.simulator.Read.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The cores of one node: one for each read, or cores shared by more reads. Confined to one thread.
 */
final class Cores {
  /** Not the time of any event: another event at the time of a valid one is out of date. */
  private static final long TAKEN = -1;

  private final World world;
  private final int node;
  private final Read[] running;
  private final int[] free;
  private int idle;

  /** Null if each read has a separate core. */
  private final SharedCores shared;

  private long pausedSinceNanos = -1;
  private long pausedNanos;

  /** Reads whose end was due in the pause; their end events are scheduled when it ends. */
  private final List<Read> held = new ArrayList<>();

  Cores(World world, int node) {
    this.world = world;
    this.node = node;
    idle = world.model.readThreads();
    shared = idle > world.model.cores() ? new SharedCores(world.model.cores(), idle) : null;
    running = new Read[idle];
    free = IntStream.range(0, idle).toArray();
  }

  /** Whether another read may start if the node is not paused. */
  boolean hasIdle() {
    return idle > 0;
  }

  boolean isPaused() {
    return pausedSinceNanos >= 0;
  }

  boolean runs(Read read) {
    return read.place == Place.SERVED && running[read.core] == read;
  }

  /** Time or work until the miss of a running read ends; 0 if it has ended. */
  double missLeftNanos(Read read, long now) {
    double left =
        shared == null
            ? read.missEndNanos - worksUntil(now)
            : shared.leftNanos(read, now) - read.afterMissNanos;
    return Math.max(0, left);
  }

  /**
   * Another running read of the same value whose miss has not ended, or that waits for such a miss;
   * null if there is none.
   */
  Read awaiting(Read read, long now) {
    for (Read other : running) {
      if (other != null
          && other != read
          && other.keyHash == read.keyHash
          && missLeftNanos(other, now) > 0) {
        return other;
      }
    }
    return null;
  }

  /** Passes on all running reads. */
  void forEach(Consumer<Read> action) {
    for (Read read : running) {
      if (read != null) {
        action.accept(read);
      }
    }
  }

  /** Starts a read; a slot must be free. */
  void start(Read read, double workNanos, long now) {
    read.place = Place.SERVED;
    read.core = free[--idle];
    running[read.core] = read;
    read.startNanos = now;
    if (shared == null) {
      read.pausedAtStartNanos = pausedNanos;
      read.pausedBeforeNanos = pausedNanos;
      scheduleEnd(read, now + Math.max(1, Math.round(workNanos)));
    } else {
      shared.add(read, Math.max(1, workNanos), now);
      awaitEnd();
    }
  }

  private void scheduleEnd(Read read, long nanos) {
    read.endNanos = nanos;
    world.calendar.at(nanos, World.DONE, read.index);
  }

  /** Takes an end event of a read; false if it is out of date. For separate cores. */
  boolean takeEnd(Read read, long now) {
    boolean valid = now == read.endNanos;
    if (valid) {
      read.endNanos = TAKEN;
    }
    return valid;
  }

  /**
   * Changes the time that all running reads still need.
   *
   * @param factor of that time, above 0
   */
  void stretch(double factor, long now) {
    long worksUntil = worksUntil(now);
    for (Read read : running) {
      if (read != null) {
        read.afterMissNanos *= factor;
        if (read.missEndNanos > worksUntil) {
          read.missEndNanos = worksUntil + (read.missEndNanos - worksUntil) * factor;
        }
        if (shared == null) {
          stretch(read, factor, now);
        }
      }
    }
    if (shared != null) {
      shared.stretch(factor, now);
      awaitEnd();
    }
  }

  private void stretch(Read read, double factor, long now) {
    if (held.contains(read)) {
      read.leftNanos = Math.max(1, Math.round(read.leftNanos * factor));
      return;
    }
    long paused = pausedNanos(now);
    long left = read.endNanos + (paused - read.pausedBeforeNanos) - now;
    read.pausedBeforeNanos = paused;
    // The former event stays in the calendar.
    read.holds++;
    scheduleEnd(read, now + Math.max(1, Math.round(left * factor)));
  }

  /** Whether a read whose end is due was paused meanwhile and so ends later; for separate cores. */
  boolean postpones(Read read, long now) {
    long stood = pausedNanos(now) - read.pausedBeforeNanos;
    if (stood > 0 && isPaused()) {
      read.leftNanos = stood;
      held.add(read);
      world.endsHeld++;
    } else if (stood > 0) {
      read.pausedBeforeNanos += stood;
      scheduleEnd(read, now + stood);
    }
    return stood > 0;
  }

  /** Schedules the end events held back. */
  private void scheduleHeld(long now, boolean atOnce) {
    for (Read read : held) {
      read.pausedBeforeNanos = pausedNanos(now);
      scheduleEnd(read, now + (atOnce ? 0 : read.leftNanos));
    }
    world.endsHeld -= held.size();
    held.clear();
  }

  /** The next ended read among those that share cores; null if there is none. */
  Read ended(long now) {
    return shared.ended(now);
  }

  /** Whether the next end among reads that share cores is due. */
  boolean isEndDue(long now) {
    return shared.isDue(now);
  }

  /** Schedules the next end among reads that share cores. */
  void awaitEnd() {
    long next = shared.nextEndNanos();
    if (next < Long.MAX_VALUE) {
      world.calendar.at(next, World.SHARED, node);
    }
  }

  /** Removes a read that has ended, and returns its core time; a paused core does not work. */
  long end(Read read, long now) {
    running[read.core] = null;
    free[idle++] = read.core;
    return shared == null ? workedNanos(read, now) : Math.round(shared.endedWorkNanos());
  }

  /** Whether reads share cores. */
  boolean areShared() {
    return shared != null;
  }

  private long workedNanos(Read read, long now) {
    return now - read.startNanos - (pausedNanos(now) - read.pausedAtStartNanos);
  }

  /** Removes a read before its end, and returns its core time so far. */
  long stop(Read read, long now) {
    running[read.core] = null;
    free[idle++] = read.core;
    if (shared == null) {
      // Its end event is still in the calendar.
      read.holds++;
      return workedNanos(read, now);
    }
    long done = Math.round(shared.remove(read, now));
    awaitEnd();
    return done;
  }

  /**
   * Drops all running reads.
   *
   * @param lost receives each read; with separate cores its end event stays in the calendar
   * @return whether the end events stay in the calendar
   */
  boolean clear(Consumer<Read> lost, long now) {
    scheduleHeld(now, true);
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

  /** Stops all cores; running reads end later by the length of the pause. */
  void pause(long now) {
    pausedSinceNanos = now;
    if (shared != null) {
      shared.freeze(true, now);
      shared.nextEndNanos();
    }
  }

  /** Now, or the beginning of the present pause. */
  long worksUntil(long now) {
    return isPaused() ? pausedSinceNanos : now;
  }

  /** Resumes, and returns the length of the pause. */
  long resume(long now) {
    long stood = now - pausedSinceNanos;
    pausedNanos += stood;
    pausedSinceNanos = -1;
    for (Read read : running) {
      if (read != null && read.missEndNanos > now - stood) {
        read.missEndNanos += stood;
      }
    }
    scheduleHeld(now, false);
    if (shared != null) {
      shared.freeze(false, now);
      awaitEnd();
    }
    return stood;
  }

  private long pausedNanos(long now) {
    return pausedNanos + (pausedSinceNanos < 0 ? 0 : now - pausedSinceNanos);
  }
}
