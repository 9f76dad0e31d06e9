/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.simulator.kernel.Streams;
import java.util.List;
import java.util.Locale;

/**
 * Observes a run and judges it from independent records alone. Sets of reads are compared by their
 * count and by the sum of a 64-bit hash of their numbers, so a read served twice in place of
 * another is detected without memory per read.
 */
final class Checks {
  /** Tolerance of Little's law; both sides are counted, so it only covers rounding. */
  static final double LITTLE_TOLERANCE = 1e-9;

  /** A digest of a set of reads. */
  private static final class Tally {
    private long count;
    private long hash;

    void add(long number) {
      count++;
      hash += Streams.mix(number + 1);
    }
  }

  private final Tally sent = new Tally();
  private final Tally executed = new Tally();
  private final Tally cancelled = new Tally();
  private final Tally lost = new Tally();
  private long requestsOpened;
  private long requestsClosed;
  private long lastNanos;
  private long backwards;
  private long negative;
  private long idle;
  private long waited;
  private long inNodes;
  private long inNodesSinceNanos;
  private double areaNanos;
  private double stayNanos;
  private boolean ticketsBalance = true;
  private long ranked;
  private long mended;

  void event(long nowNanos) {
    if (nowNanos < lastNanos) {
      backwards++;
    }
    lastNanos = nowNanos;
  }

  void requestOpened() {
    requestsOpened++;
  }

  void requestClosed(long arrivalNanos, long nowNanos) {
    requestsClosed++;
    if (nowNanos < arrivalNanos) {
      negative++;
    }
  }

  void sent(long number) {
    sent.add(number);
  }

  void entered(long nowNanos) {
    moved(nowNanos, 1);
  }

  /** Records that a read left a node before the end of its service. */
  void cancelled(long number, boolean wasInNode, long arrivalNanos, long nowNanos) {
    cancelled.add(number);
    if (wasInNode) {
      left(arrivalNanos, nowNanos);
    }
  }

  /** Records that a dead node lost a read. */
  void lost(long number, boolean wasInNode, long arrivalNanos, long nowNanos) {
    lost.add(number);
    if (wasInNode) {
      left(arrivalNanos, nowNanos);
    }
  }

  void executed(long number, long arrivalNanos, long startNanos, long endNanos) {
    executed.add(number);
    if (startNanos > arrivalNanos) {
      waited++;
    }
    if (startNanos < arrivalNanos || endNanos <= startNanos) {
      negative++;
    }
    left(arrivalNanos, endNanos);
  }

  /** Records an idle core at a work-conserving node while a read waits. */
  void idleWithWork() {
    idle++;
  }

  /**
   * Records a planned request.
   *
   * @param reads the ranked reads
   * @param replaced ranked reads sent in stock order, since their ranking was not a permutation
   */
  void ranked(int reads, int replaced) {
    ranked += reads;
    mended += replaced;
  }

  void tickets(boolean balance) {
    ticketsBalance &= balance;
  }

  private void left(long arrivalNanos, long nowNanos) {
    stayNanos += nowNanos - arrivalNanos;
    moved(nowNanos, -1);
  }

  private void moved(long nowNanos, int by) {
    areaNanos += (double) inNodes * (nowNanos - inNodesSinceNanos);
    inNodesSinceNanos = nowNanos;
    inNodes += by;
  }

  List<Check> results() {
    long ends = executed.count + cancelled.count + lost.count;
    boolean once = sent.count == ends && sent.hash == executed.hash + cancelled.hash + lost.hash;
    double little = stayNanos == 0 ? 0 : Math.abs(areaNanos - stayNanos) / stayNanos;
    return List.of(
        new Check(
            "every read once",
            once,
            String.format(
                Locale.ROOT,
                "%d sent = %d executed + %d cancelled + %d lost",
                sent.count,
                executed.count,
                cancelled.count,
                lost.count)),
        new Check(
            "every request ends once",
            requestsOpened == requestsClosed,
            requestsOpened + " opened, " + requestsClosed + " ended"),
        new Check(
            "no negative time",
            backwards == 0 && negative == 0,
            backwards + " steps back, " + negative + " negative times"),
        new Check(
            "work conservation", idle == 0, idle + " times a core was idle while a read waited"),
        new Check(
            "Little's law",
            little <= LITTLE_TOLERANCE && inNodes == 0,
            String.format(
                Locale.ROOT,
                "L and lambda W differ by %.1e of W (at most %.0e)",
                little,
                LITTLE_TOLERANCE)),
        new Check(
            "tickets balance",
            ticketsBalance,
            ticketsBalance ? "nothing outstanding at the end" : "some outstanding at the end"),
        new Check(
            "every ranking is a permutation",
            mended == 0,
            mended == 0
                ? "of the replicas of its read, of " + ranked + " reads"
                : "the selector repeated, dropped or invented replicas of %d of %d reads, which were"
                        .formatted(mended, ranked)
                    + " sent in stock order"));
  }

  /** Executed reads that waited before they started. */
  long waitedCount() {
    return waited;
  }

  long executedCount() {
    return executed.count;
  }

  long lostCount() {
    return lost.count;
  }

  long sentCount() {
    return sent.count;
  }
}
