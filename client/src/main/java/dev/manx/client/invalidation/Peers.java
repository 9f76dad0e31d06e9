/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Tracks the other servers, with the number of each one's last invalidation. The numbers of as many
 * dropped servers are remembered, in case they return. Confined.
 */
final class Peers {
  /** Maximum number; beyond it, the server silent for longest is dropped. */
  static final int MOST = 1_024;

  /** Maximum random delay before a silent server is dropped. */
  private static final long SPREAD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final class Peer {
    private long number;
    private long heardNanos;
    private final long patienceNanos;

    Peer(long patienceNanos) {
      this.patienceNanos = patienceNanos;
    }
  }

  private final Map<Long, Peer> peers = new HashMap<>();

  /** The last numbers of dropped servers, which may only have been paused. */
  private final Map<Long, Long> dropped =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
          return size() > MOST;
        }
      };

  private final SplittableRandom random;
  private long gaps;

  /**
   * @param random draws the delay of each silent server
   */
  Peers(SplittableRandom random) {
    this.random = random;
  }

  /** Returns the reason to remove everything; null if no message is missing. */
  String follow(InvalidationMessage message, boolean invalidates, long now) {
    boolean known = knows(message.sender()) || dropped.containsKey(message.sender());
    Peer peer = heard(message.sender(), now);
    long before = message.number() - (invalidates ? 1 : 0);
    if (before > peer.number) {
      gaps += known ? 1 : 0;
      peer.number = message.number();
      return known
          ? "an invalidation of another server is missing"
          : "a server unknown here has already sent invalidations";
    }
    peer.number = Math.max(peer.number, message.number());
    return null;
  }

  /**
   * Whether a server whose messages cannot be decoded has invalidated since its previous message.
   */
  boolean advanced(long sender, long number, long now) {
    Peer peer = heard(sender, now);
    boolean more = number > peer.number;
    peer.number = Math.max(peer.number, number);
    return more;
  }

  private Peer heard(long sender, long now) {
    Peer peer = peers.get(sender);
    if (peer == null) {
      peer = new Peer(Invalidations.SILENT_NANOS + random.nextLong(SPREAD_NANOS));
      Long last = dropped.remove(sender);
      peer.number = last == null ? 0 : last;
      if (peers.size() >= MOST) {
        drop(
            peers.entrySet().stream()
                .min(Comparator.comparingLong(other -> other.getValue().heardNanos - now))
                .orElseThrow()
                .getKey());
      }
      peers.put(sender, peer);
    }
    peer.heardNanos = now;
    return peer;
  }

  private void drop(long sender) {
    dropped.put(sender, peers.remove(sender).number);
  }

  /** Drops servers that were silent for too long; returns their number. */
  int giveUp(long now) {
    List<Long> silent =
        peers.entrySet().stream()
            .filter(peer -> now - peer.getValue().heardNanos >= peer.getValue().patienceNanos)
            .map(Map.Entry::getKey)
            .toList();
    silent.forEach(this::drop);
    return silent.size();
  }

  /** Extends the wait for each server to at least this long from now. */
  void forgive(long graceNanos, long now) {
    for (Peer peer : peers.values()) {
      long least = graceNanos - peer.patienceNanos;
      peer.heardNanos = Math.max(peer.heardNanos - now, least) + now;
    }
  }

  boolean knows(long sender) {
    return peers.containsKey(sender);
  }

  void remove(long sender) {
    peers.remove(sender);
  }

  int size() {
    return peers.size();
  }

  /** Number of missing invalidations. */
  long gaps() {
    return gaps;
  }
}
