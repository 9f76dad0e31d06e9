/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.latency;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Which message belongs to which read of a multiget that is being timed. Any thread. Bounded by the
 * keys in flight, for a request that ends takes out what it put in.
 */
public final class TimedReads {
  private final ConcurrentHashMap<Long, Place> places = new ConcurrentHashMap<>();

  private record Place(ReadTimes times, int read) {}

  /** Times the reads of a request; it is to be closed when the request ends. */
  public ReadTimes begin(int reads) {
    return new ReadTimes(this, reads);
  }

  void sent(long messageId, ReadTimes times, int read) {
    places.put(messageId, new Place(times, read));
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

  /** Messages whose answer is awaited. */
  public int size() {
    return places.size();
  }
}
