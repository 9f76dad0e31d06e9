/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.opentelemetry;

import dev.manx.client.tracing.LoadTrace;
import dev.manx.client.tracing.RequestTrace;
import dev.manx.client.tracing.Tracing;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;

/**
 * Creates spans of kind {@code INTERNAL} for requests, queries and loads that wait or are rejected.
 * Hits in the local store have none.
 *
 * <table>
 * <caption>The spans, with {@code songs} for a backend's name</caption>
 * <tr><th>span</th><th>child of</th><th>attributes</th></tr>
 * <tr><td>{@code manx.request}: from its first query that waits, or is rejected by
 *   {@code max-pending}, until it is complete</td>
 *   <td>the caller's span</td>
 *   <td>{@code manx.request.blocked_by} (a backend; absent if all queries were rejected),
 *   {@code manx.request.given_up}</td></tr>
 * <tr><td>{@code manx.query songs}; linked to other queries' loads that it waited for</td>
 *   <td>the request's span; or the caller's span, if that is not the span in
 *   which the request's first query was made</td>
 *   <td>{@code manx.backend}, {@code manx.query.cached}, and numbers of keys: {@code
 *   manx.query.hits}, {@code .misses}, {@code .found}, {@code .stale}, {@code .failed}</td></tr>
 * <tr><td>{@code manx.load songs}</td>
 *   <td>the span of its query</td>
 *   <td>{@code manx.backend}, {@code manx.load.outcome} ({@code answered}, {@code failed}, {@code
 *   timed_out}, {@code refused} by the breaker), {@code manx.load.keys}, {@code
 *   manx.load.found}, {@code manx.load.second_level}</td></tr>
 * <tr><td>{@code manx.refresh songs}: keys refreshed in the background</td>
 *   <td>none: it begins a trace</td>
 *   <td>as a load</td></tr>
 * </table>
 *
 * <p>A failure sets the span's status and {@code error.type}, the class of the exception. Messages
 * and stack traces are omitted because they may contain keys; attributes never do.
 *
 * <p>The loader is called in the context of its query's caller, including baggage, with the load's
 * span as the current one. The same holds for code of {@link dev.manx.client.Loader#onThreads} and
 * {@link dev.manx.client.LoaderPool}. If a loader starts work on other threads, it must propagate
 * the context itself, as usual. The callbacks of a query's future run in the context of its caller.
 */
public final class OpenTelemetryTracing implements Tracing {
  private static final String SCOPE = "dev.manx.client";

  private final Tracer tracer;

  private OpenTelemetryTracing(Tracer tracer) {
    this.tracer = tracer;
  }

  /** Creates spans with this SDK. */
  public static OpenTelemetryTracing of(OpenTelemetry openTelemetry) {
    return new OpenTelemetryTracing(openTelemetry.getTracer(SCOPE));
  }

  @Override
  public RequestTrace request() {
    return new RequestSpan(tracer, Context.current());
  }

  @Override
  public LoadTrace refresh(String backend) {
    return new LoadSpan(tracer, "manx.refresh ", backend, Context.root());
  }
}
