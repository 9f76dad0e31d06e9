/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.shares.WindowStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** No record is lost without being counted, also during cuts and changes of backends. */
class RecorderTest {
  @Test
  void everyRecordIsInACutOrCountedAsLost() throws Exception {
    Recorder recorder = new Recorder(1, 4);
    Recorder.Slot a = recorder.add("a");
    Recorder.Slot b = recorder.add("b");
    int threads = 4;
    int each = 50_000;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<?>> work = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      work.add(
          pool.submit(
              () -> {
                for (int i = 0; i < each; i++) {
                  recorder.request(i % 2 == 0 ? a : b, 5_000, i % 10 == 0, true);
                  recorder.query(a, 2, 100, 1, 5_000);
                }
              }));
    }
    WindowStatistics sum = WindowStatistics.empty(List.of());
    boolean done = false;
    for (int round = 0; !done; round++) {
      done = work.stream().allMatch(Future::isDone);
      sum = sum.plus(recorder.cut());
      Recorder.Slot passing = recorder.add("passing" + round);
      recorder.request(passing, 5, false, true);
      recorder.remove(passing);
    }
    for (Future<?> one : work) {
      one.get(20, TimeUnit.SECONDS);
    }
    pool.shutdown();
    int placeA = sum.backends().indexOf("a");
    int placeB = sum.backends().indexOf("b");
    long requests = sum.blockedBy(placeA) + sum.blockedBy(placeB);
    long queries = sum.misses(placeA);
    assertThat(sum.hits(placeA)).isEqualTo(2 * queries);
    assertThat(requests + queries + recorder.lost()).isEqualTo(2L * threads * each);
    assertThat(requests).isPositive();
  }

  @Test
  void aBackendThatIsGoneIsIgnored() {
    Recorder recorder = new Recorder(1, 1);
    Recorder.Slot a = recorder.add("a");
    Recorder.Slot b = recorder.add("b");
    recorder.request(a, 5_000, false, true);
    recorder.request(b, 5_000, true, true);
    recorder.remove(a);
    recorder.remove(a);
    recorder.request(a, 5_000, false, true);
    recorder.query(a, 1, 1, 1, 1);
    WindowStatistics window = recorder.cut();
    assertThat(window.backends()).containsExactly("b");
    assertThat(window.requests()).isEqualTo(1);
    assertThat(window.timeOuts()).isEqualTo(1);
    assertThat(recorder.lost()).isZero();
  }

  @Test
  void oneOfManyIsRecordedWhenAskedFor() {
    Recorder recorder = new Recorder(10, 1);
    Recorder.Slot a = recorder.add("a");
    for (int i = 0; i < 100_000; i++) {
      recorder.request(a, 5_000, false, true);
    }
    for (int i = 0; i < 100; i++) {
      recorder.shadowHit(a);
    }
    WindowStatistics window = recorder.cut();
    // Ten standard deviations each side.
    assertThat(window.requests()).isBetween(9_050L, 10_950L);
    assertThat(window.shadowHits(0)).as("these are worth bytes").isEqualTo(100);
    assertThat(recorder.lost()).isZero();
  }
}
