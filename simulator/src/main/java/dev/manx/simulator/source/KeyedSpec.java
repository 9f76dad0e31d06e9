/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.kernel.Streams.Purpose;
import dev.manx.workload.PlannedRequest;
import dev.manx.workload.RequestStream;
import dev.manx.workload.Workload;

/**
 * The requests of a workload as sent to a real cluster: distinct keys, each with its size and
 * popularity.
 *
 * @param workload prepared, shared by all runs
 */
public record KeyedSpec(Workload workload) implements SourceSpec {
  @Override
  public Source open(Streams streams, int nodes, long run) {
    RequestStream stream = workload.stream(1, streams.sampler(Purpose.KEYS).nextLong());
    return draw -> {
      PlannedRequest request = stream.next();
      draw.clear();
      for (int i = 0; i < request.reads(); i++) {
        int id = request.keyId(i);
        long hash = Streams.mix(id * 0x9E3779B97F4A7C15L + 1);
        int bytes = workload.keySpace().valueBytes(id);
        draw.add(
            hash, (int) Math.floorMod(hash >>> 8, (long) nodes), bytes, bytes >= largeFromBytes());
      }
    };
  }

  @Override
  public double meanReads() {
    return workload.meanReadsPerRequest();
  }

  @Override
  public double meanBytes() {
    return workload.meanBytesPerRead();
  }

  @Override
  public int largeFromBytes() {
    return workload.spec().largeFromBytes();
  }
}
