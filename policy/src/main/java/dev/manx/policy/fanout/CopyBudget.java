/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many copies may be sent: a bucket of tokens that success refills. A copy costs one token, a
 * read that ended well pays a share of one in, and the bucket starts full. Any thread; lock-free;
 * allocates nothing.
 */
/*
 * A bucket refilled by the clock keeps sending copies while a whole cluster is slow, which makes it
 * slower. Success stops with the trouble, so the bucket runs dry by itself. An empty bucket refuses the
 * new copy and never touches copies under way.
 */
public final class CopyBudget {
  private static final long TOKEN = 1_000_000;

  private final long most;
  private final long perSuccess;
  private final AtomicLong tokens;
  private final CopyWorth worth;

  /**
   * A full bucket.
   *
   * @param most copies that may go at once after a quiet time, at least 1
   * @param perSuccess part of a copy that one read which ended well pays for, at least 0
   */
  public CopyBudget(long most, double perSuccess) {
    this(most, perSuccess, null);
  }

  private CopyBudget(long most, double perSuccess, CopyWorth worth) {
    this.worth = worth;
    this.most = most * TOKEN;
    this.perSuccess = Math.round(perSuccess * TOKEN);
    tokens = new AtomicLong(this.most);
  }

  /**
   * A full bucket that is told what becomes of its copies, and gives few while they do not pay;
   * parameters as above.
   */
  public static CopyBudget judged(long most, double perSuccess) {
    return new CopyBudget(most, perSuccess, new CopyWorth());
  }

  /** A copy was served and spared the first one its wait. */
  public void won() {
    if (worth != null) {
      worth.won();
    }
  }

  /** A copy was served, and so was the first one. */
  public void servedTwice() {
    if (worth != null) {
      worth.servedTwice();
    }
  }

  /** A read ended well. */
  public void succeeded() {
    long had = tokens.get();
    while (had < most && !tokens.compareAndSet(had, Math.min(most, had + perSuccess))) {
      had = tokens.get();
    }
  }

  /** Takes the token of one copy; false if there is none, or copies do not pay. */
  public boolean take() {
    if (worth == null) {
      return takeToken();
    }
    if (!worth.maySend() || !takeToken()) {
      return false;
    }
    worth.sent();
    return true;
  }

  private boolean takeToken() {
    long had = tokens.get();
    while (had >= TOKEN) {
      if (tokens.compareAndSet(had, had - TOKEN)) {
        return true;
      }
      had = tokens.get();
    }
    return false;
  }
}
