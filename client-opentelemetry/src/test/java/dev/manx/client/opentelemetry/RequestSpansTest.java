/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.opentelemetry;

import static io.opentelemetry.api.common.AttributeKey.booleanKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.FanoutRequest;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The spans of a request, its queries and its loads, and their parents. */
@Timeout(60)
class RequestSpansTest extends TracedCache {
  @Test
  void hitsHaveNoSpans() {
    Backend<Integer, String> backend = add(this::later);
    backend.put(1, "one").toCompletableFuture().join();
    try (FanoutRequest request = cache.request()) {
      assertThat(request.query(backend, List.of(1))).isCompleted();
      assertThat(request.queryOne(backend, 1)).isCompleted();
    }
    assertThat(exporter.getFinishedSpanItems()).isEmpty();
  }

  @Test
  void aRequestThatWaitsHasASpanForItselfEachQueryAndEachLoad() {
    Backend<Integer, String> backend = add(this::later);
    backend.put(1, "one").toCompletableFuture().join();
    Span page = application.spanBuilder("page").startSpan();
    try (Scope scope = page.makeCurrent()) {
      FanoutRequest request = cache.request();
      CompletableFuture<?> answer = request.query(backend, List.of(1, 2, 3));
      answers.get(0).complete(Map.of(2, "two"));
      assertThat(answer).isCompleted();
      request.complete();
    }
    page.end();
    SpanData request = span("manx.request");
    SpanData query = span("manx.query songs");
    SpanData load = span("manx.load songs");
    assertThat(request.getParentSpanId()).isEqualTo(page.getSpanContext().getSpanId());
    assertThat(query.getParentSpanId()).isEqualTo(request.getSpanId());
    assertThat(load.getParentSpanId()).isEqualTo(query.getSpanId());
    assertThat(exporter.getFinishedSpanItems())
        .hasSize(4)
        .allMatch(span -> span.getTraceId().equals(page.getSpanContext().getTraceId()))
        .allMatch(span -> span.getKind() == SpanKind.INTERNAL)
        .allMatch(span -> span.getStatus().equals(StatusData.unset()));
    assertThat(attributes(request))
        .isEqualTo(Map.of("manx.request.blocked_by", "songs", "manx.request.given_up", false));
    assertThat(attributes(query))
        .isEqualTo(
            Map.of(
                "manx.backend", "songs",
                "manx.query.cached", true,
                "manx.query.hits", 1L,
                "manx.query.misses", 2L,
                "manx.query.found", 2L,
                "manx.query.stale", 0L,
                "manx.query.failed", 0L));
    assertThat(attributes(load))
        .isEqualTo(
            Map.of(
                "manx.backend", "songs",
                "manx.load.outcome", "answered",
                "manx.load.keys", 2L,
                "manx.load.found", 1L,
                "manx.load.second_level", 0L));
  }

  @Test
  void queriesOfARequestWithoutACallersSpanShareATrace() {
    Backend<Integer, String> backend = add(this::later);
    FanoutRequest request = cache.request();
    CompletableFuture<?> one = request.queryOne(backend, 1);
    CompletableFuture<?> two = request.queryOne(backend, 2);
    request.complete();
    answers.forEach(answer -> answer.complete(Map.of()));
    assertThat(CompletableFuture.allOf(one, two)).isCompleted();
    SpanData root = span("manx.request");
    assertThat(root.getParentSpanId()).isEqualTo(SpanId.getInvalid());
    assertThat(root.getAttributes().get(booleanKey("manx.request.given_up"))).isTrue();
    assertThat(spans("manx.query songs"))
        .hasSize(2)
        .allMatch(query -> query.getParentSpanId().equals(root.getSpanId()));
  }

  @Test
  void aSpanOfTheApplicationWithinTheRequestIsTheParentOfItsQueries() {
    Backend<Integer, String> backend = add(this::later);
    FanoutRequest request = cache.request();
    CompletableFuture<?> one = request.queryOne(backend, 1);
    Span sidebar = application.spanBuilder("sidebar").startSpan();
    CompletableFuture<?> two;
    try (Scope scope = sidebar.makeCurrent()) {
      two = request.queryUncached(backend, List.of(2));
    }
    sidebar.end();
    answers.forEach(answer -> answer.complete(Map.of()));
    assertThat(CompletableFuture.allOf(one, two)).isCompleted();
    request.complete();
    assertThat(spans("manx.query songs"))
        .extracting(SpanData::getParentSpanId)
        .containsExactly(span("manx.request").getSpanId(), sidebar.getSpanContext().getSpanId());
    assertThat(
            spans("manx.query songs").get(1).getAttributes().get(booleanKey("manx.query.cached")))
        .isFalse();
  }

  @Test
  void aFutureThatTheApplicationCancelsLeavesNoSpanOpen() {
    Backend<Integer, String> backend = add(this::later);
    try (FanoutRequest request = cache.request()) {
      assertThat(request.query(backend, List.of(1)).cancel(true)).isTrue();
    }
    answers.get(0).complete(Map.of(1, "one"));
    assertThat(exporter.getFinishedSpanItems()).hasSize(3);
  }
}
