/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.bench;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.TestSelect;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.coordinate.InFlight;
import dev.manx.cassandra.coordinate.ManxSnitch;
import dev.manx.cassandra.coordinate.PlanningHandler;
import dev.manx.cassandra.coordinate.TestPlans;
import dev.manx.cassandra.latency.TestTimers;
import dev.manx.cassandra.read.ReadStage;
import dev.manx.cassandra.wire.InboundFilter;
import dev.manx.cassandra.wire.OutboundFilter;
import dev.manx.cassandra.wire.TieFilter;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.LocalAwareExecutorPlus;
import org.apache.cassandra.concurrent.SharedExecutorPool;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.SimpleSnitch;
import org.apache.cassandra.metrics.SnapshottingTimer;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Manx's overhead on a request on a node where no read waits, hook by hook, without a node: the
 * hooks are the real ones in mode on, with {@code strategy: manx}; Cassandra behind them checks the
 * statement and reads nothing. Requests drawn for a plan (one in 128) end before it, since there is
 * no ring.
 */
public final class CalmPath implements AutoCloseable {
  private static final String STRATEGY = "strategy: manx";
  private static final long TICKET_NANOS = Long.MAX_VALUE / 2;

  // As expensive as the real one, but no facts become due, since there is no receiver.
  private static long clock() {
    return System.nanoTime() & 0;
  }

  private final Engine engine;
  private final PlanningHandler handler;
  private final PlanningHandler off;
  private final OutboundFilter outbound;
  private final InboundFilter inbound;
  private final LocalAwareExecutorPlus stockStage;
  private final ReadStage stage;
  private final SelectStatement multiget;
  private final SelectStatement bound;
  private final QueryOptions options = TestSchema.options(-1);
  private final QueryOptions pages = TestSchema.options(5_000);
  private final QueryOptions paged = TestSchema.options(5_000, TestSchema.list(1, 9));
  private final QueryState state;
  private final InetAddressAndPort peer;
  private final SimpleSnitch stockSnitch = new SimpleSnitch();
  private final ManxSnitch snitch;
  private final InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
  private final EndpointsForToken replicas;
  private final TieFilter ties;
  private final SnapshottingTimer table = TestTimers.stock();
  private final SnapshottingTimer timer = TestTimers.inFront();
  private final Message<?> read;
  private final Message<?> answer;
  private long ran;
  private final Runnable task = () -> ran++;

  /** Initializes Cassandra's classes as a client's, and the hooks without a stage behind them. */
  public CalmPath() {
    TestSchema.load();
    engine = TestEngines.calm(STRATEGY, CalmPath::clock);
    InFlight inFlight =
        new InFlight(engine.config().keysInFlight(), engine.config().bytesInFlight());
    handler = TestPlans.handler(() -> engine, inFlight);
    off = TestPlans.handler(() -> null, inFlight);
    snitch = new ManxSnitch(stockSnitch, () -> engine);
    ties = new TieFilter(() -> engine, engine.ties());
    outbound = new OutboundFilter(() -> engine);
    inbound = new InboundFilter(() -> engine);
    stockStage = SharedExecutorPool.SHARED.newExecutor(32, "bench", "read");
    multiget =
        new TestSelect(
            TestSchema.select("SELECT * FROM ks.plain WHERE k IN (1, 2, 3, 4, 5, 6, 7, 8, 9)"));
    bound = new TestSelect(TestSchema.select("SELECT * FROM ks.plain WHERE k IN ?"));
    state = new QueryState(ClientState.forInternalCalls());
    ReadCommand command = TestSchema.command("SELECT * FROM ks.plain WHERE k = 1");
    try {
      stage = new ReadStage(stockStage, engine, () -> engine);
      peer = InetAddressAndPort.getByName("127.0.0.2");
    } catch (ReflectiveOperationException | UnknownHostException e) {
      throw new IllegalStateException(e);
    }
    read = Message.builder(Verb.READ_REQ, command).from(peer).withId(1).build();
    answer = Message.builder(Verb.READ_RSP, NoPayload.noPayload).from(peer).withId(1).build();
    int node = engine.nodes().id(peer);
    replicas = replicas();
    engine.hops().answered(engine.nodes().id(self), 80_000);
    engine.hops().answered(node, 330_000);
    engine.hops().roll();
    engine.home().tick(engine.hops(), 80_000, new double[16], engine.nodes().id(self));
    // The first facts are due at once; later ones never.
    engine.pace().isDue(node, false, 0);
    // On a busy node some tracked read is always outstanding.
    engine.state().tickets().open(7, node, 1, 1, 0, TICKET_NANOS);
  }

