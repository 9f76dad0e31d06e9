/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.workload.Arrivals;
import dev.manx.workload.RequestClass;
import dev.manx.workload.Workload;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MixedRunTest {
  private static final long WINDOW = 50_000_000L;

  @Test
  void eachKindOfWorkHasItsOwnClassAndAllStaysTheRequests() throws InterruptedException {
    LoadResult alone = run(Map.of());
    LoadResult mixed =
        run(Map.of(RequestClass.SCAN, answering(), RequestClass.WRITE, failing("no disk")));

    assertThat(mixed.all().offered()).isEqualTo(alone.all().offered()).isPositive();
    assertThat(mixed.classes().get(RequestClass.SCAN).ok()).isPositive();
    assertThat(mixed.classes().get(RequestClass.SCAN).errors()).isZero();
    ClassResult writes = mixed.classes().get(RequestClass.WRITE);
    assertThat(writes.requestClass()).isEqualTo(RequestClass.WRITE);
    assertThat(writes.errors()).isEqualTo(writes.offered()).isPositive();
    assertThat(mixed.failures()).containsKey("write: no disk");
    assertThat(alone.classes()).doesNotContainKey(RequestClass.SCAN);
  }

  @Test
  void wrongRowsOfAWarmUpAreNotLost() throws InterruptedException {
    Target wrong =
        request ->
            CompletableFuture.completedFuture(
                new RequestOutcome(RequestOutcome.Kind.OK, 1, 1, 0, 0, ""));
    LoadResult warm =
        new MixedRun(load(answering(), WINDOW), Map.of(RequestClass.SCAN, load(wrong, WINDOW)))
            .run();
    assertThat(warm.classes().get(RequestClass.SCAN).wrong()).isPositive();
    assertThat(warm.warmUpWrong()).isPositive();
    assertThat(warm.wrong())
        .isEqualTo(warm.warmUpWrong() + warm.classes().get(RequestClass.SCAN).wrong());
    assertThat(new MixedRun(load(wrong, 0), Map.of()).run())
        .satisfies(
            one -> assertThat(one.wrong()).isEqualTo(one.all().wrong()).isEqualTo(one.all().ok()));
  }

  @Test
  void rowsOfAnIndexReadShareABucket() {
    Background background = new Background(0, 1, 5, 20, 0);
    assertThat(background.buckets(1000)).isEqualTo(50);
    assertThat(background.buckets(10)).isEqualTo(1);
    assertThat(Background.NONE.buckets(1000)).isZero();
  }

  private static LoadResult run(Map<RequestClass, Target> work) throws InterruptedException {
    Map<RequestClass, LoadRun> runs = new EnumMap<>(RequestClass.class);
    work.forEach((kind, target) -> runs.put(kind, load(target)));
    return new MixedRun(load(answering()), runs).run();
  }

  private static LoadRun load(Target target) {
    return load(target, 0);
  }

  private static LoadRun load(Target target, long warmUpNanos) {
    Workload workload = Runs.singles(Arrivals.FIXED);
    return new LoadRun(
        workload.stream(1000, 1), target, Runs.settings(warmUpNanos, WINDOW, 1000), progress -> {});
  }

  private static Target answering() {
    return request -> CompletableFuture.completedFuture(RequestOutcome.ok(1));
  }

  private static Target failing(String detail) {
    return request -> CompletableFuture.completedFuture(RequestOutcome.error(detail));
  }
}
