/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.order.LevelledOrder.Levels;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The op served is the least, by the order's own measure, of those present at dispatch. */
class PriorityLawsTest {
  private static final long FOREVER = Long.MAX_VALUE;

  static Stream<Arguments> laws() {
    return Stream.of(
        law("sjf", new SjfOrder<>(1_000, FOREVER), op -> op.costNanos),
        law("slack-edf", new SlackEdfOrder<>(1_000, FOREVER), op -> op.arrivalNanos + op.slack),
        law("bottleneck", new BottleneckOrder<>(1_000, FOREVER), op -> Buckets.of(op.priority)),
        law(
            "multilevel",
            new MultilevelOrder<>(1_000, FOREVER, new Levels(4, 1, 2, false)),
            op -> Math.min(3, op.level)));
  }

  private static Arguments law(String name, Order<TestOp> order, ToLongFunction<TestOp> measure) {
    return Arguments.of(name, order, measure);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("laws")
  void theLeastOfThosePresentIsServed(
      String name, Order<TestOp> order, ToLongFunction<TestOp> measure) {
    for (long seed = 0; seed < 100; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<TestOp> present = new ArrayList<>();
      for (int step = 0; step < 500; step++) {
        if (random.nextInt(9) < 5) {
          // A cost of 0 is unknown, and ranks as a typical one.
          long cost = 1 + random.nextLong(1_000);
          TestOp op = new TestOp("op" + step, random.nextLong(1_000), cost);
          op.slack = random.nextLong(1_000);
          op.arrivalNanos = step;
          op.level = random.nextInt(6);
          order.offer(op);
          present.add(op);
        } else {
          TestOp served = order.poll(step);
          if (served != null) {
            long least = present.stream().mapToLong(measure).min().orElseThrow();
            assertThat(measure.applyAsLong(served)).as("%s seed %d", name, seed).isEqualTo(least);
            present.remove(served);
          }
        }
      }
      OrderContractTest.drain(order, 500);
    }
  }
}
