/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import dev.manx.shares.Goals;
import dev.manx.shares.RecentWindows;
import dev.manx.shares.WindowStatistics;
import dev.manx.simulator.Check;
import dev.manx.simulator.Meter;
import dev.manx.simulator.Outcome.Point;
import dev.manx.simulator.cache.CacheOutcome.Metric;
import dev.manx.workload.result.Histograms;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Collects the measurements of a run. Confined to one run. */
final class CacheMeasurements {
  private static final Goals P99 = Goals.parse("p99", 0.005);
  private static final double MIB = 1 << 20;
  private static final int WINDOWS = 512;
  private static final double RBC_EVERY_SECONDS = 60;

  private final CacheRun run;
  private final CacheModel model;
  private final LatencyWatch watch;
  private final Histogram requests = Histograms.create();
  private final Histogram[] missNanos;
  private final long[] hits;
  private final double[] shareSum;
  private final double[] sharePeak;
  private final List<Point> points = new ArrayList<>();
  private final RecentWindows windows = new RecentWindows(WINDOWS);
  private final Map<Integer, Double> dominantAt = new LinkedHashMap<>();
  private NewServer newServer;
  private boolean measuring;
  private long errors;
  private long answered;
  private long shareSamples;
  private long restingSamples;
  private boolean rests;
  private double dominantSum;
  private double dominantMost;
  private long dominantSamples;
  private double nextRbc = RBC_EVERY_SECONDS;
  private double nextPoint;

  CacheMeasurements(CacheRun run, CacheModel model, LatencyWatch watch) {
    this.run = run;
    this.model = model;
    this.watch = watch;
    int n = model.backends().size();
    hits = new long[n];
    shareSum = new double[n];
    sharePeak = new double[n];
    missNanos = new Histogram[n];
    for (int b = 0; b < n; b++) {
      missNanos[b] = Histograms.create();
    }
  }

  boolean measuring() {
    return measuring;
  }

  void begin() {
    measuring = true;
  }

  void hit(int backend) {
    hits[backend] += measuring ? 1 : 0;
  }

  void miss(int backend, long nanos) {
    if (measuring) {
      Histograms.record(missNanos[backend], nanos);
    }
  }

  /** Handles a request at its arrival. */
  void request(long nanos, boolean failed) {
    if (!measuring) {
      return;
    }
    if (failed) {
      errors++;
    } else {
      Histograms.record(requests, nanos);
    }
  }

  /** Handles the answer to a request, whenever it arrived. */
  void answered() {
    answered += measuring ? 1 : 0;
  }

  void window(long endNanos, WindowStatistics window) {
    windows.add(endNanos, window);
  }

  /** Handles the new start of the last server. */
  void startedAnew(double second, AppServer[] servers) {
    if (servers[0].partitioned()) {
      newServer = new NewServer(second, model.backends().size(), servers);
    }
  }

  /** Handles the end of five more seconds. */
  void turn(double second, AppServer[] servers) {
    if (!measuring) {
      return;
    }
    int n = model.backends().size();
    double[] shares = new double[n];
    for (int b = 0; b < n; b++) {
      for (AppServer server : servers) {
        shares[b] += server.shareBytes(b) / (double) servers.length / run.scale();
      }
      shareSum[b] += shares[b];
      sharePeak[b] = Math.max(sharePeak[b], shares[b]);
    }
    shareSamples++;
    for (AppServer server : servers) {
      restingSamples += server.report().resting() ? 1 : 0;
      rests |= server.report().rests() > 0;
    }
    if (newServer != null) {
      newServer.turn(second, servers);
    }
    if (second >= nextRbc) {
      nextRbc += RBC_EVERY_SECONDS;
      dominant(second);
    }
    if (run.pointEverySeconds() > 0) {
      for (int i = 0; i < run.slos().size(); i++) {
        // The first goal at every sample; the others and the shares at longer intervals.
        if (i == 0 || second >= nextPoint) {
          point(second, "requests", run.slos().get(i).label() + "_ms", watch.nowNanos(i) / 1e6);
        }
      }
      if (second >= nextPoint) {
        nextPoint += run.pointEverySeconds();
        points(second, shares);
      }
    }
  }

