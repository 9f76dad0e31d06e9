/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Guard;
import dev.manx.policy.NanoClock;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.fanout.CopyBudget;
import dev.manx.policy.hold.Gate;
import java.util.function.Supplier;
import org.apache.cassandra.net.Verb;

/**
 * Holds reads back at their coordinator for the time in their plan, within bounds, and then
 * releases them. Lives as long as the node. Any thread.
 */
public final class Holds {
  /** Most held reads at one time. */
  public static final int MOST = 16_384;

  /** Divisor: reads are held at most for this part of the time until they expire. */
  public static final int SHARE = 4;

  // Each handles some 30 reads: the timer's thread holds up no request, but reads may be due.
  private static final int MOST_LOOKS = 64;

  // Shorter than a timer's precision.
  private static final long SHORTEST_NANOS = 50_000;

  private final Supplier<Engine> engines;
  private final NanoClock clock;
  private final HoldTimer timer;
  private final HeldRetries retries;
  private volatile Departures departures;

  /**
   * Starts without held reads.
   *
   * @param engines the present engine; null while Manx is off
   */
  public Holds(Supplier<Engine> engines, NanoClock clock) {
    this.engines = engines;
    this.clock = clock;
    timer = new HoldTimer(clock, this::advance, this::gateNanos);
    retries = new HeldRetries(timer, clock);
  }

  /** Starts holding reads, if their plans require it; null to stop. */
  public void use(Departures ofNode) {
    departures(ofNode);
    if (ofNode == null) {
      releaseAll();
    } else {
      timer.run();
    }
  }

  void departures(Departures known) {
    departures = known;
  }

  /** Restarts the timer if its thread has died or hangs. */
  public void ensure() {
    if (departures != null) {
      timer.run();
    }
  }

  /** The node's operations for departures; null if no read is held. */
  public Departures departures() {
    return departures;
  }

  /**
   * The budget of retries that leave although their first replica works. Each answered read adds to
   * it: in a time when fewer reads are answered, fewer are read twice.
   */
  public CopyBudget retries() {
    return retries.budget();
  }

  /** Number of waiting reads. */
  public int held() {
    return timer.size();
  }

  /**
   * The allowed part of the wait that a read's plan requires; counts refused waits.
   *
   * @param lifeNanos time until the read expires
   * @return 0 if it must be sent at once
   */
  public long bounded(Engine engine, long askedNanos, long lifeNanos) {
    if (askedNanos == 0) {
      return 0;
    }
    if (departures == null || askedNanos < 0) {
      engine.counters().count(Counter.HOLDS_REFUSED);
      return 0;
    }
    long most = Math.max(0, lifeNanos) / SHARE;
    if (askedNanos > most) {
      engine.counters().count(Counter.HOLDS_SHORTENED);
    }
    long nanos = Math.min(askedNanos, most);
    return nanos < SHORTEST_NANOS ? 0 : nanos;
  }

  /**
   * Holds a read; it is released by the timer, and at once if its engine is no longer the node's.
   *
   * @return false if too many are held: the caller sends it
   */
  public boolean hold(HeldRead read, long nanos) {
    Engine engine = read.engine();
    boolean added;
    try {
      added = timer.add(read, clock.nanoTime() + nanos);
    } catch (Throwable t) {
      // No thread could be started. The thread that claims the read sends it.
      boolean left = !read.claim();
      timer.remove(read);
      engine.guard().survived("the timer of held reads", t);
      return left;
    }
    if (!added) {
      engine.counters().count(Counter.HOLDS_OVERFLOWED);
      return false;
    }
    engine.counters().count(read.isRetry() ? Counter.RETRIES_HELD : Counter.READS_HELD);
    settle(read);
    return true;
  }

  /**
   * Holds a read that stock sends again while it only waits at its first replica.
   *
   * @param whileTrue whether it goes on waiting
   * @param lifeNanos time until it expires
   * @return false if it need not wait or too many are held: the caller sends it
   */
  public boolean holdRetry(HeldRead read, HeldWhile whileTrue, long lifeNanos) {
    long nanos = retries.begin(read, whileTrue, lifeNanos);
    return nanos > 0 && hold(read, nanos);
  }

  /** Checks a read just added: threads that would have released it may have checked before. */
  private void settle(HeldRead read) {
    if (read.isGone()) {
      timer.remove(read);
    } else if (engines.get() != read.engine() || departures == null) {
      // Also a read that another thread has taken: a policy may keep that thread.
      cut(read);
    }
  }

  /**
   * Creates a gate for an engine's strategy; null if it has none. Throws any exception of a policy.
   */
  public NodeGate gate(Gate<HeldRead> gate, ClusterView view, Guard guard) {
    if (gate == null) {
      return null;
    }
    // A read that reaches the end of its longest hold leaves without credit or rate.
    gate.agesAfter(() -> Verb.READ_REQ.expiresAfterNanos() / (2 * SHARE));
    return new NodeGate(
        gate,
        view,
        clock,
        guard.stalls(),
        read -> leave(read, false),
        t -> guard.survived("the gate of held reads", t),
        () -> wakeTimer(guard, clock.nanoTime()));
  }

