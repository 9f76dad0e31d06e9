/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.contention.squeeze.Schedule;
import dev.manx.contention.squeeze.SqueezeException;
import dev.manx.contention.squeeze.SqueezeReport;
import dev.manx.contention.squeeze.Squeezer;
import dev.manx.contention.squeeze.Target;
import dev.manx.lab.experiment.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The events of one turn; closing it undoes whatever is left of them. */
final class TurnEvents implements AutoCloseable {
  private final List<SqueezeEvent> events;
  private final List<Squeezer> squeezers = new ArrayList<>();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private long windowStartNanos;

  private TurnEvents(List<SqueezeEvent> events) {
    this.events = events;
  }

  /**
   * Makes everything ready; nothing happens yet.
   *
   * @param pids of the nodes
   * @throws SqueezeException if a node cannot be squeezed
   */
  static TurnEvents prepare(List<SqueezeEvent> events, long[] pids) {
    TurnEvents turn = new TurnEvents(events);
    boolean ready = false;
    try {
      for (SqueezeEvent event : events) {
        Target target = Target.check(pids[event.node() - 1], event.squeeze());
        Schedule schedule = Schedule.of(event.forNanos());
        turn.squeezers.add(
            Squeezer.prepare(target, event.squeeze(), schedule, Squeezer.folder(), line -> {}));
      }
      ready = true;
      return turn;
    } finally {
      if (!ready) {
        turn.close();
      }
    }
  }

  /** Lets each event begin at its time. */
  void begin(long windowStart) {
    windowStartNanos = windowStart;
    for (int i = 0; i < events.size(); i++) {
      Squeezer squeezer = squeezers.get(i);
      long at = windowStart + events.get(i).atNanos() - System.nanoTime();
      timer.schedule(squeezer::go, Math.max(0, at), TimeUnit.NANOSECONDS);
    }
  }

  /**
   * Waits for the end of all and says when they really were.
   *
   * @throws SqueezeException if one could not be done or not be undone
   */
  void marks(Measured measured) {
    for (int i = 0; i < events.size(); i++) {
      SqueezeReport report = squeezers.get(i).await();
      if (report.fromNanos() == 0 || report.ended()) {
        throw new SqueezeException(
            "the squeeze of "
                + events.get(i).words()
                + " did not take place: the node or its guard has ended");
      }
      measured.mark(
          (report.fromNanos() - windowStartNanos) / 1e9,
          (report.restoredNanos() - windowStartNanos) / 1e9,
          events.get(i).words());
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    squeezers.forEach(Squeezer::close);
  }
}
