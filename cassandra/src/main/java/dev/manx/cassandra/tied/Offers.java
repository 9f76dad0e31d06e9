/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.copy.Callbacks;
import dev.manx.cassandra.copy.Flight;
import dev.manx.policy.NanoClock;
import dev.manx.policy.Request;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.service.reads.ReadCallback;
import org.apache.cassandra.tracing.Tracing;

/**
 * The coordinator's side of tied copies: names the second replica of each read that a copy may
 * answer. Any thread.
 */
public final class Offers {
  /**
   * For a read that its replica must not pass on at present. If that replica stalls, its
   * coordinator may still send the read again.
   */
  public static final byte[] HELD_BACK = {};

  private final NanoClock clock;
  private final Slots slots;
  private final PassedOn passedOn;
  private volatile boolean used;
  // The callbacks last used.
  private volatile Callbacks callbacks;

  Offers(NanoClock clock, Slots slots, PassedOn passedOn) {
    this.clock = clock;
    this.slots = slots;
    this.passedOn = passedOn;
  }

  void use(Callbacks known) {
    callbacks = known;
    used = true;
  }

  void leave() {
    used = false;
  }

  boolean isUsed() {
    return used;
  }

  /**
   * Called before a planned read of a flight is sent; its ticket is opened next.
   *
   * @return the entry that permits its replica to pass it on; {@link #HELD_BACK}; or null
   */
  public byte[] offer(
      Flight flight,
      Request request,
      int read,
      Message<?> message,
      InetAddressAndPort to,
      int node) {
    Callbacks known = callbacks;
    if (!flight.firstOf(read) || known == null || !used) {
      return null;
    }
    Engine engine = flight.engine();
    long now = clock.nanoTime();
    EndpointsForToken candidates =
        message.traceSession() == null && Partners.takes(engine, node, now)
            ? known.candidates(message.id(), to)
            : null;
    Replica peer = Partners.peer(engine, candidates, request, read, node, now);
    if (peer == null) {
      return Partners.countsAsHeldBack(flight, candidates, request, read, node, now)
          ? HELD_BACK
          : null;
    }
    Slot slot =
        new Slot(
            engine,
            message.id(),
            to,
            peer.endpoint(),
            message.id(),
            node,
            rank(request, read),
            now,
            message.expiresAtNanos(),
            null);
    // A node in shadow mode passes no reads on.
    if (engine.acting() && !slots.open(slot)) {
      engine.counters().count(Counter.COPIES_OVERFLOWED);
      return null;
    }
    if (!used) {
      // The filter that knows copies' answers may have left before there was a slot.
      slots.close(message.id());
      return null;
    }
    engine.counters().count(Counter.COPIES_OFFERED);
    return TieForm.tie(request.copyAfterNanos(read), peer.endpoint());
  }

  /** Records that an offered read got no ticket, so that its end would be unknown. */
  public void withdraw(long messageId) {
    slots.close(messageId);
  }

  /**
   * Called before a planned read of a flight waits for a thread of its coordinator.
   *
   * @param task Cassandra's own runnable of the read stage
   * @return null if it may not be passed on
   */
  public TiedRead atHome(
      Flight flight,
      Request request,
      int read,
      ReadCommand command,
      ReadCallback<?, ?> handler,
      long ticket,
      Runnable task) {
    Callbacks known = callbacks;
    if (!flight.firstOf(read) || known == null || !used || !passedOn.isUsed()) {
      return null;
    }
    Engine engine = flight.engine();
    long now = clock.nanoTime();
    EndpointsForToken candidates = Tracing.isTracing() ? null : known.candidates(handler);
    int self = engine.self();
    Replica peer = Partners.peer(engine, candidates, request, read, self, now);
    if (peer == null) {
      Partners.countsAsHeldBack(flight, candidates, request, read, self, now);
      return null;
    }
    engine.counters().count(Counter.COPIES_OFFERED);
    return FirstRead.atHome(
        engine,
        passedOn,
        new TieForm.Tie(request.copyAfterNanos(read), peer.endpoint()),
        new FirstRead.Home(command, handler, ticket, rank(request, read), task),
        FirstRead.Rank.of(request, read),
        request.costNanos(read),
        now);
  }

  private static long rank(Request request, int read) {
    return request.tagged() ? request.priority(read) : request.cost(read);
  }
}
