/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.copy.Callbacks;
import dev.manx.cassandra.copy.CopyTimer;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.cassandra.wire.SizeLearner;
import dev.manx.policy.NanoClock;
import dev.manx.policy.facts.Ticket;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.cassandra.net.Message;

/**
 * The reads of this coordinator that a copy may answer. The answer of a copy fills the slot that
 * the read's first replica would have filled; exactly one of them does. Any thread.
 */
/*
 * A copy's answer has the read's own id and comes from its peer, to which this coordinator has sent
 * nothing under that id. Id and peer identify the slot, so the answer needs no mark, and its
 * replica may be off meanwhile. So may this node: by then the first replica has dropped the read,
 * so the slots stay until they end.
 */
final class Slots {
  /** Most slots at one time; further reads are not passed on. */
  static final int MOST = CopyTimer.MOST;

  private final Supplier<Engine> engines;
  private final NanoClock clock;
  private final ConcurrentHashMap<Long, Slot> slots = new ConcurrentHashMap<>();

  Slots(Supplier<Engine> engines, NanoClock clock) {
    this.engines = engines;
    this.clock = clock;
  }

  int size() {
    return slots.size();
  }

  /** Adds a slot, so that an answer of a copy completes the read; false if there are too many. */
  boolean open(Slot slot) {
    if (slots.size() >= MOST) {
      return false;
    }
    slots.put(slot.id(), slot);
    return true;
  }

  /** Removes a slot, since no copy answers it. */
  void close(long id) {
    slots.remove(id);
  }

  /**
   * Passes the answer of a copy to its request, if it is the first answer.
   *
   * @return false if the message is not such an answer
   */
  boolean take(Callbacks known, Message<?> message) {
    Slot slot = slots.get(message.id());
    if (slot == null || !slot.peer().equals(message.from()) || !slots.remove(slot.id(), slot)) {
      return false;
    }
    if (slot.atHome() == null ? fill(known, slot, message) : fillHome(known, slot, message)) {
      won(known, slot, message);
    } else {
      slot.engine().counters().count(Counter.COPIES_WASTED);
      if (slot.atHome() == null) {
        // If a rescue has answered the request, the first replica has dropped the read
        // nevertheless.
        close(engines.get(), slot, new Ticket());
      }
    }
    // Last: a planner may not return.
    heard(slot);
    return true;
  }

  /** Its peer has answered, and its first replica had passed it on, which a stalled node cannot. */
  private void heard(Slot slot) {
    Engine engine = engines.get();
    if (engine == null || engine != slot.engine()) {
      return;
    }
    long now = clock.nanoTime();
    long outer = engine.guard().stalls().enter(now);
    try {
      engine.strategy().planner().heard(slot.node(), slot.sentNanos());
      int peer = engine.nodes().find(slot.peer());
      if (peer != Nodes.NONE) {
        engine.strategy().planner().heard(peer, now);
      }
    } finally {
      engine.guard().stalls().leave(outer);
    }
  }

  private static boolean fill(Callbacks known, Slot slot, Message<?> message) {
    return known.fill(
        slot.id(), slot.first(), message, () -> slot.engine().counters().count(Counter.COPIES_WON));
  }

  private static boolean fillHome(Callbacks known, Slot slot, Message<?> message) {
    FirstRead.Home home = slot.atHome().home();
    // The answer may arrive before the notice that the copy has started.
    boolean cedes = home != null && slot.atHome().cede();
    if (cedes) {
      slot.engine().counters().count(Counter.READS_CEDED);
    }
    boolean ours = cedes || home != null && slot.atHome().claim.isCeded();
    if (ours) {
      slot.engine().counters().count(Counter.COPIES_WON);
      known.answer(home.handler(), message);
    }
    return ours;
  }

  /** The first replica has dropped the read, so no other event will close its ticket. */
  private void won(Callbacks known, Slot slot, Message<?> answer) {
    long now = clock.nanoTime();
    // It took at least this long; the peer's own time is unknown.
    known.took(slot.first(), now - slot.sentNanos());
    slot.engine().timed().answered(slot.ticket(), now);
    Engine engine = engines.get();
    Ticket ticket = new Ticket();
    boolean closed = close(engine, slot, ticket);
    if (engine == slot.engine()) {
      report(engine, slot, now);
    }
    if (closed) {
      SizeLearner.learn(engine, ticket.keyHash, answer);
    }
  }

  /**
   * Closes a read's ticket.
   *
   * @param engine the present one; null while Manx is off
   * @param into receives the ticket's contents
   * @return false if it was closed before
   */
  private static boolean close(Engine engine, Slot slot, Ticket into) {
    return engine != null && engine.closed(slot.ticket(), slot.node(), Outcome.CANCELLED, into);
  }

  private static void report(Engine engine, Slot slot, long nowNanos) {
    long outer = engine.guard().stalls().enter(nowNanos);
    try {
      engine.strategy().planner().answered(slot.rank(), nowNanos - slot.sentNanos(), true);
    } finally {
      engine.guard().stalls().leave(outer);
    }
  }

  /**
   * Handles a closed ticket: perhaps that of a read that was sent and answered by its first
   * replica.
   */
  void ended(Engine engine, long messageId, int node, Outcome outcome, long sentNanos) {
    Slot slot = slots.get(messageId);
    // If its node died, the request still waits, and a copy can complete it.
    if (slot == null
        || slot.node() != node
        || outcome == Outcome.CANCELLED
        || !slots.remove(messageId, slot)) {
      return;
    }
    if (outcome == Outcome.ANSWERED && engine == slot.engine()) {
      long elapsed = clock.nanoTime() - sentNanos;
      engine.strategy().planner().answered(slot.rank(), elapsed, false);
    }
  }

  /** Forgets expired slots. */
  void sweep(long nowNanos) {
    slots.values().removeIf(slot -> nowNanos - slot.expiresNanos() >= 0);
  }
}
