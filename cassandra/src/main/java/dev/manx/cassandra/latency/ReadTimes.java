/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.latency;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The time of each read of a multiget whose paging was removed: from its first message until as
 * many replicas had answered as its consistency level requires.
 *
 * <p>The request thread calls {@link #sent} and {@link #close}; answers come on any thread.
 */
public final class ReadTimes {
  /** The times of a multiget whose reads are not tracked. */
  public static final ReadTimes UNKNOWN = new ReadTimes(null, 0);

  /** The read's end is unknown. */
  static final long NONE = -1;

  private final TimedReads timed;
  private final long[] sentNanos;
  private final AtomicIntegerArray missing;
  private final AtomicLongArray nanos;
  private long[] messages;
  private int messageCount;
  private int taken;

  ReadTimes(TimedReads timed, int reads) {
    this.timed = timed;
    sentNanos = new long[reads];
    missing = new AtomicIntegerArray(reads);
    nanos = new AtomicLongArray(reads);
    messages = new long[reads];
    for (int read = 0; read < reads; read++) {
      nanos.setPlain(read, NONE);
    }
  }

  /** Whether its reads are tracked. */
  public boolean isKnown() {
    return timed != null;
  }

  /** Records that a message of a read is sent; speculation sends a second one. */
  public void sent(int read, int contacts, long messageId, long nowNanos) {
    if (read >= sentNanos.length) {
      return;
    }
    if (nanos.get(read) == NONE && missing.get(read) == 0) {
      missing.set(read, contacts);
      sentNanos[read] = nowNanos;
    }
    if (messageCount == messages.length) {
      messages = Arrays.copyOf(messages, messageCount * 2 + 1);
    }
    messages[messageCount++] = messageId;
    timed.sent(messageId, this, read);
  }

  void answered(int read, long nowNanos) {
    if (missing.decrementAndGet(read) == 0) {
      nanos.set(read, nowNanos - sentNanos[read]);
    }
  }

  /** The next read's time in nanoseconds; {@link #NONE} if its end is unknown. */
  long next() {
    return taken < sentNanos.length ? nanos.get(taken++) : NONE;
  }

  /** Records the end of the request: unanswered reads are no longer tracked. */
  public void close() {
    for (int i = 0; i < messageCount; i++) {
      timed.forget(messages[i]);
    }
    messageCount = 0;
  }
}
