/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.exchange;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.message.AddressTable;
import dev.manx.cassandra.message.MessageKind;
import dev.manx.cassandra.message.NodeMessages;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.policy.facts.Exchange;
import dev.manx.policy.facts.Fact;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.facts.Varints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Sends the messages of {@code strategy.exchange}: every interval this node sends some others,
 * drawn anew, the news of its {@link Exchange}, preceded by the addresses of the nodes it refers
 * to. One message contains at most {@link #MOST_NODES} nodes, in turn, and after a message the next
 * one waits until it would fit into {@link #BYTES_PER_SECOND}.
 *
 * <p>One timer calls {@link #tick}; messages are received on any thread.
 */
public final class ExchangeRounds {
  /** Most bytes that a node sends per second, to all others together. */
  static final long BYTES_PER_SECOND = 256 << 10;

  /** Most nodes in a message. */
  static final int MOST_NODES = 128;

  /** Shortest interval on a node, which equals the interval of its timer. */
  public static final long LEAST_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Most large keys in a message on a node. */
  public static final int MOST_KEYS = 4_096;

  private final NodeMessages messages;
  // Used by the timer only.
  private Exchange current;
  private long dueNanos;
  private int next;

  /** Starts applying the messages of others. */
  public ExchangeRounds(NodeMessages messages) {
    this.messages = messages;
    messages.handle(MessageKind.EXCHANGE, this::take);
  }

  /** Sends this node's news, if due. */
  public void tick(Engine engine, long nowNanos) {
    Exchange exchange = engine.strategy().exchange();
    if (exchange != current) {
      current = exchange;
      dueNanos = nowNanos + (exchange == null ? 0 : exchange.intervalNanos());
    }
    if (exchange == null || nowNanos - dueNanos < 0) {
      return;
    }
    long bytes = broadcast(engine, exchange, nowNanos);
    long paid = bytes * TimeUnit.SECONDS.toNanos(1) / BYTES_PER_SECOND;
    dueNanos = nowNanos + Math.max(exchange.intervalNanos(), paid);
  }

  private long broadcast(Engine engine, Exchange exchange, long nowNanos) {
    List<InetAddressAndPort> others = others(engine, exchange.peers(), nowNanos);
    if (others.isEmpty()) {
      return 0;
    }
    List<InetAddressAndPort> named = named(engine, exchange, nowNanos);
    int[] ids = ids(engine, named);
    byte[] body = exchange.message(new NamedNodes(engine.state(), ids), ids.length, nowNanos);
    if (body.length == 0) {
      return 0;
    }
    byte[] message = AddressTable.put(named, body);
    long bytes = 0;
    for (InetAddressAndPort other : others) {
      if (messages.send(other, MessageKind.EXCHANGE, message)) {
        engine.counters().count(Counter.EXCHANGES_SENT);
        bytes += message.length;
      }
    }
    return bytes;
  }

  /** Some coordinators with Manx, drawn uniformly. */
  private List<InetAddressAndPort> others(Engine engine, int most, long nowNanos) {
    List<InetAddressAndPort> others = new ArrayList<>();
    for (Map.Entry<InetAddressAndPort, Integer> node : engine.nodes().all().entrySet()) {
      if (node.getValue() != engine.self()
          && engine.signs().acts(node.getValue(), nowNanos)
          && messages.isLive(node.getKey())) {
        others.add(node.getKey());
      }
    }
    Collections.shuffle(others, ThreadLocalRandom.current());
    return others.subList(0, Math.min(most, others.size()));
  }

  /** The next nodes with facts young enough to send. */
  private List<InetAddressAndPort> named(Engine engine, Exchange exchange, long nowNanos) {
    List<InetAddressAndPort> fresh = new ArrayList<>();
    for (Map.Entry<InetAddressAndPort, Integer> node : engine.nodes().all().entrySet()) {
      if (isFresh(engine, node.getValue(), exchange.intervalNanos(), nowNanos)) {
        fresh.add(node.getKey());
      }
    }
    if (fresh.size() <= MOST_NODES) {
      return fresh;
    }
    Collections.rotate(fresh, -(next % fresh.size()));
    next = (next + MOST_NODES) % fresh.size();
    return fresh.subList(0, MOST_NODES);
  }

  private static boolean isFresh(Engine engine, int node, long within, long nowNanos) {
    for (Fact fact : engine.strategy().facts().wired()) {
      FactColumn first = fact.columns().get(0);
      if (engine.state().ageNanos(first, node, nowNanos) < within) {
        return true;
      }
    }
    return false;
  }

  private static int[] ids(Engine engine, List<InetAddressAndPort> nodes) {
    return nodes.stream().mapToInt(engine.nodes()::find).toArray();
  }

  private boolean take(Engine engine, InetAddressAndPort from, int node, byte[] bytes) {
    Exchange exchange = engine.strategy().exchange();
    if (exchange == null) {
      return false;
    }
    Varints.Reader reader = new Varints.Reader(bytes);
    List<InetAddressAndPort> named = AddressTable.take(reader);
    if (named == null) {
      return false;
    }
    int[] ids = ids(engine, named);
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] == engine.self()) {
        // This node has the best knowledge of itself.
        ids[i] = Nodes.NONE;
      }
    }
    NamedNodes view = new NamedNodes(engine.state(), ids);
    byte[] body = Arrays.copyOfRange(bytes, reader.at(), bytes.length);
    if (!exchange.take(body, view, view, engine.clock().nanoTime())) {
      return false;
    }
    engine.counters().count(Counter.EXCHANGES_RECEIVED);
    return true;
  }
}
