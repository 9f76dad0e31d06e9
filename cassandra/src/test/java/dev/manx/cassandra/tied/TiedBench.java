/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.copy.FakeCallbacks;
import dev.manx.cassandra.copy.Flight;
import dev.manx.cassandra.wire.OutboundFilter;
import dev.manx.policy.Request;
import dev.manx.policy.facts.Tag;
import dev.manx.policy.facts.Ticket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.db.ReadResponse;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.Verb;

/**
 * A coordinator, the first replica of its reads and the second one, without nodes and on a
 * simulated clock. Notices arrive at once unless they are held back.
 */
final class TiedBench {
  static final long MILLI = 1_000_000;
  static final int HOME = 0;
  static final int FIRST = 1;
  static final int PEER = 2;
  static final int COST = 3;
  static final long KEY_HASH = 77;
  private static final long LIFETIME = 5_000 * MILLI;

  final AtomicLong now = new AtomicLong();
  final AtomicBoolean off = new AtomicBoolean();
  final FakeCallbacks callbacks = new FakeCallbacks();
  final FakeCallbacks ofFirst = new FakeCallbacks();
  final AtomicBoolean loseNotices = new AtomicBoolean();
  final AtomicBoolean peerOwns = new AtomicBoolean(true);
  final AtomicBoolean peerAborts = new AtomicBoolean();
  final AtomicInteger startedNotices = new AtomicInteger();
  final AtomicInteger recalls = new AtomicInteger();
  // The reads that the peer has served, as they were sent to it.
  final List<Message<?>> read = Collections.synchronizedList(new ArrayList<>());
  // The empty answers of the reads that it has aborted.
  final List<Message<?>> aborted = Collections.synchronizedList(new ArrayList<>());
  final Engine coordinator;
  final Engine first;
  final Engine peer;
  private final Ties ties;
  private final Ties ofPeer;
  private final FakeCallbacks callbacksOfPeer = new FakeCallbacks();
  private final List<InetAddressAndPort> endpoints = new ArrayList<>();
  private final AtomicLong tickets = new AtomicLong();

  /** A read under way; without a tie if it was not offered. */
  record Sent(Flight flight, Message<?> message, byte[] tie) {}

  TiedBench(String planner, Mode mode) {
    this(
        "fanout.tied",
        ", sender: replica, rank: brb-equalmax, longest-first: true"
            + (planner.contains("stagger:") ? "" : ", stagger: 1ms")
            + planner,
        mode);
  }

  TiedBench(String policy, String settings, Mode mode) {
    TestSchema.load();
    String strategy = "strategy: { fanout: { policy: " + policy + settings + " } }";
    for (int i = 1; i <= 3; i++) {
      try {
        endpoints.add(InetAddressAndPort.getByName("127.0.0." + (i + 1)));
      } catch (UnknownHostException e) {
        throw new IllegalStateException(e);
      }
    }
    coordinator = TestEngines.of(strategy, now::get, mode, self -> off.get() ? null : self);
    first = TestEngines.of(strategy, now::get, mode, self -> self);
    ofPeer = new Ties(this::peer, now::get, this::served, message -> peerOwns.get());
    peer = TestEngines.with(TestEngines.of(strategy, now::get, mode, self -> self), "ties", ofPeer);
    ties = coordinator.ties();
    for (Engine engine : List.of(coordinator, first, peer)) {
      for (InetAddressAndPort endpoint : endpoints) {
        int node = engine.nodes().id(endpoint);
        engine.signs().heard(node, true, 0);
      }
    }
    ties.use(coordinator, callbacks, new ToOthers());
    first.ties().use(first, ofFirst, new ToOthers());
    ofPeer.use(peer, callbacksOfPeer, new ToOthers());
  }

  private Engine peer() {
    return peer;
  }

