/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import dev.manx.workload.Arrivals;
import dev.manx.workload.Fanout;
import dev.manx.workload.Popularity;
import dev.manx.workload.RequestClass;
import dev.manx.workload.RequestStream;
import dev.manx.workload.Workload;
import dev.manx.workload.WorkloadSpec;
import java.util.EnumMap;
import java.util.Map;

/**
 * Background work of a cluster while requests are measured: range scans, reads of a secondary index
 * and writes, each open-loop with Poisson arrivals at a separate rate.
 *
 * @param scansPerSecond range scans from a random key; 0 for none
 * @param scanRows rows of a scan ({@code LIMIT})
 * @param indexReadsPerSecond reads of one value of the indexed column; 0 for none
 * @param indexRows approximate number of rows with the same value
 * @param writesPerSecond rewrites of a random key's value; 0 for none
 */
public record Background(
    double scansPerSecond,
    int scanRows,
    double indexReadsPerSecond,
    int indexRows,
    double writesPerSecond) {
  /** No background work. */
  public static final Background NONE = new Background(0, 1, 0, 1, 0);

  /**
   * Number of values of the indexed column for a table of the given number of keys; 0 without index
   * reads.
   */
  public int buckets(int keys) {
    return indexReadsPerSecond > 0 ? Math.max(1, keys / indexRows) : 0;
  }

  /** The rates above 0, by the class of their results. */
  public Map<RequestClass, Double> rates() {
    Map<RequestClass, Double> rates = new EnumMap<>(RequestClass.class);
    rates.put(RequestClass.SCAN, scansPerSecond);
    rates.put(RequestClass.INDEX, indexReadsPerSecond);
    rates.put(RequestClass.WRITE, writesPerSecond);
    rates.values().removeIf(rate -> rate == 0);
    return rates;
  }

  /** A stream of requests with one key each, uniform over the workload's table. */
  static RequestStream stream(WorkloadSpec like, double perSecond, long seed) {
    return new Workload(
            new WorkloadSpec(
                like.keys(),
                like.sizes(),
                like.largeFromBytes(),
                like.dataSeed(),
                new Popularity.Uniform(),
                new Fanout.Fixed(1),
                Arrivals.POISSON,
                like.narrowMaxReads()))
        .stream(perSecond, seed);
  }
}
