/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static dev.manx.client.testkit.Songs.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.testkit.Needs;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The connections of a store's link. */
@Timeout(60)
class RedisLinkTest {
  @Test
  void aConnectionThatIsMadeAfterTheWaitHasEndedIsClosed() throws Exception {
    try (FakeRedis redis = new FakeRedis()) {
      RedisURI address = RedisURI.create("redis://127.0.0.1:" + redis.port());
      try (RedisLink link =
          new RedisLink(address, Needs.patient(), "allkeys-lru", RedisTls.OF_THE_JVM)) {
        redis.hesitates();
        // Ends the wait as its time-out does, at a time that the test knows.
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> link.probe(null)).isInstanceOf(IOException.class);
        assertThat(Thread.interrupted()).isTrue();
        redis.awaitClaim();
        assertThat(redis.open()).isEqualTo(1);
        redis.goOn();
        until(() -> redis.open() == 0);
      }
    }
  }
}