  /**
   * Brings a read to its engine's gate. If the gate holds it, it is released when its node may have
   * it, or after its longest hold.
   *
   * @param lifeNanos time until the read expires
   * @return whether the caller must send it now
   */
  public boolean passes(NodeGate gate, HeldRead read, long lifeNanos) {
    if (gate.admits(read)) {
      return true;
    }
    Engine engine = read.engine();
    boolean added = false;
    try {
      added = timer.add(read, clock.nanoTime() + Math.max(0, lifeNanos) / SHARE);
      if (!added) {
        engine.counters().count(Counter.HOLDS_OVERFLOWED);
      }
    } catch (Throwable t) {
      timer.remove(read);
      engine.guard().survived("the timer of held reads", t);
    }
    if (!added) {
      read.pass();
      gate.left(read);
      return read.hasPassed();
    }
    engine.counters().count(Counter.READS_HELD);
    settle(read);
    wakeTimer(engine.guard(), gate.nextNanos());
    return false;
  }

  /**
   * Adds the work of reads that wait at an engine's gate and are awaited by their requests.
   *
   * @param beforeNanos only reads that arrived before this time
   * @param workNanos work by node
   */
  public void addWaiting(Engine engine, long beforeNanos, long[] workNanos) {
    for (HoldTimer.Place place : timer.places()) {
      HeldRead read = place.read();
      if (read.engine() == engine
          && read.nodeCount > 0
          && read.nodes[0] < workNanos.length
          && read.arrivalNanos - beforeNanos < 0
          && read.isHeld()
          && read.isAwaited()) {
        workNanos[read.nodes[0]] += read.costNanos;
      }
    }
  }

  private void wakeTimer(Guard guard, long nanos) {
    try {
      timer.wakeBy(nanos);
    } catch (Throwable t) {
      // No thread could be started.
      guard.survived("the timer of held reads", t);
    }
  }

  private long gateNanos() {
    Engine current = engines.get();
    NodeGate gate = current == null ? null : current.gate();
    return gate == null ? Long.MAX_VALUE : gate.nextNanos();
  }

  /** Releases all reads that are due, or whose engine is no longer the node's. */
  void advance() {
    long now = clock.nanoTime();
    Engine current = engines.get();
    NodeGate gate = current == null ? null : current.gate();
    for (int looks = 0;
        gate != null && looks < MOST_LOOKS && gate.nextNanos() <= clock.nanoTime();
        looks++) {
      gate.look();
    }
    for (HoldTimer.Place place : timer.places()) {
      HeldRead read = place.read();
      if (read.engine() != current) {
        cut(read);
      } else if (place.dueNanos() - now <= 0) {
        if (read.isRetry() && retries.waitsAgain(read, place.dueNanos(), now)) {
          settle(read);
        } else {
          due(read);
        }
      } else {
        // The reads behind it belong to the same engine, or will be seen by the thread that
        // switched.
        break;
      }
    }
  }

  /** Releases all reads planned by another engine than the present one. */
  public void releaseOthers() {
    Engine current = engines.get();
    for (HoldTimer.Place place : timer.places()) {
      if (place.read().engine() != current) {
        cut(place.read());
      }
    }
  }

  /** Releases all reads at once. */
  public void releaseAll() {
    for (HoldTimer.Place place : timer.places()) {
      cut(place.read());
    }
  }

  private void due(HeldRead read) {
    NodeGate gate = read.engine().gate();
    if (gate != null && read.nodeCount > 0 && read.isHeld()) {
      read.engine().counters().count(Counter.HOLDS_OVERDUE);
    }
    leave(read, false);
    if (gate != null && read.nodeCount > 0) {
      gate.left(read);
    }
  }

  private void cut(HeldRead read) {
    leave(read, true);
  }

  /** Releases a read before its time; false if it is not sent, or another thread releases it. */
  public boolean release(HeldRead read) {
    return leave(read, false);
  }

  /** Whether it is sent now. */
  private boolean leave(HeldRead read, boolean early) {
    if (!read.claim()) {
      Engine current = engines.get();
      if (current == null || read.isKeptByOtherThan(current, clock.nanoTime())) {
        // Possibly a read of a thread blocked by a policy.
        end(read);
      }
      if (read.isGone()) {
        timer.remove(read);
      }
      return false;
    }
    Engine engine = read.engine();
    boolean wanted = false;
    try {
      wanted = read.isWanted();
      if (wanted) {
        if (early) {
          engine.counters().count(Counter.HOLDS_CUT);
        }
        count(read);
      } else {
        engine.counters().count(read.wasSpared() ? Counter.RETRIES_SPARED : Counter.HOLDS_DROPPED);
      }
    } catch (Throwable t) {
      engine.guard().survived("a held read", t);
    }
    end(read);
    timer.remove(read);
    return wanted;
  }

  private void end(HeldRead read) {
    try {
      read.end(engines.get());
    } catch (Throwable t) {
      read.engine().guard().survived("the sending of a held read", t);
    }
  }

  private void count(HeldRead read) {
    Engine now = engines.get();
    if (now == null) {
      return;
    }
    long nowNanos = clock.nanoTime();
    long outer = now.guard().stalls().enter(nowNanos);
    read.reportedTo(now, nowNanos);
    try {
      read.count(now);
    } catch (Throwable t) {
      now.guard().survived("the ticket of a held read", t);
    } finally {
      now.guard().stalls().leave(outer);
    }
  }
}
