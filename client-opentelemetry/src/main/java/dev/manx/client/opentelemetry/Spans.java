/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;

/** Common parts of all spans of backends. */
final class Spans {
  private static final AttributeKey<String> BACKEND = AttributeKey.stringKey("manx.backend");
  private static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

  private Spans() {}

  static Span start(Tracer tracer, String kind, String backend, Context parent) {
    return tracer
        .spanBuilder(kind + backend)
        .setParent(parent)
        .setAttribute(BACKEND, backend)
        .startSpan();
  }

  /**
   * Ends a span.
   *
   * @param failure null: none. Its message is omitted, because it may contain keys
   */
  static void end(Span span, Throwable failure) {
    if (failure != null) {
      span.setStatus(StatusCode.ERROR);
      span.setAttribute(ERROR_TYPE, failure.getClass().getName());
    }
    span.end();
  }
}
