/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.opentelemetry;

import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.BackendSettings;
import dev.manx.client.FanoutRequest;
import dev.manx.client.Freshness;
import dev.manx.client.Loader;
import dev.manx.client.LoaderPool;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The spans of loads, and the context in which loaders are called. */
@Timeout(60)
class LoadSpansTest extends TracedCache {
  @Test
  void ofTwoTracesTheSecondIsLinkedToTheLoadOfTheFirst() {
    Backend<Integer, String> backend = add(this::later);
    CompletableFuture<?> first = inTrace("one", () -> cache.request().queryOne(backend, 1));
    CompletableFuture<?> second = inTrace("two", () -> cache.request().queryOne(backend, 1));
    answers.get(0).complete(Map.of(1, "one"));
    assertThat(CompletableFuture.allOf(first, second)).isCompleted();
    assertThat(answers).hasSize(1);
    SpanData load = span("manx.load songs");
    SpanData loading = byTrace(spans("manx.query songs"), span("one"));
    SpanData joining = byTrace(spans("manx.query songs"), span("two"));
    assertThat(load.getTraceId()).isEqualTo(span("one").getTraceId());
    assertThat(load.getParentSpanId()).isEqualTo(loading.getSpanId());
    assertThat(loading.getLinks()).isEmpty();
    assertThat(joining.getLinks())
        .extracting(LinkData::getSpanContext)
        .containsExactly(load.getSpanContext());
  }

  private static SpanData byTrace(List<SpanData> spans, SpanData of) {
    return spans.stream()
        .filter(span -> span.getTraceId().equals(of.getTraceId()))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"here", "threads", "pool", "virtual"})
  void theLoaderIsCalledInTheContextOfItsQueryAndLoad(String where) throws Exception {
    AttributeKey<String> user = stringKey("user");
    Loader.Blocking<Integer, String> read =
        keys -> {
          Span.current().setAttribute(user, Baggage.current().getEntryValue("user"));
          application.spanBuilder("read").startSpan().end();
          return values(keys);
        };
    try (LoaderPool pool =
        where.equals("virtual") ? LoaderPool.ofVirtualThreads(1) : LoaderPool.ofThreads(1)) {
      Backend<Integer, String> backend =
          add(
              switch (where) {
                case "here" -> Loader.on(Runnable::run, read);
                case "threads" -> Loader.onThreads(1, 10, read);
                default -> pool.loader(1, 10, read);
              });
      CompletableFuture<String> answer;
      try (Scope scope = Baggage.builder().put("user", "ada").build().makeCurrent()) {
        answer = cache.request().queryOne(backend, 1);
      }
      assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo("v1");
      SpanData load = span("manx.load songs");
      assertThat(load.getAttributes().get(user)).isEqualTo("ada");
      assertThat(span("read").getParentSpanId()).isEqualTo(load.getSpanId());
      assertThat(span("read").getTraceId()).isEqualTo(load.getTraceId());
    }
  }

  /** The executor answers both queries in the context of the first. */
  @Test
  void callbacksOfAQueryThatJoinedALoadAreInTheTraceOfTheirOwnCaller() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    CountDownLatch go = new CountDownLatch(1);
    Executor wrapping = Context.taskWrapping((Executor) threads);
    try {
      Backend<Integer, String> backend =
          add(
              Loader.on(
                  wrapping,
                  keys -> {
                    go.await();
                    return values(keys);
                  }));
      CompletableFuture<String> first =
          inTrace("one", () -> asUser("ada", () -> userAfter(cache.request(), backend)));
      CompletableFuture<String> second =
          inTrace("two", () -> asUser("bob", () -> userAfter(cache.request(), backend)));
      go.countDown();
      assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo("ada of " + span("one").getTraceId());
      assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo("bob of " + span("two").getTraceId());
      assertThat(spans("manx.query songs")).hasSize(4);
      assertThat(spans("manx.query songs"))
          .filteredOn(query -> query.getTraceId().equals(span("two").getTraceId()))
          .hasSize(2);
    } finally {
      threads.shutdownNow();
    }
  }

  private static <T> T asUser(String user, Supplier<T> what) {
    try (Scope scope = Baggage.builder().put("user", user).build().makeCurrent()) {
      return what.get();
    }
  }

  /** A query of a second layer, and user and trace of the thread that makes it. */
  private static CompletableFuture<String> userAfter(
      FanoutRequest request, Backend<Integer, String> backend) {
    return request
        .queryOne(backend, 1)
        .thenCompose(
            value -> {
              String here =
                  Baggage.current().getEntryValue("user")
                      + " of "
                      + Span.current().getSpanContext().getTraceId();
              return request.queryUncached(backend, List.of(2)).thenApply(found -> here);
            });
  }

  @Test
  void aRefreshBeginsATraceOfItsOwn() throws Exception {
    Backend<Integer, String> backend =
        add(
            Loader.onThreads(
                1,
                10,
                keys -> {
                  application.spanBuilder("read").startSpan().end();
                  return values(keys);
                }),
            BackendSettings.DEFAULTS.withFreshness(
                Freshness.timeToLive(Duration.ofMinutes(10))
                    .withRefreshAfter(Duration.ofMillis(1))));
    backend.put(1, "one").toCompletableFuture().join();
    while (spans("manx.refresh songs").isEmpty()) {
      CompletableFuture<?> hit = inTrace("page", () -> cache.request().queryOne(backend, 1));
      assertThat(hit).isCompleted();
    }
    SpanData refresh = spans("manx.refresh songs").get(0);
    assertThat(refresh.getParentSpanId()).isEqualTo(SpanId.getInvalid());
    assertThat(spans("read").get(0).getParentSpanId()).isEqualTo(refresh.getSpanId());
    assertThat(spans("page")).noneMatch(page -> page.getTraceId().equals(refresh.getTraceId()));
  }
}
