/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.BackendSettings;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutCacheBuilder;
import dev.manx.client.Freshness;
import dev.manx.client.Loader;
import dev.manx.client.tracing.Scope;
import io.micrometer.context.ContextRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

/** Loaders on Reactor: their answers, and the subscriber's context. */
@Timeout(60)
class ReactiveLoaderTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final ThreadLocal<String> SPAN = new ThreadLocal<>();

  private final ExecutorService network = Executors.newSingleThreadExecutor();
  private final List<String> users = new CopyOnWriteArrayList<>();
  private FanoutCache cache = FanoutCache.builder().drivenByHost().open();

  @AfterEach
  void close() {
    cache.close();
    network.shutdownNow();
    assertThat(ContextViewCarrier.here().isEmpty()).isTrue();
    assertThat(SPAN.get()).isNull();
  }

  private void open(FanoutCacheBuilder builder) {
    cache.close();
    cache = builder.drivenByHost().open();
  }

  private Backend<Integer, String> add(Loader<Integer, String> loader) {
    return cache.add(BackendSpec.of("songs", (key, value) -> 10, loader));
  }

  /** Reads, and records the user named by the context. */
  private Mono<Map<Integer, String>> read(List<Integer> keys) {
    return Mono.deferContextual(
        context -> {
          users.add(context.getOrDefault("user", "none"));
          return Mono.just(keys.stream().collect(Collectors.toMap(k -> k, k -> "v" + k)));
        });
  }

  private Mono<String> ask(Backend<Integer, String> backend, int key) {
    return ReactiveRequest.of(cache, request -> request.queryOne(backend, key));
  }

  private void asks(Backend<Integer, String> backend, String user, int key) {
    StepVerifier.create(ask(backend, key).contextWrite(Context.of("user", user)))
        .expectNext("v" + key)
        .expectComplete()
        .verify(LONG);
  }

  private void reachesTheLoader(Backend<Integer, String> backend) throws Exception {
    asks(backend, "ada", 1);
    asks(backend, "bob", 2);
    assertThat(cache.request().queryOne(backend, 3).get(20, TimeUnit.SECONDS)).isEqualTo("v3");
    assertThat(users).containsExactly("ada", "bob", "none");
  }

  @Test
  void theSubscribersContextReachesTheLoader() throws Exception {
    reachesTheLoader(add(ReactiveLoader.ofMono(this::read)));
  }

  @Test
  void theSubscribersContextReachesALoaderOnAnotherThread() throws Exception {
    open(FanoutCache.builder().stores(AsyncStore.factory(network)));
    reachesTheLoader(add(ReactiveLoader.ofMono(this::read)));
  }

  @Test
  void aRefreshHasNoSubscribersContext() throws Exception {
    Backend<Integer, String> backend =
        cache.add(
            BackendSpec.of("songs", (Integer k, String v) -> 10, ReactiveLoader.ofMono(this::read))
                .with(
                    BackendSettings.DEFAULTS.withFreshness(
                        Freshness.timeToLive(Duration.ofMinutes(10))
                            .withRefreshAfter(Duration.ofMillis(1)))));
    while (users.size() < 2) {
      asks(backend, "ada", 1);
    }
    assertThat(users.subList(0, 2)).containsExactly("ada", "none");
  }

  @Test
  void theFirstOfThoseWhoWaitForALoadCounts() {
    Sinks.Empty<Void> go = Sinks.empty();
    Backend<Integer, String> backend =
        add(ReactiveLoader.ofMono(keys -> go.asMono().then(read(keys))));
    Mono<String> ada = ask(backend, 1).contextWrite(Context.of("user", "ada"));
    Mono<String> bob = ask(backend, 1).contextWrite(Context.of("user", "bob"));
    StepVerifier.create(Mono.zip(ada, bob))
        .then(go::tryEmitEmpty)
        .expectNextCount(1)
        .expectComplete()
        .verify(LONG);
    assertThat(users).containsExactly("ada");
  }

  @Test
  void valuesOfTheLoadersThreadComeBeforeThoseOfTheSubscriber() {
    ContextRegistry.getInstance().registerThreadLocalAccessor("span", SPAN);
    try {
      open(FanoutCache.builder().carry(() -> () -> within("the load's")));
      Backend<Integer, String> backend =
          add(
              ReactiveLoader.ofMono(
                  keys ->
                      Mono.deferContextual(
                          context ->
                              Mono.just(
                                  Map.of(1, context.get("user") + " " + context.get("span"))))));
      StepVerifier.create(
              ask(backend, 1).contextWrite(Context.of("user", "ada", "span", "the subscriber's")))
          .expectNext("ada the load's")
          .expectComplete()
          .verify(LONG);
    } finally {
      ContextRegistry.getInstance().removeThreadLocalAccessor("span");
    }
  }

  private static Scope within(String span) {
    SPAN.set(span);
    return SPAN::remove;
  }

  @Test
  void valuesOneByOneAreCollected() {
    Backend<Integer, String> backend =
        add(
            ReactiveLoader.ofFlux(
                keys -> Flux.fromIterable(keys).filter(key -> key < 3).map(key -> "v" + key),
                value -> Integer.valueOf(value.substring(1))));
    StepVerifier.create(
            ReactiveRequest.of(cache, request -> request.query(backend, List.of(1, 2, 3))))
        .expectNext(Map.of(1, "v1", 2, "v2"))
        .expectComplete()
        .verify(LONG);
  }

  @Test
  void anEmptyAnswerMeansThatNoKeyExists() {
    fails(ReactiveLoader.ofMono(keys -> Mono.empty()), step -> step.expectComplete());
  }

  @Test
  void errorsAreThoseOfTheQuery() {
    fails(
        ReactiveLoader.ofMono(keys -> Mono.error(new IllegalStateException("down"))),
        step -> step.expectErrorMessage("down"));
  }

  @Test
  void nullInPlaceOfAMonoIsAFailure() {
    fails(ReactiveLoader.ofMono(keys -> null), step -> step.expectError());
  }

  private void fails(
      Loader<Integer, String> loader, Function<StepVerifier.FirstStep<String>, StepVerifier> how) {
    how.apply(StepVerifier.create(ask(add(loader), 1))).verify(LONG);
  }
}
