/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.NanoClock;
import dev.manx.policy.SplitMix;
import java.util.Arrays;

/**
 * Weighted medians of decaying reservoirs, recomputed every 100 ms: Hector's C3 keeps such medians
 * instead of exponentially weighted means, with the reservoir of the dynamic snitch. Adding locks
 * one reservoir; queries read the medians of the last tick.
 */
final class MedianMeans implements NodeMeans {
  private static final long UPDATE_NANOS = 100_000_000;
  private static final long SECOND = 1_000_000_000;

  /** The samples of a node. */
  private record Samples(
      DecayingReservoir response, DecayingReservoir service, DecayingReservoir queue) {}

  /** The medians of all nodes at one tick; never modified. */
  private record Medians(boolean[] known, double[] response, double[] service, double[] queue) {}

  private final NanoClock clock;
  private final SplitMix random;
  private final long startNanos;
  private volatile Samples[] samples = new Samples[0];
  private volatile Medians medians =
      new Medians(new boolean[0], new double[0], new double[0], new double[0]);
  private long updatedNanos;

  MedianMeans(NanoClock clock, SplitMix random) {
    this.clock = clock;
    this.random = random;
    startNanos = clock.nanoTime();
    updatedNanos = startNanos;
  }

  @Override
  public void add(int node, int capacity, double response, double service, double queue) {
    Samples own = of(node, capacity);
    long second = (clock.nanoTime() - startNanos) / SECOND;
    own.response.add(Math.round(response), second);
    own.service.add(Math.round(service), second);
    own.queue.add(Math.round(queue), second);
  }

  @Override
  public boolean isKnown(int node) {
    Medians now = medians;
    return node < now.known.length && now.known[node];
  }

  @Override
  public double response(int node) {
    return of(medians.response, node);
  }

  @Override
  public double service(int node) {
    return of(medians.service, node);
  }

  @Override
  public double queue(int node) {
    return of(medians.queue, node);
  }

  @Override
  public synchronized void forget(int node) {
    if (node >= 0 && node < samples.length) {
      Samples[] fewer = samples.clone();
      fewer[node] = null;
      samples = fewer;
      recompute();
    }
  }

  @Override
  public void tick(long nowNanos) {
    if (nowNanos - updatedNanos < UPDATE_NANOS) {
      return;
    }
    updatedNanos = nowNanos;
    recompute();
  }

  private synchronized void recompute() {
    Samples[] all = samples;
    int nodes = all.length;
    Medians next =
        new Medians(new boolean[nodes], new double[nodes], new double[nodes], new double[nodes]);
    for (int node = 0; node < nodes; node++) {
      Samples own = all[node];
      if (own != null) {
        next.known[node] = true;
        next.response[node] = own.response.median();
        next.service[node] = own.service.median();
        next.queue[node] = own.queue.median();
      }
    }
    medians = next;
  }

  @Override
  public long tickIntervalNanos() {
    return UPDATE_NANOS;
  }

  private Samples of(int node, int capacity) {
    Samples[] all = samples;
    Samples own = node < all.length ? all[node] : null;
    return own == null ? enter(node, capacity) : own;
  }

  private synchronized Samples enter(int node, int capacity) {
    Samples[] more = Arrays.copyOf(samples, Math.max(samples.length, capacity));
    if (more[node] == null) {
      more[node] = new Samples(reservoir(), reservoir(), reservoir());
      samples = more;
    }
    return more[node];
  }

  private DecayingReservoir reservoir() {
    return new DecayingReservoir(new SplitMix(random.nextLong()));
  }

  private static double of(double[] values, int node) {
    return node < values.length ? values[node] : 0;
  }
}
