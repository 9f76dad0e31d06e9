/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the number of copies: a token bucket that success refills. A copy costs one token, a read
 * that ended well adds a share of a token, and the bucket starts full. Any thread; lock-free;
 * allocates nothing.
 *
 * <p>It may also bound the share of wasted copies, those whose peer was read as well. Whether
 * copies pay is not known beforehand: if requests are alike and queues long, both copies reach the
 * head of their queues at about the same time, and both are read. That work makes queues longer,
 * and longer queues send more copies, until every read is copied. While the share is exceeded, only
 * as many copies are sent as may be wasted for {@value #TRIED} of the reads; they show when copies
 * pay again.
 */
/*
 * A bucket refilled by the clock keeps sending copies while a whole cluster is slow, which makes
 * the cluster slower. Success becomes rare in such times, so the bucket runs dry. An empty bucket
 * refuses new copies and never affects copies under way.
 */
public final class CopyBudget {
  private static final long TOKEN = 1_000_000;

  /** Wasted copies per read that ended well, allowed at any share of wasted copies. */
  static final double TRIED = 0.002;

  /** Most wasted copies that may follow a time without any. */
  static final int VAIN_AT_ONCE = 50;

  /** The initial allowance of wasted copies, while it is unknown whether copies pay. */
  static final int VAIN_AT_FIRST = 10;

  private final long most;
  private final long perSuccess;
  private final long vainPerCopy;
  private final AtomicLong tokens;
  // Millionths of copies that may still be wasted.
  private final AtomicLong vain = new AtomicLong(VAIN_AT_FIRST * TOKEN);

  /**
   * Creates a full bucket.
   *
   * @param most copies in a burst after a quiet time, at least 1
   * @param perSuccess part of a copy that each read which ended well adds, at least 0
   */
  public CopyBudget(long most, double perSuccess) {
    this(most, perSuccess, 1);
  }

  /**
   * Creates a full bucket that also bounds the share of wasted copies.
   *
   * @param most copies in a burst after a quiet time, at least 1
   * @param perSuccess part of a copy that each read which ended well adds, at least 0
   * @param mostInVain share of wasted copies beyond which few are sent, above 0; 1 for no bound
   */
  public CopyBudget(long most, double perSuccess, double mostInVain) {
    this.most = most * TOKEN;
    this.perSuccess = Math.round(perSuccess * TOKEN);
    vainPerCopy = Math.round(mostInVain * TOKEN);
    tokens = new AtomicLong(this.most);
  }

  /** Records a read that ended well. */
  public void succeeded() {
    add(tokens, perSuccess, most);
    add(vain, Math.round(TRIED * TOKEN), VAIN_AT_ONCE * TOKEN);
  }

  /** Records a wasted copy: its peer was read as well. */
  public void wasted() {
    // The deficit is at most as large as the full allowance, so that a burst is forgotten.
    long had = vain.get();
    while (had > -VAIN_AT_ONCE * TOKEN
        && !vain.compareAndSet(had, Math.max(-VAIN_AT_ONCE * TOKEN, had - TOKEN))) {
      had = vain.get();
    }
  }

  /** Takes the token of one copy; false if none is left. */
  public boolean take() {
    if (vainPerCopy < TOKEN && vain.get() < 0) {
      return false;
    }
    long had = tokens.get();
    while (had >= TOKEN) {
      if (tokens.compareAndSet(had, had - TOKEN)) {
        add(vain, vainPerCopy, VAIN_AT_ONCE * TOKEN);
        return true;
      }
      had = tokens.get();
    }
    return false;
  }

  /** Returns the token of a copy that was not sent after all. */
  public void abandoned() {
    add(tokens, TOKEN, most);
    vain.addAndGet(-vainPerCopy);
  }

  private static void add(AtomicLong to, long part, long most) {
    long had = to.get();
    while (had < most && !to.compareAndSet(had, Math.min(most, had + part))) {
      had = to.get();
    }
  }
}
