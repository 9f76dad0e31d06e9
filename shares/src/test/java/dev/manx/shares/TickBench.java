/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.policy.spi.PolicyInfo;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Prints the cost of a tick of each policy, moves included, for a number of backends (1,000 by
 * default): {@code java -cp
 * policy/target/classes:shares/target/classes:shares/target/test-classes:SNAKEYAML
 * dev.manx.shares.TickBench}. Not a test: the time depends on the machine.
 */
final class TickBench {
  private static final int WARM_UP = 300;
  private static final int TICKS = 500;

  private TickBench() {}

  public static void main(String[] args) {
    int n = args.length > 0 ? Integer.parseInt(args[0]) : 1_000;
    List<String> names = CacheFixtures.names(n);
    WindowRecorder recorder = new WindowRecorder(names);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 200_000; i++) {
      int backend = random.nextInt(n);
      recorder.request((long) (1e6 * Math.exp(7 * random.nextDouble())), backend);
      recorder.miss(backend, (long) (1e6 * Math.exp(7 * random.nextDouble())));
      recorder.hit(backend, 300_000);
      recorder.shadowHit(random.nextInt(n));
    }
    WindowStatistics window = recorder.cut();
    for (PolicyInfo info : SharePolicies.all()) {
      CacheStrategy strategy = CacheStrategy.named(info.name());
      ShareController controller =
          new ShareController(strategy.newPolicy(), strategy.controller(), 1L << 42, names);
      long[] nanos = new long[TICKS];
      for (int t = -WARM_UP; t < TICKS; t++) {
        long now = (t + WARM_UP) * strategy.controller().intervalNanos();
        long start = System.nanoTime();
        CacheFixtures.follow(
            controller, controller.tick(now, window, now, CacheFixtures.full(controller)));
        if (t >= 0) {
          nanos[t] = System.nanoTime() - start;
        }
      }
      Arrays.sort(nanos);
      System.out.printf(
          "%-20s %d backends: median %.2f ms, P99 %.2f ms%n",
          info.name(), n, nanos[TICKS / 2] / 1e6, nanos[TICKS * 99 / 100] / 1e6);
    }
  }
}
