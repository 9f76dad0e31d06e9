/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import dev.manx.cassandra.canary.Canary;
import dev.manx.cassandra.canary.CanaryConfig;
import dev.manx.policy.Ewma;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Measurements on the path of requests and reads, and the choice of requests to act on.
 *
 * @param canary draws the requests that Manx acts on
 * @param requests their latency, and that of the others
 * @param waits of reads in this node's queue
 * @param answerBytes mean size of answers, for strategies that forecast no sizes
 */
public record Measures(Canary canary, RequestLatency requests, QueueWaits waits, Ewma answerBytes) {
  // The last few hundred answers count.
  private static final double ANSWER_WEIGHT = 0.01;

  /** Empty. */
  public static Measures of(CanaryConfig config, int mostTables) {
    Canary canary = new Canary(config);
    return new Measures(
        canary,
        new RequestLatency(
            mostTables, (keyspace, table) -> canary.config().includes(keyspace, table)),
        new QueueWaits(),
        new Ewma(ANSWER_WEIGHT));
  }

  /**
   * A request to be followed until it ends.
   *
   * @param keys that it reads
   * @param acts whether Manx is to act on it
   * @param calm whether no read waited lately
   * @param sinceNanos when it came
   */
  public Followed follow(
      TableMetadata table, int keys, boolean acts, boolean calm, long sinceNanos) {
    return new Followed(
        requests,
        table,
        Width.of(keys),
        acts ? Group.ACTED : Group.CONTROL,
        calm ? Pressure.CALM : Pressure.BUSY,
        sinceNanos);
  }

  /** Another canary; the comparison begins anew. */
  public void canary(CanaryConfig next) {
    canary.set(next);
    requests.clear();
  }

  /**
   * Another mode. The comparison of a canary begins anew: in shadow mode all requests are left to
   * stock, and those are of another time than the ones that Manx acts on.
   */
  public void modeChanged() {
    if (!canary.config().equals(CanaryConfig.ALL)) {
      requests.clear();
    }
  }
}
