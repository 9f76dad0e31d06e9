/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.kernel.Streams.Purpose;
import dev.manx.workload.Arrivals;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Clients of a closed loop: each waits for its request to end, thinks and sends the next, until all
 * requests of the run have been sent. Confined to one thread.
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

  /** Starts every client with a think time. */
  void start() {
    for (long client = run.clients(); client > 0; client--) {
      ended();
    }
  }

  /** Records that a client's request ended. */
  void ended() {
    if (left > 0) {
      left--;
      double nanos = run.thinkNanos() * (run.arrivals() == Arrivals.FIXED ? 1 : thinking.sample());
      world.calendar.at(world.calendar.now() + Math.round(nanos), World.REQUEST, 0);
    }
  }
}
