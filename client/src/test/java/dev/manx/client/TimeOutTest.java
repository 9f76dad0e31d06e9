/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.store.Sizers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Time-outs are delivered even if backends, loaders and callbacks block their threads. */
@Timeout(120)
class TimeOutTest {
  private final FanoutCache cache = FanoutCache.builder().capacity(8 << 20).drivenByHost().open();
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void close() {
    release.countDown();
    cache.close();
  }

  private Backend<Integer, String> add(Loader<Integer, String> loader) {
    return cache.add(
        BackendSpec.<Integer, String>of("songs", Sizers.of(Sizers::number, Sizers::text), loader)
            .with(BackendSettings.DEFAULTS.withTimeOut(Duration.ofMillis(50))));
  }

  private void await() {
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8})
  void aCommonPoolFullOfLoadersHoldsUpNoTimeOut(int parallelism) throws Exception {
    Process probe =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.util.concurrent.ForkJoinPool.common.parallelism=" + parallelism,
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                TimeOutProbe.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      String said =
          new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      assertThat(said).isEqualTo("timed out: 16");
    } finally {
      probe.destroyForcibly();
    }
  }

  @Test
  void aQueryThatJoinsALoadWhoseLoaderBlocksItsCallerTimesOut() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    Thread test = Thread.currentThread();
    Backend<Integer, String> backend =
        add(
            keys -> {
              if (Thread.currentThread() == test) {
                // The other load has already timed out.
                return new CompletableFuture<>();
              }
              called.countDown();
              await();
              return CompletableFuture.completedFuture(Map.of(1, "v1"));
            });
    Thread caller =
        new Thread(
            () -> {
              CompletableFuture<String> unused = cache.request().queryOne(backend, 1);
            });
    caller.start();
    called.await();
    CompletableFuture<String> joined = cache.request().queryOne(backend, 1);
    assertThatThrownBy(() -> joined.get(60, TimeUnit.SECONDS))
        .hasCauseInstanceOf(TimeoutException.class);
    release.countDown();
    caller.join();
  }

  /** The natural way to build a page: the answer of one backend, then join the others. */
  @Test
  void callbacksThatWaitForOtherQueriesOfTheirRequestEndAtItsDeadline() throws Exception {
    Backend<Integer, String> backend =
        cache.add(
            BackendSpec.<Integer, String>of(
                    "hangs",
                    Sizers.of(Sizers::number, Sizers::text),
                    keys -> new CompletableFuture<>())
                .with(BackendSettings.DEFAULTS.withTimeOut(Duration.ofHours(1))));
    FanoutRequest request = cache.request(Duration.ofMillis(50));
    List<CompletableFuture<String>> queries = new ArrayList<>();
    List<CompletableFuture<String>> parts = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      queries.add(request.queryOne(backend, i));
    }
    parts.add(queries.get(5).handle((value, error) -> "part"));
    for (int i = 0; i < 5; i++) {
      CompletableFuture<String> next = queries.get(i + 1);
      parts.add(
          queries.get(i).handle((value, error) -> next.handle((other, late) -> "part").join()));
    }
    for (CompletableFuture<String> part : parts) {
      assertThat(part.get(20, TimeUnit.SECONDS)).isEqualTo("part");
    }
  }

  @Test
  void callbacksThatBlockHoldUpNoOtherTimeOut() throws Exception {
    Backend<Integer, String> backend = add(keys -> new CompletableFuture<>());
    Thread test = Thread.currentThread();
    CountDownLatch blocked = new CountDownLatch(8);
    List<CompletableFuture<String>> answers = new ArrayList<>();
    int key = 0;
    for (int blocking = 0; blocking < 8; key++) {
      AtomicBoolean here = new AtomicBoolean();
      CompletableFuture<String> answer = cache.request().queryOne(backend, key);
      CompletableFuture<?> unused =
          answer.whenComplete(
              (value, error) -> {
                if (Thread.currentThread() == test) {
                  // It has already timed out: this one blocks no thread of the cache.
                  here.set(true);
                } else {
                  blocked.countDown();
                  await();
                }
              });
      answers.add(answer);
      blocking += here.get() ? 0 : 1;
    }
    assertThat(blocked.await(60, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<String> last = cache.request().queryOne(backend, 99);
    assertThatThrownBy(() -> last.get(60, TimeUnit.SECONDS))
        .hasCauseInstanceOf(TimeoutException.class);
    for (CompletableFuture<String> answer : answers) {
      assertThatThrownBy(() -> answer.get(60, TimeUnit.SECONDS))
          .hasCauseInstanceOf(TimeoutException.class);
    }
  }
}
