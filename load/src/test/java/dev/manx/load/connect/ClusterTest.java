/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queries of several nodes, some of which fail. */
@Timeout(30)
class ClusterTest {
  @Test
  void answersComeInTheirOrder() {
    assertThat(
            Cluster.all(
                List.of(
                    CompletableFuture.completedFuture(1), CompletableFuture.completedFuture(2))))
        .containsExactly(1, 2);
  }

  @Test
  void aFailureIsThrownWhenAllHaveEndedAndNamesAll() {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      CountDownLatch failed = new CountDownLatch(1);
      AtomicBoolean ended = new AtomicBoolean();
      Future<String> first =
          threads.submit(
              () -> {
                failed.countDown();
                throw new ConnectException("the first");
              });
      Future<String> slow =
          threads.submit(
              () -> {
                failed.await();
                TimeUnit.MILLISECONDS.sleep(50);
                ended.set(true);
                return "the second";
              });
      Future<String> third =
          threads.submit(
              () -> {
                throw new ConnectException("the third");
              });
      assertThatThrownBy(() -> Cluster.all(List.of(first, slow, third)))
          .isInstanceOf(ConnectException.class)
          .hasMessage("the first")
          .satisfies(
              e ->
                  assertThat(e.getSuppressed())
                      .singleElement()
                      .satisfies(one -> assertThat(one).hasMessage("the third")));
      assertThat(ended).isTrue();
    } finally {
      threads.shutdownNow();
    }
  }
}
