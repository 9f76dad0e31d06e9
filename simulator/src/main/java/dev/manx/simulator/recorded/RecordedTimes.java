/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.recorded;

import dev.manx.simulator.source.Draw;
import dev.manx.simulator.source.TimedSource;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Supplies the requests of one or more time lines at their recorded times, in {@link Blocks}.
 * Blocks of different lines are independent. Confined to one thread.
 */
final class RecordedTimes implements TimedSource {
  private final List<Blocks> lines;
  private final double perNano;
  private final BiConsumer<RecordedRequest, Draw> fill;
  private long nowNanos;
  private Blocks first;

  /**
   * @param spread whether blocks are spread evenly over the recording, instead of drawn at random
   * @param requests number of requests of the run
   */
  RecordedTimes(
      List<Timeline> lines,
      UniformRandomProvider random,
      boolean spread,
      long requests,
      BiConsumer<RecordedRequest, Draw> fill) {
    this.fill = fill;
    perNano = lines.stream().mapToDouble(Timeline::rate).sum();
    long runNanos = Math.round(requests / perNano);
    this.lines =
        lines.stream()
            .map(
                line ->
                    spread
                        ? Blocks.spread(line, random, runNanos)
                        : Blocks.atRandom(line, random, runNanos))
            .toList();
  }

  @Override
  public double gap() {
    first = lines.get(0);
    for (Blocks line : lines) {
      if (line.atNanos() < first.atNanos()) {
        first = line;
      }
    }
    long gapNanos = first.atNanos() - nowNanos;
    nowNanos += gapNanos;
    return gapNanos * perNano;
  }

  @Override
  public void next(Draw draw) {
    fill.accept(first.take(), draw);
  }
}
