/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.recorded;

import dev.manx.policy.record.PlanPaging;

/**
 * A request as its coordinator planned it. Arrays have an entry for each read and are not copied.
 *
 * @param atNanos when it was planned, by the monotonic clock of that node
 * @param coordinator number of the node that planned it
 * @param paging how its keys are read
 * @param hashes of the keys
 * @param replicas numbers of the nodes, in the order of the coordinator's snitch
 * @param contacts number of replicas asked by each read, at least 1
 * @param bytes forecast sizes
 * @param forecastNanos forecast service times, at least 1
 */
public record RecordedRequest(
    long atNanos,
    int coordinator,
    PlanPaging paging,
    long[] hashes,
    int[][] replicas,
    int[] contacts,
    int[] bytes,
    long[] forecastNanos) {
  /** Number of reads, at least 1. */
  public int reads() {
    return hashes.length;
  }
}
