/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which operations count, with a warm-up of 100 us and a window of 1 ms. */
@Timeout(60)
class IdleResultTest {
  private static final WaitingLoad LOAD =
      new WaitingLoad(1, 1_000, 1_000, 0, 100_000, 1_000_000, 5_000_000);

  private static IdleResult result(long[] intended, long[] latency) {
    WorkerResult.OfThread thread = new WorkerResult.OfThread(false, 0, 0, intended, latency);
    return new IdleResult(
        new WorkerResult(List.of(thread)), LOAD, 0, null, new Safepoints(0, 0, 0));
  }

  /** An arm that falls behind uses its CPU for fewer operations than were offered. */
  @Test
  void throughputIsOfTheOperationsThatEndedInTheWindow() {
    IdleResult result =
        result(
            new long[] {10_000, 50_000, 200_000, 300_000, 900_000, 950_000},
            // before, in, in, after its end, after its end, not done
            new long[] {20_000, 100_000, 100_000, 800_000, 300_000, -1});
    assertThat(result.offered()).isEqualTo(4);
    assertThat(result.notDone()).isEqualTo(1);
    assertThat(result.ended()).isEqualTo(2);
    assertThat(result.throughputPerSecond()).isEqualTo(2_000);
    assertThat(result.latencyNanos().getTotalCount()).isEqualTo(4);
    assertThat(result.latencyOverTime(500_000)).hasSize(2);
    assertThat(result.latencyOverTime(500_000).get(0).getTotalCount()).isEqualTo(2);
  }
}
