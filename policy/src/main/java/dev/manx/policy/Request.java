/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * One fan-out request while it is being planned: its reads, their replicas, and the decisions.
 *
 * <p>A caller fills it ({@link #begin}, {@link #addRead}, {@link #addReplica}), a strategy decides
 * (ranks each read's replicas in place, sets priority, slack and send order), the caller reads the
 * decisions. Arrays grow to the widest request seen and are reused, so a decision allocates
 * nothing. Confined to one thread from {@code begin} to the last look at its decisions.
 *
 * <p>Reads are numbered from 0 in the order of {@link #addRead}; nodes are small stable ints below
 * the {@code nodeCapacity} of {@link #begin}. All durations are nanoseconds.
 */
public final class Request extends Decisions {
  /** What a tag's numbers mean: a count of keys, a duration or a size. */
  public enum Unit {
    /** Costs count keys (Rein). */
    KEYS,
    /** Costs are forecast service times in nanoseconds. */
    NANOS,
    /** Costs are forecast sizes in bytes. */
    BYTES
  }

  private long nowNanos;
  private RandomGenerator random;
  private Memory memory;
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
  // The replicas as they were added: what a ranking must be a permutation of.
  private int[] stock = new int[48];
  private int mended;
  private int[] group = new int[48];
  private int[] plannedReads = new int[8];
  private long[] plannedCost = new long[8];
  private long[] plannedWorkNanos = new long[8];
  private double[] slowness = ones(8);
  private int[] mark = new int[8];
  private int stamp;
  private long[] scratch = new long[16];

  /**
   * Forgets the last request and starts one.
   *
   * @param nowNanos the caller's monotonic clock
   * @param random the calling thread's own randomness
   * @param nodeCapacity an upper bound of all node ids to come
   */
  public void begin(long nowNanos, RandomGenerator random, int nodeCapacity) {
    Arrays.fill(key, 0, reads, null);
    clearPlan();
    this.nowNanos = nowNanos;
    this.random = random;
    memory = null;
    reads = 0;
    replicaTotal = 0;
    mended = 0;
    if (plannedReads.length < nodeCapacity) {
      plannedReads = new int[nodeCapacity];
      plannedCost = new long[nodeCapacity];
      plannedWorkNanos = new long[nodeCapacity];
      slowness = ones(nodeCapacity);
      mark = new int[nodeCapacity];
    }
  }

  /** Forgets opsets and decisions but keeps reads and replicas in their present ranking. */
  public void clearPlan() {
    // Only the request's own replicas can have been planned for; a cluster may have a thousand
    // more.
    for (int i = 0; i < replicaTotal; i++) {
      plannedReads[stock[i]] = 0;
      plannedCost[stock[i]] = 0;
      plannedWorkNanos[stock[i]] = 0;
      slowness[stock[i]] = 1;
    }
    undecided();
  }

  /**
   * Adds a read; its replicas follow by {@link #addReplica}.
   *
   * @param readKey the key's bytes, read with absolute gets only; may be null where no oracle needs
   *     them
   * @param readKeyHash a well-mixed 64-bit hash of table and key
   * @param readContacts how many replicas the consistency level sends this read to, at least 1
   * @return the read's number
   */
  public int addRead(ByteBuffer readKey, long readKeyHash, int readContacts) {
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
   * @param replicaGroup its group (datacenter); a group's replicas stand side by side, and a
   *     selector permutes only inside one group
   */
  public void addReplica(int node, int replicaGroup) {
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
  public int reads() {
    return reads;
  }

  /** The caller's clock at {@link #begin}. */
  public long nowNanos() {
    return nowNanos;
  }

  /** The calling thread's randomness. */
  public RandomGenerator random() {
    return random;
  }

  /** Has the numbers of {@link #recalled} pass through a memory until the next {@link #begin}. */
  public void memory(Memory through) {
    memory = through;
  }

  /**
   * What a policy asks before it decides by a number that it knows by itself, in the order in which
   * it uses them. The same number, unless a recorded decision is being replayed.
   */
  public long recalled(long own) {
    return memory == null ? own : memory.recalled(own);
  }

  /** The key's bytes of a read, or null. */
  public ByteBuffer key(int read) {
    return key[read];
  }

  /** The 64-bit hash of table and key of a read. */
  public long keyHash(int read) {
    return keyHash[read];
  }

  /** How many replicas a read is sent to. */
  public int contacts(int read) {
    return Math.min(contacts[read], replicaCount(read));
  }

  /** Start of a read's replicas in {@link #replicas()}. */
  public int replicaStart(int read) {
    return replicaStart[read];
  }

  /** Number of a read's replicas. */
  public int replicaCount(int read) {
    return replicaStart[read + 1] - replicaStart[read];
  }

  /**
   * All replicas of all reads; read {@code i} owns the slice from {@code replicaStart(i)} to {@code
   * replicaStart(i) + replicaCount(i)}. Selectors permute slices in place.
   */
  public int[] replicas() {
    return replicas;
  }

  /**
   * Groups, parallel to {@link #replicas()}; never permuted, since ranking stays inside a group.
   */
  public int[] groups() {
    return group;
  }

  /** The replica of a read at a rank, 0 being first. */
  public int replica(int read, int rank) {
    return replicas[replicaStart[read] + rank];
  }

  /** The forecast size of a read in bytes. */
  public long sizeBytes(int read) {
    return sizeBytes[read];
  }

  /** The forecast sizes of all reads together, in bytes. */
  public long totalBytes() {
    long total = 0;
    for (int read = 0; read < reads; read++) {
      total += sizeBytes[read];
    }
    return total;
  }

  /** The forecast service time of a read. */
  public long costNanos(int read) {
    return costNanos[read];
  }

  /** The forecast cost of a read in the plan's {@link #unit}. */
  public long cost(int read) {
    return cost[read];
  }

  /** Sets a read's forecasts: size, service time, and cost in the planner's unit. */
  public void forecast(int read, long bytes, long serviceNanos, long planCost) {
    sizeBytes[read] = bytes;
    costNanos[read] = serviceNanos;
    cost[read] = planCost;
  }

  /**
   * Says how long reads take at a node over their forecasts; 1 unless a selector knows better. Work
   * assigned to it from now on counts so many times, so that planner and selector agree on which
   * opset is the bottleneck.
   *
   * @param times finite and positive
   */
  public void slowness(int node, double times) {
    slowness[node] = times;
  }

  /** How long reads take at a node over their forecasts. */
  public double slowness(int node) {
    return slowness[node];
  }

  /** The forecast service time of a read at a node, in the node's own time. */
  public long costNanosAt(int read, int node) {
    return Math.round(costNanos[read] * slowness[node]);
  }

  /**
   * Makes sure that a read's ranking is a permutation of its replicas inside their groups. If it is
   * not, the read gets its replicas back in stock order and counts as {@link #mended}.
   */
  public void verify(int read) {
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

  // In as many steps as there are replicas: the simulator has reads with hundreds of them.
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

  /** Reads whose ranking was no permutation of their replicas, and which got stock's back. */
  public int mended() {
    return mended;
  }

  /**
   * Adds a ranked read to the opsets of the replicas it will be sent to. A ranking that is no
   * permutation of its replicas is mended first.
   */
  public void assign(int read) {
    verify(read);
    for (int rank = 0, n = contacts(read); rank < n; rank++) {
      int node = replica(read, rank);
      plannedReads[node]++;
      plannedCost[node] += cost[read];
      plannedWorkNanos[node] += costNanosAt(read, node);
    }
  }

  /** Reads of this request assigned to a node so far. */
  public int plannedReads(int node) {
    return plannedReads[node];
  }

  /** The opset's cost of a node so far, in the plan's unit: the sum of its reads' costs. */
  public long plannedCost(int node) {
    return plannedCost[node];
  }

  /** The opset's forecast service time of a node so far, in the node's own time. */
  public long plannedWorkNanos(int node) {
    return plannedWorkNanos[node];
  }

  /**
   * Room for a selector's scores while it ranks one read: at least {@code length} undefined longs.
   */
  public long[] scratch(int length) {
    if (scratch.length < length) {
      scratch = new long[length * 2];
    }
    return scratch;
  }

  private static double[] ones(int length) {
    double[] ones = new double[length];
    Arrays.fill(ones, 1);
    return ones;
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
    growTo(length);
  }
}
