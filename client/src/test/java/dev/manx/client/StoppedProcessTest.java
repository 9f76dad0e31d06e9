/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The process is stopped for an hour, for example by {@code docker pause}, with loads under way.
 */
@Timeout(60)
class StoppedProcessTest extends ScriptedCache {
  private static final double SECOND = 1e9;

  /** Policies would take the backend to be a thousand times as slow as usual, and later as fast. */
  @Test
  void doesNotMakeABackendSlow() {
    Backend<Integer, String> backend =
        add("songs", songs, BackendSettings.DEFAULTS.withTimeOut(Duration.ofSeconds(1)));
    CompletableFuture<String> answer;
    try (FanoutRequest request = cache.request()) {
      answer = request.queryOne(backend, 1);
    }
    clock.pass(Duration.ofHours(1));
    songs.last().answerAll();
    assertThat(answer).isDone();
    clock.pass(Duration.ofSeconds(5));
    assertThat(recent().misses(0)).isEqualTo(1);
    assertThat(cache.recent().meanMissNanos(0)).isLessThanOrEqualTo(2 * SECOND);
  }

  /** Policies compare the times of requests, too. */
  @Test
  void doesNotMakeRequestsSlow() {
    Backend<Integer, String> backend = add("songs", songs);
    cache.tick();
    try (FanoutRequest request = cache.request()) {
      CompletableFuture<String> unused = request.queryOne(backend, 1);
    }
    FanoutRequest later = cache.request();
    CompletableFuture<String> unused = later.queryOne(backend, 2);
    clock.pass(Duration.ofHours(1));
    songs.last().answerAll();
    assertThat(recent().requests()).isZero();
    later.close();
    clock.pass(Duration.ofSeconds(5));
    assertThat(recent().requests()).isZero();
    try (FanoutRequest request = cache.request()) {
      CompletableFuture<String> last = request.queryOne(backend, 3);
    }
    clock.pass(Duration.ofSeconds(5));
    songs.last().answerAll();
    assertThat(recent().requests()).isEqualTo(1);
  }

  /** A query that takes long is recorded as it is. */
  @Test
  void butATimeOutIsRecordedAsLong() {
    Backend<Integer, String> backend =
        add("songs", songs, BackendSettings.DEFAULTS.withTimeOut(Duration.ofMinutes(1)));
    try (FanoutRequest request = cache.request()) {
      CompletableFuture<String> unused = request.queryOne(backend, 1);
    }
    clock.pass(Duration.ofSeconds(61));
    songs.last().answerAll();
    assertThat(recent().meanMissNanos(0)).isEqualTo(61 * SECOND);
  }
}
