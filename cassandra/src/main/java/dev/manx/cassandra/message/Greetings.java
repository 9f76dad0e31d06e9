/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.message;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.nodes.Nodes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Finds nodes with Manx that exchange no reads with this one: tags and facts travel with reads, and
 * two coordinators may never read from each other. Once a second a node greets a few of the nodes
 * that are alive and have shown no sign for half a minute; a node with Manx answers, a node without
 * Manx ignores the greeting. At most {@value #MOST} messages a second, or as many as greet all
 * nodes in {@value #TURN_SECONDS} seconds. One thread calls {@link #greet}.
 */
public final class Greetings {
  /** Most nodes greeted at one time, in a cluster in which all have their turn soon. */
  static final int MOST = 8;

  /**
   * All nodes have their turn within this time: it and {@link #SILENT_NANOS} together are less than
   * the time after which {@link dev.manx.cassandra.wire.Signs} forgets a node.
   */
  static final int TURN_SECONDS = 20;

  /** A peer is greeted again before {@link dev.manx.cassandra.wire.Signs} forgets it. */
  static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final byte[] PLEASE_ANSWER = {1};
  private static final byte[] ANSWER = {0};

  private final NodeMessages messages;
  private InetAddressAndPort last;

  /** Starts answering the greetings of others. */
  public Greetings(NodeMessages messages) {
    this.messages = messages;
    messages.handle(MessageKind.HELLO, this::take);
  }

  NodeMessages messages() {
    return messages;
  }

  private boolean take(Engine engine, InetAddressAndPort from, int node, byte[] bytes) {
    if (bytes.length != 1) {
      return false;
    }
    if (bytes[0] == PLEASE_ANSWER[0]) {
      messages.send(from, MessageKind.HELLO, ANSWER);
    }
    return true;
  }

  /** Greets the next few nodes without a recent sign. */
  public void greet(Engine engine) {
    List<InetAddressAndPort> live = new ArrayList<>(messages.connections().live());
    Collections.sort(live);
    // In turn, after the node greeted last, even if that node has left.
    int from = last == null ? 0 : Collections.binarySearch(live, last);
    from = from < 0 ? -from - 1 : last == null ? 0 : from + 1;
    int most = Math.max(MOST, (live.size() + TURN_SECONDS - 1) / TURN_SECONDS);
    int greeted = 0;
    for (int i = 0; i < live.size() && greeted < most; i++) {
      InetAddressAndPort next = live.get((from + i) % live.size());
      if (isSilent(engine, next) && messages.send(next, MessageKind.HELLO, PLEASE_ANSWER)) {
        last = next;
        greeted++;
      }
    }
  }

  private boolean isSilent(Engine engine, InetAddressAndPort node) {
    if (node.equals(messages.connections().self())) {
      return false;
    }
    int id = engine.nodes().find(node);
    return id == Nodes.NONE
        || !engine.signs().heardWithin(id, SILENT_NANOS, engine.clock().nanoTime());
  }
}
