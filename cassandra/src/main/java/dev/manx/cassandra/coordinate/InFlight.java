/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the keys and forecast bytes that this coordinator has in flight for multigets whose paging
 * was removed. Stock's paging reads one partition after another, which is backpressure; parallel
 * reads need a separate bound.
 *
 * <p>Any thread; takes no lock. Each successful {@link #enter} needs one {@link #leave} with the
 * same numbers.
 */
public final class InFlight {
  // Largest part of the bytes for one request, and the part of both bounds that counts as little;
  // `unpage-up-to` bounds the keys of a request.
  private static final int REQUEST_SHARE = 4;

  private volatile long mostKeys;
  private volatile long mostBytes;
  private final AtomicLong keys = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();

  /**
   * @param mostKeys most keys in flight at one time, at least 1
   * @param mostBytes most forecast bytes in flight at one time, at least 1
   */
  public InFlight(long mostKeys, long mostBytes) {
    bound(mostKeys, mostBytes);
  }

  /**
   * Sets other bounds, as in the constructor; keys and bytes in flight stay counted, even beyond
   * them.
   */
  public void bound(long mostKeys, long mostBytes) {
    if (mostKeys < 1 || mostBytes < 1) {
      throw new IllegalArgumentException("the bounds must be at least one key and one byte");
    }
    this.mostKeys = mostKeys;
    this.mostBytes = mostBytes;
  }

  /**
   * Enters a multiget that is to be read in parallel.
   *
   * @return false if that would exceed a bound, or a quarter of the bytes alone; it is then not
   *     counted and keeps stock's paging
   */
  public boolean enter(long wantedKeys, long wantedBytes) {
    if (!admits(wantedBytes) || !reserve(keys, wantedKeys, mostKeys)) {
      return false;
    }
    if (!reserve(bytes, wantedBytes, mostBytes)) {
      keys.addAndGet(-wantedKeys);
      return false;
    }
    return true;
  }

  /** Whether a multiget may enter if nothing else is in flight, as far as its bytes decide. */
  boolean admits(long wantedBytes) {
    return wantedBytes <= mostBytes / REQUEST_SHARE;
  }

  /**
   * Enters a multiget with an upper bound of its bytes instead of a forecast, and only while little
   * is in flight: then it is irrelevant which keys are large.
   *
   * @return false if more than a quarter of a bound would be in use; it is then not counted
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

  /** Whether {@link #enter} would succeed now. */
  boolean mayEnter(long wantedKeys, long wantedBytes) {
    return wantedBytes <= mostBytes / REQUEST_SHARE
        && wantedKeys <= mostKeys - keys.get()
        && wantedBytes <= mostBytes - bytes.get();
  }

  /** Whether {@link #enterIdle} would succeed now. */
  boolean mayEnterIdle(long wantedKeys, long mostOfThem) {
    return wantedKeys <= mostKeys / REQUEST_SHARE - keys.get()
        && mostOfThem <= mostBytes / REQUEST_SHARE - bytes.get();
  }

  /** Records its end, whether it succeeded or failed. */
  public void leave(long wantedKeys, long wantedBytes) {
    keys.addAndGet(-wantedKeys);
    bytes.addAndGet(-wantedBytes);
  }

  // Not by adding and subtracting: a refused request would cause others to be refused meanwhile.
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

  /** Most keys in flight at one time. */
  public long mostKeys() {
    return mostKeys;
  }

  /** Most bytes in flight at one time. */
  public long mostBytes() {
    return mostBytes;
  }

  /** Keys in flight. */
  public long keys() {
    return keys.get();
  }

  /** Forecast bytes in flight. */
  public long bytes() {
    return bytes.get();
  }
}
