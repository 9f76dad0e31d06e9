/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static dev.manx.client.testkit.Songs.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How connections to Redis are made. */
@Timeout(60)
class LettuceTest {
  /** While it is not connected, a channel empties all backends every five seconds. */
  @Test
  void aLostConnectionIsTriedAgainSoonHoweverLongTheOutageWas() {
    var resources = Lettuce.CHANNELS.acquire();
    try {
      for (int attempt = 1; attempt <= 100; attempt++) {
        assertThat(resources.reconnectDelay().createDelay(attempt))
            .isBetween(Duration.ZERO, Duration.ofSeconds(2));
      }
    } finally {
      Lettuce.CHANNELS.release();
    }
  }

  /** The first one may have been executed, and another server may have deleted its value. */
  @Test
  void aClusterIsNotSentTheSameValueTwice() throws Exception {
    try (FakeRedis redis = new FakeRedis()) {
      URI uri = URI.create("redis://127.0.0.1:" + redis.port());
      Connector connector =
          Connector.of(
              RedisAddress.ofCluster(List.of(uri)),
              Lettuce.STORES,
              Duration.ofSeconds(1),
              100,
              false);
      try {
        Wire wire = connector.connect().toCompletableFuture().get(20, TimeUnit.SECONDS);
        redis.breaksAt("SET");
        var lost = wire.commands().set("key", new byte[1]).toCompletableFuture();
        assertThatThrownBy(() -> lost.get(20, TimeUnit.SECONDS)).isNotNull();
        until(
            () ->
                wire.commands()
                    .set("other", new byte[1])
                    .toCompletableFuture()
                    .handle((done, failure) -> failure == null)
                    .join());
        assertThat(redis.value("key")).as("sent again").isNull();
      } finally {
        connector.shutdown();
        Lettuce.STORES.release();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "my shop", "a/b"})
  void anApplicationIsNamedLikeInYaml(String name) {
    URI redis = URI.create("redis://127.0.0.1:6379");
    assertThatThrownBy(() -> RedisInvalidations.of(redis, name, Duration.ofMillis(200)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "application = '"
                + name
                + "' is invalid; allowed: 1 to 64 letters, digits, '.', '_', '-'");
  }
}
