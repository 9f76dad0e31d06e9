/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.coordinate.ThreadPlan;
import dev.manx.cassandra.copy.Flight;
import dev.manx.cassandra.copy.SentRead;
import dev.manx.cassandra.nodes.KeyHash;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.cassandra.nodes.ReadPart;
import dev.manx.cassandra.wire.CustomMap;
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
 * Gives a runnable of the READ stage its rank: from its tag, from the plan of the calling thread if
 * it is a local read of a planned request, otherwise from this node's own forecast. If reads carry
 * tags, a read without a tag has no rank, since a coordinator without Manx also sends the reads of
 * wide requests; range and index reads have none either. Reads of Cassandra's own tables, which
 * logins and drivers wait for, have none: ranked by cost, a stream of them would overtake all
 * multigets.
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
   * The calling thread's open plan if a runnable is a local read, which only that plan can concern;
   * otherwise null. The thread is asked for its plan here once for each local read.
   */
  ThreadPlan plan(Runnable task) {
    if (!runnables.isLocal(task)) {
      return null;
    }
    ThreadPlan plan = ThreadPlan.current();
    return plan.isOpen() ? plan : null;
  }

  /**
   * Whether a read that need not wait is tracked nevertheless: it is in a plan, and yields data
   * that a sample does not.
   *
   * @param plan the plan that may concern it; null for none
   */
  static boolean isFollowed(Engine engine, ThreadPlan plan) {
    return plan != null
        && (!plan.isActing()
            || isHedged(plan)
            || plan.times() != null && plan.times().isKnown()
            || engine.strategy().traits().followsReadsAtHome());
  }

  /** Whether the coordinator may send reads of a plan again when they are late. */
  private static boolean isHedged(ThreadPlan plan) {
    Flight flight = plan.flight();
    return flight != null && !flight.isTied();
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
   * @param waits whether it must wait for a thread
   */
  QueuedRead describe(Engine engine, Runnable task, Runnable runnable, boolean waits)
      throws Throwable {
    QueuedRead read = new QueuedRead(engine, task, runnable);
    ReadCommand command = runnables.command(task);
    Message.Header header = runnables.header(task);
    if (!(command instanceof SinglePartitionReadCommand)) {
      other(engine, read, command, header);
      return read;
    }
    SinglePartitionReadCommand single = (SinglePartitionReadCommand) command;
    if (SchemaConstants.isSystemKeyspace(command.metadata().keyspace)) {
      ofCassandra(engine, read);
      return read;
    }
    ByteBuffer key = single.partitionKey().getKey();
    long hash = key(read, single);
    int planned = header == null ? planned(single) : NOT_PLANNED;
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

  /** Describes a held read of this coordinator, on a thread without its plan. */
  QueuedRead describeHeld(
      Engine engine, Runnable task, Runnable runnable, PlannedRead planned, long ticket)
      throws Throwable {
    QueuedRead read = new QueuedRead(engine, task, runnable);
    SinglePartitionReadCommand command = (SinglePartitionReadCommand) runnables.command(task);
    key(read, command);
    planned.rank(read);
    open(engine, read, task, command, planned, ticket, null);
    if (planned.tagged()) {
      tags.saw(engine.strategy());
    } else if (tags.any(engine.strategy())) {
      inTurn(engine, read, null);
    }
    return read;
  }

  private static long key(QueuedRead read, SinglePartitionReadCommand command) {
    Token token = command.partitionKey().getToken();
    ByteBuffer key = command.partitionKey().getKey();
    long hash = KeyHash.of(command.metadata(), token, key, ReadPart.of(command));
    read.key(hash);
    return hash;
  }

  /**
   * A coordinator with Manx chose to leave this request to stock; a coordinator without it had no
   * choice.
   */
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

  private void other(Engine engine, QueuedRead read, ReadCommand command, Message.Header header) {
    LearnedCost learned = command == null ? unknown : otherCosts.of(command.metadata().id);
    read.costNanos = learned.nanos(engine.strategy().forecast().smallNanos());
    read.priority = engine.strategy().unit() == Unit.NANOS ? read.costNanos : 1;
    // A local one was created a little before it arrived here.
    read.other(
        learned,
        header == null
            ? read.arrivalNanos + Verb.RANGE_REQ.expiresAfterNanos()
            : header.expiresAtNanos);
    read.waitsInTurn();
  }

  private static void ofCassandra(Engine engine, QueuedRead read) {
    read.costNanos = engine.strategy().forecast().smallNanos();
    read.priority = engine.strategy().unit() == Unit.NANOS ? read.costNanos : 1;
    read.waitsInTurn();
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
    // A coordinator that serves no reads of this node still needs the facts of this node's queue.
    int coordinator = engine.nodes().find(header.from);
    if (coordinator != Nodes.NONE) {
      engine.signs().heard(coordinator, true, read.arrivalNanos);
    }
    read.priority = tag.priority;
    read.slack = tag.slack;
    // Any coordinator may send any number, and the slowness of this node follows it.
    read.forecast(Math.min(tag.costNanos, Verb.READ_REQ.expiresAfterNanos()));
    // Ids are unique only per coordinator.
    read.requestId = tag.requestId == 0 ? 0 : tag.requestId ^ ((long) header.from.hashCode() << 32);
    return true;
  }

  /** The index of a local read in the calling thread's plan. */
  private static int planned(SinglePartitionReadCommand command) {
    ThreadPlan plan = ThreadPlan.current();
    return plan.isOpen() ? plan.readToSend(command) : NOT_PLANNED;
  }

  /** What a runnable of the stage reads. */
  ReadCommand command(Runnable task) throws Throwable {
    return runnables.command(task);
  }

  /** The index of a local read in an open plan; negative if it is not a read of that plan. */
  int planned(ThreadPlan plan, Runnable task) throws Throwable {
    return runnables.command(task) instanceof SinglePartitionReadCommand command
        ? plan.readToSend(command)
        : NOT_PLANNED;
  }

  /** Records the callback of a local read, and its plan; false if no plan ranks it. */
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
    PlannedRead ranking = PlannedRead.of(engine, plan, planned);
    ranking.rank(read);
    long ticket = newTicket();
    Flight flight = waits || isHedged(plan) ? plan.flight() : null;
    SentRead copied =
        flight != null && !flight.isTied()
            ? engine
                .copier()
                .atHome(
                    flight, plan.request(), planned, command, runnables.localHandler(task), ticket)
            : null;
    if (flight != null && flight.isTied()) {
      read.tied(
          engine
              .ties()
              .offers()
              .atHome(
                  flight,
                  plan.request(),
                  planned,
                  command,
                  runnables.localHandler(task),
                  ticket,
                  task));
    }
    open(engine, read, task, command, ranking, ticket, copied);
    plan.sent(planned, ticket, engine.clock().nanoTime());
    return ranking.tagged();
  }

  /**
   * Returns a ticket id below those of messages: reads are also looked up by their ids alone. Ids
   * of messages are ints, and after 2^31 messages of a node they are negative.
   */
  long newTicket() {
    return Integer.MIN_VALUE - localTickets.incrementAndGet();
  }

  private void open(
      Engine engine,
      QueuedRead read,
      Runnable task,
      ReadCommand command,
      PlannedRead planned,
      long ticket,
      SentRead copied)
      throws Throwable {
    ReadCallback<?, ?> handler = runnables.localHandler(task);
    boolean followed =
        engine.sent(
            ticket,
            engine.self(),
            planned.costNanos(),
            planned.keyHash(),
            Verb.READ_REQ.expiresAfterNanos());
    boolean unknown = copied != null && !followed;
    if (unknown) {
      engine.copier().ends().unknown(copied);
    }
    if (!followed) {
      read.tied(null);
    }
    read.local(
        new LocalRead(
            command,
            handler,
            runnables.failures(handler),
            unknown ? null : copied,
            ticket,
            engine.self()));
  }
}
