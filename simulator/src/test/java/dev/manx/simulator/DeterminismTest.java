/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.source.Draw;
import dev.manx.simulator.source.Source;
import dev.manx.simulator.source.SourceSpec;
import dev.manx.workload.RequestClass;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The same arguments give the same outcome; seeds and arms have only their intended effects. */
class DeterminismTest {
  private static Outcome play(String strategy, long seed) {
    ModelSpec model = Models.cluster(List.of());
    SourceSpec source = Models.mixed();
    return new Simulation(model, source, strategy, Models.run(model, source, 0.7, 20_000, seed))
        .run();
  }

  @Test
  void sameSeedSameOutcome() {
    Outcome one = play(Models.LOW_EQUALMAX, 7);
    Outcome two = play(Models.LOW_EQUALMAX, 7);
    assertThat(two.metrics()).isEqualTo(one.metrics());
    assertThat(two.windowNanos()).isEqualTo(one.windowNanos());
    for (RequestClass each : one.classes().keySet()) {
      assertThat(two.classes().get(each).nanos()).isEqualTo(one.classes().get(each).nanos());
      assertThat(two.classes().get(each).meanNanos())
          .isEqualTo(one.classes().get(each).meanNanos());
    }
  }

  @Test
  void otherSeedOtherOutcome() {
    assertThat(play(Models.LOW_EQUALMAX, 8).all().meanNanos())
        .isNotEqualTo(play(Models.LOW_EQUALMAX, 7).all().meanNanos());
  }

  @Test
  void armsSeeTheSameRequestsAndServiceTimes() {
    Outcome one = play(Models.RANDOM, 7);
    Outcome two = play(Models.LOW_EQUALMAX, 7);
    assertThat(two.windowNanos()).isEqualTo(one.windowNanos());
    assertThat(two.cost().reads()).isEqualTo(one.cost().reads());
    for (RequestClass each : one.classes().keySet()) {
      assertThat(two.classes().get(each).count()).isEqualTo(one.classes().get(each).count());
    }
  }

  @Test
  void sourceDrawsTheMeansItPromises() {
    SourceSpec spec = Models.mixed();
    Source source = spec.open(new Streams(3), 6, 1_000);
    Draw draw = new Draw();
    double reads = 0;
    double bytes = 0;
    int requests = 400_000;
    for (int i = 0; i < requests; i++) {
      source.next(draw);
      reads += draw.reads();
      for (int read = 0; read < draw.reads(); read++) {
        bytes += draw.bytes(read);
      }
    }
    assertThat(reads / requests).isBetween(spec.meanReads() * 0.98, spec.meanReads() * 1.02);
    // Sizes are rounded to whole bytes, at least 1.
    assertThat(bytes / reads).isBetween(spec.meanBytes() * 0.98, spec.meanBytes() * 1.02);
  }
}
