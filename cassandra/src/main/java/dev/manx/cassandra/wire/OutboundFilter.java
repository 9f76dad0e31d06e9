/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.wire;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.coordinate.HeldPlan;
import dev.manx.cassandra.coordinate.ThreadPlan;
import dev.manx.cassandra.copy.AbortedRead;
import dev.manx.cassandra.copy.Flight;
import dev.manx.cassandra.copy.SentRead;
import dev.manx.cassandra.hold.Departures;
import dev.manx.cassandra.hold.HeldMessage;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.cassandra.read.QueuedRead;
import dev.manx.cassandra.tied.Offers;
import dev.manx.policy.Request;
import dev.manx.policy.facts.TagCodec;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.ReadResponse;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;

/**
 * A filter in Cassandra's outbound sink: opens a ticket for every planned read that is sent and
 * replaces it by a copy with the tag; replaces some answers by copies with this node's facts.
 * Public API only: a filter cannot change a message, but it can send another and drop the first.
 */
public final class OutboundFilter implements BiPredicate<Message<?>, InetAddressAndPort> {
  private final Supplier<Engine> engines;

  /**
   * @param engines the present engine; null while Manx is off
   */
  public OutboundFilter(Supplier<Engine> engines) {
    this.engines = engines;
  }

  @Override
  public boolean test(Message<?> message, InetAddressAndPort to) {
    Verb verb = message.verb();
    if (verb != Verb.READ_REQ && verb != Verb.READ_RSP) {
      return true;
    }
    Engine engine = engines.get();
    if (engine == null) {
      return true;
    }
    return verb == Verb.READ_REQ ? read(engine, message, to) : answer(engine, message, to);
  }

  private static boolean answer(Engine engine, Message<?> message, InetAddressAndPort to) {
    if (CustomMap.facts(message.header) != null) {
      // The copy that is sent below; this costs less than a look-up of the calling thread's state.
      return true;
    }
    Message<?> better;
    try {
      if (engine.ties().aborted(message, to)) {
        return false;
      }
      better = withFacts(engine, message, to);
    } catch (Throwable t) {
      engine.guard().fault("an outgoing " + message.verb(), t);
      return true;
    }
    if (better == null) {
      return true;
    }
    MessagingService.instance().send(better, to);
    return false;
  }

  private static boolean read(Engine engine, Message<?> message, InetAddressAndPort to) {
    ThreadPlan plan = ThreadPlan.current();
    if (!plan.isOpen() || plan.isResending()) {
      return true;
    }
    Message<?> better;
    try {
      int read = planned(plan, message);
      int node = read < 0 ? Nodes.NONE : engine.nodes().id(to);
      if (node == Nodes.NONE) {
        return true;
      }
      byte[] tag = tag(engine, plan, read);
      if (held(engine, plan, read, message, tag, to, node)) {
        return false;
      }
      byte[] tie = sends(engine, plan, read, message, to, node);
      // One copy with both; each copy needs a header and a map.
      better =
          tag == null && tie == null ? null : CustomMap.asked(message, tag, tie, engine.acting());
    } catch (Throwable t) {
      engine.guard().fault("an outgoing " + message.verb(), t);
      return true;
    }
    if (better == null) {
      return true;
    }
    plan.resending(true);
    try {
      MessagingService.instance().send(better, to);
    } finally {
      plan.resending(false);
    }
    return false;
  }

  /** Whether a read is held; it will be sent later. */
  private static boolean held(
      Engine engine,
      ThreadPlan plan,
      int read,
      Message<?> message,
      byte[] tag,
      InetAddressAndPort to,
      int node) {
    Departures departures = engine.holds().departures();
    if (!HeldPlan.concerns(engine, plan, read, node) || departures == null) {
      return false;
    }
    Request request = plan.request();
    return HeldPlan.holds(
        engine,
        plan,
        read,
        (ReadCommand) message.payload,
        node,
        message.id(),
        message.expiresAtNanos() - engine.clock().nanoTime(),
        () ->
            new HeldMessage(
                engine,
                plan.holds(),
                departures,
                tag == null ? message : CustomMap.asked(message, tag, null, engine.acting()),
                to,
                node,
                request.costNanos(read),
                request.keyHash(read)));
  }

  /** The read of an open plan in a message, or a negative number. */
  private static int planned(ThreadPlan plan, Message<?> message) {
    return message.payload instanceof SinglePartitionReadCommand
        ? plan.readToSend((SinglePartitionReadCommand) message.payload)
        : -1;
  }

  /**
   * Called when a read is sent.
   *
   * @return the permission for its replica to pass it on; null for none
   */
  private static byte[] sends(
      Engine engine,
      ThreadPlan plan,
      int read,
      Message<?> message,
      InetAddressAndPort to,
      int node) {
    Request request = plan.request();
    Flight flight = plan.flight();
    SentRead copied = null;
    byte[] tie = null;
    if (flight != null && !flight.isTied()) {
      copied = engine.copier().sent(flight, request, read, message, to, node);
    } else if (flight != null && !plan.isOnlyFollowed(engine)) {
      byte[] offered = engine.ties().offers().offer(flight, request, read, message, to, node);
      copied =
          offered == null
              ? null
              : engine.copier().offered(flight, request, read, message, to, node);
      tie = offered == Offers.HELD_BACK ? null : offered;
    }
    boolean followed =
        engine.sent(
            message.id(),
            node,
            request.costNanos(read),
            request.keyHash(read),
            Verb.READ_REQ.expiresAfterNanos());
    plan.sent(read, message.id(), engine.clock().nanoTime());
    if (copied != null && !followed) {
      engine.copier().ends().unknown(copied);
    }
    if (tie != null && !followed) {
      engine.ties().offers().withdraw(message.id());
      return null;
    }
    return tie;
  }

  /** The tag of a read, or null for none. */
  private static byte[] tag(Engine engine, ThreadPlan plan, int read) {
    Request request = plan.request();
    if (!request.tagged() || plan.isOnlyFollowed(engine)) {
      return null;
    }
    engine.counters().count(Counter.TAGS_SENT);
    return TagCodec.encode(request, read, plan.requestId());
  }

  private static Message<?> withFacts(Engine engine, Message<?> message, InetAddressAndPort to) {
    QueuedRead running = QueuedRead.running();
    if (running != null && message.payload instanceof ReadResponse && !AbortedRead.isIn(message)) {
      running.answeredWith((ReadResponse) message.payload);
    }
    int node = engine.nodes().id(to);
    boolean busy = !engine.queues().isCalm();
    if (node == Nodes.NONE || !engine.pace().isDue(node, busy, engine.clock().nanoTime())) {
      return null;
    }
    engine.counters().count(Counter.FACTS_SENT);
    // Even without facts they show that Manx is active here.
    byte[] facts = engine.strategy().facts().encode(engine.load());
    return CustomMap.withFacts(message, facts, engine.acting());
  }
}
