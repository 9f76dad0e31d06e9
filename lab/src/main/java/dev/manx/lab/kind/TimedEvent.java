/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

/** An event that lasts for a while, at a fixed time of the window in every turn. */
public interface TimedEvent {
  /** Its start, since the start of the window. */
  long atNanos();

  /** Its duration. */
  long forNanos();

  /** A description for users. */
  String words();

  /** An event of one turn. Closing it undoes its remaining effects. */
  interface Running extends AutoCloseable {
    /** Starts the event now; may block until it has started. */
    void begin();

    /** Ends the event, if it does not end automatically; may block until it has ended. */
    void end();

    /**
     * Waits until the event is over and returns its actual time.
     *
     * @throws RuntimeException if it did not take place, or could not be undone
     */
    Span span();

    @Override
    void close();
  }

  /** A time span, by {@code System.nanoTime()}. */
  record Span(long fromNanos, long toNanos) {}
}
