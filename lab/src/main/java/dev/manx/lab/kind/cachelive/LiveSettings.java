/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.client.memcached.MemcachedStore;
import dev.manx.client.redis.RedisStore;
import dev.manx.client.store.server.CacheServer;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.PhaseMetric;
import dev.manx.lab.experiment.TurnWindow;
import dev.manx.lab.settings.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Cache, backends and requests of an experiment on a real cache.
 *
 * @param capacityBytes of each arm's cache
 * @param server the kind of the remote store; empty for Caffeine
 * @param backends backends behind the cache
 * @param servers application servers of each arm, each with a cache
 * @param loads rates of Poisson arrivals, each measured separately
 * @param requestTimeOutNanos time after which a request has failed
 * @param squeeze squeeze of one of the backends in each turn; null for none
 * @param faults other faults of backends in each turn
 * @param goalNanos upper limit of P99
 * @param rounds turns of each arm
 * @param settleNanos load on each arm before the first round, discarded
 * @param warmUpNanos load discarded at the start of each turn
 * @param window measured after the warm-up
 */
record LiveSettings(
    long capacityBytes,
    Optional<CacheServer.Kind> server,
    List<BackendPlan> backends,
    int servers,
    List<Load> loads,
    long requestTimeOutNanos,
    Squeeze squeeze,
    BackendFaults faults,
    long goalNanos,
    int rounds,
    long settleNanos,
    long warmUpNanos,
    TurnWindow window) {
  private static final long LEAST_SHARE_BYTES = 1 << 16;
  private static final long SECOND = 1_000_000_000L;
  private static final long HOUR = 3_600 * SECOND;

  enum Kind {
    /** A table of Apache Cassandra, read through the driver. */
    CASSANDRA,
    /** A table of H2 on disk, read through JDBC. */
    SQL,
    /** A service in a separate process that computes its answers. */
    HTTP,
    /** Products of matrices, computed in this process. */
    MATRIX,
    /** Files. */
    FILE
  }

  /**
   * One backend and its use by requests.
   *
   * @param keys number of keys
   * @param valueBytes of each
   * @param inShare share of the requests that query it
   * @param meanBatch mean keys of such a query, geometric
   * @param zipf exponent of the keys' popularity
   * @param threads loads at once
   * @param workNanos CPU time for each value, for kinds that compute
   */
  record BackendPlan(
      String name,
      Kind kind,
      int keys,
      int valueBytes,
      double inShare,
      double meanBatch,
      double zipf,
      int threads,
      long workNanos) {}

  /** The method of squeezing a backend. */
  enum Means {
    /** By a CPU quota of a cgroup if permitted, otherwise by the service's gate. */
    AUTO,
    /** By a cgroup; otherwise fails. */
    CGROUP,
    /** By the service's gate: one page at a time, with a pause after each. */
    LIMIT
  }

  /**
   * A squeeze of one backend of kind {@code http}: less CPU for a while, in each turn.
   *
   * @param cores cores left to it
   * @param fromNanos since the window's start
   * @param forNanos duration
   */
  record Squeeze(String backend, Means by, double cores, long fromNanos, long forNanos)
      implements Phase {
    @Override
    public PhaseMetric metric() {
      return PhaseMetric.SQUEEZED;
    }
  }

  LiveSettings {
    backends = List.copyOf(backends);
    loads = List.copyOf(loads);
  }

  static LiveSettings read(Part top) {
    Part cache = top.part("cache");
    String store = cache.word("store");
    List<BackendPlan> backends = new ArrayList<>();
    top.named("backends", Part.class)
        .forEach((name, backend) -> backends.add(backend(name, backend)));
    if (backends.isEmpty()) {
      throw top.node("backends").refuse("at least one backend");
    }
    List<Load> loads = loads(top);
    LiveSettings read =
        new LiveSettings(
            cache.number("capacity"),
            store.equals(LiveKeys.CAFFEINE)
                ? Optional.empty()
                : Optional.of(cache.choice("store", CacheServer.Kind.class)),
            backends,
            top.whole("servers"),
            loads,
            top.number("request-time-out"),
            top.find("squeeze").map(part -> squeeze(part, backends)).orElse(null),
            BackendFaults.read(top, backends),
            top.number("goal"),
            top.whole("rounds"),
            top.number("settle"),
            top.number("warm-up"),
            TurnWindow.read(top));
    for (Load load : loads) {
      read.check(load, top);
    }
    return read;
  }

  private void check(Load load, Part top) {
    long window = windowNanos(load);
    if (window < SECOND || window > HOUR) {
      throw top.node("requests").refuse("as many as take 1 s to 1 h at " + load.label());
    }
    end(top, "squeeze", Optional.ofNullable(squeeze), window);
    end(top, "late", faults.late(), window);
    end(top, "errors", faults.errors(), window);
    end(top, "shift", faults.shift(), window);
  }

  private static void end(Part top, String key, Optional<? extends Phase> phase, long window) {
    if (phase.isPresent() && phase.get().untilNanos() > window) {
      throw top.node(key).at("for").refuse("a time that ends within the window");
    }
  }

  /** The smallest share that the store can use. */
  long leastShareBytes() {
    return server
        .map(
            kind ->
                switch (kind) {
                  case MEMCACHED -> MemcachedStore.MINIMUM_BYTES;
                  case REDIS -> RedisStore.MINIMUM_BYTES;
                })
        .orElse(LEAST_SHARE_BYTES);
  }

  /** The disturbances of backends in each turn. */
  List<Phase> phases() {
    List<Phase> all = new ArrayList<>(faults.phases());
    if (squeeze != null) {
      all.add(0, squeeze);
    }
    return all;
  }

  /** The length of the window at a load. */
  long windowNanos(Load load) {
    return window.nanos(load.requestsPerSecond());
  }

  /** One {@code rate}, or {@code loads}. */
  private static List<Load> loads(Part top) {
    if (!top.has("loads")) {
      top.node(LiveKeys.RATE.name());
    }
    List<Double> rates =
        top.has("loads")
            ? top.items("loads", Double.class)
            : List.of(top.real(LiveKeys.RATE.name()));
    List<Load> loads =
        rates.stream()
            .map(perSecond -> new Load(LiveKeys.RATES.write(perSecond), Double.NaN, perSecond))
            .toList();
    CommonSettings.checkLoads(top, loads.stream().map(Load::label).toList(), "rate such as 60/s");
    return loads;
  }

  private static BackendPlan backend(String name, Part part) {
    Kind kind = part.choice("kind", Kind.class);
    boolean computes = kind == Kind.HTTP || kind == Kind.MATRIX;
    if (computes) {
      part.node("work");
    } else if (part.has("work")) {
      throw part.node("work")
          .refuseBecause("backends of this kind do not compute; only http and matrix have work");
    }
    return new BackendPlan(
        name,
        kind,
        part.whole("keys"),
        part.whole("value"),
        part.real("in"),
        part.real("batch"),
        part.real("zipf"),
        part.whole("threads"),
        computes ? part.number("work") : 0);
  }

  private static Squeeze squeeze(Part part, List<BackendPlan> backends) {
    String[] able =
        backends.stream()
            .filter(b -> b.kind() == Kind.HTTP)
            .map(BackendPlan::name)
            .toArray(String[]::new);
    if (able.length == 0) {
      throw part.node().refuseBecause("it needs a backend of kind http");
    }
    return new Squeeze(
        part.node("backend").oneOf(able),
        part.choice("by", Means.class),
        part.real("cores"),
        part.number("from"),
        part.number("for"));
  }
}
