/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.kind.UpkeepMeter.Upkeep;
import org.junit.jupiter.api.Test;

class NodeSumsTest {
  private final NodeSums sums = new NodeSums(new long[] {100, 200});

  private static ProcessSample.Node counted(long reads) {
    return new ProcessSample.Node(
        reads, 5 * reads, 6 * reads, reads / 8.0, new Upkeep(reads / 16.0, reads / 32.0));
  }

  /**
   * Node 1 is stopped while the first sample is taken: its work of hours before is not the turn's.
   */
  @Test
  void aNodeThatIsAwayAtFirstCountsFromItsFirstAnswer() {
    sums.add(0, 100, counted(1_000));
    ProcessSample.Node[] from = sums.all();
    sums.add(0, 100, counted(1_100));
    sums.add(1, 200, counted(50_000));
    sums.add(1, 200, counted(50_080));
    ProcessSample.Node[] to = sums.all();
    assertThat(to[0].reads() - from[0].reads()).isEqualTo(100);
    assertThat(to[0].cpuSeconds() - from[0].cpuSeconds()).isEqualTo(12.5);
    assertThat(to[1].reads() - from[1].reads()).isEqualTo(80);
    assertThat(to[1].sleptNanos() - from[1].sleptNanos()).isEqualTo(480);
    assertThat(to[1].cpuSeconds() - from[1].cpuSeconds()).isEqualTo(10);
    assertThat(to[1].upkeep().compilerSeconds() - from[1].upkeep().compilerSeconds()).isEqualTo(5);
  }

  @Test
  void bothProcessesOfARestartedNodeCount() {
    sums.add(0, 100, counted(1_000));
    ProcessSample.Node[] from = sums.all();
    sums.add(0, 100, counted(1_040));
    sums.add(0, 101, counted(30));
    sums.add(0, 101, counted(35));
    assertThat(sums.all()[0].reads() - from[0].reads()).isEqualTo(75);
  }

  /** It had answered, and ended before its CPU time was read. */
  @Test
  void aProcessThatHasJustEndedCountsAsAtItsLastSample() {
    sums.add(0, 100, counted(1_000));
    ProcessSample.Node[] from = sums.all();
    sums.add(0, 100, counted(1_040));
    sums.add(
        0,
        100,
        new ProcessSample.Node(1_050, 0, 0, Double.NaN, new Upkeep(Double.NaN, Double.NaN)));
    sums.add(0, 100, new ProcessSample.Node(1_060, 0, 0, 140, new Upkeep(Double.NaN, Double.NaN)));
    assertThat(sums.all()[0]).isEqualTo(from[0].plus(counted(40)));
    sums.add(0, 101, counted(8));
    assertThat(sums.all()[0].cpuSeconds() - from[0].cpuSeconds()).isEqualTo(6);
  }

  /** It was killed before it could be asked, and all that its new process did is of the turn. */
  @Test
  void aNodeThatIsRestartedAtFirstCountsFromItsNewBeginning() {
    ProcessSample.Node[] from = sums.all();
    sums.add(0, 101, counted(30));
    assertThat(sums.all()[0].reads() - from[0].reads()).isEqualTo(30);
  }
}
