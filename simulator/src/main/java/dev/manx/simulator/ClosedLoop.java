/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.kernel.Streams.Purpose;
import dev.manx.workload.Arrivals;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Clients of a closed loop: each waits for its request to end, thinks and sends the next. All
 * clients go on until the last request of the run has been sent, so the load stays constant; then
 * clients that still think do not send again. If all think for the same time, their first think
 * times are drawn uniformly below it: otherwise they would all send at once. Confined to one
 * thread.
 */
final class ClosedLoop {
  private final World world;
  private final RunSpec run;
  private final ZigguratSampler.Exponential thoughts;
  private final UniformRandomProvider firstThoughts;
  private long sent;
  private int thinking;

  ClosedLoop(World world, RunSpec run, Streams streams) {
    this.world = world;
    this.run = run;
    thoughts = ZigguratSampler.Exponential.of(streams.sampler(Purpose.THINKING));
    firstThoughts = streams.sampler(Purpose.FIRST_THOUGHTS);
  }

  /** Starts every client with a think time. */
  void start() {
    for (long client = run.clients(); client > 0; client--) {
      think(isFixed() ? firstThoughts.nextDouble() : thoughts.sample());
    }
  }

  /** Records that a client's request ended. */
  void ended() {
    if (sent < run.requests()) {
      think(isFixed() ? 1 : thoughts.sample());
    }
  }

  private boolean isFixed() {
    return run.arrivals() == Arrivals.FIXED;
  }

  /** Schedules the next request of a client after a number of mean think times. */
  private void think(double times) {
    thinking++;
    long nanos = Math.round(run.thinkNanos() * times);
    world.calendar.at(world.calendar.now() + nanos, World.REQUEST, 0);
  }

  /** Records that a client has finished thinking, and returns whether it sends a request. */
  boolean sends() {
    thinking--;
    boolean more = sent < run.requests();
    if (more) {
      sent++;
    }
    return more;
  }

  /** Clients that think. */
  int thinking() {
    return thinking;
  }
}
