/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
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
    AtomicBoolean awaited = new AtomicBoolean();
    Future<String> slow =
        new CompletableFuture<>() {
          @Override
          public String get() {
            awaited.set(true);
            return "the second";
          }
        };
    Future<String> first = CompletableFuture.failedFuture(new ConnectException("the first"));
    Future<String> third = CompletableFuture.failedFuture(new ConnectException("the third"));
    assertThatThrownBy(() -> Cluster.all(List.of(first, slow, third)))
        .isInstanceOf(ConnectException.class)
        .hasMessage("the first")
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .singleElement()
                    .satisfies(one -> assertThat(one).hasMessage("the third")));
    assertThat(awaited).as("the answer after the first failure").isTrue();
  }
}
