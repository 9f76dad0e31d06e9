/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.policy.Request;
import dev.manx.policy.facts.Ticket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaPlan;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.service.reads.ReadCallback;

/**
 * A coordinator that sends hedged reads to nodes 1 and 2, without a node and on a simulated clock.
 */
final class CopyBench {
  static final long MILLI = 1_000_000;
  static final int HOME = 0;
  static final int FIRST = 1;
  static final int SECOND = 2;
  private static final long LIFETIME = 5_000 * MILLI;

  final AtomicLong now = new AtomicLong();
  final AtomicBoolean off = new AtomicBoolean();
  final FakeCallbacks callbacks = new FakeCallbacks();
  final Engine engine;
  private final AtomicLong tickets = new AtomicLong();
  private final List<InetAddressAndPort> endpoints = new ArrayList<>();

  /** A read under way. */
  record Sent(Flight flight, Message<?> message) {}

  CopyBench(String planner, Mode mode) {
    this("fanout.hedged", planner, mode);
  }

  CopyBench(String policy, String settings, Mode mode) {
    TestSchema.load();
    engine =
        TestEngines.of(
            "strategy: { fanout: { policy: " + policy + settings + " } }",
            now::get,
            mode,
            self -> off.get() ? null : self);
    engine.copier().callbacks(callbacks);
    for (int i = 1; i <= 3; i++) {
      try {
        endpoints.add(InetAddressAndPort.getByName("127.0.0." + i));
      } catch (UnknownHostException e) {
        throw new IllegalStateException(e);
      }
      engine.nodes().id(endpoints.get(i - 1));
    }
  }

