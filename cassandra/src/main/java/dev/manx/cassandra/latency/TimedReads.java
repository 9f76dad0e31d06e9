/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.latency;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Maps messages to the reads of multigets that are being timed. Any thread. Bounded by the keys in
 * flight, since each request removes its entries at its end.
 */
public final class TimedReads {
  private final ConcurrentHashMap<Long, Place> places = new ConcurrentHashMap<>();

  private final int most;

  /**
   * @param most most messages whose answers are awaited at one time
   */
  public TimedReads(int most) {
    this.most = most;
  }

  private record Place(ReadTimes times, int read) {}

  /**
   * Times the reads of a request; must be closed when the request ends. If there would be too many,
   * its reads are not tracked.
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

  /** Records a replica's answer; most messages are not timed. */
  public void answered(long messageId, long nowNanos) {
    if (places.isEmpty()) {
      return;
    }
    // All replicas that get a digest request share one message.
    Place place = places.get(messageId);
    if (place != null) {
      place.times.answered(place.read, nowNanos);
    }
  }

  /** Most messages at one time. */
  public int most() {
    return most;
  }

  /** Number of messages whose answers are awaited. */
  public int size() {
    return places.size();
  }
}
