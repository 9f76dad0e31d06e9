/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import static dev.manx.cassandra.copy.CopyBench.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.copy.CopyBench.Sent;
import dev.manx.policy.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CopyEndsTest {
  private final CopyBench bench = new CopyBench("", Mode.ON);

  /** Manx goes off, and forgets its reads, between the plan of a request and its messages. */
  @Test
  void aReadThatGoesOutWhenManxHasGoneOffIsNotKept() {
    Request request = bench.planned(1, 1, false);
    Flight flight = bench.engine.copier().begin(bench.engine, request);
    bench.off.set(true);
    bench.engine.copier().ends().forget(() -> {});
    Sent read = bench.send(flight, request, 0);
    assertThat(bench.engine.copier().ends().firsts()).isZero();
    bench.pass(100 * MILLI);
    assertThat(bench.callbacks.sent).isEmpty();
    assertThat(bench.answerOfFirst(read)).isTrue();
  }
}
