/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.BackendSettings;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.Loader;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;

/** A cache whose spans are exported to memory, and an application with its own spans. */
abstract class TracedCache {
  final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  final OpenTelemetrySdk sdk =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                  .build())
          .build();
  final Tracer application = sdk.getTracer("application");
  final FanoutCache cache =
      FanoutCache.builder().drivenByHost().tracing(OpenTelemetryTracing.of(sdk)).open();
  final List<CompletableFuture<Map<Integer, String>>> answers = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    cache.close();
    sdk.close();
    assertThat(Context.current()).as("nothing is left on the thread").isSameAs(Context.root());
  }

  Backend<Integer, String> add(Loader<Integer, String> loader, BackendSettings settings) {
    return cache.add(
        BackendSpec.<Integer, String>of("songs", (key, value) -> 10, loader).with(settings));
  }

  Backend<Integer, String> add(Loader<Integer, String> loader) {
    return add(loader, BackendSettings.DEFAULTS);
  }

  CompletableFuture<Map<Integer, String>> later(List<Integer> keys) {
    CompletableFuture<Map<Integer, String>> answer = new CompletableFuture<>();
    answers.add(answer);
    return answer;
  }

  static Map<Integer, String> values(List<Integer> keys) {
    return keys.stream().collect(Collectors.toMap(Function.identity(), key -> "v" + key));
  }

  SpanData span(String name) {
    List<SpanData> all = spans(name);
    assertThat(all).as("spans named %s", name).hasSize(1);
    return all.get(0);
  }

  List<SpanData> spans(String name) {
    return exporter.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals(name))
        .toList();
  }

  static Map<String, Object> attributes(SpanData span) {
    return span.getAttributes().asMap().entrySet().stream()
        .collect(Collectors.toMap(one -> one.getKey().getKey(), Map.Entry::getValue));
  }

  <T> T inTrace(String name, Supplier<T> what) {
    Span span = application.spanBuilder(name).startSpan();
    try (Scope scope = span.makeCurrent()) {
      return what.get();
    } finally {
      span.end();
    }
  }
}
