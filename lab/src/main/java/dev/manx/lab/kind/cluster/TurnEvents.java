/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.Closer;
import dev.manx.lab.experiment.Measured;
import dev.manx.workload.result.Recovery;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The events of one turn; closing it undoes their remaining effects. */
final class TurnEvents implements AutoCloseable {
  private final List<NodeEvent> events;
  private final List<NodeEvent.Running> running = new ArrayList<>();
  private final ScheduledExecutorService timer;
  private final Recovery recovery;
  private long windowStartNanos;

  private TurnEvents(List<NodeEvent> events, long warmUpNanos) {
    this.events = events;
    // An event may block at its start, and its end may wait for that; others must not wait for it.
    timer = Executors.newScheduledThreadPool(Math.max(1, 2 * events.size()));
    recovery =
        events.isEmpty()
            ? null
            : new Recovery(
                warmUpNanos + events.stream().mapToLong(NodeEvent::atNanos).min().orElseThrow(),
                warmUpNanos
                    + events.stream()
                        .mapToLong(event -> event.atNanos() + event.forNanos())
                        .max()
                        .orElseThrow());
  }

  /**
   * Prepares the events, without starting them.
   *
   * @param warmUpNanos time from the first request to the window
   * @throws dev.manx.contention.squeeze.SqueezeException if a node cannot be squeezed
   */
  static TurnEvents prepare(List<NodeEvent> events, long warmUpNanos, EventHost host) {
    TurnEvents turn = new TurnEvents(events, warmUpNanos);
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
      long at = windowStart + event.atNanos() - System.nanoTime();
      timer.schedule(one::begin, Math.max(0, at), TimeUnit.NANOSECONDS);
      timer.schedule(one::end, Math.max(0, at + event.forNanos()), TimeUnit.NANOSECONDS);
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
    }
    Recovery.Found found = recovery == null ? null : recovery.found();
    if (found != null) {
      measured.metric("recover_ms", found.nanos() / 1e6);
      measured.metric("not_recovered", found.recovered() ? 0 : 1);
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
