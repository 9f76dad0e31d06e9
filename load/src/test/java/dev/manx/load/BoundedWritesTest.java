/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class BoundedWritesTest {
  @Test
  void everyIdIsWrittenOnceAndNeverTooManyAtOnce() throws InterruptedException {
    AtomicIntegerArray written = new AtomicIntegerArray(500);
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    BoundedWrites writes =
        new BoundedWrites(
            8,
            1,
            id -> {
              most.accumulateAndGet(now.incrementAndGet(), Math::max);
              return CompletableFuture.runAsync(
                  () -> {
                    written.incrementAndGet(id);
                    now.decrementAndGet();
                  });
            });
    for (int id = 0; id < 500; id++) {
      writes.start(id);
    }
    writes.finish();
    assertThat(writes.done()).isEqualTo(500);
    for (int id = 0; id < 500; id++) {
      assertThat(written.get(id)).isEqualTo(1);
    }
    assertThat(most.get()).isLessThanOrEqualTo(8);
  }

  @Test
  void overloadIsTriedAgain() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    BoundedWrites writes = new BoundedWrites(2, 3, id -> failingUntil(3, calls.incrementAndGet()));
    writes.start(0);
    writes.finish();
    assertThat(calls.get()).isEqualTo(3);
    assertThat(writes.done()).isEqualTo(1);
  }

  @Test
  void aFinalFailureEndsTheLoad() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    BoundedWrites writes = new BoundedWrites(2, 2, id -> failingUntil(9, calls.incrementAndGet()));
    writes.start(0);
    assertThatThrownBy(writes::finish)
        .hasMessageContaining("failed 2 times")
        .cause()
        .hasMessageContaining("overloaded");
    assertThatThrownBy(() -> writes.start(1)).hasMessageContaining("failed 2 times");
    assertThat(calls.get()).isEqualTo(2);
  }

  private static CompletionStage<String> failingUntil(int goodCall, int call) {
    if (call % 2 == 0) {
      throw new IllegalStateException("overloaded at once");
    }
    return call < goodCall
        ? CompletableFuture.failedFuture(new IllegalStateException("overloaded"))
        : CompletableFuture.completedFuture("written");
  }
}
