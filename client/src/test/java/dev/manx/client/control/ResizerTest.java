/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.store.Store;
import dev.manx.shares.Move;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bytes counted for stores of which it is not known how far they got. */
@Timeout(60)
class ResizerTest {
  private static final Move GROWS = new Move("a", 10, 20);
  private static final Move SHRINKS = new Move("a", 20, 10);

  private final Resizer resizer = new Resizer(Duration.ofSeconds(20));

  private long reached(Move move, Supplier<?> answer) {
    Store<?, ?> store =
        (Store<?, ?>)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) -> answer.get());
    return resizer.resize(List.of(move), Map.of("a", new Share("a", store, 0))).get(move);
  }

  @Test
  void aStoreMayHaveGrownOrNotShrunkWhenTheWaitIsInterrupted() {
    for (Move move : List.of(GROWS, SHRINKS)) {
      Thread.currentThread().interrupt();
      assertThat(reached(move, CompletableFuture::new)).isEqualTo(20);
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(resizer.failed()).isEqualTo(2);
  }

  /** Its answer is cancelled, or null, or an Error; it does not say either if it is reachable. */
  @Test
  void aStoreThatFailsInAnyWayCountsAsBefore() {
    CompletableFuture<Long> cancelled = new CompletableFuture<>();
    cancelled.cancel(false);
    for (Move move : List.of(GROWS, SHRINKS)) {
      assertThat(reached(move, () -> cancelled)).isEqualTo(move.fromBytes());
      assertThat(reached(move, () -> CompletableFuture.completedFuture(null)))
          .isEqualTo(move.fromBytes());
      assertThat(reached(move, () -> null)).isEqualTo(move.fromBytes());
      assertThat(
              reached(
                  move,
                  () -> {
                    throw new NoClassDefFoundError("asked to fail");
                  }))
          .isEqualTo(move.fromBytes());
    }
    assertThat(resizer.failed()).isEqualTo(8);
    assertThat(resizer.moves()).isZero();
  }
}