  /** The peer serves a read and answers its sender. */
  private void served(Message<?> asked) {
    read.add(asked);
    if (!peerAborts.get()) {
      return;
    }
    Message<?> answer =
        Message.<Object>builder(Verb.READ_RSP, NoPayload.noPayload)
            .from(endpoints.get(PEER))
            .withId(asked.id())
            .withParam(ParamType.TOMBSTONE_FAIL, 7)
            .build();
    if (new OutboundFilter(() -> peer).test(answer, asked.from())) {
      aborted.add(answer);
    }
  }

  /** The failure that the peer sent last, as its receiver gets it. */
  Message<?> failureOfPeer() {
    Message<?> sent = callbacksOfPeer.sent.get(callbacksOfPeer.sent.size() - 1);
    assertThat(sent.verb()).isEqualTo(Verb.FAILURE_RSP);
    assertThat(sent.payload).isEqualTo(RequestFailureReason.READ_TOO_MANY_TOMBSTONES);
    return answer(PEER, Verb.FAILURE_RSP, sent.id());
  }

  /** The node that it was sent to. */
  InetAddressAndPort receiverOfFailure() {
    return callbacksOfPeer.targets.get(callbacksOfPeer.targets.size() - 1);
  }

  /** Nodes with a size oracle that counts every answer as large. */
  static TiedBench withSizes() {
    return new TiedBench(
        ", stagger: 1ms }, oracles: { size: { policy: oracle.size-bloom, large-above: 1B }",
        Mode.ON);
  }

  private final class ToOthers implements Notices {
    @Override
    public void started(Engine engine, InetAddressAndPort to, long copyId) {
      startedNotices.incrementAndGet();
      if (!loseNotices.get()) {
        hearStarted(copyId);
      }
    }

    @Override
    public void recalled(Engine engine, InetAddressAndPort to, long copyId) {
      recalls.incrementAndGet();
      if (!loseNotices.get()) {
        hearRecalled(copyId);
      }
    }
  }

  /** The first replica, possibly the coordinator, is notified that a copy has started. */
  void hearStarted(long copyId) {
    first.ties().started(endpoints.get(PEER), TieForm.id(copyId));
    ties.started(endpoints.get(PEER), TieForm.id(copyId));
  }

  /** The peer is notified that a read has started at its first replica. */
  void hearRecalled(long copyId) {
    ofPeer.recalled(endpoints.get(FIRST), TieForm.id(copyId));
    ofPeer.recalled(self(), TieForm.id(copyId));
  }

  private static InetAddressAndPort self() {
    return org.apache.cassandra.utils.FBUtilities.getBroadcastAddressAndPort();
  }

  InetAddressAndPort endpoint(int node) {
    return endpoints.get(node);
  }

  EndpointsForToken candidates() {
    LongToken token = new LongToken(7);
    Range<Token> ring =
        new Range<>(
            Murmur3Partitioner.instance.getMinimumToken(),
            Murmur3Partitioner.instance.getMinimumToken());
    return EndpointsForToken.of(
        token,
        Replica.fullReplica(endpoints.get(HOME), ring),
        Replica.fullReplica(endpoints.get(FIRST), ring),
        Replica.fullReplica(endpoints.get(PEER), ring));
  }

  private Request planned(int node) {
    Request request = new Request();
    request.begin(now.get(), new SplittableRandom(1), 16);
    request.addRead(null, KEY_HASH, 1);
    request.addReplica(node, 0);
    request.addReplica(PEER, 0);
    coordinator.strategy().plan(request, coordinator.state());
    return request;
  }

  /** Sends a read to the first replica. */
  Sent send() {
    Request request = planned(FIRST);
    Flight flight = coordinator.copier().begin(coordinator, request);
    Message<?> message =
        Message.builder(
                Verb.READ_REQ, (Object) TestSchema.command("SELECT * FROM ks.plain WHERE k = 1"))
            .from(endpoints.get(HOME))
            .build();
    callbacks.open(message.id(), candidates());
    byte[] tie = ties.offers().offer(flight, request, 0, message, endpoints.get(FIRST), FIRST);
    coordinator.sent(message.id(), FIRST, MILLI, KEY_HASH, LIFETIME);
    return new Sent(flight, message, tie);
  }

