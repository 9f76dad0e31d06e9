/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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
  volatile RuntimeException failure;

  /** Cassandra registers the callback of a read. */
  void open(long messageId) {
    open.put(
        messageId,
        new RequestCallback<>() {
          @Override
          public void onResponse(Message<Object> message) {}

          @Override
          public void onFailure(InetAddressAndPort from, RequestFailureReason reason) {
            failed.add(from);
          }
        });
  }

  @Override
  public RequestCallback<?> take(long messageId, InetAddressAndPort to) {
    return open.remove(messageId);
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
