/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.latency.ReadTimes;
import java.util.function.Predicate;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.QueryState;

/**
 * Decides which multigets are read without their paging: those whose reads can be recorded with
 * their own times, while few keys and bytes are in flight at this coordinator. Any thread.
 */
final class Admission {
  private final InFlight inFlight;
  private final Predicate<TableId> timers;

  /**
   * @param inFlight bounds the multigets whose paging was removed
   * @param timers whether the reads of such a multiget on a table can be recorded with their own
   *     times
   */
  Admission(InFlight inFlight, Predicate<TableId> timers) {
    this.inFlight = inFlight;
    this.timers = timers;
  }

  /**
   * A request outside the canary, left to stock. A multiget whose paging would not be removed now
   * is left out of the comparison, as it would be among the requests that Manx acts on.
   */
  Asked control(
      Engine engine,
      SelectStatement select,
      QueryOptions options,
      QueryState state,
      boolean authorized,
      Asked asked) {
    boolean compared =
        asked.followed() != null
            && engine.measures().canary().mayTake(select.table.keyspace, select.table.name);
    return asked.isLeftPaged()
            || compared
                && asked.unpaged()
                && !mayEnter(engine, select, options, state, authorized, asked)
        ? asked.unplanned().leftPaged()
        : asked.unplanned().paged();
  }

  /** Whether a multiget could be read without its paging now. */
  private boolean mayEnter(
      Engine engine,
      SelectStatement select,
      QueryOptions options,
      QueryState state,
      boolean authorized,
      Asked asked) {
    if (!timers.test(select.table.id)) {
      return false;
    }
    if (inFlight.mayEnterIdle(asked.width(), Planner.mostBytes(engine, asked.width()))) {
      return true;
    }
    Asked keyed = keyed(engine, select, options, state, authorized, asked);
    return keyed != null
        && inFlight.mayEnter(keyed.width(), Planner.forecastBytes(engine, select.table, keyed));
  }

  /** The request with its keys; null if it is left entirely to stock. */
  private static Asked keyed(
      Engine engine,
      SelectStatement select,
      QueryOptions options,
      QueryState state,
      boolean authorized,
      Asked asked) {
    if (asked.keys() != null) {
      return asked;
    }
    Asked keyed = Asked.keyed(engine, select, options, state.getClientState(), authorized);
    return keyed == null ? null : keyed.unplanned().followed(asked.followed());
  }

  /** Analyses without a plan; while little is in flight, the sizes of the keys do not matter. */
  Asked unplanned(
      Engine engine,
      ThreadPlan plan,
      SelectStatement select,
      QueryOptions options,
      QueryState state,
      boolean authorized,
      Asked asked) {
    if (asked == null || !asked.unpaged() || !engine.acting()) {
      return asked;
    }
    if (!timers.test(select.table.id)) {
      return asked.leftPaged();
    }
    long most = Planner.mostBytes(engine, asked.width());
    if (inFlight.enterIdle(asked.width(), most)) {
      plan.times(ReadTimes.UNKNOWN);
      return asked.inFlight(most);
    }
    Asked keyed = keyed(engine, select, options, state, authorized, asked);
    return keyed == null
        ? null
        : admitted(engine, plan, select, keyed, Planner.forecastBytes(engine, select.table, keyed));
  }

  /** Records a multiget as in flight if it will be read unpaged; otherwise it keeps its paging. */
  Asked admitted(Engine engine, ThreadPlan plan, SelectStatement select, Asked asked, long bytes) {
    if (asked == null || !asked.unpaged() || !engine.acting()) {
      return asked;
    }
    if (!timers.test(select.table.id)) {
      plan.paged();
      return asked.leftPaged();
    }
    if (inFlight.enter(asked.width(), bytes)) {
      plan.times(asked.planned() ? engine.timed().begin(asked.width()) : ReadTimes.UNKNOWN);
      return asked.inFlight(bytes);
    }
    engine.counters().count(Counter.REQUESTS_OVER_LIMIT);
    plan.paged();
    return asked.leftPaged();
  }

  /** Records that a request has ended. */
  void ended(ThreadPlan plan, Asked asked) {
    if (asked.bytesInFlight() >= 0) {
      inFlight.leave(asked.width(), asked.bytesInFlight());
      ReadTimes times = plan.times();
      plan.times(null);
      times.close();
    }
  }
}
