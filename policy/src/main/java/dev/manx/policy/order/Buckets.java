/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * Ops in 256 logarithmic buckets, four to an octave, in intrusive lists; a bitmap finds the first
 * bucket in use. Priorities 0 to 7 have a bucket each; above, a bucket spans at most a quarter of
 * its lower edge. Sequential.
 */
final class Buckets {
  /** Number of buckets; the 63 value bits of a long need 248 of them. */
  static final int COUNT = 256;

  /** Longest walk of an insertion; only the last part of a wider opset is sorted. */
  static final int MAX_WALK = 128;

  private final Op[] first = new Op[COUNT];
  private final Op[] last = new Op[COUNT];
  private final long[] used = new long[COUNT / Long.SIZE];

  /** The bucket of a priority; a negative one counts as 0. */
  static int of(long priority) {
    if (priority < 4) {
      return (int) Math.max(0, priority);
    }
    int octave = Long.SIZE - 1 - Long.numberOfLeadingZeros(priority);
    return (octave - 1) * 4 + (int) (priority >>> (octave - 2) & 3);
  }

  /** The least priority in a bucket. */
  static long lowerEdge(int bucket) {
    if (bucket < 8) {
      return bucket;
    }
    return (4L + bucket % 4) << (bucket / 4 - 1);
  }

  /** The first bucket in use at or after a bucket, or -1. */
  int next(int from) {
    int word = from / Long.SIZE;
    if (word >= used.length) {
      return -1;
    }
    long left = used[word] & -1L << from;
    while (left == 0) {
      if (++word == used.length) {
        return -1;
      }
      left = used[word];
    }
    return word * Long.SIZE + Long.numberOfTrailingZeros(left);
  }

  /** The oldest op of a bucket, or null. */
  Op head(int bucket) {
    return first[bucket];
  }

  /** Appends to a bucket. */
  void append(Op op, int bucket) {
    place(op, bucket, last[bucket], null);
  }

  /** The op to serve first, or null. */
  Op head() {
    for (int word = 0; word < used.length; word++) {
      if (used[word] != 0) {
        return first[word * Long.SIZE + Long.numberOfTrailingZeros(used[word])];
      }
    }
    return null;
  }

  /** Appends to the op's bucket, before cheaper neighbours at its end of the same request. */
  void add(Op op) {
    int bucket = of(op.priority);
    Op before = last[bucket];
    Op after = null;
    if (op.requestId != 0) {
      for (int walk = 0; walk < MAX_WALK && before != null; walk++) {
        if (before.requestId != op.requestId || before.costNanos >= op.costNanos) {
          break;
        }
        after = before;
        before = before.before;
      }
    }
    place(op, bucket, before, after);
  }

  private void place(Op op, int bucket, Op before, Op after) {
    op.bucket = bucket;
    op.before = before;
    op.after = after;
    if (before == null) {
      first[bucket] = op;
    } else {
      before.after = op;
    }
    if (after == null) {
      last[bucket] = op;
    } else {
      after.before = op;
    }
    used[bucket / Long.SIZE] |= 1L << bucket;
  }

  void remove(Op op) {
    int bucket = op.bucket;
    if (op.before == null) {
      first[bucket] = op.after;
    } else {
      op.before.after = op.after;
    }
    if (op.after == null) {
      last[bucket] = op.before;
    } else {
      op.after.before = op.before;
    }
    op.before = null;
    op.after = null;
    if (first[bucket] == null) {
      used[bucket / Long.SIZE] &= ~(1L << bucket);
    }
  }
}
