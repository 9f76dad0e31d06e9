/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.run;

import dev.manx.load.LoadProgress;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.TimelineRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Looks at a turn as it goes: samples, the timeline, and the line on the terminal. */
final class Watch implements LoadProgress.Listener {
  private final Sampler sampler;
  private final Turn turn;
  private final String prefix;
  private final String client;
  private final int concurrentReads;
  private final boolean modelled;
  private final long windowNanos;
  private final Progress progress;
  private final List<TimelineRow> timeline = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();
  private Map<String, Long> countersAtStart = Map.of();
  private long endedBefore = -1;
  private long elapsedBefore;

  /**
   * @param prefix stands before the live line
   * @param entitySuffix after the names of entities in the timeline, for experiments of several
   *     loads
   */
  Watch(
      Sampler sampler,
      Turn turn,
      String prefix,
      String entitySuffix,
      Bench bench,
      long windowNanos,
      Progress progress) {
    this.sampler = sampler;
    this.turn = turn;
    this.prefix = prefix;
    this.client = entitySuffix;
    this.concurrentReads = bench.cluster().settings().concurrentReads();
    this.modelled = bench.cluster().settings().model() != null;
    this.windowNanos = windowNanos;
    this.progress = progress;
  }

  @Override
  public synchronized void accept(LoadProgress look) {
    long since = look.sinceWindowNanos();
    double p99Ms = Histograms.percentileUs(look.intervalLatencyNanos(), 99) / 1e3;
    progress.now(
        String.format(
            "%s  %2.0f s  %d under way  P99 %s%s",
            prefix,
            look.elapsedNanos() / 1e9,
            look.outstanding(),
            Double.isNaN(p99Ms) ? "-" : String.format("%.0f ms", p99Ms),
            look.failed() + look.wrong() > 0
                ? "  failed " + look.failed() + " wrong " + look.wrong()
                : ""));
    if (since < 0 || since > windowNanos + windowNanos / 20) {
      endedBefore = look.ended();
      elapsedBefore = look.elapsedNanos();
      return;
    }
    if (samples.isEmpty()) {
      countersAtStart = sampler.counters();
    }
    Sample sample = sampler.take();
    rows(look, sample, p99Ms);
    samples.add(sample);
    endedBefore = look.ended();
    elapsedBefore = look.elapsedNanos();
  }

  private void rows(LoadProgress look, Sample sample, double p99Ms) {
    double seconds = Math.round(look.sinceWindowNanos() / 1e7) / 1e2;
    double interval = (look.elapsedNanos() - elapsedBefore) / 1e9;
    if (endedBefore >= 0 && interval > 0) {
      row(seconds, "client", "throughput_per_s", (look.ended() - endedBefore) / interval);
    }
    row(seconds, "client", "outstanding", look.outstanding());
    if (!Double.isNaN(p99Ms)) {
      row(seconds, "client", "p99_ms", p99Ms);
    }
    if (modelled && !samples.isEmpty()) {
      Sample before = samples.get(samples.size() - 1);
      for (int node = 0; node < sample.nodes().length; node++) {
        double used = Sample.utilisation(before, sample, node, concurrentReads);
        row(seconds, "node" + (node + 1), "utilisation_pct", 100 * used);
      }
    }
  }

  private void row(double seconds, String entity, String metric, double value) {
    timeline.add(
        new TimelineRow(
            turn.arm().name(),
            Long.toString(turn.seed()),
            Integer.toString(turn.round()),
            seconds,
            entity + client,
            metric,
            Math.round(value * 1e3) / 1e3));
  }

  synchronized List<TimelineRow> timeline() {
    return List.copyOf(timeline);
  }

  /** Samples inside the window, in order. */
  synchronized List<Sample> samples() {
    return List.copyOf(samples);
  }

  synchronized Map<String, Long> countersAtStart() {
    return countersAtStart;
  }
}
