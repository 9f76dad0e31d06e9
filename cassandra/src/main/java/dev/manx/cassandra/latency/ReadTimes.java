/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.latency;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long each read of one multiget took whose paging was taken off: from its first message until
 * so many replicas had answered as its consistency level asks for.
 *
 * <p>{@link #sent} and {@link #close} are the request thread's, answers come from any thread.
 */
public final class ReadTimes {
  /** Of a multiget whose reads are not followed. */
  public static final ReadTimes UNKNOWN = new ReadTimes(null, 0);

  /** The read's end is not known. */
  static final long NONE = -1;

  private final TimedReads timed;
  private final long[] sentNanos;
  private final AtomicIntegerArray missing;
  private final AtomicLongArray nanos;
  private long[] messages;
  private int messageCount;
  private int told;

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

  /** Whether its reads are followed. */
  public boolean isKnown() {
    return timed != null;
  }

  /** A message of a read goes out; speculation sends a second one. */
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

  /** The next read's time, nanoseconds; {@link #NONE} if its end is not known. */
  long next() {
    return told < sentNanos.length ? nanos.get(told++) : NONE;
  }

  /** The request has ended: what has not been answered is followed no more. */
  public void close() {
    for (int i = 0; i < messageCount; i++) {
      timed.forget(messages[i]);
    }
    messageCount = 0;
  }
}
