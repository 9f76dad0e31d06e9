/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;

/** What all spans of backends have in common. */
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
   * Ends it.
   *
   * @param failure null: none. Its message is left out: it may hold keys
   */
  static void end(Span span, Throwable failure) {
    if (failure != null) {
      span.setStatus(StatusCode.ERROR);
      span.setAttribute(ERROR_TYPE, failure.getClass().getName());
    }
    span.end();
  }
}
