/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One store's claim on one instance: an instance is used only if it is empty or marked as Manx's,
 * and by one store at a time. Confined to its store's supervisor, but for {@link #end}.
 *
 * <p>Two keys say so. {@value #OWNED} marks the instance for good. {@value #LEASE} names the store
 * that uses it and expires some seconds after that store renewed it last, so that the successor of
 * a process that was killed waits for it.
 */
public final class Claim {
  static final String OWNED = "manx:owned";

  /** The key that names the store that uses the instance. */
  public static final String LEASE = "manx:lease";

  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(5);
  private static final int POLLS = 5;
  private static final String JVM = UUID.randomUUID().toString();
  private static final AtomicLong NUMBERS = new AtomicLong();
  private static final Set<String> LIVE = ConcurrentHashMap.newKeySet();

  /** The instance's markers, as one client library reads and writes them. */
  public interface Markers {
    /** A key's value, or null. */
    String get(String key) throws IOException;

    /** Sets a key that is absent; whether it did. */
    boolean add(String key, String value, Duration expiry) throws IOException;

    /**
     * Sets a key.
     *
     * @param expiry null: none
     */
    void set(String key, String value, Duration expiry) throws IOException;

    /**
     * What is in the instance that is not Manx's.
     *
     * @param owned whether the instance is marked
     * @return null if there is nothing
     */
    String foreign(boolean owned) throws IOException;
  }

  /** The instance is not this store's to use. */
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
   * @param onOtherRun called before a request can reach another run of the server than before
   */
  Claim(String backend, RemoteSettings settings, Runnable onOtherRun) {
    this.backend = backend;
    this.onOtherRun = onOtherRun;
    id = JVM + "/" + NUMBERS.incrementAndGet() + "/" + backend;
    Duration polls = settings.pollInterval().multipliedBy(POLLS);
    lease = polls.compareTo(SHORTEST_LEASE) < 0 ? SHORTEST_LEASE : polls;
    LIVE.add(id);
  }

  /**
   * Makes sure that the instance is this store's, and stays so for the length of the lease.
   *
   * @param known whether it is surely the instance that was claimed before
   * @throws IOException if it is not, or the markers cannot be read
   */
  public void renew(Markers markers, boolean known) throws IOException {
    String holder = markers.get(LEASE);
    boolean mine = id.equals(holder);
    if (holder != null && !mine && !isEnded(holder)) {
      throw new OccupiedException(
          "the instance is used by backend "
              + holder.substring(holder.lastIndexOf('/') + 1)
              + (LIVE.contains(holder) ? " of this process" : " of another process")
              + "; each backend of each cache needs an instance of its own",
          LIVE.contains(holder));
    }
    boolean owned = markers.get(OWNED) != null;
    String foreign = mine || known ? null : markers.foreign(owned);
    if (foreign != null) {
      throw new OccupiedException(
          "the instance holds "
              + foreign
              + "; Manx sets limits and evicts entries, so it uses only an instance that is"
              + " empty or that it marked by the key "
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
   * Which run of the server a fresh connection has reached; to be told before requests use it. One
   * that was restarted, or put in the place of another, may hold values that were invalidated since
   * it wrote them down.
   *
   * @param id of the run; null if the server does not say: then each connection is to another
   */
  public void reached(String id) {
    if (run != null && !run.equals(id)) {
      onOtherRun.run();
    }
    run = id == null ? "" : id;
  }

  /** Whether the holder was a store of this process that is closed. */
  private static boolean isEnded(String holder) {
    return holder.startsWith(JVM + "/") && !LIVE.contains(holder);
  }

  /** Whether a lease is this store's. */
  public boolean is(String holder) {
    return id.equals(holder);
  }

  /** The store is closed: its lease counts no more in this process. Any thread. */
  void end() {
    LIVE.remove(id);
  }
}
