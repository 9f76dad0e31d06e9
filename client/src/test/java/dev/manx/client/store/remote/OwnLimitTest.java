/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.store.Codec;
import dev.manx.client.store.ResizeRefusedException;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreSpec;
import dev.manx.client.store.TextCodec;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An instance with a limit of its own, and what it says about its room. */
@Timeout(60)
class OwnLimitTest {
  private static final Codec<Integer, String> CODEC = new TextCodec();

  private final FakeLink link = new FakeLink();

  private Store<Integer, String> open(long bytes) {
    return RemoteStore.open(
        new StoreSpec<>("songs", bytes, (key, value) -> 1, Optional.of(CODEC)),
        link,
        RemoteSettings.standard());
  }

  /** One without a limit reports 0: then the share is as good as any other number. */
  @ParameterizedTest
  @CsvSource({"100000000, 100000000", "0, 8388608"})
  void isTheShareIfItMayNotBeChanged(long limit, long share) {
    link.refusesResizes();
    link.reports(new Link.State(limit, 0));
    try (Store<Integer, String> store = open(8 << 20)) {
      assertThat(store.allocatedBytes()).isEqualTo(share);
      assertThatThrownBy(() -> store.resize(4 << 20).toCompletableFuture().join())
          .hasCauseInstanceOf(ResizeRefusedException.class);
      assertThat(store.allocatedBytes()).isEqualTo(share);
      assertThat(store.isDegraded()).isFalse();
    }
  }

  /** Only the controller knows what the others have taken meanwhile. */
  @Test
  void isKeptUntilTheControllerAsksForAnotherWhenItMayBeChangedAgain() throws Exception {
    link.refusesResizes();
    link.reports(new Link.State(100_000_000, 0));
    RemoteSettings polls =
        new RemoteSettings(
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofMillis(1),
            Duration.ofMillis(1),
            Duration.ofMillis(1),
            1_024);
    try (Store<Integer, String> store =
        RemoteStore.open(
            new StoreSpec<>("songs", 8 << 20, (key, value) -> 1, Optional.of(CODEC)),
            link,
            polls)) {
      assertThatThrownBy(() -> store.resize(50_000_000).toCompletableFuture().join())
          .hasCauseInstanceOf(ResizeRefusedException.class);
      link.acceptsResizes();
      int before = link.probes();
      // One may have begun before.
      while (link.probes() < before + 3) {
        LockSupport.parkNanos(100_000);
      }
      assertThat(link.resizes()).isEmpty();
      assertThat(store.allocatedBytes()).isEqualTo(100_000_000);
      assertThat(store.resize(50_000_000).toCompletableFuture().join()).isEqualTo(50_000_000);
    }
  }

  @Test
  void itsEvictionsAreValuesWithoutRoom() {
    link.reports(new Link.State(1 << 20, 10, 7));
    try (Store<Integer, String> store = open(1 << 20)) {
      assertThat(store.withoutRoom()).isEqualTo(7);
    }
  }

  /** The server takes values of 1 KiB, and a share half of itself. */
  @Test
  void aValueThatNoShareCanHoldDoesNotMakeItFull() {
    try (Store<Integer, String> store = open(1_000)) {
      store.putAll(Map.of(1, "v".repeat(2_000))).toCompletableFuture().join();
      assertThat(store.tooLarge()).isEqualTo(1);
      assertThat(store.withoutRoom()).isZero();
      store.putAll(Map.of(1, "v".repeat(600))).toCompletableFuture().join();
      assertThat(store.tooLarge()).isEqualTo(2);
      assertThat(store.withoutRoom()).isEqualTo(1);
    }
  }
}
