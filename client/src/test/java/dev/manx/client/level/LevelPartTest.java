/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Logged;
import dev.manx.client.store.Codec;
import dev.manx.client.timer.TimerThreads;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LevelPartTest {
  private static final Codec<String, String> TEXT =
      new Codec<>() {
        @Override
        public String key(String key) {
          if (key.equals("no text")) {
            throw new IllegalArgumentException("asked for no text");
          }
          return key.equals("never stored") ? "" : key;
        }

        @Override
        public byte[] encode(String value) {
          if (value.equals("unwritable")) {
            throw new IllegalStateException("asked not to write");
          }
          return value.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(String key, byte[] bytes) {
          String text = new String(bytes, StandardCharsets.UTF_8);
          if (text.equals("broken")) {
            throw new IllegalStateException(text);
          }
          return text;
        }
      };

  private final FakeLevel server = new FakeLevel();
  private final TimerThreads timer = new TimerThreads("test");
  private final AtomicLong millis = new AtomicLong(1_000_000);
  // Of the clock by which a server out of reach is tried again.
  private final AtomicLong nanos = new AtomicLong();
  private final Access access =
      new Access(
          new SecondLevel(
              server.link(), LevelSettings.of("shop").withTimeout(Duration.ofMillis(50))),
          timer,
          nanos::get);
  private final LevelPart<String, String> part =
      new LevelPart<>(
          access,
          "songs",
          TEXT,
          (key, value) -> value.startsWith("short") ? 1_000 : 10_000,
          Duration.ofSeconds(3),
          millis::get,
          keys -> {});

  @AfterEach
  void close() {
    access.close();
    timer.close();
  }

  private LevelLookUp<String, String> look(String... keys) {
    return part.look(List.of(keys), Runnable::run).toCompletableFuture().join();
  }

  private void put(String key, String value) {
    part.fill(look(key), Map.of(key, value)).toCompletableFuture().join();
  }

  private Map<String, String> found(String... keys) {
    Map<String, String> found = new HashMap<>();
    look(keys).found().forEach((key, there) -> found.put(key, there.value()));
    return found;
  }

  @Test
  void valuesKeepTheirAgeAndEndWithTheirLife() {
    look("begins");
    put("a", "long");
    put("b", "short");
    millis.addAndGet(999);
    assertThat(found("a", "b", "c")).containsOnly(Map.entry("a", "long"), Map.entry("b", "short"));
    assertThat(look("a").found().get("a").ageMillis()).isEqualTo(999);
    millis.addAndGet(1);
    assertThat(found("a", "b")).containsOnlyKeys("a");
    millis.addAndGet(9_000);
    assertThat(found("a", "b")).isEmpty();
    assertThat(server.expiries()).containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(1));
  }

  @Test
  void aLoadsTimeIsPartOfItsValuesLife() {
    look("begins");
    LevelLookUp<String, String> look = look("a", "b");
    millis.addAndGet(4_000);
    part.fill(look, Map.of("a", "long", "b", "short")).toCompletableFuture().join();
    assertThat(server.expiries()).containsExactly(Duration.ofSeconds(6));
    assertThat(look("a").found().get("a").ageMillis()).isEqualTo(4_000);
    assertThat(found("b")).isEmpty();
  }

  @Test
  void aClockThatIsBehindMakesNoNegativeAge() {
    look("begins");
    put("a", "long");
    millis.addAndGet(-5_000);
    assertThat(look("a").found().get("a").ageMillis()).isZero();
  }

  @Test
  void aValueThatCannotBeReadIsReplaced() {
    look("begins");
    put("a", "broken");
    assertThat(found("a")).isEmpty();
    put("a", "fine");
    assertThat(found("a")).containsEntry("a", "fine");
    assertThat(part.stats().failures()).isEqualTo(2);
  }

  @Test
  void failuresOfTheCodecAreLoggedWithTheirCauseAndNotTooOften() {
    look("begins");
    String logged =
        Logged.during(
            () -> {
              for (int i = 0; i < 3; i++) {
                put("a" + i, "unwritable");
                put("b" + i, "broken");
                assertThat(found("a" + i, "b" + i, "no text")).isEmpty();
              }
            });
    assertThat(logged)
        .containsOnlyOnce("a value of backend songs is not stored in the second level")
        .containsOnlyOnce("IllegalStateException: asked not to write")
        .containsOnlyOnce("a value of backend songs in the second level cannot be read")
        .containsOnlyOnce("IllegalStateException: broken")
        .containsOnlyOnce("a key of backend songs has no text for the second level")
        .containsOnlyOnce("IllegalArgumentException: asked for no text");
    assertThat(part.stats().failures()).isGreaterThanOrEqualTo(9);
  }

  /** A later version of Manx may store another format under the same name. */
  @Test
  void unknownEntriesAreLeftAlone() {
    look("begins");
    byte[] other = "another format of entries".getBytes(StandardCharsets.UTF_8);
    server.values.put("manx:level:shop:songs:a", other);
    put("a", "mine");
    assertThat(server.values).containsEntry("manx:level:shop:songs:a", other);
    assertThat(found("a")).isEmpty();
  }

  @Test
  void anEpochThatWasEvictedForgetsEverythingAndNoMore() {
    look("begins");
    put("a", "old");
    server.values.remove("manx:level:shop:songs:");
    assertThat(found("a")).isEmpty();
    assertThat(found("a")).isEmpty();
    put("a", "new");
    assertThat(found("a")).containsEntry("a", "new");
  }

  @Test
  void aServerThatHangsIsAMissWithinTheTimeOut() throws Exception {
    look("begins");
    put("a", "value");
    server.hangs = true;
    for (int i = 0; i < 3; i++) {
      assertThat(
              part.look(List.of("a"), Runnable::run)
                  .toCompletableFuture()
                  .get(20, TimeUnit.SECONDS)
                  .found())
          .isEmpty();
    }
    int commands = server.commands.get();
    assertThat(found("a")).isEmpty();
    assertThat(server.commands.get()).isEqualTo(commands);
    server.hangs = false;
    while (found("a").isEmpty()) {
      nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(5));
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  @Test
  void moreInvalidationsThanAreRememberedForgetEverything() throws Exception {
    look("begins");
    put("a", "value");
    server.away = true;
    for (int from = 0; from < 11_000; from += 500) {
      List<String> keys =
          java.util.stream.IntStream.range(from, from + 500).mapToObj(n -> "k" + n).toList();
      CompletableFuture<Void> failed = part.forget(keys).toCompletableFuture();
      assertThat(failed).isCompletedExceptionally();
    }
    server.away = false;
    while (part.stats().unconfirmed() > 0) {
      assertThat(found("a")).isEmpty();
      nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(5));
      TimeUnit.MILLISECONDS.sleep(5);
    }
    assertThat(found("a")).isEmpty();
  }

  /** Retries are never sent, so that only the invalidations themselves are. */
  private Access withoutRetries() {
    LevelSettings settings = access.settings().withTimeout(Duration.ofSeconds(20));
    return new Access(
        new SecondLevel(server.link(), settings), (nanos, task) -> () -> {}, System::nanoTime);
  }

  private LevelPart<String, String> songs(Access way, List<List<String>> late) {
    return new LevelPart<>(
        way, "songs", TEXT, (key, value) -> 10_000, Duration.ofSeconds(3), millis::get, late::add);
  }

  private static boolean isConfirmed(CompletionStage<Void> forgotten) {
    return !forgotten.toCompletableFuture().isCompletedExceptionally();
  }

  @Test
  void aBackendThatIsAddedAgainIsNotLookedUpForWhatItHasInvalidated() {
    List<List<String>> late = new ArrayList<>();
    look("begins");
    put("a", "old");
    put("b", "other");
    Access way = withoutRetries();
    LevelPart<String, String> removed = songs(way, late);
    server.away = true;
    assertThat(isConfirmed(removed.forget(List.of("a")))).isFalse();
    server.away = false;
    LevelPart<String, String> again = songs(way, late);
    assertThat(again.look(List.of("a", "b"), Runnable::run).toCompletableFuture().join().found())
        .containsOnlyKeys("b");
    assertThat(isConfirmed(again.forget(List.of("a")))).isTrue();
    assertThat(again.stats().unconfirmed()).isZero();
    assertThat(removed.stats().unconfirmed()).isZero();
  }

  /**
   * Another server may have found the old values after it was notified of the failed invalidation.
   */
  @Test
  void anInvalidationOfAllKeysThatConfirmsEarlierOnesNotifiesOfAll() {
    List<List<String>> late = new ArrayList<>();
    LevelPart<String, String> one = songs(withoutRetries(), late);
    look("begins");
    put("a", "old");
    server.away = true;
    assertThat(isConfirmed(one.forget(List.of("a"), List.of("a")))).isFalse();
    server.away = false;
    assertThat(found("a")).containsEntry("a", "old");
    List<String> many = IntStream.range(0, 10_000).mapToObj(i -> "k" + i).toList();
    assertThat(isConfirmed(one.forget(many, many))).isTrue();
    assertThat(one.stats().unconfirmed()).isZero();
    assertThat(late).containsExactly(List.of());
    assertThat(isConfirmed(one.forget(List.of("b"), List.of("b")))).isTrue();
    assertThat(late).as("none was owed").hasSize(1);
  }

  /** The other servers are notified of these keys, and need not remove all others. */
  @Test
  void anInvalidationOfAllKeysThatConfirmsNoEarlierOneNotifiesOfNone() {
    List<List<String>> late = new ArrayList<>();
    LevelPart<String, String> one = songs(withoutRetries(), late);
    look("begins");
    put("a", "old");
    List<String> many = IntStream.range(0, 10_001).mapToObj(i -> "k" + i).toList();
    assertThat(isConfirmed(one.forget(many, many))).isTrue();
    assertThat(found("a")).isEmpty();
    assertThat(isConfirmed(one.forget(List.of("no text"), List.of("no text")))).isTrue();
    assertThat(late).isEmpty();
  }

  @Test
  void aBackendThatIsAddedAgainNotifiesOfWhatItConfirms() {
    List<List<String>> late = new ArrayList<>();
    Access way = withoutRetries();
    LevelPart<String, String> removed = songs(way, new ArrayList<>());
    server.away = true;
    assertThat(isConfirmed(removed.forget(List.of("a"), List.of("a")))).isFalse();
    server.away = false;
    LevelPart<String, String> again = songs(way, late);
    assertThat(isConfirmed(again.forget(List.of("no text"), List.of("no text")))).isTrue();
    assertThat(late).containsExactly(List.of());
  }

  /** Earlier the codec had a text for the key, under which there is a value. */
  @Test
  void anInvalidatedKeyForWhichTheCodecThrowsInvalidatesAll() {
    List<List<String>> late = new ArrayList<>();
    LevelPart<String, String> one = songs(withoutRetries(), late);
    look("begins");
    put("a", "old");
    assertThat(isConfirmed(one.forget(List.of("never stored")))).isTrue();
    assertThat(found("a")).isNotEmpty();
    server.away = true;
    assertThat(isConfirmed(one.forget(List.of("no text")))).isFalse();
    assertThat(one.stats().unconfirmed()).isPositive();
    server.away = false;
    assertThat(isConfirmed(one.forget(List.of("no text")))).isTrue();
    assertThat(found("a")).isEmpty();
    assertThat(late).containsExactly(List.of());
  }

  @Test
  void valuesAboveTheLimitAreCountedAndNeitherTheyNorEarlierOnesStay() {
    LevelSettings small =
        access.settings().withLargestValueBytes(1_024).withTimeout(Duration.ofSeconds(20));
    try (Access way = new Access(new SecondLevel(server.link(), small), timer, System::nanoTime)) {
      LevelPart<String, String> limited =
          new LevelPart<>(
              way,
              "songs",
              TEXT,
              (key, value) -> 10_000,
              Duration.ofSeconds(3),
              millis::get,
              keys -> {});
      look("begins");
      put("a", "earlier");
      put("b", "x".repeat(1_024));
      assertThat(found("a", "b")).hasSize(2);
      millis.addAndGet(10_000);
      LevelLookUp<String, String> look =
          limited.look(List.of("a", "c"), Runnable::run).toCompletableFuture().join();
      limited
          .fill(look, Map.of("a", "x".repeat(1_025), "c", "x".repeat(1_024)))
          .toCompletableFuture()
          .join();
      assertThat(limited.stats().tooLarge()).isEqualTo(1);
      assertThat(limited.stats().failures()).isZero();
      assertThat(server.values).doesNotContainKey("manx:level:shop:songs:a");
      assertThat(found("a", "c")).containsOnlyKeys("c");
    }
  }
}
