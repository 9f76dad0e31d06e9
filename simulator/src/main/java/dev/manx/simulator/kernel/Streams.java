/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.kernel;

import java.util.SplittableRandom;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Random streams of a run, one per purpose, so that draws for one purpose never affect another: all
 * arms of a seed have the same requests (common random numbers).
 */
public final class Streams {
  /** The purposes of randomness. Seeds depend on their names, not on their order. */
  public enum Purpose {
    /** Gaps between requests. */
    ARRIVALS,
    /** The coordinator of a request. */
    COORDINATORS,
    /** Reads of a request. */
    WIDTHS,
    /** Keys or replica groups. */
    KEYS,
    /** Sizes of values. */
    SIZES,
    /** Service times around their mean. */
    SERVICE,
    /** Network delays. */
    NETWORK,
    /** Messages that never arrive. */
    LOSS,
    /** Think times of clients of a closed loop. */
    THINKING,
    /** The first think times, if all others are equal. */
    FIRST_THOUGHTS,
    /** Speeds that change. */
    SPEEDS,
    /** Errors of oracles. */
    ORACLE,
    /** The selectors of a coordinator. */
    COORDINATOR_POLICIES,
    /** When a coordinator's timer first fires. */
    TIMERS,
    /** The receivers of a coordinator's gossip. */
    EXCHANGE,
    /** The draws of strategies, their orders included. */
    STRATEGIES
  }

  private final long seed;

  /** The streams of a seed. */
  public Streams(long seed) {
    this.seed = seed;
  }

  /** The stream of a purpose, for samplers. */
  public UniformRandomProvider sampler(Purpose purpose) {
    return RandomSource.XO_SHI_RO_256_PP.create(seed(purpose, 0));
  }

  /**
   * The stream of a purpose for policies.
   *
   * @param index of the coordinator or replica it is for
   */
  public SplittableRandom generator(Purpose purpose, int index) {
    return new SplittableRandom(seed(purpose, index));
  }

  private long seed(Purpose purpose, int index) {
    long mixed = mix(seed + 0x9E3779B97F4A7C15L);
    mixed = mix(mixed ^ purpose.name().hashCode() * 0x9E3779B97F4A7C15L);
    return mix(mixed + index * 0x9E3779B97F4A7C15L);
  }

  /** The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
  public static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
