/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.client.memcached.MemcachedStore;
import dev.manx.client.redis.RedisStore;
import dev.manx.client.store.server.CacheServer;
import dev.manx.lab.experiment.Load;
import dev.manx.policy.config.ConfigNode;
import dev.manx.workload.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Cache, backends and requests of an experiment on a real cache.
 *
 * @param capacityBytes of each arm's cache
 * @param server the kind of the remote store; empty for Caffeine
 * @param backends what the cache stands before
 * @param loads Poisson arrivals, each measured on its own
 * @param requestTimeOutNanos after which a request has failed
 * @param squeeze what happens to one of the backends in each turn; null for nothing
 * @param faults what else happens to backends in each turn
 * @param goalNanos the latency that P99 should stay below
 * @param rounds turns of each arm
 * @param settleNanos load on each arm before the first round, discarded
 * @param warmUpNanos discarded at the start of each turn
 * @param windowNanos measured after it; 0 if {@code requests} says how long
 * @param requests expected in a window; 0 if {@code windowNanos} says how long
 */
record LiveSettings(
    long capacityBytes,
    Optional<CacheServer.Kind> server,
    List<BackendPlan> backends,
    List<Load> loads,
    long requestTimeOutNanos,
    Squeeze squeeze,
    Faults faults,
    long goalNanos,
    int rounds,
    long settleNanos,
    long warmUpNanos,
    long windowNanos,
    long requests) {
  private static final long LEAST_SHARE_BYTES = 1 << 16;
  private static final long SECOND = 1_000_000_000L;
  private static final long HOUR = 3_600 * SECOND;
  private static final long MIB = 1L << 20;

  /** The kinds of backends. */
  enum Kind {
    /** A table of Apache Cassandra, read through the driver. */
    CASSANDRA,
    /** A table of H2 on disk, read through JDBC. */
    SQL,
    /** A service in a process of its own that computes what it answers. */
    HTTP,
    /** Products of matrices, computed in this process. */
    MATRIX,
    /** Files. */
    FILE
  }

  /**
   * One backend and how requests use it.
   *
   * @param keys how many it has
   * @param valueBytes of each
   * @param inShare of the requests that query it
   * @param meanBatch keys of such a query, geometric
   * @param zipf exponent of the keys' popularity
   * @param threads loads at once
   * @param workNanos of CPU for each value of a kind that computes
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

  /** How a backend is made slower. */
  enum Means {
    /** By a quota of CPU of a cgroup where that is permitted, else by the service's own gate. */
    AUTO,
    /** By a cgroup, or not at all. */
    CGROUP,
    /** By the service's own gate: one page at a time, and rest after each. */
    LIMIT
  }

  /**
   * One backend of kind {@code http} gets less CPU for a while, in each turn.
   *
   * @param cores what is left to it
   * @param fromNanos since the window's start
   * @param forNanos how long
   */
  record Squeeze(String backend, Means by, double cores, long fromNanos, long forNanos)
      implements Phase {
    @Override
    public String word() {
      return "squeezed";
    }
  }

  /** Copies the lists. */
  LiveSettings {
    backends = List.copyOf(backends);
    loads = List.copyOf(loads);
  }

  /**
   * Reads the settings.
   *
   * @param mostRounds of a quick run
   */
  static LiveSettings read(ConfigNode top, int mostRounds) {
    ConfigNode cache = top.at("cache");
    long capacity = cache.at("capacity").bytes(4 * MIB, 64L << 30);
    String store =
        cache.find("store").map(n -> n.oneOf("caffeine", "memcached", "redis")).orElse("caffeine");
    cache.noOtherKeys();
    List<BackendPlan> backends = new ArrayList<>();
    for (String backend : top.at("backends").names()) {
      backends.add(backend(backend, top.at("backends").at(backend)));
    }
    if (backends.isEmpty()) {
      throw top.at("backends").refuse("at least one backend");
    }
    List<Load> loads = loads(top);
    Optional<ConfigNode> requests = top.find("requests");
    long window = requests.isPresent() ? 0 : top.at("window").durationNanos(SECOND, HOUR);
    LiveSettings read =
        new LiveSettings(
            capacity,
            store.equals("caffeine")
                ? Optional.empty()
                : Optional.of(CacheServer.Kind.valueOf(store.toUpperCase(Locale.ROOT))),
            backends,
            loads,
            time(top, "request-time-out", 5 * SECOND, SECOND / 100),
            top.find("squeeze").map(node -> squeeze(node, backends)).orElse(null),
            Faults.read(top, backends),
            time(top, "goal", SECOND / 10, 1_000),
            Math.min(mostRounds, (int) top.at("rounds").integer(1, 1_000)),
            time(top, "settle", 0, 0),
            time(top, "warm-up", 0, 0),
            window,
            requests.map(n -> n.integer(1, 1_000_000_000)).orElse(0L));
    for (Load load : loads) {
      read.check(load, top);
    }
    return read;
  }

  private void check(Load load, ConfigNode top) {
    long window = windowNanos(load);
    if (window < SECOND || window > HOUR) {
      throw top.at("requests").refuse("as many as take 1 s to 1 h at " + load.label());
    }
    end(top, "squeeze", Optional.ofNullable(squeeze), window);
    end(top, "late", faults.late(), window);
    end(top, "errors", faults.errors(), window);
    end(top, "shift", faults.shift(), window);
  }

  private static void end(
      ConfigNode top, String key, Optional<? extends Phase> phase, long window) {
    if (phase.isPresent() && phase.get().untilNanos() > window) {
      throw top.at(key).at("for").refuse("a time that ends within the window");
    }
  }

  /** The smallest share that the store can do with. */
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

  /** What happens to backends in each turn. */
  List<Phase> phases() {
    List<Phase> all = new ArrayList<>(faults.phases());
    if (squeeze != null) {
      all.add(0, squeeze);
    }
    return all;
  }

  /** As long as the file says, or as the requests that were asked for take. */
  long windowNanos(Load load) {
    return windowNanos > 0 ? windowNanos : Math.round(requests / load.requestsPerSecond() * SECOND);
  }

  /** One {@code rate}, or {@code loads}. */
  private static List<Load> loads(ConfigNode top) {
    List<ConfigNode> rates =
        top.find("loads").map(ConfigNode::items).orElseGet(() -> List.of(top.at("rate")));
    top.find("rate");
    if (rates.isEmpty()) {
      throw top.at("loads").refuse("at least one rate such as 60/s");
    }
    List<Load> loads = new ArrayList<>();
    for (ConfigNode rate : rates) {
      double perSecond = rate.perSecond(0.1, 100_000);
      loads.add(new Load(Math.round(perSecond) + "/s", Double.NaN, perSecond));
    }
    return loads;
  }

  private static long time(ConfigNode top, String key, long standard, long least) {
    return top.find(key).map(node -> node.durationNanos(least, HOUR)).orElse(standard);
  }

  private static BackendPlan backend(String name, ConfigNode node) {
    if (!name.matches("[A-Za-z0-9._-]{1,40}")) {
      throw node.refuse("names of backends: letters, digits and . _ -, at most 40");
    }
    Kind kind =
        Kind.valueOf(
            node.at("kind")
                .oneOf("cassandra", "sql", "http", "matrix", "file")
                .toUpperCase(Locale.ROOT));
    boolean computes = kind == Kind.HTTP || kind == Kind.MATRIX;
    BackendPlan plan =
        new BackendPlan(
            name,
            kind,
            (int) node.at("keys").integer(2, 10_000_000),
            (int) node.at("value").bytes(Values.MIN_BYTES, MIB),
            node.at("in").fraction(0, 1),
            node.at("batch").number(1, 300),
            node.find("zipf").map(n -> n.number(0, 5)).orElse(0.9),
            (int) node.find("threads").map(n -> n.integer(1, 256)).orElse(8L).longValue(),
            computes ? node.at("work").durationNanos(1_000, SECOND) : 0);
    node.noOtherKeys();
    return plan;
  }

  private static Squeeze squeeze(ConfigNode node, List<BackendPlan> backends) {
    String[] able =
        backends.stream()
            .filter(b -> b.kind() == Kind.HTTP)
            .map(BackendPlan::name)
            .toArray(String[]::new);
    if (able.length == 0) {
      throw node.refuse("nothing: only backends of kind http can be squeezed, and there is none");
    }
    Squeeze squeeze =
        new Squeeze(
            node.at("backend").oneOf(able),
            Means.valueOf(
                node.find("by")
                    .map(n -> n.oneOf("auto", "cgroup", "limit"))
                    .orElse("auto")
                    .toUpperCase(Locale.ROOT)),
            node.at("cores").number(0.05, 64),
            node.at("from").durationNanos(0, HOUR),
            node.at("for").durationNanos(1, HOUR));
    node.noOtherKeys();
    return squeeze;
  }
}
