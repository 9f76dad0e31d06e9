/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

/** A table of Manx that only some commands read, so that the others work without its grant. */
enum OtherTable {
  LATENCY(
      "manx.latency",
      "SELECT name FROM manx.latency LIMIT 1",
      "top shows no P99, and a canary is not compared"),
  REPLICAS("manx.replicas", "SELECT address FROM manx.replicas LIMIT 1", "warm does not work"),
  // No log has a part before 0, so no file is read.
  DECISION_LOG(
      "manx.decision_log",
      "SELECT part FROM manx.decision_log WHERE part = -1",
      "fetch-log and advise --on do not work");

  private final String table;
  private final String probe;
  private final String loss;

  OtherTable(String table, String probe, String loss) {
    this.table = table;
    this.probe = probe;
    this.loss = loss;
  }

  /** Its name, with the keyspace. */
  String table() {
    return table;
  }

  /** A query whose answer is short. */
  String probe() {
    return probe;
  }

  /** The consequence for a user who may not read it. */
  String loss() {
    return loss;
  }
}
