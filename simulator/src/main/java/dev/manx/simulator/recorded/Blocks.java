/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.recorded;

import java.util.Arrays;
import java.util.function.LongSupplier;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * An endless sequence of the requests of a {@link Timeline}: blocks of its time, one after another.
 * Inside a block everything is as recorded, so bursts keep their shape and their requests. A block
 * is at least a second, which is much longer than a burst and the queue behind it need to pass. A
 * run may be longer than the recording. Confined to one thread.
 */
final class Blocks {
  private static final int BLOCKS = 10;
  private static final long SHORTEST_NANOS = 1_000_000_000L;

  private static final int PIECES = 100;

  private final Timeline line;
  private final LongSupplier starts;
  private final long blockNanos;
  private long begunNanos;
  private long fromNanos;
  private int next;
  private boolean wrapped;

  /**
   * Draws blocks that begin at random (the circular moving-block bootstrap; Politis and Romano,
   * 1992). Two seeds differ as two recordings would, unless the run is longer than the recording:
   * then both repeat most of it, and differ less. A block is a tenth of the recording, long enough
   * that few bursts lie at a seam, or of the run if that is shorter: each run has at least ten
   * draws.
   *
   * @param runNanos length of the run, in the time of the recording
   */
  static Blocks atRandom(Timeline line, UniformRandomProvider random, long runNanos) {
    long span = line.spanNanos();
    long block = Math.min(span, Math.max(SHORTEST_NANOS, Math.min(span, runNanos) / BLOCKS));
    return new Blocks(line, block, () -> random.nextLong(span));
  }

  /**
   * Spreads blocks evenly over the recording, in its order, from a random point on: a run as long
   * as the recording has each request once, and a shorter one has parts of all of it. So two seeds
   * hardly differ. In a shorter run each block begins at a random point of its part: otherwise
   * bursts with a period would all be hit or all be missed.
   *
   * @param runNanos length of the run, in the time of the recording
   */
  static Blocks spread(Timeline line, UniformRandomProvider random, long runNanos) {
    long span = line.spanNanos();
    long pieces = Math.max(1, Math.min(PIECES, Math.min(span, runNanos) / SHORTEST_NANOS));
    long part = Math.max(1, span / pieces);
    long block = Math.max(1, Math.min(part, runNanos / pieces));
    long[] next = {random.nextLong(span)};
    return new Blocks(
        line,
        block,
        () -> {
          long from = next[0] + (block < part ? random.nextLong(part - block + 1) : 0);
          next[0] = (next[0] + part) % span;
          return from % span;
        });
  }

  private Blocks(Timeline line, long blockNanos, LongSupplier starts) {
    this.line = line;
    this.blockNanos = blockNanos;
    this.starts = starts;
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
    fromNanos = starts.getAsLong();
    int found = Arrays.binarySearch(line.atNanos(), fromNanos);
    next = found < 0 ? -found - 1 : found;
    // The first of several requests at the same time.
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
