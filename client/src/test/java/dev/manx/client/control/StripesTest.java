/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that meet in a stripe separate, and do not meet there again. */
@Timeout(value = 20, unit = TimeUnit.SECONDS)
class StripesTest {
  @Test
  void aThreadKeepsTheStripeThatItFoundFree() {
    Stripes stripes = new Stripes(4);
    int first = stripes.take();
    stripes.giveBack(first);
    assertThat(stripes.take()).as("the stripe that this thread took last").isEqualTo(first);
    int second = stripes.take();
    assertThat(second).as("the first is held").isNotEqualTo(first);
    stripes.giveBack(first);
    stripes.giveBack(second);
    assertThat(stripes.take()).as("another thread may use the first").isEqualTo(second);
  }

  @Test
  void eachIsHeldOnceAndNoneIsWaitedFor() {
    Stripes stripes = new Stripes(4);
    int[] taken = {stripes.take(), stripes.take(), stripes.take(), stripes.take()};
    assertThat(taken).containsExactlyInAnyOrder(0, 1, 2, 3);
    assertThat(stripes.take()).isNegative();
    stripes.giveBack(2);
    assertThat(stripes.take()).isEqualTo(2);
  }

  @Test
  void oneStripeCanBeWaitedFor() throws Exception {
    Stripes stripes = new Stripes(2);
    stripes.take(1);
    CompletableFuture<Void> other = CompletableFuture.runAsync(() -> stripes.take(1));
    assertThat(stripes.take()).as("the other one is free").isZero();
    assertThat(other).isNotDone();
    stripes.giveBack(1);
    other.get(10, TimeUnit.SECONDS);
    assertThat(stripes.take()).as("both are held").isNegative();
  }
}
