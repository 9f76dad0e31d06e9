/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.policy.config.Setting;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.Settings;
import java.util.random.RandomGenerator;

/**
 * Cliffhanger's hill climbing (Cidon et al., NSDI'16, algorithm 1) with statistics of all servers,
 * as Cliffhgr++ of RobinHood section 5.1: each hit in a backend's shadow queue of keys just evicted
 * earns that backend some credit, taken from another at random.
 */
final class CliffhangerPolicy implements SharePolicy {
  static final PolicyInfo POLICY =
      PolicyInfo.named("cache.cliffhanger", "hill climbing on hit ratios by shadow queues")
          .source("Cliffhanger (NSDI'16), Cliffhgr++")
          .settings(
              Setting.word(
                  "signal",
                  "measure by which a share earns space",
                  "shadow-hits",
                  "request-rate",
                  "miss-curve"),
              Setting.size(
                  "shadow",
                  "1MiB",
                  "1KiB",
                  "1TiB",
                  "bytes of evicted values that each share remembers"),
              Setting.size("credit", "4KiB", "1B", "1TiB", "space that a shadow hit earns"),
              TaxingPolicy.TAX,
              TaxingPolicy.GAP)
          .make(CliffhangerPolicy::of);

  /* Deviations: shadow hits are counted between two decisions and paid at the second, all at once;
   * the random loser is drawn once for a bundle of hits. Cliff scaling is left out: the paper's
   * curves, and ours, are convex. */
  private static final int BUNDLES = 64;

  private final RandomGenerator random;
  private final long creditBytes;
  private final long shadowBytes;

  /**
   * Hill climbing.
   *
   * @param creditBytes that one shadow hit earns
   * @param shadowBytes of keys remembered behind each share
   */
  CliffhangerPolicy(RandomGenerator random, long creditBytes, long shadowBytes) {
    this.random = random;
    this.creditBytes = creditBytes;
    this.shadowBytes = shadowBytes;
  }

  private static SharePolicy of(Settings s) {
    return switch (s.word("signal")) {
      case "request-rate" -> new RequestRatePolicy(s.real("tax"), s.real("gap"));
      case "miss-curve" -> new MissGradientPolicy(s.real("tax"), s.real("gap"));
      default -> new CliffhangerPolicy(s.random(), s.number("credit"), s.number("shadow"));
    };
  }

  @Override
  public double[] targets(ShareView view) {
    double[] targets = view.allocated().clone();
    int n = targets.length;
    for (int b = 0; b < n && n > 1; b++) {
      double earned = creditBytes * (double) view.latest().shadowHits(b);
      int bundles = (int) Math.min(BUNDLES, view.latest().shadowHits(b));
      for (int i = 0; i < bundles; i++) {
        int other = random.nextInt(n - 1);
        other += other >= b ? 1 : 0;
        double paid =
            Math.max(0, Math.min(earned / bundles, targets[other] - view.floors()[other]));
        targets[other] -= paid;
        targets[b] += paid;
      }
    }
    return targets;
  }

  @Override
  public long shadowBytes() {
    return shadowBytes;
  }
}
