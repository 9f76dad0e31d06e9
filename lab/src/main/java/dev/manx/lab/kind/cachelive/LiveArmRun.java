/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.client.BackendStats;
import dev.manx.client.FanoutCache;
import dev.manx.client.control.StatisticsExchange;
import dev.manx.client.exchange.ExchangeSettings;
import dev.manx.client.exchange.StatisticsClient;
import dev.manx.client.exchange.StatisticsServer;
import dev.manx.client.store.server.CacheServer;
import dev.manx.lab.experiment.Closer;
import dev.manx.lab.experiment.RunException;
import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One arm's application servers, which exist for the whole experiment and keep their state from
 * turn to turn. Several exchange their statistics over a statistics server.
 */
final class LiveArmRun implements AutoCloseable {
  private static final Duration EXCHANGE_TIME_OUT = Duration.ofSeconds(1);

  private final LiveArm arm;
  private final StatisticsServer statistics;
  private final List<LiveServer> servers = new ArrayList<>();
  private volatile CacheTimes times = new CacheTimes();

  LiveArmRun(LiveSettings settings, LiveArm arm, List<LiveBackend> real, FaultSwitch faults)
      throws IOException {
    this.arm = arm;
    statistics = settings.servers() > 1 ? statisticsServer() : null;
    try (Closer<RuntimeException> undo = new Closer<>()) {
      undo.add(this::close);
      for (int s = 0; s < settings.servers(); s++) {
        LiveServer server = new LiveServer(settings, arm, real, faults, exchange());
        servers.add(server);
        server.cache().listen(new CacheTimes.Following(() -> times));
      }
      undo.release();
    }
  }

  private static StatisticsServer statisticsServer() throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return StatisticsServer.start(ExchangeSettings.of(any, null));
  }

  private StatisticsExchange exchange() {
    return statistics == null
        ? StatisticsExchange.inProcess()
        : new StatisticsClient(
            URI.create("http://127.0.0.1:" + statistics.address().getPort()),
            null,
            EXCHANGE_TIME_OUT);
  }

  LiveTarget target(
      List<LiveBackend> real,
      QueryPlans plans,
      LiveTarget.Listener listener,
      boolean erring,
      long warmUpNanos) {
    Map<BackendPlan, LiveBackend> checks = new LinkedHashMap<>();
    real.forEach(backend -> checks.put(backend.plan(), backend));
    return new LiveTarget(servers, checks, plans, listener, erring, warmUpNanos);
  }

  /** Sums of all application servers' counters, and their mean share. */
  record Counts(long hits, long misses, long blocked, long shareBytes) {}

  /** Counters and shares by the backend's name, in the file's order. */
  Map<String, Counts> stats() {
    Map<String, Counts> stats = new LinkedHashMap<>();
    for (BackendPlan plan : servers.get(0).backends().keySet()) {
      long hits = 0;
      long misses = 0;
      long blocked = 0;
      long bytes = 0;
      for (LiveServer server : servers) {
        BackendStats one = server.backends().get(plan).stats();
        hits += one.hits();
        misses += one.misses();
        blocked += one.blocked();
        bytes += one.allocatedBytes();
      }
      stats.put(plan.name(), new Counts(hits, misses, blocked, bytes / servers.size()));
    }
    return stats;
  }

  int servers() {
    return servers.size();
  }

  /** The cache of the first application server. */
  FanoutCache first() {
    return servers.get(0).cache();
  }

  /** Times since the last call of {@link #newTimes}. */
  CacheTimes times() {
    return times;
  }

  /** Forgets all times up to now. */
  void newTimes() {
    times = new CacheTimes();
  }

  /** Decisions so far, of all servers. */
  DecisionCounts decisions() {
    return servers.stream()
        .map(server -> DecisionCounts.of(server.cache().stats().loop()))
        .reduce(DecisionCounts.NONE, DecisionCounts::plus);
  }

  /** Completed requests so far, of all servers. */
  long requests() {
    return servers.stream().mapToLong(server -> server.cache().stats().requests()).sum();
  }

  /** Bytes to and from the statistics server so far, for all application servers. */
  long exchangedBytes() {
    return statistics == null ? 0 : statistics.transferredBytes();
  }

  /** Whether backends have separate shares. */
  boolean partitions() {
    return arm.strategy().newPolicy().partitions();
  }

  /**
   * Throws if the process of a share has died: the share would only miss, and the arm would seem
   * slow.
   *
   * @param kind of the processes, in words
   */
  void checkAlive(String kind) {
    servers.stream()
        .flatMap(server -> server.stores().stream())
        .flatMap(stores -> stores.ended().stream())
        .findFirst()
        .ifPresent(
            share -> {
              throw new RunException(
                  "the " + kind + " of share " + share + " has died; the run is void");
            });
  }

  /** The processes of all shares; empty if they are in this process. */
  List<CacheServer> stores() {
    return servers.stream()
        .flatMap(server -> server.stores().stream())
        .flatMap(stores -> stores.servers().stream())
        .toList();
  }

  LiveArm arm() {
    return arm;
  }

  @Override
  public void close() {
    try (Closer<RuntimeException> all = new Closer<>()) {
      if (statistics != null) {
        all.add(statistics::close);
      }
      servers.forEach(server -> all.add(server::close));
    }
  }
}
