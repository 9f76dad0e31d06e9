/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * One fan-out request while it is being planned: its reads, their replicas, and the decisions.
 *
 * <p>A caller fills it ({@link #begin}, {@link #addRead}, {@link #addReplica}), a strategy decides
 * (ranks each read's replicas in place, sets priority, slack and send order), and the caller reads
 * the decisions. Arrays grow to the widest request seen and are reused, so a decision allocates
 * nothing. Confined to one thread from {@code begin} to the last access to its decisions.
 *
 * <p>Reads are numbered from 0 in the order of {@link #addRead}; nodes are small stable ints below
 * the {@code nodeCapacity} of {@link #begin}. All durations are nanoseconds.
 */
public final class Request extends Reads {
  /** The unit of a tag's numbers: a count of keys, a duration or a size. */
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
  private int[] plannedReads = new int[8];
  private long[] plannedCost = new long[8];
  private long[] plannedWorkNanos = new long[8];
  private double[] slowness = ones(8);
  private long[] scratch = new long[16];

  /**
   * Forgets the last request and starts one.
   *
   * @param nowNanos the caller's monotonic clock
   * @param random the calling thread's own randomness
   * @param nodeCapacity exclusive upper bound of the node ids
   */
  public void begin(long nowNanos, RandomGenerator random, int nodeCapacity) {
    clearPlan();
    clearReads(nodeCapacity);
    this.nowNanos = nowNanos;
    this.random = random;
    memory = null;
    if (plannedReads.length < nodeCapacity) {
      plannedReads = new int[nodeCapacity];
      plannedCost = new long[nodeCapacity];
      plannedWorkNanos = new long[nodeCapacity];
      slowness = ones(nodeCapacity);
    }
  }

  /** Forgets opsets and decisions but keeps reads and replicas in their present ranking. */
  public void clearPlan() {
    // Only the request's own replicas can have been planned for; a cluster may have a thousand
    // more.
    for (int i = 0, n = replicaTotal(); i < n; i++) {
      int node = stock(i);
      plannedReads[node] = 0;
      plannedCost[node] = 0;
      plannedWorkNanos[node] = 0;
      slowness[node] = 1;
    }
    undecided();
  }

  /** The caller's clock at {@link #begin}. */
  public long nowNanos() {
    return nowNanos;
  }

  /** The calling thread's randomness. */
  public RandomGenerator random() {
    return random;
  }

  /** Passes the numbers of {@link #recalled} through a memory until the next {@link #begin}. */
  public void memory(Memory through) {
    memory = through;
  }

  /**
   * Passes on a number of the policy's own memory that the policy is about to decide by, in the
   * order of use. Returns the same number, unless a recorded decision is being replayed.
   */
  public long recalled(long own) {
    return memory == null ? own : memory.recalled(own);
  }

  /**
   * Sets the ratio of service times at a node to their forecasts; 1 unless a selector knows a
   * better value. Work assigned to the node afterwards is multiplied by it, so that planner and
   * selector agree on which opset is the bottleneck.
   *
   * @param times finite and positive
   */
  public void slowness(int node, double times) {
    slowness[node] = times;
  }

  /** The ratio of service times at a node to their forecasts. */
  public double slowness(int node) {
    return slowness[node];
  }

  /** The forecast service time of a read at a node, in the node's own time. */
  public long costNanosAt(int read, int node) {
    return Math.round(costNanos(read) * slowness[node]);
  }

  /**
   * Adds a ranked read to the opsets of the replicas it will be sent to. A ranking that is not a
   * permutation of its replicas is mended first.
   */
  public void assign(int read) {
    verify(read);
    for (int rank = 0, n = contacts(read); rank < n; rank++) {
      int node = replica(read, rank);
      plannedReads[node]++;
      plannedCost[node] += cost(read);
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
   * Scratch space for a selector's scores while it ranks one read: at least {@code length}
   * undefined longs.
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
}
