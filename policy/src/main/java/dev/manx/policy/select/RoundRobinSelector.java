/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;
import dev.manx.policy.SplitMix;
import dev.manx.policy.config.Setting;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code select.round-robin}: the replicas of a group take turns at being first; the others follow
 * in stock order. For a read that is sent to several replicas, those next in turn are second, third
 * and so on.
 *
 * <p>Source: baseline. Deviation: 4096 counters, which start at random; groups, or keys, whose
 * hashes share a counter share its turns.
 */
final class RoundRobinSelector implements Selector {
  static final PolicyInfo POLICY =
      PolicyInfo.named("select.round-robin", "the replicas of a group take turns as first replica")
          .source("baseline")
          .settings(Setting.choice("scope", Scope.class, "unit that has its own counter of turns"))
          .make(s -> new RoundRobinSelector(s.choice("scope", Scope.class), s.random()));

  /** The scope of a counter. */
  public enum Scope {
    /** Each set of replicas. */
    GROUP,
    /** The coordinator as a whole. */
    COORDINATOR,
    /** Each key. */
    KEY
  }

  private final Scope scope;
  private final RoundRobinCounters turns;

  /**
   * Creates a selector whose counters start at random.
   *
   * @param scope the unit that has its own counter
   */
  RoundRobinSelector(Scope scope, SplitMix random) {
    this.scope = scope;
    this.turns = new RoundRobinCounters(random);
  }

  @Override
  public void rank(Request request, int read, int from, int to, ClusterView view) {
    turns.rank(request, read, from, to, hash(request, read, from, to));
  }

  /** Sets the counter that gives a read of these replicas its turn. */
  void startAt(Request request, int read, int from, int to, int value) {
    turns.set(hash(request, read, from, to), value);
  }

  private long hash(Request request, int read, int from, int to) {
    return switch (scope) {
      case COORDINATOR -> 0;
      case KEY -> request.keyHash(read);
      case GROUP -> {
        long sum = 0;
        for (int i = from; i < to; i++) {
          sum += SplitMix.mix(request.replicas()[i] + 1L);
        }
        yield sum;
      }
    };
  }
}
