/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.ManxQueryHandler;
import dev.manx.cassandra.canary.Canary;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.metrics.Ending;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.exceptions.RequestTimeoutException;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.messages.ResultMessage;

/**
 * Handles whole requests: plans them, and keeps the plan open while stock executes the statement.
 */
public final class PlanningHandler implements ManxQueryHandler.Route {
  private final Supplier<Engine> engines;
  private final Supplier<QueryHandler> next;
  private final InFlight inFlight;
  private final Admission admission;
  private final Sample sample;
  private final AtomicLong requestIds = new AtomicLong();
  private volatile boolean wraps = true;

  /**
   * @param engines the present engine; null while Manx is off
   * @param next executes the statements
   * @param inFlight bounds multigets whose paging was removed
   * @param timers whether the reads of such a multiget on a table can be recorded with their own
   *     times
   */
  public PlanningHandler(
      Supplier<Engine> engines,
      Supplier<QueryHandler> next,
      InFlight inFlight,
      Predicate<TableId> timers) {
    this(engines, next, inFlight, timers, new Sample());
  }

  /**
   * @param sample the requests that are followed while all is calm
   */
  PlanningHandler(
      Supplier<Engine> engines,
      Supplier<QueryHandler> next,
      InFlight inFlight,
      Predicate<TableId> timers,
      Sample sample) {
    this.engines = engines;
    this.next = next;
    this.inFlight = inFlight;
    this.admission = new Admission(inFlight, timers);
    this.sample = sample;
  }

  /** The wrapper passed to Cassandra in place of a statement; it must delegate every method. */
  public static Class<?> inThePath() {
    return AuthorizedSelect.class;
  }

  /**
   * Sets whether it does. If not, Cassandra gets each statement unwrapped, and Manx checks the
   * client's rights before it analyses one.
   */
  public void wraps(boolean passesAllOn) {
    wraps = passesAllOn;
  }

  @Override
  public ResultMessage process(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> customPayload,
      Dispatcher.RequestTime requestTime) {
    return handle(false, statement, state, options, customPayload, requestTime);
  }

  @Override
  public ResultMessage processPrepared(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> customPayload,
      Dispatcher.RequestTime requestTime) {
    return handle(true, statement, state, options, customPayload, requestTime);
  }

  private ResultMessage handle(
      boolean prepared,
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> customPayload,
      Dispatcher.RequestTime requestTime) {
    Engine engine = engines.get();
    QueryHandler cassandra = next.get();
    SelectStatement select = engine == null ? null : ours(statement);
    ThreadPlan plan = select == null ? null : ThreadPlan.current();
    Concern concern = select == null ? Concern.NONE : Concern.of(engine, select, options);
    boolean aside = concern != Concern.NONE && engine.standsAside();
    boolean sampled = aside && plan.isSampled(sample, engine.clock());
    if (waits(cassandra, concern, aside, sampled)) {
      CQLStatement planned = new AuthorizedSelect(this, select, concern, sampled);
      return stock(cassandra, prepared, planned, state, options, customPayload, requestTime);
    }
    Asked asked =
        select == null
            ? null
            : begin(engine, plan, select, state, options, false, concern, sampled);
    ResultMessage result;
    Ending ending = Ending.FAILED;
    try {
      QueryOptions given = with(engine, plan, asked, options);
      result = stock(cassandra, prepared, statement, state, given, customPayload, requestTime);
      ending = Ending.ANSWERED;
    } catch (RequestTimeoutException e) {
      ending = Ending.TIMED_OUT;
      throw e;
    } finally {
      end(engine, plan, asked, ending);
    }
    if (engine != null) {
      WrittenSizes.learn(engine, statement, options);
    }
    return result;
  }

  private static ResultMessage stock(
      QueryHandler cassandra,
      boolean prepared,
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> customPayload,
      Dispatcher.RequestTime requestTime) {
    return prepared
        ? cassandra.processPrepared(statement, state, options, customPayload, requestTime)
        : cassandra.process(statement, state, options, customPayload, requestTime);
  }

  /** Executes a statement whose client Cassandra has authorized. */
  ResultMessage execute(
      SelectStatement select,
      Concern concern,
      boolean sampled,
      QueryState state,
      QueryOptions options,
      Dispatcher.RequestTime requestTime) {
    // Authorization may have taken long, and Manx may have been switched off since.
    Engine engine = engines.get();
    ThreadPlan plan = engine == null ? null : ThreadPlan.current();
    Asked asked =
        engine == null ? null : begin(engine, plan, select, state, options, true, concern, sampled);
    Ending ending = Ending.FAILED;
    try {
      ResultMessage result = select.execute(state, with(engine, plan, asked, options), requestTime);
      ending = Ending.ANSWERED;
      return result;
    } catch (RequestTimeoutException e) {
      ending = Ending.TIMED_OUT;
      throw e;
    } finally {
      end(engine, plan, asked, ending);
    }
  }

  /** The statement if Manx may analyse it, or null. */
  private static SelectStatement ours(CQLStatement statement) {
    return statement instanceof SelectStatement && !Plannable.isForeign((SelectStatement) statement)
        ? (SelectStatement) statement
        : null;
  }

  /**
   * Whether Manx analyses a statement only after Cassandra has authorized its client. Handlers
   * other than Cassandra's own may depend on the statement's class. Cassandra executes NODE_LOCAL
   * statements by their class too, and they do not concern Manx.
   *
   * @param aside whether all is calm, so that hardly any is analysed
   */
  private boolean waits(QueryHandler next, Concern concern, boolean aside, boolean sampled) {
    return concern != Concern.NONE
        && next == QueryProcessor.instance
        && wraps
        && (sampled || !aside || concern == Concern.PAGING);
  }

