/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.store.Sizers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A JVM whose common pool is full of loaders that never answer: prints the number of their queries
 * that still timed out.
 */
public final class TimeOutProbe {
  private TimeOutProbe() {}

  /** Queries sixteen keys, each with a separate load. */
  public static void main(String[] args) throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    Loader<Integer, String> hanging =
        keys ->
            CompletableFuture.supplyAsync(
                () -> {
                  try {
                    never.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                  return Map.of();
                });
    int timedOut = 0;
    try (FanoutCache cache = FanoutCache.builder().drivenByHost().open()) {
      Backend<Integer, String> backend =
          cache.add(
              BackendSpec.<Integer, String>of(
                      "hanging", Sizers.of(Sizers::number, Sizers::text), hanging)
                  .with(BackendSettings.DEFAULTS.withTimeOut(Duration.ofMillis(200))));
      List<CompletableFuture<String>> answers = new ArrayList<>();
      FanoutRequest request = cache.request();
      for (int key = 0; key < 16; key++) {
        answers.add(request.queryOne(backend, key));
      }
      for (CompletableFuture<String> answer : answers) {
        try {
          answer.get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
          timedOut += e.getCause() instanceof TimeoutException ? 1 : 0;
        } catch (TimeoutException e) {
          break;
        }
      }
    }
    System.out.println("timed out: " + timedOut);
    System.exit(0);
  }
}
