/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.message;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.control.Mode;
import dev.manx.policy.NanoClock;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.locator.InetAddressAndPort;

/** Nodes with Manx on one clock, whose messages arrive when {@link #deliver} is called. */
public final class TestNodes {
  /** One of these nodes. */
  public static final class Node {
    /** Its address. */
    public final InetAddressAndPort address;

    /** Its messages. */
    public final NodeMessages messages;

    /** Its engine; null while Manx is off there. */
    public Engine engine;

    final FakeConnections post;

    private Node(InetAddressAndPort address) {
      this.address = address;
      post = new FakeConnections(address);
      messages = new NodeMessages(() -> engine, post);
    }

    /** The id of another node here. */
    public int id(Node other) {
      return engine.nodes().id(other.address);
    }

    /** Drops the sent messages that are not delivered yet. */
    public void lose() {
      post.sent.clear();
    }

    /** Whether gossip at this node considers another one alive. */
    public void sees(Node other, boolean alive) {
      if (alive) {
        post.live.add(other.address);
      } else {
        post.live.remove(other.address);
      }
    }
  }

  /** The nodes, in the order of their addresses. */
  public final List<Node> all = new ArrayList<>();

  private final NanoClock clock;

  /** An address that no node of a test has. */
  public static InetAddressAndPort address(int last) {
    return FakeConnections.node(last);
  }

  /** Creates it without nodes. */
  public TestNodes(NanoClock clock) {
    this.clock = clock;
  }

  /** Adds a node that all others know to have Manx, unless it is the only one. */
  public Node add(String strategy, Mode mode) {
    Node added = new Node(FakeConnections.node(all.size() + 1));
    on(added, strategy, mode);
    all.add(added);
    for (Node node : all) {
      node.sees(added, true);
      added.sees(node, true);
      meet(node, added);
      meet(added, node);
    }
    return added;
  }

  /** Switches Manx on at a node without any state. */
  public void on(Node node, String strategy, Mode mode) {
    node.engine = TestEngines.of(strategy, clock, mode, self -> node.engine);
    // Its own id is the engine's self.
    node.engine.nodes().id(node.address);
    all.stream().filter(other -> other != node).forEach(other -> meet(node, other));
  }

  /** Tells a node that another one acts. */
  public void meet(Node node, Node other) {
    if (node.engine != null) {
      node.engine.signs().heard(node.id(other), true, clock.nanoTime());
    }
  }

  /** Delivers all messages, including those sent in response; returns their number. */
  public int deliver() {
    int delivered = 0;
    boolean more = true;
    while (more) {
      more = false;
      for (Node node : all) {
        while (!node.post.sent.isEmpty()) {
          FakeConnections.Sent sent = node.post.sent.remove(0);
          more = true;
          delivered++;
          all.stream()
              .filter(to -> to.address.equals(sent.to()) && to.engine != null)
              .forEach(to -> to.messages.take(to.engine, sent.message()));
        }
      }
    }
    return delivered;
  }
}
