/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * A value with its times, by the cache's clock. Thread-safe.
 *
 * @param <V> the value's type
 */
final class Timed<V> {
  /** Memory added to a value: the object with four times. */
  static final int BYTES = 48;

  /** A time that is never reached. */
  static final long NEVER = Long.MAX_VALUE;

  private static final AtomicLongFieldUpdater<Timed<?>> REFRESH = updater();

  final V value;

  /** Time from which the value is a miss. */
  final long hardNanos;

  /** Time from which the value is not answered even if the backend fails. */
  final long goneNanos;

  private volatile long softNanos;
  private volatile long usedNanos;

  Timed(V value, long hardNanos, long goneNanos, long softNanos, long usedNanos) {
    this.value = value;
    this.hardNanos = hardNanos;
    this.goneNanos = goneNanos;
    this.softNanos = softNanos;
    this.usedNanos = usedNanos;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static AtomicLongFieldUpdater<Timed<?>> updater() {
    return (AtomicLongFieldUpdater) AtomicLongFieldUpdater.newUpdater(Timed.class, "softNanos");
  }

  /** Whether a time has passed; the clock may start anywhere. */
  static boolean isPast(long time, long now) {
    return time != NEVER && now - time >= 0;
  }

  /** Whether the value is too old, or was unused for this many nanoseconds; 0: no limit. */
  boolean isExpired(long now, long idleNanos) {
    return isPast(hardNanos, now) || (idleNanos > 0 && isUnused(now, idleNanos));
  }

  /** Whether the value was unused for this many nanoseconds. */
  boolean isUnused(long now, long nanos) {
    return now - usedNanos >= nanos;
  }

  void used(long now) {
    usedNanos = now;
  }

  /** When its refresh becomes due. */
  long softNanos() {
    return softNanos;
  }

  /** Whether its refresh is due. */
  boolean isDue(long now) {
    return isPast(softNanos, now);
  }

  /** Whether the caller should refresh the value; for a while, other callers then should not. */
  boolean claimRefresh(long now, long againNanos) {
    long soft = softNanos;
    return isPast(soft, now) && REFRESH.compareAndSet(this, soft, now + againNanos);
  }
}
