/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutRequest;
import dev.manx.client.LoaderPool;
import dev.manx.client.store.Sizers;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The guide's example runs, equals the guide's text, and exports the documented names. */
@Timeout(60)
class TracedPageTest {
  private static final Path HOME = Path.of(System.getProperty("manx.home"));

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final OpenTelemetrySdk openTelemetry =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                  .build())
          .build();
  private final LoaderPool pool = LoaderPool.ofThreads(2);
  private boolean withinASpan;

  private Map<Integer, String> readSongs(List<Integer> ids) {
    withinASpan = Span.current().getSpanContext().isValid();
    return ids.stream().collect(Collectors.toMap(id -> id, id -> "song " + id));
  }

  private String page(List<Integer> ids) {
    // example
    try (FanoutCache cache =
        FanoutCache.builder().tracing(OpenTelemetryTracing.of(openTelemetry)).open()) {
      Backend<Integer, String> songs =
          cache.add(
              BackendSpec.of(
                  "songs",
                  Sizers.of(Sizers::number, Sizers::text),
                  pool.loader(8, 1_000, this::readSongs))); // Span.current() is the load's span
      try (FanoutRequest request = cache.request()) {
        return request.query(songs, ids).join().toString();
      }
    }
    // end
  }

  private static String guide() throws IOException {
    return Files.readString(HOME.resolve("docs/embed/frameworks.md"));
  }

  @Test
  void theGuideShowsWhatIsCompiled() throws IOException {
    String source =
        Files.readString(
            HOME.resolve(
                "client-opentelemetry/src/test/java/dev/manx/client/opentelemetry/"
                    + "TracedPageTest.java"));
    String region =
        source
            .substring(source.indexOf("// example\n") + 11, source.indexOf("    // end\n"))
            .lines()
            .map(line -> line.substring(4))
            .collect(Collectors.joining("\n"));
    assertThat(region.lines().count()).isGreaterThan(5);
    assertThat(guide()).contains("```java\n" + region + "\n```");
  }

  @Test
  void theGuideNamesEveryAttribute() throws IOException {
    assertThat(page(List.of(1, 2))).contains("song 1", "song 2");
    assertThat(withinASpan).isTrue();
    Map<String, String> attributes = new TreeMap<>();
    for (SpanData span : exporter.getFinishedSpanItems()) {
      span.getAttributes()
          .forEach((key, value) -> attributes.put(key.getKey(), Objects.toString(value)));
    }
    assertThat(attributes).hasSize(13);
    assertThat(attributes.keySet()).allMatch(guide()::contains);
    assertThat(exporter.getFinishedSpanItems())
        .extracting(SpanData::getName)
        .containsExactlyInAnyOrder("manx.request", "manx.query songs", "manx.load songs");
  }
}
