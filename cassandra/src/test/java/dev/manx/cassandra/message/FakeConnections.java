/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.message;

import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;

/** Connections that store sent messages. One thread. */
final class FakeConnections implements NodeConnections {
  /** A message and its receiver. */
  record Sent(Message<?> message, InetAddressAndPort to) {}

  final List<Sent> sent = new ArrayList<>();
  final Set<InetAddressAndPort> live = new TreeSet<>();
  private final InetAddressAndPort self;

  FakeConnections(InetAddressAndPort self) {
    this.self = self;
    live.add(self);
  }

  static InetAddressAndPort node(int last) {
    return node(0, last);
  }

  static InetAddressAndPort node(int third, int last) {
    try {
      return InetAddressAndPort.getByName("127.0." + third + "." + last);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public InetAddressAndPort self() {
    return self;
  }

  @Override
  public Collection<InetAddressAndPort> live() {
    return live;
  }

  @Override
  public boolean isLive(InetAddressAndPort node) {
    return live.contains(node);
  }

  @Override
  public void send(Message<?> message, InetAddressAndPort to) {
    sent.add(new Sent(message, to));
  }
}
