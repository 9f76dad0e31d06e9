/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.recorded;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * An endless sequence of the requests of a {@link Timeline}: blocks of its time that begin at
 * random, one after another (the circular moving-block bootstrap; Politis and Romano, 1992). Inside
 * a block all is as recorded, so bursts keep their shape and their requests; blocks are drawn
 * independently, so a run may be longer than the recording and two seeds differ. Confined to one
 * thread.
 *
 * <p>A block is a tenth of the recording: long enough that few bursts lie at a seam, and short
 * enough that a run as long as the recording has ten draws. It is at least a second, which is much
 * longer than a burst and the queue behind it need to pass.
 */
final class Blocks {
  private static final int BLOCKS = 10;
  private static final long SHORTEST_NANOS = 1_000_000_000L;

  private final Timeline line;
  private final UniformRandomProvider random;
  private final long blockNanos;
  private long begunNanos;
  private long fromNanos;
  private int next;
  private boolean wrapped;

  Blocks(Timeline line, UniformRandomProvider random) {
    this.line = line;
    this.random = random;
    blockNanos = Math.min(line.spanNanos(), Math.max(SHORTEST_NANOS, line.spanNanos() / BLOCKS));
    begunNanos = -blockNanos;
    begin();
    settle();
  }

  /** The time of the next request. */
  long atNanos() {
    return begunNanos + inBlock();
  }

  /** Takes the next request. */
  RecordedRequest take() {
    RecordedRequest taken = line.requests()[next++];
    settle();
    return taken;
  }

  private long inBlock() {
    return line.atNanos()[next] - fromNanos + (wrapped ? line.spanNanos() : 0);
  }

  private void begin() {
    begunNanos += blockNanos;
    fromNanos = random.nextLong(line.spanNanos());
    int found = Arrays.binarySearch(line.atNanos(), fromNanos);
    next = found < 0 ? -found - 1 : found;
    // Of several at the same time, the first.
    while (next > 0 && next < line.atNanos().length && line.atNanos()[next - 1] == fromNanos) {
      next--;
    }
    wrapped = false;
  }

  /** Moves to a request: round the end of the line, and on to the next block. */
  private void settle() {
    while (true) {
      if (next == line.requests().length && !wrapped) {
        next = 0;
        wrapped = true;
      }
      if (next < line.requests().length && inBlock() < blockNanos) {
        return;
      }
      begin();
    }
  }
}
