/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.manx.contention.proc.MachineTime;
import dev.manx.lab.kind.UpkeepMeter.Upkeep;
import dev.manx.local.cgroup.ProcessGroup.DiskReads;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.StorageLimits;
import dev.manx.local.cluster.Topology;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class TurnMetricsTest {
  private static final long SECOND = 1_000_000_000L;

  /** Of the machine, whatever this JVM may use. */
  private static final int CORES = 16;

  private static ProcessSample sample(
      long at, long reads, long wantedMs, long sleptMs, double cpu) {
    ProcessSample.Node busy =
        new ProcessSample.Node(
            reads, wantedMs * 1_000_000, sleptMs * 1_000_000, cpu, new Upkeep(cpu / 4, cpu / 8));
    ProcessSample.Node idle = new ProcessSample.Node(0, 0, 0, 0, new Upkeep(0, 0));
    return new ProcessSample(
        at * SECOND,
        new ProcessSample.Node[] {busy, idle},
        cpu / 2,
        new MachineTime(4 * cpu, cpu, CORES));
  }

  /** Both samples lie in the window. */
  private static WindowSamples.Span span(ProcessSample from, ProcessSample to) {
    WindowSamples samples = new WindowSamples(to.atNanos());
    samples.add(from.atNanos(), from);
    samples.add(to.atNanos(), to);
    return samples.span().orElseThrow();
  }

  private static ProcessSample used(double at, double cpu) {
    return new ProcessSample(
        Math.round(at * SECOND),
        new ProcessSample.Node[] {
          new ProcessSample.Node(0, 0, 0, cpu, new Upkeep(0, 0)),
          new ProcessSample.Node(0, 0, 0, 0, new Upkeep(0, 0))
        },
        0,
        new MachineTime(cpu, 0, CORES));
  }

  /** Three nodes without a model, the last one without data. */
  private static ClusterSettings stored(StorageLimits limits) {
    ClusterSettings like = modelled();
    return new ClusterSettings(
        3,
        1,
        2,
        like.heapBytes(),
        16,
        like.readTimeoutNanos(),
        "c2",
        0,
        null,
        true,
        Map.of(),
        List.of(),
        Topology.ONE,
        limits,
        1);
  }

  /**
   * CPU per read of a window of 5 s, from samples at the given times, in seconds from its start.
   */
  private static double cpuPerRead(double... times) {
    WindowSamples samples = new WindowSamples(5 * SECOND);
    for (double at : times) {
      // The nodes use a fifth of a core while requests are sent, and nothing afterwards.
      samples.add(Math.round(at * SECOND), used(100 + at, Math.min(at, 5) / 5));
    }
    return TurnMetrics.of(samples.span().orElseThrow(), stored(null), new int[] {1, 2}, 200)
        .get("cpu_us_per_read_nodes");
  }

  /** An arm whose last request takes longer looked cheaper. */
  @Test
  void theTimeInWhichNoRequestIsSentDoesNotCount() {
    double all = cpuPerRead(0, 1, 2, 3, 4, 5);
    assertThat(all).isCloseTo(1_000, Offset.offset(1e-6));
    assertThat(cpuPerRead(0, 1, 2, 3, 4, 5, 5.01, 5.2)).isEqualTo(all);
    assertThat(cpuPerRead(0, 1, 2, 3, 4, 5.01, 5.2)).isCloseTo(all, Offset.offset(1e-6));
    assertThat(cpuPerRead(0.4, 1.4, 2.4, 3.4, 4.4, 5.2)).isCloseTo(all, Offset.offset(1e-6));
    assertThat(cpuPerRead(0, 5.2)).as("two samples").isCloseTo(all, Offset.offset(1e-6));
  }

  @Test
  void oneSampleIsNoSpan() {
    WindowSamples samples = new WindowSamples(5 * SECOND);
    assertThat(samples.span()).isEmpty();
    samples.add(0, used(0, 0));
    assertThat(samples.span()).isEmpty();
  }

  private static ClusterSettings modelled() {
    ClusterSettings like = ClusterSettings.defaults();
    return new ClusterSettings(
        2,
        1,
        2,
        like.heapBytes(),
        16,
        like.readTimeoutNanos(),
        "c2",
        0,
        new ClusterSettings.ServiceModel(5_000_000, 0),
        true,
        Map.of(),
        List.of());
  }

  private static ProcessSample.Node stored(long count, long bytes) {
    return new ProcessSample.Node(0, 0, 0, 0, new Upkeep(0, 0), new DiskReads(count, bytes));
  }

  @Test
  void readsOfDisksOfAWindowByHand() {
    ClusterSettings settings = stored(new StorageLimits(64 << 20, 100, 0));
    MachineTime machine = new MachineTime(0, 0, CORES);
    ProcessSample from =
        new ProcessSample(
            0,
            new ProcessSample.Node[] {stored(50, 5_000), stored(0, 0), stored(0, 0)},
            0,
            machine);
    ProcessSample to =
        new ProcessSample(
            10 * SECOND,
            new ProcessSample.Node[] {stored(850, 3_205_000), stored(200, 800_000), stored(0, 0)},
            0,
            machine);
    // 800 and 200 of 1000 reads allowed in 10 s; 1000 disk reads and 4 MB for 2000 reads
    Map<String, Double> metrics = TurnMetrics.of(span(from, to), settings, new int[] {1, 2}, 200);
    assertThat(metrics.get("disk_used_pct")).isCloseTo(50, Offset.offset(1e-9));
    assertThat(metrics.get("disk_used_max_node_pct")).isCloseTo(80, Offset.offset(1e-9));
    assertThat(metrics.get("disk_reads_per_read")).isCloseTo(0.5, Offset.offset(1e-9));
    assertThat(metrics.get("disk_bytes_per_read")).isCloseTo(2000, Offset.offset(1e-9));
  }

  @Test
  void aNodeThatDidNotAnswerAtBothEndsIsLeftOut() {
    Map<String, Double> metrics =
        TurnMetrics.countersByNode(
            Map.of("a", Map.of("faults", 1L), "b", Map.of("faults", 7L)),
            Map.of("a", Map.of("faults", 3L), "c", Map.of("faults", 1_000L)));
    assertThat(metrics).containsEntry("manx_faults", 2.0);
  }

  @Test
  void utilisationSleepAndCpuOfAWindowByHand() {
    ClusterSettings settings = modelled();
    // In 10 s node 1 slept 12 s on 2 threads: 60 %; node 2 did not. 2000 reads intended 10 s.
    Map<String, Double> metrics =
        TurnMetrics.of(
            span(sample(0, 100, 500, 600, 1), sample(10, 2100, 10_500, 12_600, 3)),
            settings,
            new int[] {1, 2},
            200);
    assertThat(metrics.get("utilisation_max_node_pct")).isCloseTo(60, Offset.offset(1e-9));
    assertThat(metrics.get("utilisation_pct")).isCloseTo(30, Offset.offset(1e-9));
    assertThat(metrics.get("model_wanted_ms_per_read")).isCloseTo(5, Offset.offset(1e-9));
    assertThat(metrics.get("model_slept_ms_per_read")).isCloseTo(6, Offset.offset(1e-9));
    assertThat(metrics.get("model_oversleep_pct")).isCloseTo(20, Offset.offset(1e-9));
    // 2 s of the nodes and 1 s of the client over 2000 reads
    assertThat(metrics.get("cpu_us_per_read_nodes")).isCloseTo(1000, Offset.offset(1e-9));
    assertThat(metrics.get("cpu_us_per_read_client")).isCloseTo(500, Offset.offset(1e-9));
    assertThat(metrics.get("cpu_us_per_read_compilers")).isCloseTo(250, Offset.offset(1e-9));
    assertThat(metrics.get("cpu_us_per_read_collectors")).isCloseTo(125, Offset.offset(1e-9));
    // the machine was busy 8 s: 5 s were others
    assertThat(metrics.get("cpu_pct_foreign")).isCloseTo(50.0 / CORES, Offset.offset(1e-9));
    assertThat(metrics.get("cpu_pct_steal")).isCloseTo(20.0 / CORES, Offset.offset(1e-9));
  }

  @Test
  void retriesAndCopiesAreReadsServedInAddition() {
    WindowSamples.Span span =
        span(sample(0, 100, 500, 600, 1), sample(10, 2100, 10_500, 12_600, 3));
    double sent = 1_600;
    Map<String, Double> metrics =
        TurnMetrics.of(span, modelled(), new int[] {1}, sent / (span.sendingNanos() / 1e9));
    assertThat(metrics.get("reads_served_per_read")).isCloseTo(1.25, Offset.offset(1e-9));
    assertThat(metrics.get("cpu_us_per_read_nodes")).isCloseTo(1_250, Offset.offset(1e-9));
    assertThat(metrics.get("cpu_us_per_read_client")).isCloseTo(625, Offset.offset(1e-9));
  }

  /** Scans, writes and the reads of requests have no common divisor. */
  @Test
  void nextToBackgroundWorkNothingIsPerReadSent() {
    Map<String, Double> metrics =
        TurnMetrics.of(
            span(sample(0, 100, 500, 600, 1), sample(10, 2100, 10_500, 12_600, 3)),
            modelled(),
            new int[] {1, 2},
            0);
    assertThat(metrics).containsKeys("cpu_pct_nodes", "model_wanted_ms_per_read");
    assertThat(metrics.keySet())
        .noneMatch(
            name -> name.startsWith("cpu_us_per_read") || name.equals("reads_served_per_read"));
  }

  @Test
  void nodesThatServeNoReadsDoNotLowerTheUtilisation() {
    Map<String, Double> metrics =
        TurnMetrics.of(
            span(sample(0, 100, 500, 600, 1), sample(10, 2100, 10_500, 12_600, 3)),
            modelled(),
            new int[] {1},
            0);
    assertThat(metrics.get("utilisation_pct")).isCloseTo(60, Offset.offset(1e-9));
  }

  @Test
  void countersAreDifferencesAndShares() {
    Map<String, Double> metrics =
        TurnMetrics.counters(
            Map.of("select_decisions", 100L, "select_changed", 10L, "faults", 1L),
            Map.of("select_decisions", 300L, "select_changed", 60L, "faults", 1L));
    assertThat(metrics)
        .contains(
            entry("manx_select_decisions", 200.0),
            entry("manx_select_changed", 50.0),
            entry("manx_faults", 0.0),
            entry("decisions_changed_pct", 25.0))
        .doesNotContainKey("order_changed_pct");
  }
}
