/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import dev.manx.shares.CacheStrategy;
import dev.manx.shares.ControllerSettings;
import dev.manx.shares.DecisionStatistics;
import dev.manx.shares.RecentWindows;
import dev.manx.shares.SharePolicy;
import dev.manx.shares.WindowRecorder;
import dev.manx.shares.WindowStatistics;
import dev.manx.simulator.Meter;
import dev.manx.simulator.cache.Completions.End;
import dev.manx.simulator.cache.SyntheticQueries.Popularities;
import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.kernel.Streams.Purpose;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ContinuousSampler;
import org.apache.commons.rng.sampling.distribution.LogNormalSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Plays one {@link CacheRun} in virtual time: requests arrive at application servers by a Poisson
 * process, their queries go to the cache or through it to the backends' queues, and the share
 * policies of module {@code shares} observe ended requests and queries. The same run gives the same
 * outcome.
 */
public final class CacheSimulation {
  /* A query's latency is known when it is sent, but passed to statistics and controllers only when
   * it ends. The results are of the requests and queries sent in the measured time: those that end
   * later are the slowest of an overload. A key in flight from the backend is in the cache's list
   * already; queries for it wait for its arrival and count as misses without load on the backend
   * (coalescing). */
  private static final double SECOND = 1e9;
  private static final int PARTS_PER_SLOT = 8;

  private final CacheRun run;
  private final CacheModel model;
  private final double timeScale;
  private final QuerySource source;
  private final UniformRandomProvider arrivals;
  private final UniformRandomProvider placement;
  private final QueryDraws draws;
  private final ContinuousSampler[] service;
  private final BackendQueue[] queues;
  private final double[] parts;
  private final Scenario.Fault[] faults;
  private final AppServer[] servers;
  private final RecentWindows windows = new RecentWindows(ControllerSettings.MOST_WINDOWS);
  private final Completions underWay = new Completions();
  private final LatencyWatch watch;
  private final CacheMeasurements measurements;
  private final CacheStrategy strategy;
  private final long warmUpNanos;
  private final long endNanos;
  // A controller without decisions.
  private final SharePolicy policy;
  private long nowNanos;
  private long issued;
  private long ended;
  private boolean conserved = true;
  private boolean requestFailed;
  // Counts of the present request's queries to one backend that use the cache: hits, and the
  // others.
  private int found;
  private int missed;

  /**
   * Prepares a run.
   *
   * @param popularities shared by all runs of an experiment, created once
   */
  public CacheSimulation(CacheRun run, Tables popularities) {
    this.run = run;
    this.timeScale = run.scale();
    this.model = run.model().scaled(timeScale);
    Streams streams = new Streams(run.seed());
    source =
        run.trace() == null
            ? new SyntheticQueries(model, popularities.popularities, streams)
            : run.trace().of(streams);
    arrivals = streams.sampler(Purpose.ARRIVALS);
    placement = streams.sampler(Purpose.COORDINATORS);
    draws = new QueryDraws(streams);
    int n = model.backends().size();
    service = new ContinuousSampler[n];
    queues = new BackendQueue[n];
    parts = new double[n];
    faults = new Scenario.Fault[n];
    double sigma = Math.sqrt(Math.log1p(model.serviceCv() * model.serviceCv()));
    for (int b = 0; b < n; b++) {
      double mu = Math.log(model.backends().get(b).serviceMeanNanos()) - sigma * sigma / 2;
      service[b] = LogNormalSampler.of(ZigguratSampler.NormalizedGaussian.of(draws), mu, sigma);
      queues[b] = new BackendQueue(model.workers(b));
    }
    var seeds = streams.generator(Purpose.STRATEGIES, 0);
    strategy = run.strategy().scaled(timeScale, seeds::nextLong);
    servers = new AppServer[model.servers()];
    for (int s = 0; s < servers.length; s++) {
      servers[s] = new AppServer(model, source, strategy, initial(), timeScale);
    }
    policy = strategy.newPolicy();
    watch = new LatencyWatch(run.slos());
    measurements = new CacheMeasurements(run, model, watch);
    warmUpNanos = Math.round(run.scenario().warmUpSeconds() * timeScale * SECOND);
    endNanos = warmUpNanos + Math.round(run.scenario().measuredSeconds() * timeScale * SECOND);
  }

