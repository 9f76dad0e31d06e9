/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.FanoutRequest;
import dev.manx.client.Freshness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Codecs that hang for ever or fail: waiting and memory are bounded, and the other values are
 * answered.
 */
@Timeout(60)
@Tag("slow")
class CodecFaultsTest {
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration SHORT = Duration.ofSeconds(5);
  private static final int THREADS_PER_BACKEND = 4;

  private final Hanging codec = new Hanging("", "slow");

  @AfterEach
  void release() {
    codec.release();
  }

  private List<CompletableFuture<String>> hang(OneNetwork all, Backend<Integer, String> backend)
      throws Exception {
    OneNetwork.put(backend, 1, "slow");
    List<CompletableFuture<String>> hanging = new ArrayList<>();
    for (int i = 0; i < THREADS_PER_BACKEND; i++) {
      hanging.add(all.ask(backend, 1));
    }
    codec.await(THREADS_PER_BACKEND);
    return hanging;
  }

  /** The backend's own time-out is much longer. */
  @ParameterizedTest
  @ValueSource(strings = {"cache.robinhood", "cache.shared"})
  void aQueryWaitsForACodecNotLongerThanForTheStore(String policy) throws Exception {
    try (OneNetwork all = new OneNetwork(policy, SHORT)) {
      Backend<Integer, String> backend = all.add("songs", codec);
      for (CompletableFuture<String> each : hang(all, backend)) {
        assertThat(each.get(20, TimeUnit.SECONDS)).isEqualTo("loaded");
      }
      assertThat(backend.stats().degraded()).as("the instance is well").isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cache.robinhood", "cache.shared"})
  void abandonedAnswersAreNotDecoded(String policy) throws Exception {
    try (OneNetwork all = new OneNetwork(policy, SHORT)) {
      Backend<Integer, String> backend = all.add("songs", codec);
      OneNetwork.put(backend, 2, "waits");
      hang(all, backend);
      assertThat(all.ask(backend, 2).get(20, TimeUnit.SECONDS)).isEqualTo("loaded");
      codec.release();
      assertThat(all.ask(backend, 3).get(20, TimeUnit.SECONDS)).isEqualTo("loaded");
      OneNetwork.put(backend, 3, "known");
      assertThat(all.ask(backend, 3).get(20, TimeUnit.SECONDS)).isEqualTo("known");
      assertThat(codec.decodedOn).hasSize(THREADS_PER_BACKEND + 1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cache.robinhood", "cache.shared"})
  void aDeadlineHoldsWhileACodecHangs(String policy) throws Exception {
    try (OneNetwork all = new OneNetwork(policy, LONG)) {
      Backend<Integer, String> backend = all.add("songs", codec);
      hang(all, backend);
      try (FanoutRequest request = all.cache.request(SHORT)) {
        CompletableFuture<String> asked = request.queryOne(backend, 1);
        Assertions.assertThatThrownBy(() -> asked.get(20, TimeUnit.SECONDS))
            .hasCauseInstanceOf(TimeoutException.class);
      }
    }
  }

  /** Of look-ups without a query too. */
  @ParameterizedTest
  @ValueSource(strings = {"cache.robinhood", "cache.shared"})
  void waitingForACodecIsBounded(String policy) throws Exception {
    int most = 6;
    try (OneNetwork all = new OneNetwork(policy, LONG)) {
      Backend<Integer, String> backend = all.add("songs", codec, most);
      OneNetwork.put(backend, 1, "slow");
      List<CompletableFuture<String>> looks = new ArrayList<>();
      for (int i = 0; i < most; i++) {
        looks.add(OneNetwork.look(backend, 1));
      }
      codec.await(THREADS_PER_BACKEND);
      assertThat(OneNetwork.look(backend, 1).get(20, TimeUnit.SECONDS)).as("a miss").isNull();
      assertThat(looks).noneMatch(CompletableFuture::isDone);
      codec.release();
      for (CompletableFuture<String> each : looks) {
        assertThat(each.get(20, TimeUnit.SECONDS)).isEqualTo("slow");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cache.robinhood", "cache.shared"})
  void aHangingLookHoldsUpNoInvalidationAndNoPut(String policy) throws Exception {
    try (OneNetwork all = new OneNetwork(policy, LONG)) {
      Backend<Integer, String> backend = all.add("songs", codec);
      OneNetwork.put(backend, 1, "slow");
      for (int i = 0; i < THREADS_PER_BACKEND; i++) {
        assertThat(OneNetwork.look(backend, 1)).isNotNull();
      }
      hang(all, backend);
      all.hold();
      CompletableFuture<Void> put = backend.put(2, "one").toCompletableFuture();
      CompletableFuture<Void> again = backend.put(2, "two").toCompletableFuture();
      CompletableFuture<Void> gone = backend.invalidate(List.of(2)).toCompletableFuture();
      all.answer();
      put.get(20, TimeUnit.SECONDS);
      again.get(20, TimeUnit.SECONDS);
      gone.get(20, TimeUnit.SECONDS);
    }
  }

  /** A value removed before it is decoded may answer earlier queries, but no later one. */
  @ParameterizedTest
  @ValueSource(strings = {"cache.robinhood", "cache.shared"})
  void aValueInvalidatedWhileItIsDecodedIsNotFoundAgain(String policy) throws Exception {
    try (OneNetwork all = new OneNetwork(policy, LONG)) {
      Backend<Integer, String> backend = all.add("songs", codec);
      List<CompletableFuture<String>> before = hang(all, backend);
      backend.invalidate(List.of(1)).toCompletableFuture().get(20, TimeUnit.SECONDS);
      assertThat(all.ask(backend, 1).get(20, TimeUnit.SECONDS)).isEqualTo("loaded");
      codec.release();
      for (CompletableFuture<String> each : before) {
        assertThat(each.get(20, TimeUnit.SECONDS)).isEqualTo("slow");
      }
      assertThat(all.ask(backend, 1).get(20, TimeUnit.SECONDS)).isEqualTo("loaded");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cache.robinhood", "cache.shared"})
  void aClosedCacheRunsNoCodecOnTheNetworkThread(String policy) throws Exception {
    CompletableFuture<String> asked;
    try (OneNetwork all = new OneNetwork(policy, LONG)) {
      Backend<Integer, String> backend = all.add("songs", codec);
      OneNetwork.put(backend, 2, "value");
      all.hold();
      asked = all.ask(backend, 2);
      all.cache.close();
      all.answer();
      assertThat(asked.handle((value, error) -> true).get(20, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(codec.decodedOn).noneMatch(OneNetwork.NETWORK::equals);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cache.robinhood", "cache.shared"})
  void anErrorOfACodecSpoilsOneValueOfItsBatch(String policy) throws Exception {
    try (OneNetwork all = new OneNetwork(policy, LONG)) {
      Backend<Integer, String> backend = all.add("songs", codec);
      Map<Integer, String> loaded = Map.of(-1, "too deep", 1, "loaded");
      assertThat(all.cache.request().query(backend, List.of(-1, 1)).get(20, TimeUnit.SECONDS))
          .isEqualTo(loaded);
      // Completes after everything sent before it.
      OneNetwork.put(backend, 2, "unreadable");
      assertThat(OneNetwork.look(backend, 1).get(20, TimeUnit.SECONDS)).isEqualTo("loaded");
      assertThat(all.cache.request().query(backend, List.of(1, 2)).get(20, TimeUnit.SECONDS))
          .isEqualTo(Map.of(1, "loaded", 2, "loaded"));
      assertThat(codec.decodedOn).hasSize(3);
    }
  }

  /** As after a change of the values' format; with a time to live the value is in an envelope. */
  @ParameterizedTest
  @CsvSource({
    "cache.robinhood, 0",
    "cache.robinhood, 60",
    "cache.shared, 0",
    "cache.shared, 60",
  })
  void aValueThatIsReadAsNullIsAMissOfItsKeyAlone(String policy, int liveSeconds) throws Exception {
    Freshness freshness =
        liveSeconds == 0
            ? Freshness.FOREVER
            : Freshness.timeToLive(Duration.ofSeconds(liveSeconds)).withStaleIfError(LONG);
    try (OneNetwork all = new OneNetwork(policy, LONG)) {
      Backend<Integer, String> backend = all.add("songs", codec, 10_000, freshness);
      OneNetwork.put(backend, 1, "kept");
      OneNetwork.put(backend, 2, "null");
      assertThat(all.cache.request().query(backend, List.of(1, 2)).get(20, TimeUnit.SECONDS))
          .isEqualTo(Map.of(1, "kept", 2, "loaded"));
      OneNetwork.put(backend, 2, "null");
      assertThat(OneNetwork.look(backend, 2).get(20, TimeUnit.SECONDS)).isNull();
    }
  }
}