  /**
   * Analyses a statement and opens the thread's plan for it, if it gets one.
   *
   * @param authorized whether Cassandra has authorized the client
   * @param sampled whether it is in the sample that is followed even if all is calm; drawn only
   *     among those that can be planned, so that each one represents others of its kind
   * @return null if the statement is left to stock
   */
  private Asked begin(
      Engine engine,
      ThreadPlan plan,
      SelectStatement select,
      QueryState state,
      QueryOptions options,
      boolean authorized,
      Concern concern,
      boolean sampled) {
    if (plan.isOpen()) {
      return null;
    }
    try {
      boolean aside = engine.standsAside();
      // A strategy that acts without queues is asked then too.
      boolean calm = aside || engine.queues().isCalm();
      boolean follows = !aside || sampled;
      // Decided once, so that a request counted as left to stock is left to stock entirely.
      boolean acts = acts(engine, plan, select);
      boolean stocks = sampled && plan.isStocks();
      long since = follows ? engine.clock().nanoTime() : 0;
      ClientState client = state.getClientState();
      Asked asked =
          follows
              ? Asked.of(
                  engine,
                  select,
                  options,
                  client,
                  authorized,
                  concern,
                  aside ? keys -> plans(engine, plan, keys) : null)
              : Asked.counted(engine, select, options, client, authorized, concern);
      if (aside) {
        engine.counters().count(Counter.REQUESTS_CALM);
        boolean home = acts && !stocks && engine.keepsHome() && concern != Concern.NONE;
        plan.stayHome(home, home && Plannable.isParallelMultiget(select, options));
      }
      if (asked != null) {
        if (aside && sampled) {
          engine.counters().count(Counter.REQUESTS_FOLLOWED);
        }
        // Of those in the sample one in four goes where stock sends it, but of all requests hardly
        // any: their latencies are not those of the requests that Manx acts on.
        if (follows && !(aside && acts && stocks)) {
          int keys = asked.width();
          int weight = aside ? plan.weight(acts) : 1;
          asked =
              asked.followed(
                  engine.measures().follow(select.table, keys, acts, calm, weight, since));
        }
        if (engine.acting() && !acts) {
          return admission.control(engine, select, options, state, authorized, asked);
        }
        // Also if no plan comes of it: else the larger share might never end.
        sample.planned(asked.keys() == null ? 0 : asked.width());
      }
      if (asked == null || !asked.planned()) {
        return admission.unplanned(engine, plan, select, options, state, authorized, asked);
      }
      if (!Planner.plan(
          engine, plan, inFlight, select.table, asked, options.getConsistency(), aside)) {
        // Releases the keys, but counts their bytes.
        plan.close();
        return admission.unplanned(
            engine, plan, select, options, state, authorized, asked.unplanned());
      }
      plan.open(engine, requestIds.incrementAndGet(), aside);
      return admission.admitted(
          engine, plan, select, asked, Planner.forecastBytes(engine, plan.request()));
    } catch (Unanswered e) {
      plan.stayHome(false, false);
      throw e.original();
    } catch (Throwable t) {
      plan.flight(null);
      plan.close();
      engine.guard().fault("the plan of a request", t);
      return null;
    }
  }

  /** A decision log needs the plans of all that are followed: it must not miss wide ones. */
  private boolean plans(Engine engine, ThreadPlan plan, int keys) {
    return engine.log().isRecording() || plan.plansSampled(sample, keys);
  }

  /** Whether Manx acts on a request that it is able to act on. */
  private static boolean acts(Engine engine, ThreadPlan plan, SelectStatement select) {
    Canary canary = engine.measures().canary();
    return engine.acting() && canary.takes(select.table.keyspace, select.table.name, plan.random());
  }

  private static QueryOptions with(
      Engine engine, ThreadPlan plan, Asked asked, QueryOptions options) {
    if (asked == null || !asked.unpaged()) {
      return options;
    }
    engine.counters().count(Counter.MULTIGETS_UNPAGED);
    if (!engine.acting()) {
      return options;
    }
    plan.sendTogether();
    return QueryOptions.withPageSize(options, -1);
  }

  /** Never throws: the statement already has its result or its error. */
  private void end(Engine engine, ThreadPlan plan, Asked asked, Ending ending) {
    if (plan != null) {
      plan.stayHome(false, false);
    }
    if (asked == null) {
      return;
    }
    try {
      ended(engine, plan, asked, ending);
    } catch (Throwable t) {
      engine.guard().fault("the end of a request", t);
    }
  }

  private void ended(Engine engine, ThreadPlan plan, Asked asked, Ending ending) {
    plan.endHolds();
    if (plan.flight() != null) {
      engine.counters().count(Counter.COPIES_INELIGIBLE, plan.flight().over());
      plan.flight(null);
    }
    if (asked.planned()) {
      plan.close();
    }
    admission.ended(plan, asked);
    if (asked.followed() != null) {
      long now = engine.clock().nanoTime();
      if (!asked.isLeftPaged()) {
        asked.followed().ended(now, ending);
      }
      engine
          .log()
          .requestEnded(
              now,
              asked.width(),
              now - asked.followed().sinceNanos(),
              (asked.isLeftPaged() || asked.unpaged()) && !engine.acting(),
              asked.followed().weight(),
              ending == Ending.FAILED,
              asked.planned());
    }
  }
}
