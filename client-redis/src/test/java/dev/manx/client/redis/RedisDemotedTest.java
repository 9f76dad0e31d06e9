/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static dev.manx.client.testkit.Songs.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.level.LevelLink;
import dev.manx.client.level.LevelSettings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A former master that keeps its connections, and answers reads. */
@Timeout(60)
class RedisDemotedTest {
  private static boolean works(CompletionStage<?> command) {
    return command.toCompletableFuture().handle((done, failure) -> failure == null).join();
  }

  @Test
  void theSecondLevelConnectsAnewAfterARejectedWrite() throws Exception {
    try (FakeRedis redis = new FakeRedis()) {
      RedisAddress address = RedisAddress.of(URI.create("redis://127.0.0.1:" + redis.port()));
      LevelSettings settings = LevelSettings.of("shop").withTimeout(Duration.ofSeconds(5));
      LevelLink link = RedisLevel.at(address, settings).link();
      try {
        link.open();
        until(() -> works(link.delete(List.of("a"))));
        redis.isDemoted();
        assertThat(works(link.get(List.of("a")))).isTrue();
        assertThat(redis.accepted()).isEqualTo(1);
        assertThat(works(link.delete(List.of("a")))).isFalse();
        assertThat(works(link.get(List.of("a")))).isTrue();
        assertThat(works(link.delete(List.of("a")))).isFalse();
        until(() -> redis.accepted() >= 2);
      } finally {
        link.close();
      }
    }
  }
}
