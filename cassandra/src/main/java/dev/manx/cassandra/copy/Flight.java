/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.hold.HeldMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * The reads of one request under way, for copies: how many are left, how many of those are late,
 * and which wait until the rest of the request may be sent copies. Reads that the coordinator
 * serves at once do not count as left. Any thread; its lock is held for a few instructions, never
 * while policy code runs.
 */
public final class Flight {
  private final Engine engine;
  private final int reads;
  private final boolean tied;
  private final boolean[] sent;
  private final SentRead[] armed;
  private int ineligible;
  private int left;
  private int late;
  private boolean over;
  private List<SentRead> waiting = new ArrayList<>(2);

  /**
   * The remainder of a request.
   *
   * @param reads number of reads of the request
   * @param left number of unanswered reads
   * @param late how many of them are past the time of their copy
   */
  record Rest(int reads, int left, int late) {}

  /**
   * @param tied whether replicas rather than this coordinator pass its reads on
   */
  Flight(Engine engine, int reads, boolean tied) {
    this.engine = engine;
    this.tied = tied;
    this.reads = reads;
    this.sent = new boolean[reads];
    this.armed = new SentRead[reads];
  }

  /** The engine that planned the request. */
  public Engine engine() {
    return engine;
  }

  /** Whether replicas rather than this coordinator pass its reads on. */
  public boolean isTied() {
    return tied;
  }

  /**
   * Records that a message of a read is sent; false if one was sent before, since stock then sends
   * it again.
   */
  public synchronized boolean firstOf(int read) {
    boolean first = !sent[read];
    sent[read] = true;
    return first;
  }

  /** Records that a read that may be copied is under way. */
  synchronized void armed(int read, SentRead sent) {
    armed[read] = sent;
    left++;
  }

  /** Records that stock's retry of a read waits at this coordinator, as its second copy. */
  public synchronized void retryWaits(int read, HeldMessage retry) {
    if (armed[read] != null) {
      armed[read].retryWaits(retry);
    }
  }

  /** Records that a read was sent that cannot be copied. */
  public synchronized void ineligible() {
    ineligible++;
  }

  /** Records that a read's copy is due; it waits until {@link #take}. */
  synchronized void late(SentRead read) {
    read.called = false;
    if (over || !read.isOpen() || read.isCopied()) {
      return;
    }
    if (!read.late) {
      read.late = true;
      late++;
    }
    if (!read.waiting) {
      read.waiting = true;
      waiting.add(read);
    }
  }

  /** Whether a read's copy was due before. */
  synchronized boolean isLate(SentRead read) {
    return read.late;
  }

  /** The remainder, or null if the request is over. */
  synchronized Rest rest() {
    return over || left == 0 ? null : new Rest(reads, left, late);
  }

  /** Removes and returns the waiting late reads. */
  synchronized List<SentRead> take() {
    List<SentRead> taken = waiting;
    waiting = new ArrayList<>(2);
    taken.forEach(read -> read.waiting = false);
    return taken;
  }

  /**
   * Records that a read was closed.
   *
   * @return a waiting late read whose turn may have come; null if there is none, or it was already
   *     returned and is not {@link #late} again yet
   */
  synchronized SentRead closed(SentRead read) {
    left--;
    if (read.late) {
      late--;
    }
    waiting.removeIf(each -> !each.isOpen());
    SentRead first = over || waiting.isEmpty() ? null : waiting.get(0);
    if (first == null || first.called) {
      return null;
    }
    first.called = true;
    return first;
  }

  /**
   * Records that a read returned by {@link #closed} will not be checked; another end may return it
   * again.
   */
  synchronized void notCalled(SentRead read) {
    read.called = false;
  }

  /**
   * Records that the request has its result or its error.
   *
   * @return the number of its reads that could not be copied
   */
  public synchronized int over() {
    over = true;
    waiting.clear();
    int atHome = reads;
    for (boolean one : sent) {
      atHome -= one ? 1 : 0;
    }
    return atHome + ineligible;
  }
}
