/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.spi;

import dev.manx.policy.NanoClock;
import dev.manx.policy.SplitMix;
import dev.manx.policy.config.Values;
import java.util.function.LongSupplier;

/** The values of a policy's settings, a clock and randomness, passed to its factory. Immutable. */
public final class Settings extends Values {
  private final NanoClock clock;
  private final LongSupplier seeds;
  private final Object popularity;

  private Settings(Values values, NanoClock clock, LongSupplier seeds, Object popularity) {
    super(values);
    this.clock = clock;
    this.seeds = seeds;
    this.popularity = popularity;
  }

  /**
   * Creates the settings of a policy that uses no oracle.
   *
   * @param seeds a new seed at each call, from any thread
   */
  public static Settings of(Values values, NanoClock clock, LongSupplier seeds) {
    return new Settings(values, clock, seeds, null);
  }

  /** Creates the settings of a policy that uses a popularity oracle; null for none. */
  public Settings with(Object popularityOracle) {
    return new Settings(this, clock, seeds, popularityOracle);
  }

  /** The clock for policies that need one. */
  public NanoClock clock() {
    return clock;
  }

  /** A new source of randomness for the policy's own draws, different at each call. */
  public SplitMix random() {
    return new SplitMix(seeds.getAsLong());
  }

  /**
   * The strategy's popularity oracle, or null if it has none.
   *
   * @param type {@code PopularityOracle}, which this package does not depend on
   */
  public <T> T popularity(Class<T> type) {
    return type.cast(popularity);
  }
}
