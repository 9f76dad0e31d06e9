/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.latency;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Which message belongs to which read of a multiget that is being timed. Any thread. Bounded by the
 * keys in flight, for a request that ends takes out what it put in.
 */
public final class TimedReads {
  private final ConcurrentHashMap<Long, Place> places = new ConcurrentHashMap<>();

  private final int most;

  /**
   * @param most messages whose answers are awaited at a time
   */
  public TimedReads(int most) {
    this.most = most;
  }

  private record Place(ReadTimes times, int read) {}

  /**
   * Times the reads of a request; it is to be closed when the request ends. Where that would be too
   * many, its reads are not followed.
   */
  public ReadTimes begin(int reads) {
    return reads > most - places.size() ? ReadTimes.UNKNOWN : new ReadTimes(this, reads);
  }

  void sent(long messageId, ReadTimes times, int read) {
    // A read may go to more than one replica.
    if (places.size() < most) {
      places.put(messageId, new Place(times, read));
    }
  }

  void forget(long messageId) {
    places.remove(messageId);
  }

  /** A replica answered; most messages are not timed. */
  public void answered(long messageId, long nowNanos) {
    if (places.isEmpty()) {
      return;
    }
    // All replicas that are asked for a digest share one message.
    Place place = places.get(messageId);
    if (place != null) {
      place.times.answered(place.read, nowNanos);
    }
  }

  /** The most of them at a time. */
  public int most() {
    return most;
  }

  /** Messages whose answer is awaited. */
  public int size() {
    return places.size();
  }
}
