/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.kernel;

import dev.manx.policy.NanoClock;

/**
 * The virtual clock and the pending events. Simultaneous events are processed in the order of their
 * creation (their sequence number breaks the tie), so a run is a function of its inputs alone.
 *
 * <p>An event is a kind (0 to 31) and a payload (0 to 2^24 - 1), packed with its sequence number
 * into one long. Confined to one thread; the loop is:
 *
 * <pre>{@code
 * while (calendar.advance()) {
 *   switch (calendar.kind()) { ... calendar.payload() ... }
 * }
 * }</pre>
 */
public final class Calendar implements NanoClock {
  /** Payloads are below this. */
  public static final int PAYLOADS = 1 << 24;

  private static final int PAYLOAD_BITS = 24;
  private static final int KIND_BITS = 5;

  /** Most events of a run. */
  public static final long MOST_EVENTS = 1L << (63 - PAYLOAD_BITS - KIND_BITS);

  private final EventQueue heap = new EventQueue();
  private final DelayLine line = new DelayLine();
  private final long lineDelayNanos;
  private long nowNanos;
  private long sequence;
  private int kind;
  private int payload;

  /**
   * A calendar at time 0.
   *
   * @param lineDelayNanos the delay of {@link #afterDelay}, at least 0
   */
  public Calendar(long lineDelayNanos) {
    this.lineDelayNanos = lineDelayNanos;
  }

  /** Schedules an event at an absolute time. */
  public void at(long timeNanos, int eventKind, int eventPayload) {
    heap.add(timeNanos, stamp(eventKind, eventPayload));
  }

  /** Schedules an event after the constant delay, in constant time. */
  public void afterDelay(int eventKind, int eventPayload) {
    line.add(nowNanos + lineDelayNanos, stamp(eventKind, eventPayload));
  }

  /** Advances to the next event; returns false if there is none. */
  public boolean advance() {
    boolean fromLine = line.size() > 0;
    if (heap.size() > 0) {
      long heapTime = heap.headTime();
      fromLine =
          fromLine
              && (line.headTime() < heapTime
                  || (line.headTime() == heapTime && line.headStamp() < heap.headStamp()));
    } else if (!fromLine) {
      return false;
    }
    long stamp;
    if (fromLine) {
      nowNanos = line.headTime();
      stamp = line.headStamp();
      line.removeHead();
    } else {
      nowNanos = heap.headTime();
      stamp = heap.headStamp();
      heap.removeHead();
    }
    kind = (int) (stamp >>> PAYLOAD_BITS) & (1 << KIND_BITS) - 1;
    payload = (int) stamp & PAYLOADS - 1;
    return true;
  }

  /** Kind of the current event. */
  public int kind() {
    return kind;
  }

  /** Payload of the current event. */
  public int payload() {
    return payload;
  }

  /** Time of the current event. */
  public long now() {
    return nowNanos;
  }

  /** Number of pending events. */
  public int pending() {
    return heap.size() + line.size();
  }

  /** Number of events created so far. */
  public long events() {
    return sequence;
  }

  @Override
  public long nanoTime() {
    return nowNanos;
  }

  private long stamp(int eventKind, int eventPayload) {
    if (sequence == MOST_EVENTS) {
      throw new IllegalStateException("a run has at most " + MOST_EVENTS + " events");
    }
    return (sequence++ << KIND_BITS | eventKind) << PAYLOAD_BITS | eventPayload;
  }
}
