/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.store.Sizers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.util.retry.Retry;

/** The guide's example runs, and equals the guide's text. */
@Timeout(60)
class ReactivePageTest {
  private static final Path HOME = Path.of(System.getProperty("manx.home"));

  private record Song(int id, String title) {}

  private static Flux<Song> findAllById(List<Integer> ids) {
    return Flux.fromIterable(ids).map(id -> new Song(id, "song " + id));
  }

  private static Backend<Integer, Song> songs(FanoutCache cache) {
    // backend
    Backend<Integer, Song> songs =
        cache.add(
            BackendSpec.of(
                "songs",
                Sizers.of(Sizers::number, song -> Sizers.text(song.title())),
                ReactiveLoader.ofFlux(ids -> findAllById(ids), Song::id)));
    // end
    return songs;
  }

  private static Mono<String> page(
      FanoutCache cache,
      Backend<Integer, Song> songs,
      Backend<String, String> users,
      List<Integer> ids) {
    // page
    Mono<String> page =
        ReactiveRequest.of(
            cache,
            Duration.ofMillis(300),
            request ->
                Mono.zip(
                    request.query(songs, ids),
                    request.queryOne(users, "ada").defaultIfEmpty("A guest"),
                    (found, user) -> user + " hears " + found.values()));
    // end
    return page;
  }

  @ParameterizedTest
  @CsvSource({"ada, Ada", "bob, A guest"})
  void theExampleWorks(String known, String shown) {
    try (FanoutCache cache = FanoutCache.builder().drivenByHost().open()) {
      Backend<String, String> users =
          cache.add(
              BackendSpec.of(
                  "users",
                  Sizers.of(Sizers::text, Sizers::text),
                  ReactiveLoader.ofMono(names -> Mono.just(Map.of(known, "Ada")))));
      // On a busy machine a page may be late; its answers are then in the cache for the next one.
      Retry ifLate = Retry.indefinitely().filter(TimeoutException.class::isInstance);
      StepVerifier.create(page(cache, songs(cache), users, List.of(7)).retryWhen(ifLate))
          .expectNext(shown + " hears [Song[id=7, title=song 7]]")
          .expectComplete()
          .verify(Duration.ofSeconds(20));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"backend", "page"})
  void theGuideShowsWhatIsCompiled(String example) throws IOException {
    String source =
        Files.readString(
            HOME.resolve(
                "client-reactor/src/test/java/dev/manx/client/reactor/ReactivePageTest.java"));
    String start = "// " + example + "\n";
    String after = source.substring(source.indexOf(start) + start.length());
    String region =
        after
            .substring(0, after.indexOf("    // end\n"))
            .lines()
            .map(line -> line.substring(4))
            .collect(Collectors.joining("\n"));
    assertThat(region.lines().count()).isGreaterThan(5);
    assertThat(Files.readString(HOME.resolve("docs/embed/frameworks.md")))
        .contains("```java\n" + region + "\n```");
  }
}
