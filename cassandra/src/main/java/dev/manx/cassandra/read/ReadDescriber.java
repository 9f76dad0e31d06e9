/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.coordinate.ThreadPlan;
import dev.manx.cassandra.copy.Flight;
import dev.manx.cassandra.copy.SentRead;
import dev.manx.cassandra.nodes.KeyHash;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.cassandra.nodes.SliceKind;
import dev.manx.cassandra.wire.CustomMap;
import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.facts.Tag;
import dev.manx.policy.facts.TagCodec;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.reads.ReadCallback;

/**
 * Gives a runnable of the READ stage its rank: from the tag that came with it, from the plan of the
 * calling thread if it is a local read of a planned request, else from this node's own forecast.
 * Where reads come with tags, one without has no rank, for a coordinator without Manx sends the
 * reads of wide requests too; nor have range and index reads. Reads of single partitions of
 * Cassandra's own tables rank as one small read: logins wait for them.
 */
final class ReadDescriber {
  private static final int NOT_PLANNED = -1;
  private static final ThreadLocal<Tag> TAG = ThreadLocal.withInitial(Tag::new);

  private final ReadRunnables runnables;
  private final TagsSeen tags = new TagsSeen();
  private final LearnedCosts otherCosts = new LearnedCosts();
  private final LearnedCost unknown = new LearnedCost();
  private final AtomicLong localTickets = new AtomicLong();

  ReadDescriber(ReadRunnables runnables) {
    this.runnables = runnables;
  }

  /**
   * Whether a read that need not wait is followed all the same: a local one of the calling thread's
   * plan, if anything is to be learnt from it that a sample does not tell.
   */
  boolean isFollowed(Engine engine, Runnable task) {
    if (!runnables.isLocal(task)) {
      return false;
    }
    ThreadPlan plan = ThreadPlan.current();
    return plan.isOpen()
        && (!plan.isActing()
            || plan.times() != null && plan.times().isKnown()
            || engine.strategy().traits().followsReadsAtHome());
  }

  void sweep(Predicate<TableId> exists) {
    otherCosts.sweep(exists);
  }

  int tablesWithCosts() {
    return otherCosts.size();
  }

  /**
   * Describes a read.
   *
   * @param waits whether it has to wait for a thread
   */
  QueuedRead describe(Engine engine, Runnable task, Runnable runnable, boolean waits)
      throws Throwable {
    QueuedRead read = new QueuedRead(engine, task, runnable);
    ReadCommand command = runnables.command(task);
    Message.Header header = runnables.header(task);
    if (!(command instanceof SinglePartitionReadCommand)) {
      other(engine, read, command);
      return read;
    }
    SinglePartitionReadCommand single = (SinglePartitionReadCommand) command;
    if (SchemaConstants.isSystemKeyspace(command.metadata().keyspace)) {
      asSmall(engine, read);
      return read;
    }
    Token token = single.partitionKey().getToken();
    ByteBuffer key = single.partitionKey().getKey();
    long hash = KeyHash.of(command.metadata(), token, key, SliceKind.of(single));
    read.key(hash);
    int planned = header == null ? planned(token) : NOT_PLANNED;
    if (planned == NOT_PLANNED) {
      forecast(engine, read, key, hash);
    }
    boolean ranked =
        header == null
            ? local(engine, read, task, single, planned, waits)
            : tagged(engine, read, header);
    if (waits && header != null) {
      tied(engine, read, task, ranked);
    }
    if (ranked) {
      tags.saw(engine.strategy());
    } else if (tags.any(engine.strategy())) {
      inTurn(engine, read, header);
    }
    return read;
  }

  private void tied(Engine engine, QueuedRead read, Runnable task, boolean ranked)
      throws Throwable {
    Message<?> message = runnables.message(task);
    if (message != null) {
      read.tied(engine.ties().came(engine, message, ranked ? TAG.get() : null, read.costNanos));
    }
  }

  /** A coordinator with Manx left this request to stock; only one without knows no better. */
  private static void inTurn(Engine engine, QueuedRead read, Message.Header header) {
    int coordinator = header == null ? engine.self() : engine.nodes().find(header.from);
    boolean manx =
        header == null
            || coordinator != Nodes.NONE && engine.signs().acts(coordinator, read.arrivalNanos);
    if (manx || !engine.acting()) {
      read.waitsInTurn();
    } else {
      read.waitsInRound();
    }
  }

