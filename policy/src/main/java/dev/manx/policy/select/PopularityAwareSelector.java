/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;
import dev.manx.policy.SplitMix;
import dev.manx.policy.config.Setting;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.oracle.PopularityOracle;
import dev.manx.policy.oracle.SpaceSavingOracle;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.Settings;

/**
 * {@code select.popularity-aware}: frequently read keys are spread over their replicas; all others
 * go to their home replica and so are cached once. Popular reads are put into level 0 of a levelled
 * queue, the others into level 1. A read that is sent to several replicas goes to those next in
 * turn, or drawn next, or next by {@code home}.
 *
 * <p>Source: Hector section 3 and its {@code PopularityAwarePrimarySelector}. A key is popular if
 * its share of this coordinator's reads exceeds {@code theta}. Deviations: counts are bounded and
 * age (the oracle); until {@code warm-up / theta} reads were counted, shares are not used and every
 * key goes home, whereas the source treats each first read as popular; spreading is round-robin as
 * in the paper, or random as in its code. An unpopular key does not leave a slow home.
 */
final class PopularityAwareSelector implements Selector {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "select.popularity-aware",
              "popular keys are spread over their replicas, other keys go to their home replica")
          .source("Hector section 3")
          .settings(
              Setting.share("theta", 1e-5, 0, 1, "a key is popular above this share of all reads"),
              Setting.word("spread", "how popular keys are spread", "round-robin", "random"),
              HomeReplica.SETTING,
              Setting.number(
                  "warm-up", 10, 0, 1_000, "no key is popular before this / theta reads"))
          .make(
              s ->
                  new PopularityAwareSelector(
                      popularity(s),
                      s.real("theta"),
                      s.real("warm-up"),
                      s.word("spread").equals("round-robin"),
                      HomeReplica.of(s),
                      s.random()));

  private final PopularityOracle popularity;
  private final double theta;
  private final double warmUpReads;
  private final boolean byTurns;
  private final HomeReplica home;
  private final RoundRobinCounters turns;

  /**
   * Creates a selector that uses an oracle.
   *
   * @param theta share above which a key is popular
   * @param warmUp reads counted before shares are used, times theta
   * @param byTurns whether to spread round-robin rather than at random
   * @param home the choice of unpopular keys' replica
   */
  PopularityAwareSelector(
      PopularityOracle popularity,
      double theta,
      double warmUp,
      boolean byTurns,
      HomeReplica home,
      SplitMix random) {
    this.popularity = popularity;
    this.theta = theta;
    this.warmUpReads = theta == 0 ? 0 : warmUp / theta;
    this.byTurns = byTurns;
    this.home = home;
    this.turns = new RoundRobinCounters(random);
  }

  @Override
  public void rank(Request request, int read, int from, int to, ClusterView view) {
    long hash = request.keyHash(read);
    if (from == request.replicaStart(read)) {
      // Counted once, though a read with several groups is ranked once per group.
      request.level(read, isPopular(request, hash) ? 0 : 1);
    }
    if (request.level(read) == 1) {
      home.rank(request, read, from, to, view);
    } else if (byTurns) {
      turns.rank(request, read, from, to, hash);
    } else {
      RandomSelector.draw(request, read, from, to);
    }
  }

  private boolean isPopular(Request request, long hash) {
    long count = request.recalled(popularity.count(hash));
    long total = Math.max(1, request.recalled(popularity.total()));
    return total >= warmUpReads && count > theta * total;
  }

  // A strategy always supplies an oracle; without one, the policy counts with the oracle's
  // defaults.
  private static PopularityOracle popularity(Settings s) {
    PopularityOracle wired = s.popularity(PopularityOracle.class);
    return wired == null ? SpaceSavingOracle.standard() : wired;
  }
}
