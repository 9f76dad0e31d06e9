/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The reads of a {@link Request} with their replicas and forecasts: the part of the request that
 * its caller fills, oracles forecast and selectors rank.
 */
abstract class Reads extends Decisions {
  private int reads;
  private int replicaTotal;
  private long[] keyHash = new long[16];
  private ByteBuffer[] key = new ByteBuffer[16];
  private int[] contacts = new int[16];
  private int[] replicaStart = new int[17];
  private long[] sizeBytes = new long[16];
  private long[] costNanos = new long[16];
  private long[] cost = new long[16];
  private int[] replicas = new int[48];
  // The replicas in the order of addition: a ranking must be a permutation of them.
  private int[] stock = new int[48];
  private int[] group = new int[48];
  private int mended;
  private int[] mark = new int[8];
  // By first replica in stock order: the first of the leading reads.
  private int[] leader = new int[8];
  // By leader: the next leader with the same first replica but other replicas; negative at the end.
  private int[] nextLeader = new int[16];
  private int stamp;

  /** Forgets all reads and releases their keys. */
  final void clearReads(int nodeCapacity) {
    Arrays.fill(key, 0, reads, null);
    reads = 0;
    replicaTotal = 0;
    mended = 0;
    if (mark.length < nodeCapacity) {
      mark = new int[nodeCapacity];
      leader = new int[nodeCapacity];
    }
  }

  /** Forgets the leaders of groups of reads. */
  public final void noLeaders() {
    for (int read = 0; read < reads; read++) {
      if (replicaCount(read) > 0) {
        leader[stock[replicaStart[read]]] = -1;
      }
    }
  }

  /**
   * The first read passed to this method since {@link #noLeaders} that has the same replicas in the
   * same groups and stock order; the read itself if it is the first.
   */
  public final int leader(int read) {
    if (replicaCount(read) == 0) {
      return read;
    }
    int home = stock[replicaStart[read]];
    int last = -1;
    for (int at = leader[home]; at >= 0; at = nextLeader[at]) {
      if (hasSameReplicas(read, at)) {
        return at;
      }
      last = at;
    }
    if (last < 0) {
      leader[home] = read;
    } else {
      nextLeader[last] = read;
    }
    nextLeader[read] = -1;
    return read;
  }

  private boolean hasSameReplicas(int read, int other) {
    int count = replicaCount(read);
    int at = replicaStart[read];
    int from = replicaStart[other];
    return count == replicaCount(other)
        && Arrays.equals(stock, at, at + count, stock, from, from + count)
        && Arrays.equals(group, at, at + count, group, from, from + count);
  }

  /** Number of replicas of all reads together. */
  final int replicaTotal() {
    return replicaTotal;
  }

  /** The node at a place of {@link #replicas()} before any ranking. */
  final int stock(int place) {
    return stock[place];
  }

  /**
   * Adds a read; its replicas follow by {@link #addReplica}.
   *
   * @param readKey the key's bytes, accessed with absolute gets only; may be null where no oracle
   *     needs them
   * @param readKeyHash a well-mixed 64-bit hash of table and key
   * @param readContacts how many replicas the consistency level sends this read to, at least 1
   * @return the read's number
   */
  public final int addRead(ByteBuffer readKey, long readKeyHash, int readContacts) {
    if (reads == keyHash.length) {
      grow();
    }
    key[reads] = readKey;
    keyHash[reads] = readKeyHash;
    contacts[reads] = readContacts;
    sizeBytes[reads] = 0;
    costNanos[reads] = 0;
    cost[reads] = 0;
    undecided(reads);
    replicaStart[reads] = replicaTotal;
    replicaStart[reads + 1] = replicaTotal;
    return reads++;
  }

  /**
   * Adds the next replica of the read added last, in stock order.
   *
   * @param node its id
   * @param replicaGroup its group (datacenter); a group's replicas are adjacent, and a selector
   *     permutes only inside one group
   */
  public final void addReplica(int node, int replicaGroup) {
    if (replicaTotal == replicas.length) {
      replicas = Arrays.copyOf(replicas, replicaTotal * 2);
      group = Arrays.copyOf(group, replicaTotal * 2);
      stock = Arrays.copyOf(stock, replicaTotal * 2);
    }
    replicas[replicaTotal] = node;
    stock[replicaTotal] = node;
    group[replicaTotal] = replicaGroup;
    replicaStart[reads] = ++replicaTotal;
  }

