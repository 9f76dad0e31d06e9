/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.ManxQueryHandler;
import dev.manx.cassandra.control.Counter;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.messages.ResultMessage;

/** Sees the whole request: plans it, and keeps the plan open while stock executes the statement. */
public final class PlanningHandler implements ManxQueryHandler.Route {
  private final Supplier<Engine> engines;
  private final AtomicLong requestIds = new AtomicLong();

  /**
   * @param engines the engine of the moment; null while Manx is off
   */
  public PlanningHandler(Supplier<Engine> engines) {
    this.engines = engines;
  }

  @Override
  public ResultMessage process(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> customPayload,
      Dispatcher.RequestTime requestTime) {
    return planned(
        statement,
        state.getClientState(),
        options,
        planned ->
            ManxQueryHandler.next().process(statement, state, planned, customPayload, requestTime));
  }

  @Override
  public ResultMessage processPrepared(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> customPayload,
      Dispatcher.RequestTime requestTime) {
    return planned(
        statement,
        state.getClientState(),
        options,
        planned ->
            ManxQueryHandler.next()
                .processPrepared(statement, state, planned, customPayload, requestTime));
  }

  private ResultMessage planned(
      CQLStatement statement,
      ClientState client,
      QueryOptions options,
      Function<QueryOptions, ResultMessage> stock) {
    Engine engine = engines.get();
    if (engine == null) {
      return stock.apply(options);
    }
    if (statement instanceof ModificationStatement) {
      WrittenSizes.learn(engine, (ModificationStatement) statement, options, client);
    }
    ThreadPlan plan = begin(engine, statement, options, client);
    if (plan == null) {
      return stock.apply(options);
    }
    try {
      return stock.apply(unpaged(engine, plan, statement, options, client));
    } finally {
      plan.close();
    }
  }

  private ThreadPlan begin(
      Engine engine, CQLStatement statement, QueryOptions options, ClientState client) {
    if (!(statement instanceof SelectStatement)) {
      return null;
    }
    ThreadPlan plan = ThreadPlan.current();
    if (plan.isOpen()) {
      return null;
    }
    try {
      if (!Planner.plan(engine, plan, (SelectStatement) statement, options, client)) {
        return null;
      }
      plan.open(requestIds.incrementAndGet(), engine.acting());
      return plan;
    } catch (Throwable t) {
      engine.guard().fault("the plan of a request", t);
      return null;
    }
  }

  private static QueryOptions unpaged(
      Engine engine,
      ThreadPlan plan,
      CQLStatement statement,
      QueryOptions options,
      ClientState client) {
    try {
      int keys = plan.request().reads();
      if (Unpaging.applies(engine, (SelectStatement) statement, options, client, keys)) {
        engine.counters().count(Counter.MULTIGETS_UNPAGED);
        return QueryOptions.withPageSize(options, -1);
      }
    } catch (Throwable t) {
      engine.guard().fault("the unpaging of a multiget", t);
    }
    return options;
  }
}
