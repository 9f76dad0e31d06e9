/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import static dev.manx.policy.strategy.Scales.MICRO;
import static dev.manx.policy.strategy.Scales.MILLI;

import dev.manx.policy.idle.AdaptiveIdle;
import dev.manx.policy.idle.AdaptiveIdle.Growth;
import dev.manx.policy.idle.ParkIdle;
import dev.manx.policy.idle.SpinIdle;
import dev.manx.policy.idle.ThreadWaiter;
import dev.manx.policy.idle.YieldIdle;
import dev.manx.policy.strategy.PolicyInfo.Place;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/** The registry's family {@code idle}. */
final class IdlePolicies {
  private static final Set<Place> ANYWHERE =
      Set.of(Place.COORDINATOR, Place.REPLICA, Place.HARNESS);

  private IdlePolicies() {}

  static List<PolicyInfo> all() {
    return List.of(
        new PolicyInfo(
            "idle.spin",
            "never leaves the core; unsafe, to compare with",
            "WiredTiger's snapshot loops, 11.3.1",
            Set.of(Place.HARNESS),
            List.of(),
            List.of(),
            Set.of(Ability.UNBOUNDED_SPIN),
            s -> new SpinIdle(ThreadWaiter.INSTANCE)),
        policy(
            "idle.yield",
            "offers the core at every check; the scheduler may hand it straight back",
            "MongoDB tail latency paper, section II",
            List.of(),
            s -> new YieldIdle(ThreadWaiter.INSTANCE)),
        policy(
            "idle.park",
            "sleeps a fixed time at every check",
            "MongoDB tail latency paper, section II",
            List.of(Setting.duration("park-for", 50 * MICRO, 1, MILLI, "each sleep")),
            s -> new ParkIdle(ThreadWaiter.INSTANCE, s.number("park-for"))),
        policy(
            "idle.adaptive",
            "a few spins, a few yields, then sleeps that grow to a cap",
            "MongoDB tail latency paper, section II; WiredTiger __wt_spin_backoff",
            List.of(
                Setting.whole("spins", 100, 0, 10_000, "checks that only spin"),
                Setting.whole("yields", 10, 0, 10_000, "checks that yield, after those"),
                Setting.duration("first-park", MICRO, 1, 100 * MILLI, "the first sleep"),
                Setting.word(
                    "growth", "of the sleeps, by themselves or the first", "double", "add"),
                Setting.duration("max-park", MILLI, 1, 100 * MILLI, "the longest sleep")),
            s ->
                new AdaptiveIdle(
                    ThreadWaiter.INSTANCE,
                    (int) s.number("spins"),
                    (int) s.number("yields"),
                    s.number("first-park"),
                    Growth.valueOf(s.word("growth").toUpperCase(Locale.ROOT)),
                    s.number("max-park"))));
  }

  private static PolicyInfo policy(
      String name,
      String summary,
      String source,
      List<Setting> settings,
      Function<Settings, ?> factory) {
    return new PolicyInfo(name, summary, source, ANYWHERE, settings, List.of(), factory);
  }
}