  /** Number of reads. */
  public final int reads() {
    return reads;
  }

  /** The key's bytes of a read, or null. */
  public final ByteBuffer key(int read) {
    return key[read];
  }

  /** The 64-bit hash of table and key of a read. */
  public final long keyHash(int read) {
    return keyHash[read];
  }

  /** How many replicas a read is sent to. */
  public final int contacts(int read) {
    return Math.min(contacts[read], replicaCount(read));
  }

  /** Start of a read's replicas in {@link #replicas()}. */
  public final int replicaStart(int read) {
    return replicaStart[read];
  }

  /** Number of a read's replicas. */
  public final int replicaCount(int read) {
    return replicaStart[read + 1] - replicaStart[read];
  }

  /**
   * All replicas of all reads; read {@code i} owns the slice from {@code replicaStart(i)} to {@code
   * replicaStart(i) + replicaCount(i)}. Selectors permute slices in place.
   */
  public final int[] replicas() {
    return replicas;
  }

  /** Moves the replica at a place to one at or before it, and keeps the order of the others. */
  public final void toFront(int place, int at) {
    int chosen = replicas[at];
    System.arraycopy(replicas, place, replicas, place + 1, at - place);
    replicas[place] = chosen;
  }

  /**
   * Groups, parallel to {@link #replicas()}; never permuted, since ranking stays inside a group.
   */
  public final int[] groups() {
    return group;
  }

  /** The replica of a read at a rank, 0 being first. */
  public final int replica(int read, int rank) {
    return replicas[replicaStart[read] + rank];
  }

  /** The forecast size of a read in bytes. */
  public final long sizeBytes(int read) {
    return sizeBytes[read];
  }

  /** The forecast sizes of all reads together, in bytes. */
  public final long totalBytes() {
    long total = 0;
    for (int read = 0; read < reads; read++) {
      total += sizeBytes[read];
    }
    return total;
  }

  /** The forecast service time of a read. */
  public final long costNanos(int read) {
    return costNanos[read];
  }

  /** The forecast cost of a read in the plan's {@link #unit}. */
  public final long cost(int read) {
    return cost[read];
  }

  /** Sets a read's forecasts: size, service time, and cost in the planner's unit. */
  public final void forecast(int read, long bytes, long serviceNanos, long planCost) {
    sizeBytes[read] = bytes;
    costNanos[read] = serviceNanos;
    cost[read] = planCost;
  }

  /**
   * Makes sure that a read's ranking is a permutation of its replicas inside their groups. If it is
   * not, the read gets its replicas in stock order and counts as {@link #mended}.
   */
  public final void verify(int read) {
    int start = replicaStart[read];
    int end = replicaStart[read + 1];
    int from = start;
    while (from < end) {
      int to = from + 1;
      while (to < end && group[to] == group[from]) {
        to++;
      }
      if (!isPermuted(from, to)) {
        System.arraycopy(stock, start, replicas, start, end - start);
        mended++;
        return;
      }
      from = to;
    }
  }

  // The number of steps equals the number of replicas: the simulator has reads with hundreds of
  // them.
  private boolean isPermuted(int from, int to) {
    if (++stamp == 0) {
      Arrays.fill(mark, 0);
      stamp = 1;
    }
    for (int i = from; i < to; i++) {
      mark[stock[i]] = stamp;
    }
    for (int i = from; i < to; i++) {
      int node = replicas[i];
      if (node < 0 || node >= mark.length || mark[node] != stamp) {
        return false;
      }
      mark[node] = 0;
    }
    return true;
  }

  /**
   * Number of reads whose ranking was not a permutation of their replicas and was replaced by stock
   * order.
   */
  public final int mended() {
    return mended;
  }

  private void grow() {
    int length = reads * 2;
    key = Arrays.copyOf(key, length);
    keyHash = Arrays.copyOf(keyHash, length);
    contacts = Arrays.copyOf(contacts, length);
    replicaStart = Arrays.copyOf(replicaStart, length + 1);
    sizeBytes = Arrays.copyOf(sizeBytes, length);
    costNanos = Arrays.copyOf(costNanos, length);
    cost = Arrays.copyOf(cost, length);
    nextLeader = Arrays.copyOf(nextLeader, length);
    growTo(length);
  }
}
