/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static dev.manx.client.testkit.Songs.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.store.remote.Shared;
import dev.manx.client.timer.Timer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A channel that works carries messages while its connections are replaced. */
@Timeout(60)
class RedisReplacedChannelTest {
  private static final InvalidationChannel.Listener LISTENER =
      new InvalidationChannel.Listener() {
        @Override
        public void received(byte[] message) {}

        @Override
        public void broken(String why) {}
      };

  private FakeRedis redis;
  private RedisInvalidations channel;

  @BeforeEach
  void open() throws Exception {
    redis = new FakeRedis();
    URI address = URI.create("redis://127.0.0.1:" + redis.port());
    channel = RedisInvalidations.of(address, "shop", Duration.ofSeconds(20));
    channel.open(LISTENER);
    until(() -> failureToSend() == null);
  }

  @AfterEach
  void close() throws IOException {
    channel.close();
    redis.close();
  }

  private Throwable failureToSend() {
    return channel.publish(new byte[1]).toCompletableFuture().handle((done, e) -> e).join();
  }

  /** Sends all the time. */
  private void untilReplacedBy(int connections) throws InterruptedException {
    until(
        () -> {
          assertThat(failureToSend()).isNull();
          return redis.accepted() == connections && redis.open() == 2;
        });
    assertThat(failureToSend()).isNull();
  }

  @Test
  void untilTheNewOnesStand() throws Exception {
    redis.hesitates();
    channel.replace();
    redis.awaitClaim();
    assertThat(failureToSend()).isNull();
    assertThat(redis.open()).isEqualTo(3);
    redis.goOn();
    untilReplacedBy(4);
  }

  @Test
  void alsoAMessageThatIsOnItsWayThen() throws Exception {
    redis.ignores("PUBLISH");
    CompletableFuture<Void> sent = channel.publish(new byte[1]).toCompletableFuture();
    channel.replace();
    assertThat(sent.handle((done, e) -> e).join()).isNull();
  }

  @Test
  void alsoIfTheFirstAttemptFails() throws Exception {
    redis.breaksAt("HELLO");
    channel.replace();
    untilReplacedBy(5);
  }

  /** As where no thread can be made at the moment. The server's own beats renew the channel. */
  @Test
  void aRetryThatCannotBeScheduledIsMadeUpByTheNextRenewal() throws Exception {
    AtomicInteger failures = new AtomicInteger();
    Timer failing =
        (nanos, task) -> {
          failures.incrementAndGet();
          throw new OutOfMemoryError("asked to fail");
        };
    Shared<Timer> timers = new Shared<>(() -> failing, ended -> {});
    channel.close();
    redis.breaksAt("HELLO");
    channel =
        new RedisInvalidations(
            RedisAddress.of(URI.create("redis://127.0.0.1:" + redis.port())),
            "shop",
            Duration.ofSeconds(20),
            Lettuce.CHANNELS,
            timers);
    channel.open(LISTENER);
    until(() -> failures.get() == 1);
    until(
        () -> {
          boolean works = failureToSend() == null;
          if (!works) {
            channel.renew();
          }
          return works;
        });
    assertThat(failures).hasValue(1);
  }

  /** No message can be sent on connections that are known not to work. */
  @Test
  void notIfTheyTurnOutNotToWorkMeanwhile() throws Exception {
    redis.hesitates();
    channel.replace();
    redis.awaitClaim();
    channel.renew();
    assertThat(failureToSend()).hasMessageContaining("not connected");
    redis.goOn();
    until(() -> failureToSend() == null);
    untilReplacedBy(4);
  }
}
