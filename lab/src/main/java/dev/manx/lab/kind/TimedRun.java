/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import dev.manx.lab.experiment.Closer;
import dev.manx.lab.kind.TimedEvent.Running;
import dev.manx.lab.kind.TimedEvent.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/** Starts and ends the events of one turn; closing it undoes their remaining effects. */
public final class TimedRun implements AutoCloseable {
  /**
   * An event of the turn.
   *
   * @param atNanos its start, since the start of the window
   * @param forNanos its duration
   */
  public record Entry(long atNanos, long forNanos, Running running) {}

  private final List<Entry> entries;
  private final IntConsumer over;
  private final LongSupplier nanoTime;
  private final ScheduledExecutorService timer;

  /** Creates a run without starting events. */
  public TimedRun(List<Entry> entries) {
    this(entries, entry -> {}, System::nanoTime);
  }

  /**
   * Creates a run without starting events.
   *
   * @param over receives the index of each entry that is over, at least once; any thread
   */
  public TimedRun(List<Entry> entries, IntConsumer over, LongSupplier nanoTime) {
    this.entries = List.copyOf(entries);
    this.over = over;
    this.nanoTime = nanoTime;
    // An event may block at its start, and its end may wait for that; other events must not wait
    // for it.
    timer = Executors.newScheduledThreadPool(Math.max(1, 2 * entries.size()));
  }

  /** Begins a turn whose warm-up starts now. */
  public void beginAfter(long warmUpNanos) {
    begin(nanoTime.getAsLong() + warmUpNanos);
  }

  /** Starts and ends each event at its times. */
  public void begin(long windowStartNanos) {
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      int index = i;
      long at = windowStartNanos + entry.atNanos() - nanoTime.getAsLong();
      timer.schedule(entry.running()::begin, Math.max(0, at), TimeUnit.NANOSECONDS);
      timer.schedule(
          () -> {
            entry.running().end();
            entry.running().span();
            over.accept(index);
          },
          Math.max(0, at + entry.forNanos()),
          TimeUnit.NANOSECONDS);
    }
  }

  /**
   * Waits for the end of all events and returns their actual times, in their order.
   *
   * @throws RuntimeException if one could not be carried out or undone
   */
  public List<Span> check() {
    List<Span> spans = new ArrayList<>();
    for (Entry entry : entries) {
      spans.add(entry.running().span());
      over.accept(spans.size() - 1);
    }
    return spans;
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
      entries.forEach(entry -> all.add(entry.running()::close));
    }
  }
}
