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
 * @param requests latency of these requests and of the others
 * @param waits waits of reads in this node's queue
 * @param answerBytes mean size of answers, for strategies that forecast no sizes
 */
public record RequestMeasures(
    Canary canary, RequestLatency requests, QueueWaits waits, Ewma answerBytes) {
  // The mean covers the last few hundred answers.
  private static final double ANSWER_WEIGHT = 0.01;

  /** Creates it without measurements. */
  public static RequestMeasures of(CanaryConfig config, int mostTables) {
    Canary canary = new Canary(config);
    return new RequestMeasures(
        canary,
        new RequestLatency(
            mostTables, (keyspace, table) -> canary.config().includes(keyspace, table)),
        new QueueWaits(),
        new Ewma(ANSWER_WEIGHT));
  }

  /**
   * Starts tracking a request until it ends.
   *
   * @param keys number of keys that it reads
   * @param acts whether Manx acts on it
   * @param calm whether no read waited lately
   * @param weight number of requests that it represents, itself included
   * @param sinceNanos time of its arrival
   */
  public Followed follow(
      TableMetadata table, int keys, boolean acts, boolean calm, int weight, long sinceNanos) {
    return new Followed(
        requests,
        table,
        Width.of(keys),
        acts ? Group.ACTED : Group.CONTROL,
        calm ? Pressure.CALM : Pressure.BUSY,
        weight,
        sinceNanos);
  }

  /** Sets another canary; the comparison starts anew. */
  public void canary(CanaryConfig next) {
    canary.set(next);
    requests.clear();
  }

  /**
   * Sets another mode. The comparison of a canary starts anew: in shadow mode all requests are left
   * to stock, at another time than the requests that Manx acts on.
   */
  public void modeChanged() {
    if (!canary.config().equals(CanaryConfig.ALL)) {
      requests.clear();
    }
  }
}
