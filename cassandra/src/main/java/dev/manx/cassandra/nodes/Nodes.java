/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.nodes;

import dev.manx.policy.SplitMix;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Small stable ints for endpoints, so that policies work on primitive arrays. Ids are assigned in
 * the order in which this node meets others, so they differ between nodes; {@link #identity} does
 * not. The id of a node that left is reused after all others; holders of state by id forget the
 * node at {@link #release}. Any thread.
 */
public final class Nodes {
  /** No id is left; the caller takes the stock decision. */
  public static final int NONE = -1;

  private final int capacity;
  private final ConcurrentHashMap<InetAddressAndPort, Integer> ids = new ConcurrentHashMap<>();
  private final ArrayDeque<Integer> freed = new ArrayDeque<>();
  private final AtomicLongArray identities;
  private final NodeFaults faults;
  private volatile int next;
  private volatile boolean full;

  /**
   * @param capacity most endpoints known at one time
   */
  public Nodes(int capacity) {
    this.capacity = capacity;
    identities = new AtomicLongArray(capacity);
    faults = new NodeFaults(capacity);
  }

  /** Detects the nodes that fail most of their reads. */
  public NodeFaults faults() {
    return faults;
  }

  /** Ids are below this. */
  public int capacity() {
    return capacity;
  }

  /** The most ids ever in use at once: the ids in use are below this. */
  public int used() {
    return next;
  }

  /** The endpoint's id, assigned on first use; {@link #NONE} if none is left. */
  public int id(InetAddressAndPort endpoint) {
    Integer id = ids.get(endpoint);
    if (id != null) {
      return id;
    }
    // Each message of a node without an id looks the id up again, on a thread for which others
    // wait.
    return full ? NONE : assign(endpoint);
  }

  /** The endpoint's id if it has one, otherwise {@link #NONE}. */
  public int find(InetAddressAndPort endpoint) {
    Integer id = ids.get(endpoint);
    return id != null ? id : NONE;
  }

  private synchronized int assign(InetAddressAndPort endpoint) {
    Integer known = ids.get(endpoint);
    if (known != null) {
      return known;
    }
    int id;
    if (next < capacity) {
      id = next;
      next = id + 1;
    } else if (freed.isEmpty()) {
      return NONE;
    } else {
      id = freed.poll();
    }
    identities.set(id, hash(endpoint));
    ids.put(endpoint, id);
    full = next == capacity && freed.isEmpty();
    return id;
  }

  /**
   * Forgets an endpoint that left permanently.
   *
   * @return its id, or {@link #NONE} if it had none
   */
  public synchronized int release(InetAddressAndPort endpoint) {
    Integer id = ids.remove(endpoint);
    if (id == null) {
      return NONE;
    }
    faults.forget(id);
    freed.add(id);
    full = false;
    return id;
  }

  /**
   * A hash of the address and port of the endpoint with an id, or of the last one that had it. It
   * is the same on all nodes.
   */
  public long identity(int id) {
    return identities.get(id);
  }

  private static long hash(InetAddressAndPort endpoint) {
    long hash = endpoint.getPort();
    for (byte part : endpoint.getAddress().getAddress()) {
      hash = SplitMix.mix(hash + part);
    }
    return hash;
  }

  /** A sorted copy of all endpoints and their ids. */
  public Map<InetAddressAndPort, Integer> all() {
    return new TreeMap<>(ids);
  }

  /** All endpoints and their ids, unsorted: a view that shows later changes. */
  public Map<InetAddressAndPort, Integer> known() {
    return Collections.unmodifiableMap(ids);
  }

  /** The address and port of each node with an id. */
  public Map<Integer, String> names() {
    Map<Integer, String> names = new TreeMap<>();
    ids.forEach((endpoint, id) -> names.put(id, endpoint.getHostAddressAndPort()));
    return names;
  }
}
