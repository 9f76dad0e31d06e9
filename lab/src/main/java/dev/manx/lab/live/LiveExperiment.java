/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.live;

import dev.manx.client.store.server.CacheServer;
import dev.manx.lab.experiment.YamlText;
import dev.manx.policy.strategy.CacheStrategy;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An experiment on a real cache, resolved.
 *
 * @param name as it stands in the result files
 * @param baseline the arm the others are compared with
 * @param capacityBytes of each arm's cache
 * @param server the kind of the remote store; empty for Caffeine
 * @param backends what the cache stands before
 * @param requestsPerSecond mean of the Poisson arrivals
 * @param requestTimeOutNanos after which a request has failed
 * @param squeeze what happens to one of the backends in each turn; null for nothing
 * @param goalNanos the latency that P99 should stay below
 * @param seed of the streams of requests; each round has one of its own
 * @param rounds turns of each arm
 * @param settleNanos load on each arm before the first round, discarded
 * @param warmUpNanos discarded at the start of each turn
 * @param windowNanos measured after it
 * @param arms in the file's order
 * @param written every setting in place, as {@code experiment.yaml} has it
 */
record LiveExperiment(
    String name,
    String baseline,
    long capacityBytes,
    Optional<CacheServer.Kind> server,
    List<BackendPlan> backends,
    double requestsPerSecond,
    long requestTimeOutNanos,
    Squeeze squeeze,
    long goalNanos,
    long seed,
    int rounds,
    long settleNanos,
    long warmUpNanos,
    long windowNanos,
    List<LiveArm> arms,
    Map<String, Object> written) {
  /** One way to divide the cache. */
  record LiveArm(String name, String description, CacheStrategy strategy) {}

  /** What a backend can be. */
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
  record Squeeze(String backend, Means by, double cores, long fromNanos, long forNanos) {
    /** Whether a request of the window is intended while the squeeze lasts. */
    boolean holds(long sinceWindowNanos) {
      return sinceWindowNanos >= fromNanos && sinceWindowNanos < fromNanos + forNanos;
    }
  }

  /** Copies the lists. */
  LiveExperiment {
    backends = List.copyOf(backends);
    arms = List.copyOf(arms);
  }

  /** The load as it stands in the result files. */
  String load() {
    return Math.round(requestsPerSecond) + "/s";
  }

  /** The text of {@code experiment.yaml}. */
  String text() {
    return YamlText.of(written);
  }

  /** Length of a turn. */
  long turnNanos() {
    return warmUpNanos + windowNanos;
  }
}
