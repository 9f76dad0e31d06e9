/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.Saturation;
import dev.manx.lab.kind.WindowStart;
import dev.manx.load.LoadProgress;
import dev.manx.simulator.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Observes a running turn: samples, the timeline and the line on the terminal. */
final class Watch implements LoadProgress.Listener {
  private final ProcessSampler sampler;
  private final int concurrentReads;
  private final boolean modelled;
  private final long windowNanos;
  private final Consumer<String> now;
  private final List<Outcome.Point> timeline = new ArrayList<>();
  private final WindowSamples samples;
  private final WindowStart<Map<String, Map<String, Long>>> start;
  private long answeredBefore = -1;
  private long elapsedBefore;

  /** Creates a watch for a turn whose first request comes next. */
  Watch(
      ProcessSampler sampler,
      LoadedCluster bench,
      long warmUpNanos,
      long windowNanos,
      Consumer<String> now) {
    this.sampler = sampler;
    this.concurrentReads = bench.cluster().settings().concurrentReads();
    this.modelled = bench.cluster().settings().model() != null;
    this.windowNanos = windowNanos;
    samples = new WindowSamples(windowNanos);
    this.now = now;
    start = new WindowStart<>(warmUpNanos, sampler::counters);
  }

  @Override
  public synchronized void accept(LoadProgress look) {
    long since = look.sinceWindowNanos();
    now.accept(
        look.words()
            + (look.failed() + look.wrong() > 0
                ? "  failed " + look.failed() + " wrong " + look.wrong()
                : ""));
    start.accept(look);
    if (since < 0 || since > windowNanos + windowNanos / 20) {
      answeredBefore = look.answered();
      elapsedBefore = look.elapsedNanos();
      return;
    }
    ProcessSample sample = sampler.take();
    rows(look, sample);
    samples.add(since, sample);
    answeredBefore = look.answered();
    elapsedBefore = look.elapsedNanos();
  }

  private void rows(LoadProgress look, ProcessSample sample) {
    double seconds = Math.round(look.sinceWindowNanos() / 1e7) / 1e2;
    double interval = (look.elapsedNanos() - elapsedBefore) / 1e9;
    if (answeredBefore >= 0 && interval > 0) {
      row(seconds, "client", Measured.THROUGHPUT, (look.answered() - answeredBefore) / interval);
    }
    row(seconds, "client", "outstanding", look.outstanding());
    double p99Ms = look.p99Millis();
    if (!Double.isNaN(p99Ms)) {
      row(seconds, "client", "p99_ms", p99Ms);
    }
    if (modelled && samples.last().isPresent()) {
      ProcessSample before = samples.last().get();
      for (int node = 0; node < sample.nodes().length; node++) {
        double used = ProcessSample.utilisation(before, sample, node, concurrentReads);
        row(seconds, "node" + (node + 1), Saturation.UTILISATION, 100 * used);
      }
    }
  }

  private void row(double seconds, String entity, String metric, double value) {
    timeline.add(new Outcome.Point(seconds, entity, metric, Math.round(value * 1e3) / 1e3));
  }

  synchronized List<Outcome.Point> timeline() {
    return List.copyOf(timeline);
  }

  /** The window's time between two samples, if there are two. */
  synchronized Optional<WindowSamples.Span> span() {
    return samples.span();
  }

  Map<String, Map<String, Long>> countersAtStart() {
    return start.value();
  }
}
