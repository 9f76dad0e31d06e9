/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.Closer;
import dev.manx.lab.experiment.Measured;
import dev.manx.lab.kind.TimedRun;
import dev.manx.workload.result.Recovery;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/** The events of one turn; closing it undoes their remaining effects. */
final class TurnEvents implements AutoCloseable {
  private final List<NodeEvent> events;
  private final TimedRun timed;
  private final LongSupplier nanoTime;
  private final long warmUpNanos;
  // Also guards the numbers of the events that are over.
  private final Recovery recovery;
  private final Set<Integer> over = new HashSet<>();
  private long windowStartNanos;

  private TurnEvents(
      List<NodeEvent> events,
      List<TimedRun.Entry> entries,
      long warmUpNanos,
      LongSupplier nanoTime) {
    this.events = events;
    this.warmUpNanos = warmUpNanos;
    this.nanoTime = nanoTime;
    timed = new TimedRun(entries, this::over, nanoTime);
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
    List<TimedRun.Entry> entries = new ArrayList<>();
    try (Closer<RuntimeException> undo = new Closer<>()) {
      for (NodeEvent event : events) {
        NodeEvent.Running running = event.prepare(host);
        undo.add(running::close);
        entries.add(new TimedRun.Entry(event.atNanos(), event.forNanos(), running));
      }
      undo.release();
      return new TurnEvents(events, entries, warmUpNanos, nanoTime);
    }
  }

  /** Starts and ends each event at its times. */
  void begin(long windowStart) {
    windowStartNanos = windowStart;
    timed.begin(windowStart);
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
    List<NodeEvent.Span> spans = timed.check();
    for (int i = 0; i < spans.size(); i++) {
      measured.mark(
          (spans.get(i).fromNanos() - windowStartNanos) / 1e9,
          (spans.get(i).toNanos() - windowStartNanos) / 1e9,
          events.get(i).words());
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
    timed.close();
  }
}
