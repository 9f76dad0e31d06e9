/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.opentelemetry;

import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.BackendSettings;
import dev.manx.client.BreakerSettings;
import dev.manx.client.FanoutRequest;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The spans of queries and loads that fail, are rejected or time out. */
@Timeout(60)
class ErrorSpansTest extends TracedCache {
  @Test
  void failuresShowTheirTypeAndNeitherMessageNorKeys() {
    Backend<Integer, String> backend =
        add(
            this::later,
            BackendSettings.DEFAULTS.withBreaker(
                new BreakerSettings(1, 0.5, Duration.ofSeconds(10))));
    CompletableFuture<?> failed = cache.request().queryOne(backend, 4711);
    answers.get(0).completeExceptionally(new IllegalStateException("key 4711 is bad"));
    CompletableFuture<?> refused = cache.request().queryEach(backend, List.of(4711));
    assertThat(failed).isCompletedExceptionally();
    assertThat(refused).isCompleted();
    assertThat(spans("manx.load songs"))
        .extracting(load -> load.getAttributes().get(stringKey("manx.load.outcome")))
        .containsExactly("failed", "refused");
    for (String name : List.of("manx.load songs", "manx.query songs")) {
      assertThat(spans(name))
          .allMatch(span -> span.getStatus().equals(StatusData.error()))
          .extracting(span -> span.getAttributes().get(stringKey("error.type")))
          .containsExactly(
              "java.lang.IllegalStateException", "dev.manx.client.BreakerOpenException");
    }
    assertThat(spans("manx.query songs"))
        .allMatch(query -> query.getAttributes().get(longKey("manx.query.failed")) == 1);
    assertThat(exporter.getFinishedSpanItems())
        .allMatch(span -> !span.toString().contains("4711") && span.getEvents().isEmpty());
  }

  @Test
  void aQueryThatMaxPendingRejectsIsAnErrorInItsRequest() {
    Backend<Integer, String> backend = add(this::later, BackendSettings.DEFAULTS.withMaxPending(1));
    FanoutRequest waiting = cache.request();
    CompletableFuture<?> first = waiting.queryOne(backend, 1);
    assertThat(waiting.query(backend, List.of(2, 3))).isCompletedExceptionally();
    answers.get(0).complete(Map.of(1, "one"));
    assertThat(first).isCompleted();
    waiting.complete();
    SpanData rejected = spans("manx.query songs").get(0);
    assertThat(rejected.getParentSpanId()).isEqualTo(span("manx.request").getSpanId());
    assertThat(rejected.getStatus()).isEqualTo(StatusData.error());
    assertThat(attributes(rejected))
        .isEqualTo(
            Map.of(
                "manx.backend", "songs",
                "manx.query.cached", true,
                "manx.query.hits", 0L,
                "manx.query.misses", 2L,
                "manx.query.found", 0L,
                "manx.query.stale", 0L,
                "manx.query.failed", 2L,
                "error.type", "dev.manx.client.OverloadException"));
    assertThat(spans("manx.query songs")).hasSize(2);
    assertThat(spans("manx.load songs")).hasSize(1);
  }

  @Test
  void aRequestOfWhichAllIsRejectedHasASpanThatNothingBlocked() {
    Backend<Integer, String> backend = add(this::later, BackendSettings.DEFAULTS.withMaxPending(1));
    CompletableFuture<?> waits = cache.request().queryOne(backend, 1);
    Span page = application.spanBuilder("page").startSpan();
    try (Scope scope = page.makeCurrent();
        FanoutRequest request = cache.request()) {
      assertThat(request.queryOne(backend, 2)).isCompletedExceptionally();
    }
    page.end();
    assertThat(waits).isNotDone();
    SpanData request = span("manx.request");
    assertThat(request.getParentSpanId()).isEqualTo(page.getSpanContext().getSpanId());
    assertThat(attributes(request)).isEqualTo(Map.of("manx.request.given_up", false));
    assertThat(span("manx.query songs").getParentSpanId()).isEqualTo(request.getSpanId());
  }

  @Test
  void aHitBlocksItsRequestIfAllElseIsRejected() {
    Backend<Integer, String> backend = add(this::later, BackendSettings.DEFAULTS.withMaxPending(1));
    backend.put(1, "one").toCompletableFuture().join();
    CompletableFuture<?> waits = cache.request().queryOne(backend, 2);
    try (FanoutRequest request = cache.request()) {
      assertThat(request.queryOne(backend, 1)).isCompletedWithValue("one");
      assertThat(request.queryOne(backend, 3)).isCompletedExceptionally();
    }
    assertThat(waits).isNotDone();
    assertThat(attributes(span("manx.request")))
        .isEqualTo(Map.of("manx.request.blocked_by", "songs", "manx.request.given_up", false));
  }

  @Test
  void timeOutsAreErrors() throws Exception {
    Backend<Integer, String> backend =
        add(this::later, BackendSettings.DEFAULTS.withTimeOut(Duration.ofMillis(20)));
    CompletableFuture<?> answer =
        cache.request().queryOne(backend, 1).handle((value, error) -> null);
    answer.get(20, TimeUnit.SECONDS);
    assertThat(span("manx.load songs").getAttributes().get(stringKey("manx.load.outcome")))
        .isEqualTo("timed_out");
    assertThat(span("manx.query songs").getAttributes().get(stringKey("error.type")))
        .isEqualTo(TimeoutException.class.getName());
  }
}
