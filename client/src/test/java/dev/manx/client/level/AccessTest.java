/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.timer.TimerThreads;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The limits of one cache's access to its second level. */
@Timeout(60)
class AccessTest {
  private final FakeLevel server = new FakeLevel();
  private final TimerThreads timer = new TimerThreads("test");
  private final Access access =
      new Access(
          new SecondLevel(
              server.link(),
              new LevelSettings("shop", Duration.ofHours(1), Duration.ofMinutes(1), 1, 1 << 20)),
          timer,
          () -> 0);

  @AfterEach
  void close() {
    access.close();
    timer.close();
  }

  private CompletableFuture<Map<String, byte[]>> look() {
    return access.send("", link -> link.get(List.of("key")));
  }

  @Test
  void anErrorIsAFailureAndItsPlaceIsFree() throws Exception {
    server.broken = new AssertionError("of the link");
    CompletableFuture<?> failed = look();
    assertThatThrownBy(() -> failed.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(AssertionError.class);
    server.broken = null;
    assertThat(look().get(20, TimeUnit.SECONDS)).isEmpty();
  }

  @Test
  void oneMoreThanMayBeOutstandingIsGivenUp() {
    server.hangs = true;
    assertThat(look()).isNotDone();
    assertThat(look()).isCompletedExceptionally();
  }
}
