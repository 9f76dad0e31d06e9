/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static dev.manx.client.testkit.Songs.until;

import dev.manx.client.level.LevelLink;
import dev.manx.client.level.LevelSettings;
import dev.manx.client.testkit.Relay;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A second level whose connection is lost while no operation is sent. */
@Timeout(60)
@Tag("slow")
class RedisLevelReconnectTest {
  private static boolean works(LevelLink link) {
    return link.get(List.of("a"))
        .toCompletableFuture()
        .handle((done, failure) -> failure == null)
        .join();
  }

  /** The first operation afterwards would fail, perhaps hours later. */
  @Test
  void attemptsAreRepeatedUntilOneSucceeds() throws Exception {
    try (FakeRedis redis = new FakeRedis();
        Relay relay = new Relay(new InetSocketAddress("127.0.0.1", redis.port()))) {
      LevelLink link =
          RedisLevel.at(
                  RedisAddress.of(URI.create("redis://127.0.0.1:" + relay.address().getPort())),
                  LevelSettings.of("shop").withTimeout(Duration.ofSeconds(5)))
              .link();
      try {
        link.open();
        until(() -> works(link));
        // In this state no attempt succeeds, and each reaches the server.
        relay.reset();
        until(() -> redis.accepted() >= 4);
        relay.pass();
        until(() -> redis.open() > 0 && redis.greeted() >= 2);
        // Perhaps within a second of the last attempt.
        int before = redis.greeted();
        relay.reset();
        relay.pass();
        until(() -> redis.greeted() > before);
        until(() -> works(link));
      } finally {
        link.close();
      }
    }
  }
}
