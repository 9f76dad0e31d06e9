/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.tracing.Carrier;
import dev.manx.client.tracing.LoadTrace;
import dev.manx.client.tracing.QueryEnd;
import dev.manx.client.tracing.QueryTrace;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** What one query that waits has of its caller, for its load, and who follows it. */
final class QueryContext {
  private final Traces traces;
  private final List<Carrier.Carried> carried;
  private final QueryTrace trace;
  private final AtomicBoolean ended = new AtomicBoolean();

  /**
   * @param trace null: it is not followed
   */
  QueryContext(Traces traces, List<Carrier.Carried> carried, QueryTrace trace) {
    this.traces = traces;
    this.carried = carried;
    this.trace = trace;
  }

  /** The query's load begins. */
  LoadContext load() {
    return new LoadContext(
        traces, carried, trace == null ? null : traces.get(trace, QueryTrace::load));
  }

  /**
   * The query has ended; only the first call counts.
   *
   * @param loads that it waited for, its own included
   */
  void ended(Collection<? extends Load<?, ?>> loads, QueryEnd how) {
    if (trace == null || !ended.compareAndSet(false, true)) {
      return;
    }
    for (Load<?, ?> load : loads) {
      LoadContext context = load.context;
      LoadTrace other = context == null || load.by == this ? null : context.trace();
      if (other != null) {
        traces.tell(trace, of -> of.joined(other));
      }
    }
    traces.tell(trace, of -> of.ended(how));
  }
}
