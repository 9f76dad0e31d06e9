/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.QueryResults;
import dev.manx.client.tracing.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

/** Requests and queries as {@code Mono}s: when they start, and their completion. */
@Timeout(60)
class ReactiveRequestTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final List<CompletableFuture<Map<Integer, String>>> answers =
      new CopyOnWriteArrayList<>();
  private final FanoutCache cache = FanoutCache.builder().drivenByHost().open();
  private final Backend<Integer, String> songs =
      cache.add(
          BackendSpec.of(
              "songs",
              (key, value) -> 10,
              keys -> {
                CompletableFuture<Map<Integer, String>> answer = new CompletableFuture<>();
                answers.add(answer);
                return answer;
              }));

  @AfterEach
  void close() {
    cache.close();
  }

  private long requests() {
    return cache.stats().requests();
  }

  private void cached(int key, String value) {
    songs.put(key, value).toCompletableFuture().join();
  }

  @Test
  void nothingIsAskedBeforeASubscriptionAndEachIsARequestOfItsOwn() {
    Mono<String> page =
        ReactiveRequest.of(cache, request -> request.queryOne(songs, 1).map(v -> v + "!"));
    assertThat(answers).isEmpty();
    assertThat(songs.stats().hits() + requests()).isZero();
    StepVerifier.create(page)
        .then(() -> assertThat(answers).hasSize(1))
        .then(() -> answers.get(0).complete(Map.of(1, "one")))
        .expectNext("one!")
        .expectComplete()
        .verify(LONG);
    assertThat(requests()).isEqualTo(1);
    StepVerifier.create(page).expectNext("one!").expectComplete().verify(LONG);
    assertThat(requests()).isEqualTo(2);
    assertThat(songs.stats().hits()).isEqualTo(1);
  }

  /** The thread that answers may belong to another subscriber. */
  @Test
  void callbacksOfAQueryWithoutSubscriberHaveNoSubscribersContext() {
    CompletableFuture<Boolean> seen =
        cache.request().queryOne(songs, 1).thenApply(value -> ContextViewCarrier.here().isEmpty());
    try (Scope other = ContextViewCarrier.enter(Context.of("user", "ada"))) {
      answers.get(0).complete(Map.of(1, "one"));
      assertThat(ContextViewCarrier.here().isEmpty()).isFalse();
    }
    assertThat(seen).isCompletedWithValue(true);
  }

  @Test
  void aQueryThatIsSubscribedTwiceIsAskedTwice() {
    Mono<String> page =
        ReactiveRequest.of(
            cache,
            request -> {
              Mono<String> one = request.queryOne(songs, 1);
              return Mono.zip(one, one, (a, b) -> a + b);
            });
    cached(1, "one");
    StepVerifier.create(page).expectNext("oneone").expectComplete().verify(LONG);
    assertThat(songs.stats().hits()).isEqualTo(2);
    assertThat(requests()).isEqualTo(1);
  }

  @Test
  void everyKindOfQueryIsThere() {
    cached(1, "one");
    Mono<String> page =
        ReactiveRequest.of(
            cache,
            request ->
                Mono.zip(
                        request.query(songs, List.of(1)),
                        request.queryEach(songs, List.of(1)).map(QueryResults::found),
                        request.queryUncached(songs, List.of(1)))
                    .map(Object::toString));
    StepVerifier.create(page)
        .then(() -> answers.get(0).complete(Map.of(1, "fresh")))
        .expectNext("[{1=one},{1=one},{1=fresh}]")
        .expectComplete()
        .verify(LONG);
  }

  @Test
  void aKeyThatDoesNotExistIsEmpty() {
    StepVerifier.create(ReactiveRequest.of(cache, request -> request.queryOne(songs, 1)))
        .then(() -> answers.get(0).complete(Map.of()))
        .expectComplete()
        .verify(LONG);
    assertThat(requests()).isEqualTo(1);
  }

  @Test
  void theRequestIsCompleteBeforeTheSubscriberSeesItsEnd() {
    cached(1, "one");
    List<Long> seen = new CopyOnWriteArrayList<>();
    StepVerifier.create(
            ReactiveRequest.of(cache, request -> request.queryOne(songs, 1))
                .doOnNext(value -> seen.add(requests())))
        .expectNext("one")
        .expectComplete()
        .verify(LONG);
    StepVerifier.create(
            ReactiveRequest.of(cache, request -> request.queryOne(songs, 2))
                .doOnError(error -> seen.add(requests())))
        .then(() -> answers.get(0).completeExceptionally(new IllegalStateException("down")))
        .expectErrorMessage("down")
        .verify(LONG);
    assertThat(seen).containsExactly(1L, 2L);
    assertThat(cache.stats().givenUp()).isZero();
  }

  @Test
  void anExceptionInTheWorkCompletesTheRequest() {
    StepVerifier.create(
            ReactiveRequest.of(
                cache,
                request -> {
                  throw new IllegalStateException("no page");
                }))
        .expectErrorMessage("no page")
        .verify(LONG);
    assertThat(requests()).isEqualTo(1);
  }

  @Test
  void cancelCompletesTheRequestAndSparesTheLoad() {
    Disposable page = ReactiveRequest.of(cache, request -> request.queryOne(songs, 1)).subscribe();
    Mono<String> other = ReactiveRequest.of(cache, request -> request.queryOne(songs, 1));
    AtomicReference<String> otherSees = new AtomicReference<>();
    Disposable waits = other.subscribe(otherSees::set);
    page.dispose();
    assertThat(requests()).isEqualTo(1);
    assertThat(cache.stats().givenUp()).isEqualTo(1);
    answers.get(0).complete(Map.of(1, "one"));
    assertThat(otherSees).hasValue("one");
    assertThat(waits.isDisposed()).isTrue();
    assertThat(answers).hasSize(1);
    assertThat(songs.stats().pending()).isZero();
  }

  @Test
  void aQueryOutsideOfItsRequestFails() {
    AtomicReference<Mono<String>> escaped = new AtomicReference<>();
    StepVerifier.create(
            ReactiveRequest.of(
                cache,
                request -> {
                  escaped.set(request.queryOne(songs, 1));
                  return Mono.just("page");
                }))
        .expectNext("page")
        .expectComplete()
        .verify(LONG);
    StepVerifier.create(escaped.get()).expectError(IllegalStateException.class).verify(LONG);
    assertThat(answers).isEmpty();
  }

  @Test
  void aDeadlineEndsWhatWaits() {
    StepVerifier.create(
            ReactiveRequest.of(cache, Duration.ofMillis(20), request -> request.queryOne(songs, 1)))
        .expectError(TimeoutException.class)
        .verify(LONG);
  }
}