  private void points(double second, double[] shares) {
    double[] counts = P99.blockingCounts(recent());
    double sum = 0;
    double otherShare = 0;
    double otherCount = 0;
    for (double count : counts) {
      sum += count;
    }
    for (int b = 0; b < shares.length; b++) {
      String name = model.backends().get(b).name();
      if (run.watched().contains(name)) {
        point(second, name, "share_mib", shares[b] / MIB);
        point(second, name, "blocking_pct", sum > 0 ? 100 * counts[b] / sum : 0);
      } else {
        otherShare += shares[b];
        otherCount += counts[b];
      }
    }
    if (newServer != null) {
      point(second, "new server", "distance_pct", newServer.distancePct());
      point(second, "other servers", "distance_pct", newServer.othersPct());
    }
    point(second, "others", "share_mib", otherShare / MIB);
    point(second, "others", "blocking_pct", sum > 0 ? 100 * otherCount / sum : 0);
  }

  private void point(double second, String entity, String metric, double value) {
    if (!Double.isNaN(value)) {
      points.add(new Point(Math.round(second), entity, metric, value));
    }
  }

  private WindowStatistics recent() {
    return windows.recent(Math.round(RBC_EVERY_SECONDS * run.scale() * 1e9), P99.enoughRequests());
  }

  private void dominant(double second) {
    double sum = 0;
    double most = 0;
    for (double count : P99.blockingCounts(recent())) {
      sum += count;
      most = Math.max(most, count);
    }
    if (sum > 0) {
      double pct = 100 * most / sum;
      dominantSum += pct;
      dominantMost = Math.max(dominantMost, pct);
      dominantSamples++;
      dominantAt.put((int) Math.round(second / 60), pct);
    }
  }

  CacheOutcome outcome(CacheSimulation run, Meter meter) {
    List<Metric> metrics = new ArrayList<>();
    for (int i = 0; i < this.run.slos().size(); i++) {
      Slo slo = this.run.slos().get(i);
      String params = Slo.params(slo.label(), plain(slo.nanos() / 1e6));
      metrics.add(new Metric(Slo.MISSED, params, watch.violationPct(i)));
      metrics.add(
          new Metric("latency_worst_minute_ms", Slo.goal(slo.label()), watch.worstNanos(i) / 1e6));
    }
    double peaks = 0;
    Map<String, Double> mean = new LinkedHashMap<>();
    long queries = 0;
    for (int b = 0; b < hits.length; b++) {
      String name = model.backends().get(b).name();
      String params = "backend=" + name;
      long misses = missNanos[b].getTotalCount();
      queries += hits[b] + misses;
      mean.put(name, shareSum[b] / Math.max(1, shareSamples));
      peaks += sharePeak[b];
      if (hits[b] + misses > 0) {
        metrics.add(new Metric("hit_ratio_pct", params, 100.0 * hits[b] / (hits[b] + misses)));
      }
      if (misses > 0) {
        metrics.add(new Metric("miss_mean_ms", params, missNanos[b].getMean() / 1e6));
        metrics.add(new Metric("miss_p99_ms", params, missNanos[b].getValueAtPercentile(99) / 1e6));
      }
      metrics.add(
          new Metric("backend_load_per_s", params, run.queue(b).queries() / run.measuredSeconds()));
      metrics.add(new Metric("backend_busy_pct", params, 100 * run.queue(b).utilisation()));
      metrics.add(new Metric("share_mean_mib", params, mean.get(name) / MIB));
    }
    metrics.add(new Metric("hit_latency_us", "", model.hitNanos() / 1e3));
    metrics.add(
        new Metric("static_space_pct", "", 100 * peaks / (model.cacheBytes() / this.run.scale())));
    if (rests) {
      double samples = shareSamples * model.servers();
      metrics.add(new Metric("resting_pct", "", 100 * restingSamples / Math.max(1, samples)));
    }
    metrics.add(new Metric("dominant_rbc_pct", "over=mean", dominantSum / dominantSamples));
    metrics.add(new Metric("dominant_rbc_pct", "over=max", dominantMost));
    for (int minute : new int[] {50, 100, 150}) {
      if (dominantAt.containsKey(minute)) {
        metrics.add(new Metric("dominant_rbc_pct", "minute=" + minute, dominantAt.get(minute)));
      }
    }
    if (newServer != null) {
      metrics.addAll(newServer.metrics());
    }
    metrics.removeIf(metric -> Double.isNaN(metric.value()));
    List<Check> checks = new ArrayList<>();
    checks.add(
        new Check(
            "limits, free space and use of every cache add up at every tick",
            run.conserved(),
            run.conserved() ? "" : "not at some tick"));
    long pending = run.underWay().requests();
    checks.add(
        new Check(
            "every request is answered once or still in progress",
            run.issued() == run.ended() + pending,
            run.issued() + " = " + run.ended() + " + " + pending));
    return new CacheOutcome(
        requests,
        errors,
        answered,
        run.measuredSeconds(),
        metrics,
        mean,
        checks,
        points,
        meter.cost(queries, 0));
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
