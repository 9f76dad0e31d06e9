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
 * The other work of a cluster while requests are measured: range scans, reads of a secondary index,
 * and writes, each open-loop with Poisson arrivals at a rate of its own.
 *
 * @param scansPerSecond range scans from a random key; 0 for none
 * @param scanRows rows of a scan ({@code LIMIT})
 * @param indexReadsPerSecond reads of one value of the indexed column; 0 for none
 * @param indexRows rows with the same value, about
 * @param writesPerSecond rewrites of a random key's value; 0 for none
 */
public record Background(
    double scansPerSecond,
    int scanRows,
    double indexReadsPerSecond,
    int indexRows,
    double writesPerSecond) {
  /** Nothing beside the requests. */
  public static final Background NONE = new Background(0, 1, 0, 1, 0);

  /** Values of the indexed column in a table of so many keys; 0 if nothing reads an index. */
  public int buckets(int keys) {
    return indexReadsPerSecond > 0 ? Math.max(1, keys / indexRows) : 0;
  }

  /** The rates above 0, by the class that their results are reported in. */
  public Map<RequestClass, Double> rates() {
    Map<RequestClass, Double> rates = new EnumMap<>(RequestClass.class);
    rates.put(RequestClass.SCAN, scansPerSecond);
    rates.put(RequestClass.INDEX, indexReadsPerSecond);
    rates.put(RequestClass.WRITE, writesPerSecond);
    rates.values().removeIf(rate -> rate == 0);
    return rates;
  }

  /** A stream of keys, one a request, uniform over the same table as the workload's. */
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
