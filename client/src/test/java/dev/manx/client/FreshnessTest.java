/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.store.Codec;
import dev.manx.client.store.StoreSpec;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Times to live and idle times. */
@Timeout(60)
class FreshnessTest extends AgingCache {
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anEntryIsAMissAfterItsTimeToLive(boolean local) throws Exception {
    Backend<Integer, String> backend = open(local, with(MINUTE));
    CompletableFuture<String> first = ask(backend, 1);
    songs.next().with("a");
    assertThat(get(first)).isEqualTo("a1");
    clock.pass(Duration.ofSeconds(59));
    assertThat(ask(backend, 1)).isCompletedWithValue("a1");
    clock.pass(Duration.ofSeconds(1));
    CompletableFuture<String> second = ask(backend, 1);
    songs.next().with("b");
    assertThat(get(second)).isEqualTo("b1");
    assertThat(backend.stats().misses()).isEqualTo(2);
  }

  /** An answer is as old as the call of the loader, however long it took. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anEntrysAgeCountsFromTheCallOfItsLoader(boolean local) throws Exception {
    Backend<Integer, String> backend = open(local, with(MINUTE));
    CompletableFuture<String> slow = ask(backend, 1);
    Replies.Call call = songs.next();
    clock.pass(Duration.ofSeconds(40));
    call.with("a");
    assertThat(get(slow)).isEqualTo("a1");
    clock.pass(Duration.ofSeconds(19));
    assertThat(ask(backend, 1)).isCompletedWithValue("a1");
    clock.pass(Duration.ofSeconds(1));
    CompletableFuture<String> second = ask(backend, 1);
    assertThat(second).isNotDone();
    songs.next().with("b");
    assertThat(get(second)).isEqualTo("b1");
  }

  @Test
  void jitterSpreadsTheExpiryOfWhatWasLoadedTogether() throws Exception {
    Backend<Integer, String> backend = open(true, with(MINUTE.withJitter(0.5)));
    CompletableFuture<?> all = ask(backend, keys(1_000));
    songs.next().with("a");
    get(all);
    clock.pass(Duration.ofSeconds(30).minusMillis(1));
    assertThat(present(backend)).isEqualTo(1_000);
    clock.pass(Duration.ofSeconds(15));
    assertThat(present(backend)).isBetween(400, 600);
    clock.pass(Duration.ofSeconds(15).plusMillis(1));
    assertThat(present(backend)).isZero();
  }

  private static int present(Backend<Integer, String> backend) throws Exception {
    int present = 0;
    for (int key : keys(1_000)) {
      present += get(backend.getIfPresent(key).toCompletableFuture()) == null ? 0 : 1;
    }
    return present;
  }

  @Test
  void anEntryThatIsNotAskedForExpires() {
    Backend<Integer, String> backend =
        open(true, with(Freshness.FOREVER.withIdleTime(Duration.ofMinutes(1))));
    assertThat(backend.put(1, "used")).isCompleted();
    assertThat(backend.put(2, "idle")).isCompleted();
    for (int i = 0; i < 5; i++) {
      clock.pass(Duration.ofSeconds(40));
      assertThat(ask(backend, 1)).isCompletedWithValue("used");
    }
    assertThat(backend.getIfPresent(2)).isCompletedWithValue(null);
  }

  @Test
  void aRemoteStoreRefusesIdleTimes() {
    assertThatThrownBy(
            () -> open(false, with(Freshness.FOREVER.withIdleTime(Duration.ofMinutes(1)))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("songs")
        .hasMessageContaining("idle-time");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anEntryMayHaveATimeToLiveOfItsOwn(boolean local) {
    Backend<Integer, String> backend =
        open(
            local,
            with(MINUTE),
            (key, value) ->
                switch (key) {
                  case 1 -> Duration.ofSeconds(5);
                  case 2 -> Duration.ZERO;
                  default -> null;
                });
    for (int key = 1; key <= 3; key++) {
      assertThat(backend.put(key, "v")).isCompleted();
    }
    assertThat(backend.getIfPresent(1)).isCompletedWithValue("v");
    assertThat(backend.getIfPresent(2)).as("not kept").isCompletedWithValue(null);
    clock.pass(Duration.ofSeconds(5));
    assertThat(backend.getIfPresent(1)).isCompletedWithValue(null);
    assertThat(backend.getIfPresent(3)).isCompletedWithValue("v");
    clock.pass(Duration.ofSeconds(55));
    assertThat(backend.getIfPresent(3)).isCompletedWithValue(null);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anEntryMayLiveForEver(boolean local) {
    Backend<Integer, String> backend =
        open(local, with(MINUTE), (key, value) -> ChronoUnit.FOREVER.getDuration());
    assertThat(backend.put(1, "v")).isCompleted();
    clock.pass(Duration.ofDays(365));
    assertThat(backend.getIfPresent(1)).isCompletedWithValue("v");
    assertThat(backend.stats().notKept()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anEntryWhoseExpiryFailsIsNotKept(boolean local) {
    Backend<Integer, String> backend =
        open(
            local,
            with(MINUTE),
            (key, value) -> {
              throw new IllegalStateException("which day is it?");
            });
    assertThat(backend.put(1, "v")).isCompleted();
    assertThat(backend.getIfPresent(1)).isCompletedWithValue(null);
    assertThat(backend.stats().notKept()).isEqualTo(1);
  }

  /** Times are stored with the value in a store of bytes. */
  @Test
  void timesSurviveTheirBytes() {
    cache = FanoutCache.builder().drivenByHost().open();
    Codec<Integer, Timed<String>> timed =
        TimedStore.spec(new StoreSpec<Integer, String>("songs", 0, (k, v) -> 1, Optional.of(BYTES)))
            .codec()
            .orElseThrow();
    Timed<String> back = timed.decode(1, timed.encode(new Timed<>("value", 5, -7, Timed.NEVER, 0)));
    assertThat(back.value).isEqualTo("value");
    assertThat(back.hardNanos).isEqualTo(5);
    assertThat(back.goneNanos).isEqualTo(-7);
    assertThat(back.softNanos()).isEqualTo(Timed.NEVER);
  }
}
