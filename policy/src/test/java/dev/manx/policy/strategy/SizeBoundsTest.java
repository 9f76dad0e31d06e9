/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.FakeView;
import dev.manx.policy.Request;
import dev.manx.policy.oracle.SizeOracle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Sizes that clients can choose, and that no value has. */
class SizeBoundsTest {
  private static final String BY_BYTES =
      """
      strategy:
        fanout: { policy: fanout.brb-equalmax, cost: bytes }
        oracles: { size: oracle.size-key-encoded }
      """;
  private static final String HUGE = "999999999999999999_";

  private static ByteBuffer key(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void sumsOfHugeSizesStayPositive() {
    Strategy strategy = Strategy.parse("test", BY_BYTES, () -> 0);
    Request request = new Request();
    request.begin(0, new SplittableRandom(1), 1);
    for (int read = 0; read < 12; read++) {
      request.addRead(key(HUGE + read), 1, 1);
      request.addReplica(0, 0);
    }
    strategy.plan(request, new FakeView(1));
    assertThat(request.totalBytes()).isEqualTo(12 * SizeOracle.MOST_BYTES);
    assertThat(request.bottleneck()).isEqualTo(12 * SizeOracle.MOST_BYTES);
    assertThat(request.priority(0)).isPositive();
    assertThat(strategy.ownPriority(key(HUGE), 1)).isEqualTo(SizeOracle.MOST_BYTES);
  }
}