  /** Tables that depend on the model alone. Thread-safe. */
  public static final class Tables {
    private final Popularities popularities = new Popularities();
  }

  /** Full-size shares as whole bytes of the compressed cache. */
  private Map<String, Long> initial() {
    if (run.initial() == null) {
      return null;
    }
    Map<String, Long> shares = new LinkedHashMap<>();
    long left = model.cacheBytes();
    List<String> names = model.names();
    for (int b = 0; b < names.size(); b++) {
      long bytes =
          b == names.size() - 1
              ? left
              : Math.min(left, Math.round(run.initial().get(names.get(b)) * timeScale));
      shares.put(names.get(b), bytes);
      left -= bytes;
    }
    return shares;
  }

  /** Plays the run. */
  public CacheOutcome run() {
    Meter meter = new Meter();
    double perSecond = model.requestsPerSecond() * servers.length;
    long interval = strategy.controller().intervalNanos();
    long slot = Math.round(LatencyWatch.SLOT_SECONDS * timeScale * SECOND);
    long nextTick = interval;
    long nextSlot = slot;
    long nextParts = 0;
    long nextStart = newServerNanos();
    long nextRequest = gap(perSecond);
    Batch batch = new Batch();
    while (true) {
      long next = Math.min(Math.min(nextTick, nextSlot), Math.min(nextRequest, nextParts));
      next = Math.min(Math.min(next, nextStart), underWay.nextNanos());
      if (!measurements.measuring() && next > warmUpNanos) {
        begin();
      }
      if (next > endNanos) {
        return measurements.outcome(this, meter);
      }
      nowNanos = next;
      if (next == underWay.nextNanos()) {
        underWay.pop(ending);
      } else if (next == nextStart) {
        startAnew();
        nextStart = Long.MAX_VALUE;
      } else if (next == nextParts) {
        setParts();
        nextParts += Math.max(1, slot / PARTS_PER_SLOT);
      } else if (next == nextSlot) {
        turn();
        nextSlot += slot;
      } else if (next == nextTick) {
        tick();
        nextTick += interval;
      } else if (next == nextRequest) {
        batch.clear();
        source.next(batch);
        request(batch);
        nextRequest += gap(perSecond);
      }
    }
  }

  private long gap(double perSecond) {
    return Math.max(1, Math.round(-Math.log(1 - arrivals.nextDouble()) / perSecond * SECOND));
  }

  private long newServerNanos() {
    OptionalDouble seconds = run.scenario().newServerSeconds();
    return seconds.isEmpty()
        ? Long.MAX_VALUE
        : warmUpNanos + Math.round(seconds.getAsDouble() * timeScale * SECOND);
  }

  /** The last server loses all its state; queries in progress are answered as before. */
  private void startAnew() {
    int last = servers.length - 1;
    servers[last] = new AppServer(model, source, strategy, initial(), timeScale);
    measurements.startedAnew(seconds(), servers);
  }

  /** Uncompressed seconds since the end of the warm-up. */
  private double seconds() {
    return (nowNanos - warmUpNanos) / timeScale / SECOND;
  }

  private void setParts() {
    double second = seconds();
    for (int b = 0; b < parts.length; b++) {
      double before = parts[b];
      Scenario.Fault fault = run.scenario().faults().get(model.backends().get(b).name());
      faults[b] = fault != null && fault.at(second) ? fault : null;
      CapacityCurve curve = run.scenario().curves().get(model.backends().get(b).name());
      parts[b] = curve == null ? 1 : curve.at(second);
      queues[b].drain(nowNanos, before == 0 ? parts[b] : before);
    }
  }

