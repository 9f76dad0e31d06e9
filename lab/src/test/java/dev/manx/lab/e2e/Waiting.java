/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for asynchronous actions of nodes. */
final class Waiting {
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(60);

  private Waiting() {}

  /** Waits until the condition holds; fails after a minute. */
  static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + MOST_NANOS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as("waiting until " + what).isNegative();
      try {
        Thread.sleep(50);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }
}
