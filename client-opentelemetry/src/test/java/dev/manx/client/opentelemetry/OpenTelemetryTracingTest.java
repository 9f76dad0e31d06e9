/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.opentelemetry;

import static io.opentelemetry.api.common.AttributeKey.booleanKey;
import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.BackendSettings;
import dev.manx.client.BackendSpec;
import dev.manx.client.BreakerSettings;
import dev.manx.client.FanoutCache;
import dev.manx.client.Freshness;
import dev.manx.client.Loader;
import dev.manx.client.LoaderPool;
import dev.manx.client.Request;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The spans of a cache as an exporter gets them, and the context in which its loaders are called.
 */
@Timeout(60)
class OpenTelemetryTracingTest {
  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final OpenTelemetrySdk sdk =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                  .build())
          .build();
  private final Tracer application = sdk.getTracer("application");
  private final FanoutCache cache =
      FanoutCache.builder().drivenByHost().tracing(OpenTelemetryTracing.of(sdk)).open();
  private final List<CompletableFuture<Map<Integer, String>>> answers =
      new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    cache.close();
    sdk.close();
    assertThat(Context.current()).as("nothing is left on the thread").isSameAs(Context.root());
  }

  private Backend<Integer, String> add(Loader<Integer, String> loader, BackendSettings settings) {
    return cache.add(
        BackendSpec.<Integer, String>of("songs", (key, value) -> 10, loader).with(settings));
  }

  private Backend<Integer, String> add(Loader<Integer, String> loader) {
    return add(loader, BackendSettings.DEFAULTS);
  }

  private CompletableFuture<Map<Integer, String>> later(List<Integer> keys) {
    CompletableFuture<Map<Integer, String>> answer = new CompletableFuture<>();
    answers.add(answer);
    return answer;
  }

  private static Map<Integer, String> values(List<Integer> keys) {
    return keys.stream().collect(Collectors.toMap(Function.identity(), key -> "v" + key));
  }

  private SpanData span(String name) {
    List<SpanData> all = spans(name);
    assertThat(all).as("spans named %s", name).hasSize(1);
    return all.get(0);
  }

  private List<SpanData> spans(String name) {
    return exporter.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals(name))
        .toList();
  }

  private static Map<String, Object> attributes(SpanData span) {
    return span.getAttributes().asMap().entrySet().stream()
        .collect(Collectors.toMap(one -> one.getKey().getKey(), Map.Entry::getValue));
  }

  @Test
  void hitsHaveNoSpans() {
    Backend<Integer, String> backend = add(this::later);
    backend.put(1, "one").toCompletableFuture().join();
    try (Request request = cache.request()) {
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
      Request request = cache.request();
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
    Request request = cache.request();
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
    Request request = cache.request();
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

  private <T> T inTrace(String name, java.util.function.Supplier<T> what) {
    Span span = application.spanBuilder(name).startSpan();
    try (Scope scope = span.makeCurrent()) {
      return what.get();
    } finally {
      span.end();
    }
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
    Request waiting = cache.request();
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
        Request request = cache.request()) {
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

  @Test
  void aFutureThatTheApplicationCancelsLeavesNoSpanOpen() {
    Backend<Integer, String> backend = add(this::later);
    try (Request request = cache.request()) {
      assertThat(request.query(backend, List.of(1)).cancel(true)).isTrue();
    }
    answers.get(0).complete(Map.of(1, "one"));
    assertThat(exporter.getFinishedSpanItems()).hasSize(3);
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