  private static void forecast(Engine engine, QueuedRead read, ByteBuffer key, long hash) {
    long outer = engine.guard().stalls().enter(read.arrivalNanos);
    try {
      read.costNanos = engine.strategy().forecastNanos(key, hash);
      read.priority = engine.strategy().ownPriority(key, hash);
    } finally {
      engine.guard().stalls().leave(outer);
    }
  }

  private void other(Engine engine, QueuedRead read, ReadCommand command) {
    LearnedCost learned = command == null ? unknown : otherCosts.of(command.metadata().id);
    read.costNanos = learned.nanos(engine.strategy().forecast().smallNanos());
    read.priority = engine.strategy().unit() == Unit.NANOS ? read.costNanos : 1;
    read.other(learned);
    read.waitsInTurn();
  }

  private static void asSmall(Engine engine, QueuedRead read) {
    read.costNanos = engine.strategy().forecast().smallNanos();
    read.priority = engine.strategy().unit() == Unit.NANOS ? read.costNanos : 1;
  }

  private boolean tagged(Engine engine, QueuedRead read, Message.Header header) {
    byte[] bytes = CustomMap.tag(header, engine.acting());
    if (bytes == null) {
      return false;
    }
    Tag tag = TAG.get();
    if (!TagCodec.decode(bytes, engine.strategy().unit(), tag)) {
      engine.counters().count(Counter.TAGS_IGNORED);
      return false;
    }
    engine.counters().count(Counter.TAGS_RECEIVED);
    // A coordinator that serves no reads of ours wants to hear of this node's queue all the same.
    int coordinator = engine.nodes().find(header.from);
    if (coordinator != Nodes.NONE) {
      engine.signs().heard(coordinator, true, read.arrivalNanos);
    }
    read.priority = tag.priority;
    read.slack = tag.slack;
    // Ids are unique to a coordinator only.
    read.requestId = tag.requestId == 0 ? 0 : tag.requestId ^ ((long) header.from.hashCode() << 32);
    return true;
  }

  /** The place of a local read in the calling thread's plan. */
  private static int planned(Token token) {
    ThreadPlan plan = ThreadPlan.current();
    return plan.isOpen() ? plan.readToSend(token) : NOT_PLANNED;
  }

  /** Notes who waits for a local read, and its plan; false if it has none that ranks it. */
  private boolean local(
      Engine engine,
      QueuedRead read,
      Runnable task,
      ReadCommand command,
      int planned,
      boolean waits)
      throws Throwable {
    if (planned == NOT_PLANNED) {
      ReadCallback<?, ?> waiting = runnables.localHandler(task);
      if (waiting != null) {
        read.local(new LocalRead(waiting));
      }
      return false;
    }
    ThreadPlan plan = ThreadPlan.current();
    Request request = plan.request();
    read.costNanos = request.costNanos(planned);
    read.priority = request.cost(planned);
    if (request.tagged()) {
      read.priority = request.priority(planned);
      read.slack = request.slack(planned);
      read.requestId = request.longestFirst() ? plan.requestId() : 0;
    }
    // Message ids begin at 0 and wrap at 2^31, and tickets are kept by id and node: negative ids
    // are
    // as good as free for reads that never become messages.
    long ticket = -localTickets.incrementAndGet();
    ReadCallback<?, ?> handler = runnables.localHandler(task);
    // One that need not wait runs on its request's own thread, which no copy can set free.
    Flight flight = waits ? plan.flight() : null;
    SentRead copied =
        flight != null && !flight.isTied()
            ? engine.copier().atHome(flight, request, planned, command, handler, ticket)
            : null;
    if (flight != null && flight.isTied()) {
      read.tied(engine.ties().atHome(flight, request, planned, command, handler, ticket));
    }
    boolean followed =
        engine.sent(
            ticket,
            engine.self(),
            request.costNanos(planned),
            request.keyHash(planned),
            Verb.READ_REQ.expiresAfterNanos());
    if (copied != null && !followed) {
      engine.copier().ends().unknown(copied);
      copied = null;
    }
    if (!followed) {
      read.tied(null);
    }
    plan.sent(planned, ticket, engine.clock().nanoTime());
    read.local(
        new LocalRead(
            command, handler, runnables.failures(handler), copied, ticket, engine.self()));
    return request.tagged();
  }
}
