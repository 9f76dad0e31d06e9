/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.opentelemetry;

import dev.manx.client.tracing.LoadTrace;
import dev.manx.client.tracing.QueryEnd;
import dev.manx.client.tracing.QueryTrace;
import dev.manx.client.tracing.Scope;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;

/** The span of one query that waits or is rejected. */
final class QuerySpan implements QueryTrace {
  private static final AttributeKey<Boolean> CACHED = AttributeKey.booleanKey("manx.query.cached");
  private static final AttributeKey<Long> HITS = AttributeKey.longKey("manx.query.hits");
  private static final AttributeKey<Long> MISSES = AttributeKey.longKey("manx.query.misses");
  private static final AttributeKey<Long> FOUND = AttributeKey.longKey("manx.query.found");
  private static final AttributeKey<Long> STALE = AttributeKey.longKey("manx.query.stale");
  private static final AttributeKey<Long> FAILED = AttributeKey.longKey("manx.query.failed");

  private final Tracer tracer;
  private final String backend;
  private final Context caller;
  private final Context context;
  private final Span span;

  /**
   * @param caller context of the thread that makes the query
   * @param parent context with the span's parent
   */
  QuerySpan(Tracer tracer, String backend, Context caller, Context parent) {
    this.tracer = tracer;
    this.backend = backend;
    this.caller = caller;
    span = Spans.start(tracer, "manx.query ", backend, parent);
    context = parent.with(span);
  }

  @Override
  public LoadTrace load() {
    return new LoadSpan(tracer, "manx.load ", backend, context);
  }

  @Override
  public void joined(LoadTrace other) {
    if (other instanceof LoadSpan load) {
      span.addLink(load.spanContext());
    }
  }

  @Override
  public void ended(QueryEnd how) {
    span.setAttribute(CACHED, how.cached());
    span.setAttribute(HITS, how.hits());
    span.setAttribute(MISSES, how.misses());
    span.setAttribute(FOUND, how.found());
    span.setAttribute(STALE, how.stale());
    span.setAttribute(FAILED, how.failed());
    Spans.end(span, how.failure());
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // The cache closes the scope.
  public Scope enterCaller() {
    return caller.makeCurrent()::close;
  }
}
