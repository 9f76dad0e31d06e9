/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import dev.manx.lab.kind.cachelive.LiveSettings.Kind;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A service in its own process. */
@Tag("engines")
@Timeout(120)
class HttpBackendTest {
  private static final List<Integer> KEYS = List.of(1, 2, 3, 4, 5, 6);

  /** Its six pages take 12 s at the gate; the client of the gate gives up after 10 s. */
  @Test
  void theGateOpensWhilePagesWaitAtIt(@TempDir Path folder) throws Exception {
    BackendPlan plan = new BackendPlan("pages", Kind.HTTP, 10, 64, 1, 1, 0, 1, 100_000_000);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (HttpBackend backend = new HttpBackend(plan, folder)) {
      backend.limit(0.05);
      CountDownLatch sends = new CountDownLatch(1);
      Future<Map<Integer, byte[]>> pages =
          thread.submit(
              () -> {
                sends.countDown();
                return backend.read().read(KEYS);
              });
      sends.await();
      backend.limit(0.05);
      backend.limit(Double.POSITIVE_INFINITY);
      assertThat(pages.get()).containsOnlyKeys(KEYS);
    } finally {
      thread.shutdownNow();
    }
  }
}
