/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The keys and forecast bytes that this coordinator has in flight at a time for multigets whose
 * paging it took off, and their bounds. Stock's paging reads one partition after another, which is
 * backpressure; reading them in parallel needs a bound of its own.
 *
 * <p>Any thread; takes no lock. Each successful {@link #enter} needs one {@link #leave} with the
 * same numbers.
 */
public final class InFlight {
  // Part of the bytes that one request may have, and part of both bounds that is little; the keys
  // of a request are bounded by `unpage-up-to`.
  private static final int REQUEST_SHARE = 4;

  private volatile long mostKeys;
  private volatile long mostBytes;
  private final AtomicLong keys = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();

  /**
   * @param mostKeys keys in flight at a time, at least 1
   * @param mostBytes bytes in flight at a time, as forecast, at least 1
   */
  public InFlight(long mostKeys, long mostBytes) {
    bound(mostKeys, mostBytes);
  }

  /** Sets other bounds, as in the constructor; what is in flight stays, even beyond them. */
  public void bound(long mostKeys, long mostBytes) {
    if (mostKeys < 1 || mostBytes < 1) {
      throw new IllegalArgumentException("at least one key and one byte");
    }
    this.mostKeys = mostKeys;
    this.mostBytes = mostBytes;
  }

  /**
   * A multiget wants to be read in parallel.
   *
   * @return false if that would exceed a bound, or a quarter of the bytes by itself; nothing is
   *     counted then, and it stays with stock's paging
   */
  public boolean enter(long wantedKeys, long wantedBytes) {
    if (wantedBytes > mostBytes / REQUEST_SHARE || !reserve(keys, wantedKeys, mostKeys)) {
      return false;
    }
    if (!reserve(bytes, wantedBytes, mostBytes)) {
      keys.addAndGet(-wantedKeys);
      return false;
    }
    return true;
  }

  /**
   * The same with bytes that are not forecast but the most that the keys may have, and only while
   * little is in flight: then it need not be known which of them are large.
   *
   * @return false if more than a quarter of a bound would be in use; nothing is counted then
   */
  boolean enterIdle(long wantedKeys, long mostOfThem) {
    if (!reserve(keys, wantedKeys, mostKeys / REQUEST_SHARE)) {
      return false;
    }
    if (!reserve(bytes, mostOfThem, mostBytes / REQUEST_SHARE)) {
      keys.addAndGet(-wantedKeys);
      return false;
    }
    return true;
  }

  /** It has ended, well or not. */
  public void leave(long wantedKeys, long wantedBytes) {
    keys.addAndGet(-wantedKeys);
    bytes.addAndGet(-wantedBytes);
  }

  // Not by adding and taking back: what is refused would refuse others meanwhile.
  private static boolean reserve(AtomicLong total, long wanted, long most) {
    long seen = total.get();
    while (wanted <= most - seen) {
      if (total.compareAndSet(seen, seen + wanted)) {
        return true;
      }
      seen = total.get();
    }
    return false;
  }

  /** Most keys in flight at a time. */
  public long mostKeys() {
    return mostKeys;
  }

  /** Most bytes in flight at a time. */
  public long mostBytes() {
    return mostBytes;
  }

  /** Keys in flight. */
  public long keys() {
    return keys.get();
  }

  /** Bytes in flight, as forecast. */
  public long bytes() {
    return bytes.get();
  }
}
