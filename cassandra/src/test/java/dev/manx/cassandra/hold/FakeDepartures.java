/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.RequestCallback;

/** Callbacks without a node. */
final class FakeDepartures implements Departures {
  final List<Long> sent = Collections.synchronizedList(new ArrayList<>());
  final List<InetAddressAndPort> failed = Collections.synchronizedList(new ArrayList<>());
  final Map<Long, RequestCallback<?>> open = new ConcurrentHashMap<>();
  final Set<Long> answered = ConcurrentHashMap.newKeySet();
  volatile RuntimeException failure;

  private final class Callback implements RequestCallback<Object> {
    private final long messageId;

    Callback(long messageId) {
      this.messageId = messageId;
    }

    @Override
    public void onResponse(Message<Object> message) {}

    @Override
    public void onFailure(InetAddressAndPort from, RequestFailureReason reason) {
      failed.add(from);
    }
  }

  /** Cassandra registers the callback of a read. */
  void open(long messageId) {
    open.put(messageId, new Callback(messageId));
  }

  @Override
  public RequestCallback<?> take(long messageId, InetAddressAndPort to) {
    return open.remove(messageId);
  }

  @Override
  public int answers(long messageId, InetAddressAndPort to) {
    return open.containsKey(messageId) ? answered.contains(messageId) ? 1 : 0 : -1;
  }

  @Override
  public int answers(Runnable read) {
    return 0;
  }

  @Override
  public boolean isAnswered(RequestCallback<?> callback) {
    return answered.contains(((Callback) callback).messageId);
  }

  @Override
  public boolean isAnswered(Runnable read) {
    return false;
  }

  @Override
  public void send(Message<?> message, InetAddressAndPort to, RequestCallback<?> callback) {
    open.put(message.id(), callback);
    if (failure != null) {
      throw failure;
    }
    sent.add(message.id());
  }

  @Override
  public Runnable later(Runnable read) {
    return read;
  }

  @Override
  public long expiresAtNanos(Runnable read) {
    return Long.MAX_VALUE;
  }
}
