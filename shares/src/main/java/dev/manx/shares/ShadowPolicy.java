/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reports another policy's decisions without applying them: no share moves. */
public final class ShadowPolicy extends DelegatingPolicy {
  /* The policy sees the shares that would result from its earlier decisions; their use is scaled
   * likewise. The statistics are those of the real shares and do not respond to it, so it would
   * never converge: its shares are limited to between half and twice the real ones. They show the
   * direction and not the amount. */
  private static final double MOST = 2;

  private List<String> names = List.of();
  private double[] real = {};
  private double[] wanted = {};
  private volatile PolicyReport report = PolicyReport.NONE;

  /** Over the decisions of this policy. */
  public ShadowPolicy(SharePolicy policy) {
    super(policy);
  }

  @Override
  public double[] targets(ShareView view) {
    double[] allocated = view.allocated().clone();
    if (!names.equals(view.statistics().backends()) || !Arrays.equals(real, allocated)) {
      names = view.statistics().backends();
      real = allocated;
      wanted = allocated.clone();
    }
    double[] used = view.used().clone();
    for (int b = 0; b < used.length; b++) {
      used[b] = allocated[b] > 0 ? used[b] * wanted[b] / allocated[b] : used[b];
    }
    double[] next =
        policy.targets(
            new ShareView(
                view.nowNanos(),
                view.statistics(),
                view.latest(),
                wanted.clone(),
                used,
                view.floors().clone(),
                view.curves()));
    if (isNear(next)) {
      wanted = next.clone();
    }
    Map<String, Long> bytes = new LinkedHashMap<>();
    for (int b = 0; b < wanted.length; b++) {
      bytes.put(names.get(b), Math.round(wanted[b]));
    }
    PolicyReport own = policy.report();
    report = new PolicyReport(own.resting(), own.rests(), Double.NaN, bytes);
    return allocated.clone();
  }

  private boolean isNear(double[] next) {
    for (int b = 0; b < next.length; b++) {
      if (next[b] > MOST * real[b] || next[b] < real[b] / MOST) {
        return false;
      }
    }
    return true;
  }

  @Override
  public PolicyReport report() {
    return report;
  }
}
