/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.Closer;
import dev.manx.lab.experiment.Measured;
import dev.manx.workload.result.Recovery;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The events of one turn; closing it undoes their remaining effects. */
final class TurnEvents implements AutoCloseable {
  private final List<NodeEvent> events;
  private final List<NodeEvent.Running> running = new ArrayList<>();
  private final ScheduledExecutorService timer;
  private final LongSupplier nanoTime;
  private final long warmUpNanos;
  // Also guards the numbers of the events that are over.
  private final Recovery recovery;
  private final Set<Integer> over = new HashSet<>();
  private long windowStartNanos;

  private TurnEvents(List<NodeEvent> events, long warmUpNanos, LongSupplier nanoTime) {
    this.events = events;
    this.warmUpNanos = warmUpNanos;
    this.nanoTime = nanoTime;
    // An event may block at its start, and its end may wait for that; others must not wait for it.
    timer = Executors.newScheduledThreadPool(Math.max(1, 2 * events.size()));
    recovery =
        events.isEmpty()
            ? null
            : Recovery.untilOver(
                warmUpNanos + events.stream().mapToLong(NodeEvent::atNanos).min().orElseThrow(),
                warmUpNanos + events.stream().mapToLong(TurnEvents::dueNanos).max().orElseThrow());
  }

  private static long dueNanos(NodeEvent event) {
    return event.atNanos() + event.forNanos();
  }

  /**
   * Prepares the events, without starting them.
   *
   * @param warmUpNanos time from the first request to the window
   * @throws dev.manx.contention.squeeze.SqueezeException if a node cannot be squeezed
   */
  static TurnEvents prepare(List<NodeEvent> events, long warmUpNanos, EventHost host) {
    return prepare(events, warmUpNanos, host, System::nanoTime);
  }

  static TurnEvents prepare(
      List<NodeEvent> events, long warmUpNanos, EventHost host, LongSupplier nanoTime) {
    TurnEvents turn = new TurnEvents(events, warmUpNanos, nanoTime);
    try (Closer<RuntimeException> undo = new Closer<>()) {
      undo.add(turn::close);
      events.forEach(event -> turn.running.add(event.prepare(host)));
      undo.release();
      return turn;
    }
  }

  /** Starts and ends each event at its times. */
  void begin(long windowStart) {
    windowStartNanos = windowStart;
    for (int i = 0; i < events.size(); i++) {
      NodeEvent event = events.get(i);
      NodeEvent.Running one = running.get(i);
      int number = i;
      long at = windowStart + event.atNanos() - nanoTime.getAsLong();
      timer.schedule(one::begin, Math.max(0, at), TimeUnit.NANOSECONDS);
      timer.schedule(
          () -> {
            one.end();
            one.span();
            over(number);
          },
          Math.max(0, at + event.forNanos()),
          TimeUnit.NANOSECONDS);
    }
  }

  /** A restarted node is down until it serves again, long after the scheduled end. */
  private void over(int event) {
    synchronized (recovery) {
      if (over.add(event) && over.size() == events.size()) {
        recovery.over(warmUpNanos + nanoTime.getAsLong() - windowStartNanos);
      }
    }
  }

  /** Records an ended request; any thread. */
  void ended(
      long sequence, long intendedNanos, long latencyNanos, boolean measured, boolean answered) {
    if (recovery != null) {
      synchronized (recovery) {
        recovery.ended(sequence, intendedNanos, latencyNanos, measured, answered);
      }
    }
  }

  /**
   * Waits for the end of all events, and adds their actual times and the time to recover.
   *
   * @throws RuntimeException if one could not be carried out or undone
   */
  void marks(Measured measured) {
    for (int i = 0; i < events.size(); i++) {
      NodeEvent.Span span = running.get(i).span();
      measured.mark(
          (span.fromNanos() - windowStartNanos) / 1e9,
          (span.toNanos() - windowStartNanos) / 1e9,
          events.get(i).words());
      over(i);
    }
    if (recovery == null) {
      return;
    }
    Recovery.Found found;
    boolean tooLate;
    synchronized (recovery) {
      found = recovery.found();
      tooLate = recovery.isOverTooLate();
    }
    if (tooLate) {
      measured.metric(Recovery.NOT_RECOVERED, 1);
    }
    if (found != null) {
      measured.metric(Recovery.RECOVER_MS, found.nanos() / 1e6);
      measured.metric(Recovery.NOT_RECOVERED, found.recovered() ? 0 : 1);
    }
  }

  /**
   * Undoes all remaining effects.
   *
   * @throws RuntimeException if one could not be undone; the others have been
   */
  @Override
  public void close() {
    timer.shutdown();
    try (Closer<RuntimeException> all = new Closer<>()) {
      all.add(timer::shutdownNow);
      running.forEach(one -> all.add(one::close));
    }
  }
}
