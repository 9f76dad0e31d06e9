/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import static dev.manx.policy.strategy.Scales.AT_APPLICATION;
import static dev.manx.policy.strategy.Scales.KIB;
import static dev.manx.policy.strategy.Scales.MIB;
import static dev.manx.policy.strategy.Scales.SECOND;

import dev.manx.policy.cache.CliffhangerPolicy;
import dev.manx.policy.cache.FairPolicy;
import dev.manx.policy.cache.Goals;
import dev.manx.policy.cache.LamaPolicy;
import dev.manx.policy.cache.MissGradientPolicy;
import dev.manx.policy.cache.PacedPolicy;
import dev.manx.policy.cache.RequestRatePolicy;
import dev.manx.policy.cache.RobinHoodPolicy;
import dev.manx.policy.cache.SharePolicy;
import dev.manx.policy.cache.SharedPolicy;
import dev.manx.policy.cache.Slowdowns;
import dev.manx.policy.cache.StaticPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The registry's family {@code cache}. */
final class CachePolicies {
  private static final long HOUR = 3_600 * SECOND;

  /** Settings of the controller, the same for every policy. */
  static final List<Setting> CONTROLLER =
      List.of(
          Setting.duration("interval", 5 * SECOND, 1, HOUR, "between two decisions"),
          Setting.duration("window", 5 * SECOND, 1, HOUR, "of statistics that one rests on"),
          Setting.duration(
              "stale-after", 30 * SECOND, 1, HOUR, "older statistics freeze the shares"),
          Setting.size("floor", 30 * MIB, 0, 1L << 50, "no share falls below"),
          Setting.size("page", MIB, 1, 1L << 40, "shares change by multiples of this"),
          Setting.text(
              "groups",
              "none",
              "none|[^+,\\s]+(\\+[^+,\\s]+)+(,[^+,\\s]+(\\+[^+,\\s]+)+)*",
              "none, or a+b,c+d",
              "backends that share a bottleneck"));

  private static final List<Setting> LOOP =
      List.of(
          Setting.share("tax", 0.01, 0, 0.5, "part of every share taken at a decision"),
          Setting.share("gap", 0.3, 0, 1_000, "a share so much larger than its use gets nothing"));

  private static final List<Setting> GOALS =
      List.of(
          Setting.text(
              "goal",
              "p99",
              "p[0-9]{1,2}(\\.[0-9]+)?(,p[0-9]{1,2}(\\.[0-9]+)?)*",
              "p99, or p90,p99",
              "percentiles of requests to improve"),
          Setting.share("half-band", 0.005, 1e-5, 0.5, "requests counted each side of a goal"),
          Setting.whole(
              "enough", 50, 1, 1_000_000, "counted requests wanted, else the window is widened"));

  private CachePolicies() {}

  static List<PolicyInfo> all() {
    return List.of(
        cache(
            "cache.shared",
            "one LRU for all backends",
            "OneRF (RobinHood section 5.1)",
            List.of(),
            s -> new SharedPolicy()),
        cache(
            "cache.robinhood",
            "space goes to the backends that block requests near the goal",
            "RobinHood (OSDI'18)",
            join(LOOP, GOALS),
            CachePolicies::robinHood),
        cache(
            "cache.static",
            "shares as RobinHood had them on average for a while, then fixed",
            "TAO++ (RobinHood section 5.1)",
            join(
                List.of(
                    Setting.duration(
                        "learn", 2_160 * SECOND, 0, 100 * HOUR, "from the start; 0 fixes at once")),
                LOOP,
                GOALS),
            s -> new StaticPolicy(robinHood(s), s.number("learn"))),
        cache(
            "cache.cliffhanger",
            "hill climbing on hit ratios by shadow queues",
            "Cliffhanger (NSDI'16), Cliffhgr++",
            join(
                List.of(
                    Setting.word(
                        "signal", "what earns space", "shadow-hits", "request-rate", "miss-curve"),
                    Setting.size("shadow", MIB, KIB, 1L << 40, "of values behind each share"),
                    Setting.size("credit", 4 * KIB, 1, 1L << 40, "space that a shadow hit earns")),
                LOOP),
            CachePolicies::cliffhanger),
        cache(
            "cache.fair",
            "equal hit ratios",
            "FairRide (NSDI'16), FAIR++",
            LOOP,
            s -> new FairPolicy(s.real("tax"), s.real("gap"))),
        cache(
            "cache.lama",
            "equal P99 of queries",
            "LAMA (ATC'15), LAMA++",
            LOOP,
            s -> new LamaPolicy(s.real("tax"), s.real("gap"))),
        cache(
            "cache.paced",
            "space goes to who delays the slowest fifth most and slows down, as fast as it fills",
            "Manx",
            List.of(
                Setting.share("slowest", 0.2, 0.001, 1, "part of the requests that count"),
                Setting.number("power", 1, 0, 10, "of its latency that a request counts by"),
                Setting.share("tax", 0.01, 0, 0.5, "most of a share taken at a decision"),
                Setting.share("room", 0.05, 0, 10, "part of its use that a share may be larger"),
                Setting.whole(
                    "enough",
                    500,
                    1,
                    1_000_000,
                    "counted requests wanted, else the window is widened"),
                Setting.number(
                    "haste", 4, 0, 10, "power of a backend's slowdown that its requests count by"),
                Setting.duration(
                    "lately",
                    60 * SECOND,
                    SECOND,
                    HOUR,
                    "time over which misses say how slow a backend is"),
                Setting.duration(
                    "usually", HOUR, SECOND, 100 * HOUR, "time in which a slowness becomes usual")),
            s ->
                new PacedPolicy(
                    s.real("slowest"),
                    s.real("power"),
                    s.real("tax"),
                    s.real("room"),
                    (int) s.number("enough"),
                    s.real("haste"),
                    new Slowdowns(
                        s.number("lately"), s.number("usually"), s.number("enough") / 10.0))));
  }

  private static SharePolicy robinHood(Settings s) {
    return new RobinHoodPolicy(s.real("tax"), s.real("gap"), goals(s));
  }

  private static SharePolicy cliffhanger(Settings s) {
    return switch (s.word("signal")) {
      case "request-rate" -> new RequestRatePolicy(s.real("tax"), s.real("gap"));
      case "miss-curve" -> new MissGradientPolicy(s.real("tax"), s.real("gap"));
      default -> new CliffhangerPolicy(s.random(), s.number("credit"), s.number("shadow"));
    };
  }

  private static Goals goals(Settings s) {
    return Goals.parse(s.word("goal"), s.real("half-band"), (int) s.number("enough"));
  }

  @SafeVarargs
  private static List<Setting> join(List<Setting>... lists) {
    List<Setting> all = new ArrayList<>();
    for (List<Setting> list : lists) {
      all.addAll(list);
    }
    return all;
  }

  private static PolicyInfo cache(
      String name,
      String summary,
      String source,
      List<Setting> settings,
      Function<Settings, SharePolicy> factory) {
    return new PolicyInfo(
        name, summary, source, AT_APPLICATION, join(settings, CONTROLLER), List.of(), factory);
  }
}
