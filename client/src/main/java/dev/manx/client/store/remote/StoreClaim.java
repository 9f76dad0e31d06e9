/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One store's claim on one instance. An instance is used only if it is empty or marked as Manx's,
 * and by one store at a time. Confined to its store's supervisor, except for {@link #end}.
 *
 * <p>Two keys record the claim. {@value #OWNED} marks the instance permanently. {@value #LEASE}
 * names the store that uses it and expires some seconds after its last renewal, so the successor of
 * a killed process waits for it.
 */
public final class StoreClaim {
  static final String OWNED = "manx:owned";

  /** The key that names the store using the instance. */
  public static final String LEASE = "manx:lease";

  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(5);
  private static final int POLLS = 5;
  private static final String JVM = UUID.randomUUID().toString();
  private static final AtomicLong NUMBERS = new AtomicLong();
  private static final Set<String> LIVE = ConcurrentHashMap.newKeySet();

  /** The instance's markers, as accessed by one client library. */
  public interface Markers {
    /** A key's value, or null. */
    String get(String key) throws IOException;

    /** Sets a key if it is absent; returns whether it was set. */
    boolean add(String key, String value, Duration expiry) throws IOException;

    /**
     * Sets a key.
     *
     * @param expiry null: none
     */
    void set(String key, String value, Duration expiry) throws IOException;

    /**
     * A description of contents that are not Manx's.
     *
     * @param owned whether the instance is marked
     * @return null if there are no such contents
     */
    String foreign(boolean owned) throws IOException;
  }

  /** Thrown if this store must not use the instance. */
  static final class OccupiedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean lasting;

    OccupiedException(String message, boolean lasting) {
      super(message);
      this.lasting = lasting;
    }

    /** Whether waiting does not help. */
    boolean lasting() {
      return lasting;
    }
  }

  private final String backend;
  private final String id;
  private final Duration lease;
  private final Runnable onOtherRun;
  private String run;

  /**
   * @param onOtherRun called before a request can reach a different run of the server
   */
  StoreClaim(String backend, RemoteSettings settings, Runnable onOtherRun) {
    this.backend = backend;
    this.onOtherRun = onOtherRun;
    id = JVM + "/" + NUMBERS.incrementAndGet() + "/" + backend;
    Duration polls = settings.pollInterval().multipliedBy(POLLS);
    lease = polls.compareTo(SHORTEST_LEASE) < 0 ? SHORTEST_LEASE : polls;
    LIVE.add(id);
  }

  /**
   * Ensures that the instance is this store's for the length of the lease.
   *
   * @param known whether it is certainly the instance that was claimed before
   * @throws IOException if another store uses it, or the markers cannot be read
   */
  public void renew(Markers markers, boolean known) throws IOException {
    String holder = markers.get(LEASE);
    boolean mine = id.equals(holder);
    if (holder != null && !mine && !isEnded(holder)) {
      throw new OccupiedException(
          "the instance is used by backend "
              + holder.substring(holder.lastIndexOf('/') + 1)
              + (LIVE.contains(holder) ? " of this process" : " of another process")
              + "; each backend of each cache needs its own instance",
          LIVE.contains(holder));
    }
    boolean owned = markers.get(OWNED) != null;
    String foreign = mine || known ? null : markers.foreign(owned);
    if (foreign != null) {
      throw new OccupiedException(
          "the instance holds "
              + foreign
              + "; Manx sets limits and evicts entries, so it uses only an instance that is"
              + " empty or marked by the key "
              + OWNED,
          true);
    }
    if (holder != null) {
      markers.set(LEASE, id, lease);
    } else if (!markers.add(LEASE, id, lease)) {
      throw new OccupiedException("another store has just claimed the instance", false);
    }
    if (!owned) {
      markers.set(OWNED, backend, null);
    }
  }

  /**
   * Reports which run of the server a new connection has reached, before requests use it. A server
   * that was restarted or replaced may hold values from its disk that were invalidated since.
   *
   * @param id of the run; null if the server reports none: then each connection counts as a
   *     different run
   */
  public void reached(String id) {
    if (run != null && !run.equals(id)) {
      onOtherRun.run();
    }
    run = id == null ? "" : id;
  }

  /** Whether the holder was a store of this process that is now closed. */
  private static boolean isEnded(String holder) {
    return holder.startsWith(JVM + "/") && !LIVE.contains(holder);
  }

  /** Whether a lease is this store's. */
  public boolean is(String holder) {
    return id.equals(holder);
  }

  /** The store is closed: its lease no longer counts in this process. Thread-safe. */
  void end() {
    LIVE.remove(id);
  }
}
