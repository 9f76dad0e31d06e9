/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.opentelemetry;

import dev.manx.client.tracing.QueryTrace;
import dev.manx.client.tracing.RequestTrace;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;

/** The span of one request that has waited, or whose query was rejected. */
final class RequestSpan implements RequestTrace {
  private static final AttributeKey<String> BLOCKED_BY =
      AttributeKey.stringKey("manx.request.blocked_by");
  private static final AttributeKey<Boolean> GIVEN_UP =
      AttributeKey.booleanKey("manx.request.given_up");

  private final Tracer tracer;
  private final SpanContext outer;
  private final Span span;

  RequestSpan(Tracer tracer, Context caller) {
    this.tracer = tracer;
    outer = Span.fromContext(caller).getSpanContext();
    span = tracer.spanBuilder("manx.request").setParent(caller).startSpan();
  }

  @Override
  public QueryTrace query(String backend) {
    Context caller = Context.current();
    SpanContext around = Span.fromContext(caller).getSpanContext();
    // A span of the application within the request is the closer parent.
    boolean nearer = around.isValid() && !around.equals(outer);
    return new QuerySpan(tracer, backend, caller, nearer ? caller : caller.with(span));
  }

  @Override
  public void ended(String blockedBy, boolean givenUp) {
    if (blockedBy != null) {
      span.setAttribute(BLOCKED_BY, blockedBy);
    }
    span.setAttribute(GIVEN_UP, givenUp);
    span.end();
  }
}
