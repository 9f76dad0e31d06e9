/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.tracing.Carrier;
import dev.manx.client.tracing.LoadTrace;
import dev.manx.client.tracing.QueryEnd;
import dev.manx.client.tracing.QueryTrace;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The caller's context of one waiting query, for its load and its callbacks, and the query's trace.
 */
final class QueryContext {
  private final Traces traces;
  private final List<Carrier.Carried> carried;
  private final QueryTrace trace;
  private final AtomicBoolean ended = new AtomicBoolean();

  /**
   * @param trace null: not traced
   */
  QueryContext(Traces traces, List<Carrier.Carried> carried, QueryTrace trace) {
    this.traces = traces;
    this.carried = carried;
    this.trace = trace;
  }

  /** Returns the context for the query's load. */
  LoadContext load() {
    return new LoadContext(
        traces, carried, trace == null ? null : traces.get(trace, QueryTrace::load));
  }

  /**
   * Ends the query's trace; only the first call counts.
   *
   * @param loads loads that it waited for, including its own
   */
  void ended(Collection<? extends LoaderCall<?, ?>> loads, QueryEnd how) {
    if (trace == null || !ended.compareAndSet(false, true)) {
      return;
    }
    for (LoaderCall<?, ?> load : loads) {
      LoadContext context = load.context;
      LoadTrace other = context == null || load.by == this ? null : context.trace();
      if (other != null) {
        traces.notifyOf(trace, of -> of.joined(other));
      }
    }
    traces.notifyOf(trace, of -> of.ended(how));
  }

  /**
   * Completes the query's future. Its callbacks run in the context of the query's caller, although
   * the load of another query may have completed it.
   */
  void complete(QueryAnswer<?, ?> answer) {
    try {
      LoadContext.outside(
          () -> {
            Scopes scopes = new Scopes(traces);
            try {
              scopes.enter(carried, trace, QueryTrace::enterCaller);
              answer.settle();
            } finally {
              scopes.leave();
            }
          });
    } finally {
      // The context could not be applied, for example because the stack is full.
      if (!answer.isDone()) {
        answer.settle();
      }
    }
  }
}
