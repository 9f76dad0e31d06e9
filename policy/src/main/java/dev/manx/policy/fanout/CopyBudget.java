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

  /**
   * A full bucket.
   *
   * @param most copies that may go at once after a quiet time, at least 1
   * @param perSuccess part of a copy that one read which ended well pays for, at least 0
   */
  public CopyBudget(long most, double perSuccess) {
    this.most = most * TOKEN;
    this.perSuccess = Math.round(perSuccess * TOKEN);
    tokens = new AtomicLong(this.most);
  }

  /** A read ended well. */
  public void succeeded() {
    long had = tokens.get();
    while (had < most && !tokens.compareAndSet(had, Math.min(most, had + perSuccess))) {
      had = tokens.get();
    }
  }

  /** Takes the token of one copy; false if there is none. */
  public boolean take() {
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