  /** A sent read begins to wait at its first replica. */
  TiedRead queuedAtFirst(Sent sent) {
    Map<String, byte[]> map = Map.of(first.acting() ? "manx.tie" : "manx.shadow.tie", sent.tie());
    Message<?> message = sent.message().withParam(ParamType.CUSTOM_MAP, map);
    Tag tag = new Tag();
    tag.priority = 5 * MILLI;
    tag.costNanos = COST * MILLI;
    tag.requestId = 9;
    first.load().enqueued(COST * MILLI);
    TiedRead read = first.ties().came(first, message, tag, COST * MILLI);
    if (read != null) {
      read.queued();
    }
    return read;
  }

  /** A read begins to wait for a thread of its coordinator. */
  TiedRead queuedAtHome(long ticket) {
    TiedRead read = offeredAtHome(ticket);
    read.queued();
    return read;
  }

  /** A read is to wait for a thread of its coordinator; null if no copy may relieve it. */
  TiedRead offeredAtHome(long ticket) {
    callbacks.ofHome = candidates();
    Request request = planned(HOME);
    Flight flight = coordinator.copier().begin(coordinator, request);
    coordinator.load().enqueued(request.costNanos(0));
    TiedRead read =
        ties.offers()
            .atHome(
                flight,
                request,
                0,
                TestSchema.command("SELECT * FROM ks.plain WHERE k = 1"),
                null,
                ticket,
                () -> {});
    coordinator.sent(ticket, HOME, MILLI, KEY_HASH, LIFETIME);
    return read;
  }

  long nextTicket() {
    return tickets.decrementAndGet();
  }

  /** A copy begins to wait at its peer. */
  TiedRead queuedAtPeer(Message<?> copy) {
    peer.load().enqueued(COST * MILLI);
    TiedRead read = ofPeer.came(peer, copy, null, COST * MILLI);
    read.queued();
    return read;
  }

  /** A copy's turn comes at its peer; returns whether it was read. */
  boolean serveAtPeer(Message<?> copy) {
    int before = read.size();
    ofPeer.serve(peer, copy);
    return read.size() > before;
  }

  /** The peer's answer with a result. */
  boolean resultOfPeer(long id) {
    ReadResponse result =
        TestSchema.command("SELECT * FROM ks.plain WHERE k = 1").createEmptyResponse();
    return ties.take(
        Message.builder(Verb.READ_RSP, (Object) result)
            .from(endpoints.get(PEER))
            .withId(id)
            .build());
  }

  /** The peer's answer to the read sent to it. */
  boolean answerOfPeer(long id) {
    return ties.take(answer(PEER, Verb.READ_RSP, id));
  }

  Message<?> answer(int node, Verb verb, long id) {
    // Without a node its own time-out is unknown.
    Object payload = verb == Verb.FAILURE_RSP ? RequestFailureReason.UNKNOWN : NoPayload.noPayload;
    return Message.builder(Verb.READ_RSP, payload)
        .from(endpoints.get(node))
        .withId(id)
        .ofVerb(verb)
        .build();
  }

  /** The first replica's answer: Manx's filter sees it first, then Cassandra's handler. */
  boolean answerOfFirst(Sent sent) {
    coordinator.closed(sent.message().id(), FIRST, Outcome.ANSWERED, new Ticket());
    return callbacks.endOfFirst(sent.message().id());
  }

  /** Advances the clock, and the timers do the work that is due. */
  void pass(long nanos) {
    // The wheel holds as many milliseconds as it has slots; the clock advances by one of them.
    long end = now.get() + nanos;
    while (now.get() < end) {
      now.set(Math.min(end, now.get() + MILLI));
      first.ties().passedOn().advance(now.get());
      ties.passedOn().advance(now.get());
    }
  }

  static long count(Engine engine, Counter counter) {
    return engine.counters().get(counter);
  }

  Ties ties() {
    return ties;
  }

  Ties ofPeer() {
    return ofPeer;
  }
}
