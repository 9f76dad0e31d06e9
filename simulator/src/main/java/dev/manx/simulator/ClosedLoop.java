/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.kernel.Streams.Purpose;
import dev.manx.workload.Arrivals;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Clients that each wait for their request to end, think, and send the next: until all requests of
 * the run have been sent. Confined to one thread.
 */
final class ClosedLoop {
  private final World world;
  private final RunSpec run;
  private final ZigguratSampler.Exponential thinking;
  private long left;

  ClosedLoop(World world, RunSpec run, Streams streams) {
    this.world = world;
    this.run = run;
    left = run.requests();
    thinking = ZigguratSampler.Exponential.of(streams.sampler(Purpose.THINKING));
  }

  /** Every client begins by thinking. */
  void start() {
    for (int client = 0; client < run.clients(); client++) {
      ended();
    }
  }

  /** A client's request ended. */
  void ended() {
    if (left > 0) {
      left--;
      double nanos = run.thinkNanos() * (run.arrivals() == Arrivals.FIXED ? 1 : thinking.sample());
      world.calendar.at(world.calendar.now() + Math.round(nanos), World.REQUEST, 0);
    }
  }
}
