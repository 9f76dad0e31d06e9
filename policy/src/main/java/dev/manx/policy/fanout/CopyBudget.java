/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many copies may be sent: a bucket of tokens that success refills. A copy costs one token, a
 * read that ended well pays a share of one in, and the bucket starts full. Any thread; lock-free;
 * allocates nothing.
 *
 * <p>It may also bound the share of copies that are read in vain, because their peer was read as
 * well. Whether copies pay is not known beforehand: where requests are alike and queues long, a
 * copy's turn comes at its node when its turn comes here, and both are read. That work makes queues
 * longer, and longer queues send more copies, until every read is copied. While the share is
 * exceeded, only the copies that go in vain for {@value #TRIED} of the reads are sent, which show
 * when copies pay again.
 */
/*
 * A bucket refilled by the clock keeps sending copies while a whole cluster is slow, which makes it
 * slower. Success stops with the trouble, so the bucket runs dry by itself. An empty bucket refuses the
 * new copy and never touches copies under way.
 */
public final class CopyBudget {
  private static final long TOKEN = 1_000_000;

  /** Copies in vain for each read that ended well, whatever the share of copies in vain. */
  static final double TRIED = 0.002;

  /** Most copies in vain that a time without any may be followed by. */
  static final int VAIN_AT_ONCE = 50;

  /** As many at first, when nothing shows yet whether copies pay. */
  static final int VAIN_AT_FIRST = 10;

  private final long most;
  private final long perSuccess;
  private final long vainPerCopy;
  private final AtomicLong tokens;
  // Millionths of copies that may yet be in vain.
  private final AtomicLong vain = new AtomicLong(VAIN_AT_FIRST * TOKEN);

  /**
   * A full bucket.
   *
   * @param most copies that may go at once after a quiet time, at least 1
   * @param perSuccess part of a copy that one read which ended well pays for, at least 0
   */
  public CopyBudget(long most, double perSuccess) {
    this(most, perSuccess, 1);
  }

  /**
   * A full bucket that bounds the copies in vain.
   *
   * @param most copies that may go at once after a quiet time, at least 1
   * @param perSuccess part of a copy that one read which ended well pays for, at least 0
   * @param mostInVain share of copies in vain beyond which few are sent, above 0; 1 for no bound
   */
  public CopyBudget(long most, double perSuccess, double mostInVain) {
    this.most = most * TOKEN;
    this.perSuccess = Math.round(perSuccess * TOKEN);
    vainPerCopy = Math.round(mostInVain * TOKEN);
    tokens = new AtomicLong(this.most);
  }

  /** A read ended well. */
  public void succeeded() {
    add(tokens, perSuccess, most);
    add(vain, Math.round(TRIED * TOKEN), VAIN_AT_ONCE * TOKEN);
  }

  /** A copy was read in vain: its peer was read as well. */
  public void wasted() {
    // No deeper than it is full at most, so that a burst of them is forgotten.
    long had = vain.get();
    while (had > -VAIN_AT_ONCE * TOKEN
        && !vain.compareAndSet(had, Math.max(-VAIN_AT_ONCE * TOKEN, had - TOKEN))) {
      had = vain.get();
    }
  }

  /** Takes the token of one copy; false if there is none. */
  public boolean take() {
    if (vain.get() < 0) {
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

  private static void add(AtomicLong to, long part, long most) {
    long had = to.get();
    while (had < most && !to.compareAndSet(had, Math.min(most, had + part))) {
      had = to.get();
    }
  }
}
