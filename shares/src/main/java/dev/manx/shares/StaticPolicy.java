/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.policy.config.Setting;
import dev.manx.policy.spi.PolicyInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Fixed shares: TAO++ (RobinHood section 5.1) lets RobinHood move them for a while and then keeps
 * their average over that time. A new backend makes it learn anew. While a backend is absent,
 * because it was removed or its store cannot be resized, the others divide the present space in the
 * same proportions.
 */
final class StaticPolicy implements SharePolicy {
  static final PolicyInfo POLICY =
      PolicyInfo.named("cache.static", "RobinHood's average shares over a while, then fixed")
          .source("TAO++ (RobinHood section 5.1)")
          .settings(
              Setting.duration(
                  "learn",
                  "36min",
                  "0",
                  "100h",
                  "time from the start over which shares are averaged; 0 fixes them at once"),
              TaxingPolicy.TAX,
              TaxingPolicy.GAP,
              Goals.GOAL,
              Goals.HALF_BAND,
              Goals.ENOUGH)
          .make(s -> new StaticPolicy(RobinHoodPolicy.of(s), s.number("learn")));

  private final SharePolicy teacher;
  private final long learnNanos;
  // Of all backends since it began to learn, absent ones included.
  private final Map<String, Learned> learned = new HashMap<>();
  private long startNanos;
  private boolean fixed;

  /**
   * Keeps the initial shares, or the average of another policy's shares.
   *
   * @param teacher moves the shares while this one learns
   * @param learnNanos time to learn; 0 keeps the initial shares
   */
  StaticPolicy(SharePolicy teacher, long learnNanos) {
    this.teacher = teacher;
    this.learnNanos = learnNanos;
  }

  private static final class Learned {
    private double sum;
    private long samples;

    void add(double bytes) {
      sum += bytes;
      samples++;
    }
  }

  @Override
  public double[] targets(ShareView view) {
    List<String> backends = view.statistics().backends();
    if (!learned.keySet().containsAll(backends)) {
      // The first view, or a backend was added: the averages so far no longer apply.
      learned.clear();
      backends.forEach(name -> learned.put(name, new Learned()));
      startNanos = view.nowNanos();
      fixed = false;
    }
    fixed |= view.nowNanos() - startNanos >= learnNanos;
    double[] allocated = view.allocated().clone();
    for (int b = 0; b < allocated.length; b++) {
      Learned one = learned.get(backends.get(b));
      if (!fixed || one.samples == 0) {
        one.add(allocated[b]);
      }
    }
    return fixed ? scaled(backends, allocated) : teacher.targets(view);
  }

  /** The fixed proportions of the present space, which is less while a store takes less. */
  private double[] scaled(List<String> backends, double[] allocated) {
    long most = 0;
    for (String name : backends) {
      most = Math.max(most, learned.get(name).samples);
    }
    double[] shares = new double[allocated.length];
    double now = 0;
    double all = 0;
    for (int b = 0; b < shares.length; b++) {
      Learned one = learned.get(backends.get(b));
      shares[b] = one.sum * (most / (double) one.samples);
      now += allocated[b];
      all += shares[b];
    }
    if (!(all > 0)) {
      return allocated;
    }
    for (int b = 0; b < shares.length && now != all; b++) {
      shares[b] = now * shares[b] / all;
    }
    return shares;
  }

  @Override
  public long enoughRequests() {
    return teacher.enoughRequests();
  }

  @Override
  public long leastRequests() {
    return teacher.leastRequests();
  }
}