  /** A SELECT of nine keys, from entry to exit of the query handler. */
  public void request() {
    handler.processPrepared(multiget, state, options, null, null);
  }

  /** A SELECT of nine keys while Manx is off. */
  public void requestWithoutManx() {
    off.processPrepared(multiget, state, options, null, null);
  }

  /**
   * A SELECT of nine keys as drivers send it by default: prepared, with a page size, which Manx
   * removes.
   */
  public void pagedRequest() {
    handler.processPrepared(bound, state, paged, null, null);
  }

  /** A SELECT of nine keys with a page size whose list is written in the statement. */
  public void pagedList() {
    handler.processPrepared(multiget, state, pages, null, null);
  }

  /** Such a SELECT while Manx is off. */
  public void pagedListWithoutManx() {
    off.processPrepared(multiget, state, pages, null, null);
  }

  /** A SELECT with a page size while Manx is off. */
  public void pagedRequestWithoutManx() {
    off.processPrepared(bound, state, paged, null, null);
  }

  /** The other node and this one, in the order of the ring. */
  private EndpointsForToken replicas() {
    Token least = Murmur3Partitioner.instance.getMinimumToken();
    Range<Token> all = new Range<>(least, least);
    return EndpointsForToken.copyOf(
        new Murmur3Partitioner.LongToken(7),
        List.of(Replica.fullReplica(peer, all), Replica.fullReplica(self, all)));
  }

  /** The order of a read's replicas; this node comes first, since its hop is long. */
  public EndpointsForToken replicasOrdered() {
    TestPlans.stayHome(true);
    return snitch.sortedByProximity(self, replicas);
  }

  /** The same in a request whose reads do not stay at home. */
  public EndpointsForToken replicasInStocksOrder() {
    TestPlans.stayHome(false);
    return snitch.sortedByProximity(self, replicas);
  }

  /** The stock snitch's order. */
  public EndpointsForToken replicasWithoutManx() {
    return stockSnitch.sortedByProximity(self, replicas);
  }

  /** The time of a key of a multiget whose paging was removed. */
  public void timedKey() {
    timer.update(1_000_000, TimeUnit.NANOSECONDS);
  }

  /** The time of a key without Manx. */
  public void timedKeyWithoutManx() {
    table.update(1_000_000, TimeUnit.NANOSECONDS);
  }

  /** An incoming answer at the filter of tied copies. */
  public boolean incomingAnswerTied() {
    return ties.test(answer);
  }

  /** An outgoing read. */
  public boolean outgoingRead() {
    return outbound.test(read, peer);
  }

  /** An outgoing answer. */
  public boolean outgoingAnswer() {
    return outbound.test(answer, peer);
  }

  /** An incoming answer. */
  public boolean incomingAnswer() {
    return inbound.test(answer);
  }

  /** A local read through the stage. */
  public long localRead() {
    stage.maybeExecuteImmediately(task);
    return ran;
  }

  /** A local read through the stage without Manx. */
  public long localReadWithoutManx() {
    stockStage.maybeExecuteImmediately(task);
    return ran;
  }

  /** The value of one of Manx's counters. */
  public long count(Counter counter) {
    return engine.counters().get(counter);
  }

  @Override
  public void close() {
    stockStage.shutdownNow();
  }
}
