/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import dev.manx.cassandra.control.Stalls;
import dev.manx.policy.NanoClock;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.hold.Gate;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The gate of one engine, used by many threads at once: one of them works, the others leave their
 * reads with it and continue. The node of a read is fixed when it arrives here. Any thread.
 */
/*
 * A gate is sequential, and its permits are policy code, so no lock may be held while it runs. A
 * thread that finds no other at work processes its own read and all that arrive meanwhile. If a
 * permit does not return, that thread is lost, and the reads that arrive later are released after
 * their longest hold.
 *
 * Reads of other threads may arrive as fast as it works, and one answer may release thousands,
 * while its own request waits. So after some reads a thread leaves the rest to the next one that
 * arrives, and wakes the timer, which does the work if no thread arrives.
 */
public final class NodeGate {
  /** Most calls left with the working thread, which may be lost. */
  static final int MOST_LEFT = Holds.MOST;

  /**
   * Most steps and reads of others that one thread does at a time: a few are cheaper than a change
   * of threads.
   */
  private static final int MOST_FOR_OTHERS = 32;

  private final Gate<HeldRead> gate;
  private final ClusterView view;
  private final NanoClock clock;
  private final Stalls stalls;
  private final Consumer<HeldRead> leaves;
  private final Consumer<Throwable> faults;
  private final Runnable handOver;
  // Reads that arrived, and reads that left without the gate.
  private final ConcurrentLinkedQueue<HeldRead> news = new ConcurrentLinkedQueue<>();
  private final AtomicInteger work = new AtomicInteger();
  private volatile int size;
  private volatile long nextNanos = Long.MAX_VALUE;
  // Whether a thread left work that no other has taken up yet.
  private volatile boolean behind;

  /**
   * @param gate gate of the engine's strategy
   * @param stalls detects a thread that does not return
   * @param leaves releases a read
   * @param faults gets exceptions of permits
   * @param handOver makes another thread check soon; must not throw
   */
  NodeGate(
      Gate<HeldRead> gate,
      ClusterView view,
      NanoClock clock,
      Stalls stalls,
      Consumer<HeldRead> leaves,
      Consumer<Throwable> faults,
      Runnable handOver) {
    this.gate = gate;
    this.view = view;
    this.clock = clock;
    this.stalls = stalls;
    this.leaves = leaves;
    this.faults = faults;
    this.handOver = handOver;
  }

  /**
   * Adds a read.
   *
   * @return whether the caller must send it now; otherwise it is released later
   */
  boolean admits(HeldRead read) {
    if (work.get() >= MOST_LEFT) {
      return true;
    }
    news.add(read);
    work(read);
    return read.hasPassed();
  }

  /** Records that a read of this gate left without it. */
  void left(HeldRead read) {
    // If the thread is lost, so is the gate with all its reads.
    if (work.get() < MOST_LEFT) {
      news.add(read);
      work(null);
    }
  }

  /** Checks after an event that may open a node: an answer, a tick, time. */
  public void look() {
    if (size > 0 || behind) {
      work(null);
    }
  }

  /** When to check again without an event. */
  long nextNanos() {
    return nextNanos;
  }

  private void work(HeldRead own) {
    if (work.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    int left = MOST_FOR_OTHERS;
    do {
      // Each step separately: on a busy node one thread may do many for the others.
      long outer = stalls.enter(clock.nanoTime());
      try {
        left = step(own, left - 1);
      } catch (Throwable t) {
        left--;
        faults.accept(t);
        if (own != null) {
          own.pass();
        }
      } finally {
        stalls.leave(outer);
      }
      if (left <= 0) {
        behind = true;
        nextNanos = clock.nanoTime();
        // Calls counted meanwhile are in the queue, or they are checks, which the timer will make
        // up for.
        work.set(0);
        handOver.run();
        return;
      }
      seen = work.addAndGet(-seen);
    } while (seen != 0);
  }

  /**
   * Processes the reads that arrived, and those that may go now.
   *
   * @param most about how many reads of others
   * @return the unused part of {@code most}; at most 0 if some reads may be left
   */
  private int step(HeldRead own, int most) {
    behind = false;
    int left = most;
    for (HeldRead read = news.poll(); read != null; read = left > 0 ? news.poll() : null) {
      left -= read == own ? 0 : 1;
      if (!read.isHeld()) {
        gate.remove(read);
      } else if (!offered(read)) {
        leave(read, own);
      }
    }
    long now = clock.nanoTime();
    for (HeldRead read = gate.release(now, view);
        read != null;
        read = left > 0 ? gate.release(now, view) : null) {
      left -= read == own ? 0 : 1;
      leave(read, own);
    }
    // First, so that events after the gate returned its time are not missed.
    size = gate.size();
    nextNanos = gate.nextReleaseNanos(now);
    return left;
  }

  private boolean offered(HeldRead read) {
    try {
      return gate.offer(read);
    } catch (Throwable t) {
      faults.accept(t);
      return false;
    }
  }

  private void leave(HeldRead read, HeldRead own) {
    if (read == own) {
      read.pass();
    } else {
      leaves.accept(read);
    }
  }
}
