/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.opentelemetry;

import dev.manx.client.tracing.LoadEnd;
import dev.manx.client.tracing.LoadTrace;
import dev.manx.client.tracing.Scope;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.Locale;

/** The span of one load, and the context in which its loader is called. */
final class LoadSpan implements LoadTrace {
  private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("manx.load.outcome");
  private static final AttributeKey<Long> KEYS = AttributeKey.longKey("manx.load.keys");
  private static final AttributeKey<Long> FOUND = AttributeKey.longKey("manx.load.found");
  private static final AttributeKey<Long> SECOND_LEVEL =
      AttributeKey.longKey("manx.load.second_level");

  private final Span span;
  private final Context context;

  LoadSpan(Tracer tracer, String kind, String backend, Context parent) {
    span = Spans.start(tracer, kind, backend, parent);
    context = parent.with(span);
  }

  SpanContext spanContext() {
    return span.getSpanContext();
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // The cache closes the scope.
  public Scope enter() {
    return context.makeCurrent()::close;
  }

  @Override
  public void ended(LoadEnd how) {
    span.setAttribute(OUTCOME, how.outcome().name().toLowerCase(Locale.ROOT));
    span.setAttribute(KEYS, how.keys());
    span.setAttribute(FOUND, how.found());
    span.setAttribute(SECOND_LEVEL, how.below());
    Spans.end(span, how.failure());
  }
}
