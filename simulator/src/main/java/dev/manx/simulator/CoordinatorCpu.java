/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.simulator.ModelSpec.Place;
import dev.manx.simulator.kernel.Calendar;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The cores of one coordinator, for the cost of deciding, sending and receiving: tasks run in order
 * of arrival, each on the first free core. Confined to one thread.
 */
/*
 * A task is an event at its end. If the speed changes, every task gets another event, and the
 * former one is out of date. Tasks are stored, which allocates, only in a model whose speeds can
 * change.
 */
final class CoordinatorCpu {
  private final ModelSpec.Cpu cpu;
  private final Calendar calendar;
  private final long[] freeNanos;

  /** The time at which each task ends, by its event; null if the speed is constant. */
  private final Map<Long, Long> ends;

  private double speed = 1;

  CoordinatorCpu(ModelSpec model, Calendar calendar) {
    cpu = model.cpu();
    this.calendar = calendar;
    freeNanos = new long[cpu.coordinatorCores()];
    boolean changes = model.faults().stream().anyMatch(one -> one.place() == Place.COORDINATOR);
    ends = changes ? new LinkedHashMap<>() : null;
  }

  /**
   * The time at which a request that arrives now has been planned and its reads written.
   *
   * @param messages reads that it sends, one for each replica of a read
   */
  long planned(int messages, long nowNanos) {
    return take(cpu.perRequestNanos() + messages * cpu.perReadNanos(), nowNanos);
  }

  /** The time at which a second copy that is due now has been written. */
  long copied(long nowNanos) {
    return take(cpu.perReadNanos(), nowNanos);
  }

  /** The time at which an answer that arrives now has been read. */
  long heard(long nowNanos) {
    return take(cpu.perAnswerNanos(), nowNanos);
  }

  /** Schedules the event at the end of a task; its kind and payload belong to no other task. */
  void await(long endNanos, int kind, int payload) {
    calendar.at(endNanos, kind, payload);
    if (ends != null) {
      ends.put(key(kind, payload), endNanos);
    }
  }

  /** Whether the task of a due event ends now; if so, the task is forgotten. */
  boolean ends(int kind, int payload) {
    return ends == null || ends.remove(key(kind, payload), calendar.now());
  }

  private static long key(int kind, int payload) {
    return (long) kind << Integer.SIZE | payload;
  }

  /**
   * Works at another speed from now on, including tasks in progress; time is divided by the speed.
   */
  void speed(double factor) {
    double longer = speed / factor;
    speed = factor;
    long now = calendar.now();
    for (int core = 0; core < freeNanos.length; core++) {
      freeNanos[core] = stretched(freeNanos[core], longer, now);
    }
    ends.replaceAll((key, end) -> stretched(end, longer, now));
    ends.forEach((key, end) -> calendar.at(end, (int) (key >> Integer.SIZE), key.intValue()));
  }

  private static long stretched(long endNanos, double longer, long nowNanos) {
    return endNanos <= nowNanos ? endNanos : nowNanos + Math.round((endNanos - nowNanos) * longer);
  }

  /** Work without cost does not wait. */
  private long take(long workNanos, long nowNanos) {
    if (workNanos == 0) {
      return nowNanos;
    }
    int core = 0;
    for (int i = 1; i < freeNanos.length; i++) {
      if (freeNanos[i] < freeNanos[core]) {
        core = i;
      }
    }
    long end = Math.max(nowNanos, freeNanos[core]) + Math.round(workNanos / speed);
    freeNanos[core] = end;
    return end;
  }
}