  /** The candidates of a read, in Cassandra's order: all nodes. */
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
        Replica.fullReplica(endpoints.get(SECOND), ring));
  }

  /** Plans a request of a number of reads of one replica each, optionally in two datacenters. */
  Request planned(int reads, int contacts, boolean apart) {
    return planned(reads, contacts, apart, FIRST);
  }

  private Request planned(int reads, int contacts, boolean apart, int first) {
    Request request = new Request();
    request.begin(now.get(), new SplittableRandom(1), 16);
    for (int read = 0; read < reads; read++) {
      request.addRead(null, read, contacts);
      request.addReplica(first, 0);
      request.addReplica(SECOND, apart ? 1 : 0);
    }
    engine.strategy().plan(request, engine.state());
    return request;
  }

  /** Sends a read of a flight to node 1. */
  Sent send(Flight flight, Request request, int read) {
    Message<?> message =
        Message.builder(
                Verb.READ_REQ, (Object) TestSchema.command("SELECT * FROM ks.plain WHERE k = 1"))
            .from(endpoints.get(0))
            .build();
    callbacks.open(message.id(), candidates());
    SentRead sent = sending(flight, request, read, message);
    if (!engine.sent(message.id(), FIRST, MILLI, read, LIFETIME) && sent != null) {
      engine.copier().ends().unknown(sent);
    }
    return new Sent(flight, message);
  }

  private SentRead sending(Flight flight, Request request, int read, Message<?> message) {
    InetAddressAndPort to = endpoints.get(FIRST);
    if (flight.isTied()) {
      byte[] tie = engine.ties().offers().offer(flight, request, read, message, to, FIRST);
      assertThat(tie).as("offered").isNotNull();
      return engine.copier().offered(flight, request, read, message, to, FIRST);
    }
    return engine.copier().sent(flight, request, read, message, to, FIRST);
  }

  /** The other nodes show that they have Manx in the same mode. */
  void hearOthers() {
    for (InetAddressAndPort endpoint : endpoints) {
      engine.signs().heard(engine.nodes().id(endpoint), true, now.get());
    }
  }

  /** Node 2 answers a read that node 1 has passed on; false if Cassandra's handler would get it. */
  boolean answerOfPassedOn(Sent read) {
    return engine
        .ties()
        .take(
            Message.<Object>builder(Verb.READ_RSP, NoPayload.noPayload)
                .from(endpoints.get(SECOND))
                .withId(read.message().id())
                .build());
  }

  /** A request of one read, sent to node 1. */
  Sent single() {
    Request request = planned(1, 1, false);
    return send(engine.copier().begin(engine, request), request, 0);
  }

  /** A request of one read that waits for a thread of the coordinator. */
  SentRead atHome() {
    callbacks.ofHome = candidates();
    Request request = planned(1, 1, false, HOME);
    ReadCommand command = TestSchema.command("SELECT * FROM ks.plain WHERE k = 1");
    Flight flight = engine.copier().begin(engine, request);
    long ticket = tickets.decrementAndGet();
    SentRead read = engine.copier().atHome(flight, request, 0, command, waiting(command), ticket);
    engine.sent(ticket, HOME, MILLI, 0, LIFETIME);
    return read;
  }

  /** No thread of the coordinator takes a read at home in time. */
  void expireAtHome(SentRead read) {
    engine.closed(read.messageId, HOME, Outcome.TIMED_OUT, new Ticket());
  }

  /** The callback that waits for a read at ONE. */
  ReadCallback<?, ?> waiting(ReadCommand command) {
    EndpointsForToken all = candidates();
    return new ReadCallback<>(
        null,
        command,
        ReplicaPlan.shared(
            new ReplicaPlan.ForTokenRead(null, null, ConsistencyLevel.ONE, all, all)),
        null);
  }

  /** Records that a read at home has run, or was skipped. */
  void endAtHome(SentRead read, boolean ran) {
    engine.closed(read.messageId, HOME, ran ? Outcome.ANSWERED : Outcome.CANCELLED, new Ticket());
  }

  /** Advances the clock, and the timer does the work that is due. */
  void pass(long nanos) {
    // The wheel holds as many milliseconds as it has slots; the clock advances by one of them.
    long end = now.get() + nanos;
    while (now.get() < end) {
      now.set(Math.min(end, now.get() + MILLI));
      engine.copier().advance(now.get());
    }
  }

  /** The first copy's answer: Manx's filter sees it first, then Cassandra's handler. */
  boolean answerOfFirst(Sent read) {
    engine.closed(read.message().id(), FIRST, Outcome.ANSWERED, new Ticket());
    return callbacks.endOfFirst(read.message().id());
  }

  /** The second copy's replica aborts the read, and reports that in an empty answer. */
  void abortOfSecond(Message<?> copy) {
    Message<?> message =
        Message.<Object>builder(Verb.READ_RSP, NoPayload.noPayload)
            .from(endpoints.get(SECOND))
            .withId(copy.id())
            .withParam(ParamType.TOMBSTONE_FAIL, 7)
            .build();
    SentRead taken = engine.copier().ends().take(message);
    engine.closed(copy.id(), SECOND, Outcome.ANSWERED, new Ticket());
    engine.copier().ends().answered(engine, taken, message);
  }

  /** A second copy's answer, or its failure; false if Cassandra's handler would get it. */
  boolean answerOfSecond(Message<?> copy, boolean fails) {
    Message.Builder<Object> answer =
        Message.<Object>builder(
                Verb.READ_RSP, fails ? RequestFailureReason.UNKNOWN : NoPayload.noPayload)
            .from(endpoints.get(SECOND))
            .withId(copy.id());
    // Without a node its own time-out is unknown.
    Message<?> message = fails ? answer.ofVerb(Verb.FAILURE_RSP).build() : answer.build();
    SentRead taken = engine.copier().ends().take(message);
    if (taken == null) {
      return false;
    }
    engine.closed(copy.id(), SECOND, fails ? Outcome.FAILED : Outcome.ANSWERED, new Ticket());
    engine.copier().ends().answered(engine, taken, message);
    return true;
  }

  /** All outstanding reads time out. */
  void expire() {
    engine
        .state()
        .tickets()
        .expire(Long.MAX_VALUE, t -> engine.ended(t.node, t, Outcome.TIMED_OUT));
  }

  long count(Counter counter) {
    return engine.counters().get(counter);
  }

  /** Whether every sent copy has exactly one end. */
  boolean addsUp() {
    return count(Counter.COPIES_SENT)
        == count(Counter.COPIES_WON)
            + count(Counter.COPIES_WASTED)
            + count(Counter.COPIES_FAILED)
            + count(Counter.COPIES_LOST);
  }

  /** Checks that every copy has exactly one end, and that no state is left. */
  void assertNothingLeft() {
    assertThat(addsUp()).as("every copy has exactly one end").isTrue();
    assertThat(engine.state().tickets().size()).as("outstanding").isZero();
    assertThat(engine.copier().underWay()).isZero();
    assertThat(callbacks.open()).as("slots").isZero();
  }
}
