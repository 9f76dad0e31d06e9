/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for other threads; the tests' time-out bounds the wait. */
public final class Waiting {
  private Waiting() {}

  /** Returns as soon as the condition holds. */
  public static void until(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }
}
