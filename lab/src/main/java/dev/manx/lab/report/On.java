/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

/** What an experiment runs on, key {@code on}, as far as the report speaks of it differently. */
enum On {
  /** Nodes of Cassandra. */
  CLUSTER(
      "load",
      "Latency of whole fan-out requests, from the moment each was meant to start until its last read"
          + " was answered."),
  /** Modelled nodes in virtual time. */
  SIMULATOR("load", CLUSTER.latency),
  /** Modelled caches and backends in virtual time; its loads are scenarios. */
  CACHE(
      "scenario",
      "Latency of whole fan-out requests, from each one's arrival to the answer of its slowest query."),
  /** A real cache before real backends. */
  CACHE_LIVE(
      "load",
      "Latency of whole fan-out requests, from the moment each was meant to start to the answer of its"
          + " slowest query."),
  /** Threads of one process, confined and boosted; its classes are cases. */
  THREADS(
      "load", "Latency of operations, from the moment each was meant to start until it was done."),
  /** A kind that this version does not know, or none at all. */
  UNKNOWN("load", "Latency, as the experiment measured it.");

  private final String loadWord;
  private final String latency;

  On(String loadWord, String latency) {
    this.loadWord = loadWord;
    this.latency = latency;
  }

  static On of(String text) {
    return switch (text) {
      case "cluster" -> CLUSTER;
      case "simulator" -> SIMULATOR;
      case "cache" -> CACHE;
      case "cache-live" -> CACHE_LIVE;
      case "contention", "idle" -> THREADS;
      default -> UNKNOWN;
    };
  }

  /** What the page calls one of its loads. */
  String loadWord() {
    return loadWord;
  }

  /** A sentence: what its latency is of. */
  String latency() {
    return latency;
  }
}
