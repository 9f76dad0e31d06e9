/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import dev.manx.cassandra.Engine;
import java.util.ArrayList;
import java.util.List;

/**
 * The reads of one request on their way, as far as copies go: how many are left, how many of those
 * are late, and which wait until what is left of the request may be sent copies. Reads that the
 * coordinator serves at once do not count among those that are left. Any thread; its lock is held
 * for a few instructions, never while a policy's code runs.
 */
public final class Flight {
  private final Engine engine;
  private final int reads;
  private final boolean tied;
  private final boolean[] sent;
  private int ineligible;
  private int left;
  private int late;
  private boolean over;
  private List<SentRead> waiting = new ArrayList<>(2);

  /**
   * What is left of a request.
   *
   * @param reads of the request
   * @param left unanswered ones
   * @param late how many of them are past the time of their copy
   */
  record Rest(int reads, int left, int late) {}

  /**
   * @param tied whether replicas pass its reads on, rather than this coordinator
   */
  Flight(Engine engine, int reads, boolean tied) {
    this.engine = engine;
    this.tied = tied;
    this.reads = reads;
    this.sent = new boolean[reads];
  }

  /** The engine that planned the request. */
  public Engine engine() {
    return engine;
  }

  /** Whether replicas pass its reads on, rather than this coordinator. */
  public boolean isTied() {
    return tied;
  }

  /** A message of a read goes out; false if one went out before, for stock sends it again. */
  public synchronized boolean firstOf(int read) {
    boolean first = !sent[read];
    sent[read] = true;
    return first;
  }

  /** A read that may be copied is on its way. */
  synchronized void armed() {
    left++;
  }

  /** A read was sent that cannot be copied. */
  public synchronized void ineligible() {
    ineligible++;
  }

  /** The time of a read's copy has come; it waits until {@link #take}. */
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

  /** What is left, or null if the request is over. */
  synchronized Rest rest() {
    return over || left == 0 ? null : new Rest(reads, left, late);
  }

  /** The late reads that wait; they wait no more. */
  synchronized List<SentRead> take() {
    List<SentRead> taken = waiting;
    waiting = new ArrayList<>(2);
    taken.forEach(read -> read.waiting = false);
    return taken;
  }

  /**
   * A read was closed.
   *
   * @return a late read that waits, whose turn may have come; null if there is none, or it was
   *     returned before and is not {@link #late} again yet
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
   * A read that {@link #closed} returned will not be looked at; another end may return it again.
   */
  synchronized void notCalled(SentRead read) {
    read.called = false;
  }

  /**
   * The request has its result, or its error.
   *
   * @return how many of its reads could not be copied
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

  /** Whether the request has ended. */
  synchronized boolean isOver() {
    return over;
  }
}
