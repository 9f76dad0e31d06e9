/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Counters;
import dev.manx.policy.facts.LocalLoad;
import org.apache.cassandra.concurrent.ExecutorPlus;

/**
 * Counts the reads in the READ stage: every read passes through it, whether queued by Manx or not.
 *
 * @param stock the stock stage
 * @param counters count the reads that arrive, each once
 */
/*
 * The stock stage does not count the tasks that it runs on the calling thread as completed, which
 * at an idle stage may be every second read of a multiget. So the reads that ended are those that
 * arrived without those that are still here: exact but for the reads that arrive at that moment,
 * and free of cost for a read.
 */
record StageCounts(ExecutorPlus stock, Counters counters) implements LocalLoad.Stage {
  @Override
  public long pendingReads() {
    return (long) stock.getActiveTaskCount() + stock.getPendingTaskCount();
  }

  @Override
  public long completedReads() {
    return counters.get(Counter.ORDER_PASSED)
        + counters.get(Counter.ORDER_QUEUED)
        + counters.get(Counter.ORDER_OVERFLOWED)
        - pendingReads();
  }
}
