/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy;

import dev.manx.policy.Request.Unit;
import java.util.Arrays;

/**
 * The decisions of a strategy about a {@link Request}: the part of the request that planners write.
 */
abstract class Decisions {
  /** The copy of a read is never sent. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The level of a read without a level. */
  public static final int NO_LEVEL = -1;

  private long[] priority = new long[16];
  private long[] slack = new long[16];
  private long[] sendDelayNanos = new long[16];
  private long[] copyAfterNanos = new long[16];
  private int[] level = new int[16];
  private int[] candidates = new int[16];
  private int[] order = new int[16];
  private Copies copies = Copies.NONE;
  private long bottleneck;
  private Unit unit = Unit.NANOS;
  private boolean tagged;
  private boolean longestFirst;

  /** Forgets the decisions about the request as a whole. */
  void undecided() {
    bottleneck = 0;
    unit = Unit.NANOS;
    tagged = false;
    longestFirst = false;
    copies = Copies.NONE;
  }

  /** Forgets the decisions about a read. */
  void undecided(int read) {
    priority[read] = 0;
    slack[read] = 0;
    sendDelayNanos[read] = 0;
    copyAfterNanos[read] = NEVER;
    level[read] = NO_LEVEL;
    candidates[read] = Integer.MAX_VALUE;
    order[read] = read;
  }

  void growTo(int length) {
    priority = Arrays.copyOf(priority, length);
    slack = Arrays.copyOf(slack, length);
    sendDelayNanos = Arrays.copyOf(sendDelayNanos, length);
    copyAfterNanos = Arrays.copyOf(copyAfterNanos, length);
    level = Arrays.copyOf(level, length);
    candidates = Arrays.copyOf(candidates, length);
    order = Arrays.copyOf(order, length);
  }

  /**
   * Sets a read's rank in its replica's queue (smaller first) and its slack, in the plan's unit.
   */
  public final void prioritise(int read, long readPriority, long readSlack) {
    priority[read] = readPriority;
    slack[read] = readSlack;
  }

  /** A read's priority in the plan's {@link #unit}; smaller is served first. */
  public final long priority(int read) {
    return priority[read];
  }

  /** A read's slack in the plan's {@link #unit}: bottleneck minus the cost of its opset. */
  public final long slack(int read) {
    return slack[read];
  }

  /** Holds a read back at the coordinator for this long; 0 sends at once. */
  public final void delaySend(int read, long nanos) {
    sendDelayNanos[read] = nanos;
  }

  /** How long a read is held at the coordinator. */
  public final long sendDelayNanos(int read) {
    return sendDelayNanos[read];
  }

  /** Sets how copies of this request's reads are sent; {@link Copies#NONE} at first. */
  public final void copies(Copies rule) {
    copies = rule;
  }

  /** How copies of this request's reads are sent. */
  public final Copies copies() {
    return copies;
  }

  /** Requests a copy of a read this long after it was sent; 0 for at once. */
  public final void copyAfter(int read, long nanos) {
    copyAfterNanos[read] = nanos;
  }

  /** When a copy of a read is due, after it was sent; {@link #NEVER} for no copy. */
  public final long copyAfterNanos(int read) {
    return copyAfterNanos[read];
  }

  /** Puts a read into a level of a levelled queue; level 0 is served first. */
  public final void level(int read, int queueLevel) {
    level[read] = queueLevel;
  }

  /** A read's level, or {@link #NO_LEVEL}: the queue then derives it from the priority. */
  public final int level(int read) {
    return level[read];
  }

  /** Lets a gate choose only among a read's first {@code count} replicas. */
  public final void candidates(int read, int count) {
    candidates[read] = count;
  }

  /** How many of a read's first replicas a gate may choose among; may exceed their number. */
  public final int candidates(int read) {
    return candidates[read];
  }

  /**
   * Read numbers in the order of assignment and sending; the first places hold a permutation of
   * 0..reads-1.
   */
  public final int[] order() {
    return order;
  }

  /** Records the outcome: whether reads carry tags, the unit, and the costliest opset. */
  public final void finish(boolean sendTags, Unit tagUnit, long bottleneckCost) {
    tagged = sendTags;
    unit = tagUnit;
    bottleneck = bottleneckCost;
  }

  /** Sets whether replicas serve this request's equally ranked reads costliest first. */
  public final void longestFirst(boolean on) {
    longestFirst = on;
  }

  /** Whether replicas serve this request's equally ranked reads costliest first. */
  public final boolean longestFirst() {
    return longestFirst;
  }

  /** Whether the reads carry tags. */
  public final boolean tagged() {
    return tagged;
  }

  /** The unit of cost, priority, slack and bottleneck. */
  public final Unit unit() {
    return unit;
  }

  /** Cost of the costliest opset, in {@link #unit}. */
  public final long bottleneck() {
    return bottleneck;
  }
}
