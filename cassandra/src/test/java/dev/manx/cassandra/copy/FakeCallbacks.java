/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.service.reads.ReadCallback;

/** Slots without a node: the first call that takes a slot fills it. */
public final class FakeCallbacks implements Callbacks {
  public final List<Message<?>> sent = Collections.synchronizedList(new ArrayList<>());
  public final List<InetAddressAndPort> targets = Collections.synchronizedList(new ArrayList<>());
  public final List<Long> tookNanos = Collections.synchronizedList(new ArrayList<>());
  public final AtomicInteger filledByFirst = new AtomicInteger();
  public final AtomicInteger filledBySecond = new AtomicInteger();
  public final AtomicInteger answeredAtHome = new AtomicInteger();
  public final AtomicInteger servedAtHome = new AtomicInteger();
  public final List<Message<?>> served = Collections.synchronizedList(new ArrayList<>());
  public EndpointsForToken ofHome;
  public final Set<InetAddressAndPort> dead = ConcurrentHashMap.newKeySet();
  public volatile Runnable onAlive = () -> {};
  public volatile Runnable onCandidates = () -> {};
  private final Set<Long> twice = ConcurrentHashMap.newKeySet();
  private final ConcurrentHashMap<Long, EndpointsForToken> slots = new ConcurrentHashMap<>();

  /** Cassandra registers a callback. */
  public void open(long messageId, EndpointsForToken candidates) {
    slots.put(messageId, candidates);
  }

  /** Stock sends the read to a second replica. */
  void sentTwice(long messageId) {
    twice.add(messageId);
  }

  /** Cassandra itself removes the callback, for an answer, a failure or a time-out. */
  public boolean endOfFirst(long messageId) {
    boolean first = slots.remove(messageId) != null;
    filledByFirst.addAndGet(first ? 1 : 0);
    return first;
  }

  public int open() {
    return slots.size();
  }

  @Override
  public EndpointsForToken candidates(long messageId, InetAddressAndPort to) {
    onCandidates.run();
    return twice.contains(messageId) ? null : slots.get(messageId);
  }

  @Override
  public boolean awaits(long messageId, InetAddressAndPort to) {
    return slots.containsKey(messageId);
  }

  @Override
  public boolean isAlive(InetAddressAndPort node) {
    onAlive.run();
    return !dead.contains(node);
  }

  @Override
  public boolean fill(long messageId, InetAddressAndPort to, Message<?> answer, Runnable filled) {
    if (slots.remove(messageId) == null) {
      return false;
    }
    filled.run();
    filledBySecond.incrementAndGet();
    return true;
  }

  @Override
  public EndpointsForToken candidates(ReadCallback<?, ?> handler) {
    return ofHome;
  }

  @Override
  public void answer(ReadCallback<?, ?> handler, Message<?> answer) {
    answeredAtHome.incrementAndGet();
  }

  @Override
  public void serve(Message<?> read) {
    served.add(read);
  }

  @Override
  public void serve(Runnable read) {
    servedAtHome.incrementAndGet();
  }

  @Override
  public void took(InetAddressAndPort node, long nanos) {
    // As the dynamic snitch does.
    Objects.requireNonNull(node);
    tookNanos.add(nanos);
  }

  @Override
  public void send(Message<?> message, InetAddressAndPort to) {
    sent.add(message);
    targets.add(to);
  }
}
