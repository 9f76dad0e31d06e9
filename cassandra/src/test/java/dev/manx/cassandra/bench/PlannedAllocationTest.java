/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The work that both Manx and Cassandra do for a planned request has a bound in bytes. */
@Timeout(60)
@Tag("c2")
class PlannedAllocationTest {
  private static final int TIMES = 20_000;
  private static final int BATCHES = 6;

  private final PlannedPath path = new PlannedPath();

  private enum Part {
    /** Nine keys of {@code IN ?} and their tokens. */
    BOUND(PlannedPath::bound, PlannedPath::boundOff, 2_100),
    /** Nine keys of a list in the text, which Cassandra also evaluates for Manx. */
    WRITTEN(PlannedPath::written, PlannedPath::writtenOff, 3_100),
    SINGLE(PlannedPath::single, PlannedPath::singleOff, 800),
    /** One key, with the names of some columns. */
    NAMED(PlannedPath::named, PlannedPath::namedOff, 900),
    /** A message, its header and two maps. */
    TAGGED(PlannedPath::tagged, any -> {}, 280);

    private final Consumer<PlannedPath> with;
    private final Consumer<PlannedPath> without;
    private final double most;

    Part(Consumer<PlannedPath> with, Consumer<PlannedPath> without, double most) {
      this.with = with;
      this.without = without;
      this.most = most;
    }
  }

  @ParameterizedTest
  @EnumSource
  void allocatesLittle(Part part) {
    double bytes = bytes(part.with) - bytes(part.without);
    System.out.printf("bytes of %s: %.0f%n", part, bytes);
    assertThat(bytes).as("bytes of %s", part).isLessThanOrEqualTo(part.most);
  }

  /** The least of some batches: code that is not compiled in full yet allocates more. */
  private double bytes(Consumer<PlannedPath> hook) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    double least = Double.MAX_VALUE;
    for (int batch = 0; batch < BATCHES; batch++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < TIMES; i++) {
        hook.accept(path);
      }
      long bytes = threads.getCurrentThreadAllocatedBytes() - before;
      least = Math.min(least, bytes / (double) TIMES);
    }
    return least;
  }
}
