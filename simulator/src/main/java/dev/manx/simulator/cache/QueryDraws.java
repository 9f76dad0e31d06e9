/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.kernel.Streams.Purpose;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * A random stream for each query of each request, so that a query that misses in several arms of a
 * seed has the same service time and the same error in all of them. Confined to one run.
 */
final class QueryDraws implements UniformRandomProvider {
  /* Arms miss different queries: from one stream for all misses, every draw after the first
   * difference would belong to another query. Each stream is a SplitMix64 from a hashed start. */
  private static final long GAMMA = 0x9E3779B97F4A7C15L;

  private final long seed;
  private long state;

  QueryDraws(Streams streams) {
    seed = streams.generator(Purpose.SERVICE, 0).nextLong();
  }

  /**
   * Begins the stream of a query.
   *
   * @param request number of its request in the run
   * @param query its number in the request
   */
  void begin(long request, int query) {
    state = Streams.mix(Streams.mix(seed + request * GAMMA) + query * GAMMA);
  }

  @Override
  public long nextLong() {
    state += GAMMA;
    return Streams.mix(state);
  }
}
