/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.message;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.message.MessageKind.Reach;
import dev.manx.cassandra.nodes.Nodes;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;

/**
 * Manx's own messages between nodes: small, without an answer, and each of a kind with one handler.
 * They go only to nodes that are alive and have shown signs of Manx, unless their kind allows
 * others. While Manx is off, no messages are sent. Any of them may be lost, late, or overtake
 * another. A node counts and skips messages that it cannot read. Any thread.
 */
public final class NodeMessages {
  /** Handles the messages of a kind. */
  public interface Handler {
    /**
     * Handles a message. Called on threads of Cassandra's request-response stage, which must not be
     * blocked; several at once. Exceptions are counted and reported to the breaker.
     *
     * @param engine the present engine
     * @param from the sender
     * @param node the sender's id
     * @param bytes the kind's own bytes, within its limit; they may be garbage
     * @return false if they could not be read, so that the message counts as ignored
     */
    boolean take(Engine engine, InetAddressAndPort from, int node, byte[] bytes);
  }

  private final Supplier<Engine> engines;
  private final NodeConnections connections;
  private final AtomicReferenceArray<Handler> handlers =
      new AtomicReferenceArray<>(MessageKind.values().length);

  /**
   * Creates the messages of a running node.
   *
   * @param engines the present engine; null while Manx is off
   */
  public NodeMessages(Supplier<Engine> engines) {
    this(engines, new CassandraConnections());
  }

  NodeMessages(Supplier<Engine> engines, NodeConnections connections) {
    this.engines = engines;
    this.connections = connections;
  }

  /** The node's connections. */
  NodeConnections connections() {
    return connections;
  }

  /** This node's own address. */
  public InetAddressAndPort self() {
    return connections.self();
  }

  /** Whether gossip considers a node alive. */
  public boolean isLive(InetAddressAndPort node) {
    return connections.isLive(node);
  }

  /** Sets the handler of a kind; null for none. */
  public void handle(MessageKind kind, Handler handler) {
    handlers.set(kind.ordinal(), handler);
  }

  /**
   * Sends a message.
   *
   * @param to the receiver, another node
   * @return false if it may not be sent: Manx is off or in a mode that does not send this kind, the
   *     node is this one, not alive or without Manx, or the bytes are too many
   */
  public boolean send(InetAddressAndPort to, MessageKind kind, byte[] bytes) {
    Engine engine = engines.get();
    if (engine == null) {
      return false;
    }
    if (!maySend(engine, to, kind) || bytes.length > kind.mostBytes()) {
      engine.counters().count(Counter.MESSAGES_NOT_SENT);
      return false;
    }
    engine.counters().count(Counter.MESSAGES_SENT);
    engine.counters().count(Counter.MESSAGE_BYTES_SENT, bytes.length);
    connections.send(Envelope.seal(connections.self(), kind, engine.acting(), bytes), to);
    return true;
  }

  private boolean maySend(Engine engine, InetAddressAndPort to, MessageKind kind) {
    if (to.equals(connections.self()) || !engine.acting() && kind.reach() == Reach.ACTING) {
      return false;
    }
    if (kind.reach() != Reach.STRANGERS) {
      int node = engine.nodes().find(to);
      if (node == Nodes.NONE || !engine.signs().acts(node, engine.clock().nanoTime())) {
        return false;
      }
    }
    return connections.isLive(to);
  }

  /**
   * Handles a received message, if it is one of Manx's.
   *
   * @return false if it is Cassandra's own
   */
  public boolean take(Engine engine, Message<?> message) {
    byte[] all = Envelope.open(message);
    if (all == null) {
      return false;
    }
    try {
      boolean taken = deliver(engine, message.from(), all);
      engine.counters().count(taken ? Counter.MESSAGES_RECEIVED : Counter.MESSAGES_IGNORED);
    } catch (Throwable t) {
      engine.guard().fault("a message of another node", t);
    }
    return true;
  }

  private boolean deliver(Engine engine, InetAddressAndPort from, byte[] all) {
    int node = engine.nodes().id(from);
    if (node == Nodes.NONE || !Envelope.isKnown(all)) {
      return false;
    }
    long now = engine.clock().nanoTime();
    boolean acts = Envelope.isOfActing(all) || !engine.acting();
    engine.signs().heard(node, acts, now);
    MessageKind kind = Envelope.kind(all);
    if (kind == null || !mayTake(engine, kind, acts)) {
      return false;
    }
    byte[] bytes = Envelope.bytes(all);
    Handler handler = handlers.get(kind.ordinal());
    if (handler == null || bytes.length > kind.mostBytes()) {
      return false;
    }
    long outer = engine.guard().stalls().enter(now);
    try {
      return handler.take(engine, from, node, bytes);
    } finally {
      engine.guard().stalls().leave(outer);
    }
  }

  /** Messages of a node in shadow mode go to nodes that act for it, like its tags. */
  private static boolean mayTake(Engine engine, MessageKind kind, boolean acts) {
    return switch (kind.reach()) {
      case ACTING -> engine.acting() && acts;
      case SHADOW_TOO -> acts;
      case STRANGERS -> true;
    };
  }
}
