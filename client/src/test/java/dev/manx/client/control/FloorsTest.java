/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.ManualClock;
import dev.manx.shares.CacheStrategy;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Floors that leave little of the cache to divide are logged. */
@Timeout(60)
class FloorsTest {
  private static final long CAPACITY = 400L << 20;

  /** What is logged while this many backends are added, with the default settings. */
  private static String logged(int backends) {
    CacheStrategy strategy = CacheStrategy.named("cache.robinhood").forCapacity(CAPACITY);
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try (ControlLoop loop =
        new ControlLoop(
            strategy.newPolicy(),
            strategy.controller(),
            CAPACITY,
            new Recorder(1),
            StatisticsExchange.inProcess(),
            new ManualClock())) {
      for (int b = 0; b < backends; b++) {
        loop.add(new Share("b" + b, new FakeStore("b" + b, new ArrayList<>()), 0));
      }
    } finally {
      System.setErr(before);
    }
    return said.toString(StandardCharsets.UTF_8);
  }

  @Test
  void onceIfTheyFillMoreThanHalfOfIt() {
    assertThat(logged(20)).isEmpty();
    assertThat(logged(120)).containsOnlyOnce("202MiB of 400MiB are floors of shares");
  }
}