  private void request(Batch batch) {
    int s = placement.nextInt(servers.length);
    AppServer server = servers[s];
    long slowest = -1;
    int blocker = WindowRecorder.NO_SHARE;
    requestFailed = false;
    for (int group = 0; group < batch.groups(); group++) {
      int backend = batch.backendOf(group);
      long last = 0;
      found = 0;
      missed = 0;
      for (int q = batch.begin(group); q < batch.end(group); q++) {
        draws.begin(issued, q);
        int missedBefore = missed;
        long latency = query(server, s, backend, batch.object(q), batch.cacheable(q));
        boolean waited = missed > missedBefore;
        if (waited) {
          last = Math.max(last, latency);
        }
        if (latency > slowest) {
          slowest = latency;
          blocker = waited ? backend : WindowRecorder.NO_SHARE;
        }
      }
      // For the client, the queries to a backend are the keys of one query.
      if (missed > 0) {
        underWay.miss(nowNanos, last, s, backend, End.LAST);
      } else if (found > 0) {
        server.recorder().query(backend, false);
      }
    }
    issued++;
    measurements.request(slowest, requestFailed);
    underWay.request(nowNanos, slowest, s, blocker, requestFailed);
  }

  private long query(AppServer server, int s, int backend, int object, boolean cacheable) {
    long latency = model.hitNanos();
    if (cacheable) {
      server.sample(backend, object);
      if (server.touch(backend, object)) {
        long wait = server.readyNanos(backend, object) - nowNanos;
        if (wait <= 0) {
          server.hit(backend, latency);
          found++;
          measurements.hit(backend);
        } else {
          latency += wait;
          measurements.miss(backend, latency);
          underWay.miss(nowNanos, latency, s, backend, End.JOINED);
          missed++;
        }
        return latency;
      }
    }
    latency += queues[backend].submit(nowNanos, parts[backend], service[backend].sample());
    boolean failed = false;
    if (faults[backend] != null) {
      latency += faults[backend].delayNanos();
      failed = draws.nextDouble() < faults[backend].errors();
      requestFailed |= failed;
    }
    measurements.miss(backend, latency);
    underWay.miss(nowNanos, latency, s, backend, end(cacheable, failed));
    missed += cacheable ? 1 : 0;
    if (cacheable && !failed) {
      server.fetch(backend, object, nowNanos + latency);
    }
    return latency;
  }

  private static End end(boolean cacheable, boolean failed) {
    if (cacheable) {
      return failed ? End.FAILED : End.ANSWERED;
    }
    return failed ? End.UNCACHED_FAILED : End.UNCACHED;
  }

  private final Completions.Listener ending =
      new Completions.Listener() {
        @Override
        public void missed(int server, int backend, long latencyNanos, End end) {
          servers[server].missed(backend, latencyNanos, end);
        }

        @Override
        public void ended(int server, int blocker, long latencyNanos, boolean failed) {
          ended++;
          servers[server].recorder().request(latencyNanos, blocker);
          if (!failed) {
            watch.ended(latencyNanos);
            measurements.answered();
          }
        }
      };

  /** All servers' statistics are merged, and every controller decides separately. */
  private void tick() {
    List<WindowStatistics> cuts = new ArrayList<>();
    for (AppServer server : servers) {
      cuts.add(server.recorder().cut());
    }
    WindowStatistics all = WindowStatistics.sum(cuts);
    windows.add(nowNanos, all);
    measurements.window(nowNanos, all);
    WindowStatistics recent =
        windows.recent(strategy.controller().windowNanos(), policy.enoughRequests());
    DecisionStatistics statistics = windows.forDecision(recent, policy);
    for (AppServer server : servers) {
      server.tick(nowNanos, statistics);
      conserved &= server.conserves();
    }
  }

  /** Begins the measurements: all events up to the end of the warm-up have happened. */
  private void begin() {
    measurements.begin();
    for (int b = 0; b < queues.length; b++) {
      queues[b].drain(warmUpNanos, parts[b]);
      queues[b].resetCounters();
    }
  }

  private void turn() {
    watch.turn(measurements.measuring());
    measurements.turn(seconds(), servers);
  }

  BackendQueue queue(int backend) {
    return queues[backend];
  }

  long issued() {
    return issued;
  }

  long ended() {
    return ended;
  }

  boolean conserved() {
    return conserved;
  }

  Completions underWay() {
    return underWay;
  }

  double measuredSeconds() {
    return (endNanos - warmUpNanos) / SECOND;
  }
}
