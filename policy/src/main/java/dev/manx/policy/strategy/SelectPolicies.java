/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import static dev.manx.policy.strategy.Scales.AT_COORDINATOR;
import static dev.manx.policy.strategy.Scales.IN_SIMULATOR;
import static dev.manx.policy.strategy.Scales.MICRO;
import static dev.manx.policy.strategy.Scales.MILLI;
import static dev.manx.policy.strategy.Scales.SECOND;

import dev.manx.policy.oracle.PopularityOracle;
import dev.manx.policy.oracle.SpaceSavingOracle;
import dev.manx.policy.select.C3RateControlSelector;
import dev.manx.policy.select.C3Selector;
import dev.manx.policy.select.DynamicSnitchSelector;
import dev.manx.policy.select.Home;
import dev.manx.policy.select.LorSelector;
import dev.manx.policy.select.LowSelector;
import dev.manx.policy.select.P2cSelector;
import dev.manx.policy.select.PopularityAwareSelector;
import dev.manx.policy.select.PrequalSelector;
import dev.manx.policy.select.PrimarySelector;
import dev.manx.policy.select.RandomSelector;
import dev.manx.policy.select.RoundRobinSelector;
import dev.manx.policy.select.Snitch14459Selector;
import dev.manx.policy.select.StockSelector;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/** The registry's family {@code select}. */
final class SelectPolicies {
  private static final Setting EWMA_WEIGHT =
      Setting.share("ewma-weight", 0.9, 0.001, 1, "weight of the newest sample");
  private static final Setting CLIENTS =
      Setting.number("clients", 3, 0, 100_000, "coordinators reading from one node");
  private static final Setting HOME =
      Setting.word("home", "a key's home replica", "stock-order", "key-hash");

  private SelectPolicies() {}

  static List<PolicyInfo> all() {
    return List.of(
        policy(
            "select.stock",
            "the engine's own ranking, untouched",
            "baseline",
            List.of(),
            s -> new StockSelector()),
        policy(
            "select.random",
            "a replica drawn at random, the rest in stock order",
            "baseline",
            List.of(),
            s -> new RandomSelector()),
        policy(
            "select.round-robin",
            "the replicas of a group take turns at being first",
            "baseline",
            List.of(Setting.word("scope", "what has a counter", "group", "coordinator", "key")),
            s ->
                new RoundRobinSelector(
                    RoundRobinSelector.Scope.valueOf(s.word("scope").toUpperCase(Locale.ROOT)),
                    s.random())),
        policy(
            "select.primary",
            "every key always at its home replica",
            "Hector PrimarySelector",
            List.of(HOME),
            s -> new PrimarySelector(Home.of(s.word("home")))),
        policy(
            "select.lor",
            "least outstanding reads of this coordinator",
            "load balancers; C3 (NSDI'15) section 2",
            List.of(),
            s -> new LorSelector()),
        policy(
            "select.low",
            "least outstanding work: forecast service time of this coordinator's open reads",
            "Manx",
            List.of(),
            s -> new LowSelector()),
        policy(
            "select.p2c",
            "the less loaded of two replicas drawn at random",
            "Mitzenmacher 2001",
            List.of(
                Setting.whole("choices", 2, 1, 64, "replicas drawn"),
                Setting.word("signal", "what load is", "outstanding", "work", "pending-reads")),
            s ->
                new P2cSelector(
                    (int) s.number("choices"),
                    P2cSelector.Signal.valueOf(
                        s.word("signal").replace('-', '_').toUpperCase(Locale.ROOT)))),
        policy(
            "select.dynamic-snitch",
            "stock Cassandra's dynamic snitching: decaying median latency against a tolerance",
            "Cassandra 5.0.9 DynamicEndpointSnitch",
            List.of(
                Setting.word("rounding", "what latencies are floored to", "1ms", "1us", "none"),
                Setting.number("badness", 1, 0, 1_000, "how much worse a replica may be"),
                Setting.duration(
                    "update-interval",
                    100 * MILLI,
                    MILLI,
                    3600 * SECOND,
                    "between two computations of the scores"),
                Setting.duration(
                    "reset-interval",
                    600 * SECOND,
                    MILLI,
                    36_000 * SECOND,
                    "all samples are then dropped"),
                Setting.duration(
                    "timeout",
                    5 * SECOND,
                    MILLI,
                    3600 * SECOND,
                    "what a read that timed out counts as")),
            s ->
                new DynamicSnitchSelector(
                    rounding(s.word("rounding")),
                    s.real("badness"),
                    s.number("update-interval"),
                    s.number("reset-interval"),
                    s.number("timeout"),
                    s.clock(),
                    s.random())),
        policy(
            "select.snitch-14459",
            "the dynamic snitch with smoothed latencies, no resets, and probes of silent nodes",
            "CASSANDRA-14459, apache/cassandra pull request 283",
            List.of(
                Setting.number("badness", 1, 0, 1_000, "how much worse a replica may be"),
                Setting.duration(
                    "stale",
                    10 * SECOND,
                    MILLI,
                    3600 * SECOND,
                    "a node not asked for so long is probed"),
                Setting.duration(
                    "probe-every",
                    SECOND,
                    MILLI,
                    3600 * SECOND,
                    "between two probes of a coordinator"),
                Setting.duration(
                    "timeout",
                    5 * SECOND,
                    MILLI,
                    3600 * SECOND,
                    "what a read that timed out counts as")),
            s ->
                new Snitch14459Selector(
                    s.real("badness"),
                    s.number("stale"),
                    s.number("probe-every"),
                    s.number("timeout"))),
        new PolicyInfo(
            "select.c3",
            "response time, service time and the cube of the expected queue; ranking only",
            "C3 (NSDI'15) section 3.1",
            AT_COORDINATOR,
            List.of(
                EWMA_WEIGHT,
                CLIENTS,
                Setting.word("smoothing", "of what answers tell", "ewma", "median"),
                Setting.word("rounding", "what times are floored to", "none", "1us", "1ms"),
                Setting.word("service", "where service times come from", "reported", "completions"),
                Setting.word("ties", "order of equal scores", "random", "stock-order")),
            List.of("pending-reads", "service-time"),
            s ->
                new C3Selector(
                    s.real("ewma-weight"),
                    s.real("clients"),
                    new C3Selector.Reading(
                        s.word("smoothing").equals("median"),
                        rounding(s.word("rounding")),
                        s.word("service").equals("completions"),
                        s.word("ties").equals("random")),
                    s.clock(),
                    s.random())),
        new PolicyInfo(
            "select.prequal",
            "least latency among the replicas that are not crowded, else fewest reads in flight",
            "Prequal (NSDI'24)",
            AT_COORDINATOR,
            List.of(
                Setting.share(
                    "quantile", 0.84, 0.01, 0.99, "of reports, beyond which a node is hot"),
                Setting.duration(
                    "max-age", SECOND, MILLI, 60 * SECOND, "older reports do not count"),
                Setting.duration(
                    "probe-every",
                    50 * MILLI,
                    MILLI,
                    60 * SECOND,
                    "reads for a node without report")),
            List.of("pending-reads"),
            s ->
                new PrequalSelector(
                    s.real("quantile"), s.number("max-age"), s.number("probe-every"))),
        new PolicyInfo(
            "select.c3-rate-control",
            "C3 with cubic send rates per node; reads wait while no replica may be sent one",
            "C3 (NSDI'15) sections 3.1 and 3.2",
            IN_SIMULATOR,
            List.of(
                EWMA_WEIGHT,
                CLIENTS,
                Setting.duration(
                    "window", 20 * MILLI, MICRO, SECOND, "reads are counted over this time"),
                Setting.share("cut", 0.2, 0.001, 0.999, "factor of a decrease of the rate"),
                Setting.number("growth", 4e-6, 1e-12, 1, "of the curve, per window and ms^3"),
                Setting.number("step", 10, 1e-6, 1e9, "most increase at once, per window"),
                Setting.number("hysteresis", 2, 0, 1_000, "windows from increase to decrease"),
                Setting.number("first-rate", 5, 1e-6, 1e9, "reads per window to begin with"),
                Setting.number("burst", 50, 1, 1e9, "most reads at once"),
                Setting.number("floor", 0.1, 1e-6, 1e9, "least reads per window"),
                Setting.whole("capacity", 65_536, 1, 1 << 24, "most reads held")),
            List.of("pending-reads", "service-time"),
            Set.of(Ability.HOLD),
            s ->
                new C3RateControlSelector(
                    new C3Selector(s.real("ewma-weight"), s.real("clients")),
                    s.number("window"),
                    s.real("cut"),
                    s.real("growth"),
                    s.real("step"),
                    s.real("hysteresis"),
                    s.real("first-rate"),
                    s.real("burst"),
                    s.real("floor"),
                    (int) s.number("capacity"),
                    s.clock())),
        policy(
            "select.popularity-aware",
            "keys read often are spread over their replicas, the others go home",
            "Hector section 3",
            List.of(
                Setting.share("theta", 1e-5, 0, 1, "shares of reads above this are popular"),
                Setting.word("spread", "how popular keys are spread", "round-robin", "random"),
                HOME,
                Setting.number(
                    "warm-up", 10, 0, 1_000, "no share counts before this / theta reads")),
            s ->
                new PopularityAwareSelector(
                    popularity(s),
                    s.real("theta"),
                    s.real("warm-up"),
                    s.word("spread").equals("round-robin"),
                    Home.of(s.word("home")),
                    s.random())));
  }

  private static PopularityOracle popularity(Settings s) {
    // A strategy always wires one; alone, the policy counts with the oracle's defaults.
    return s.popularity() == null
        ? new SpaceSavingOracle(16 * Scales.MIB, 16, 10_000_000)
        : s.popularity();
  }

  private static long rounding(String word) {
    return switch (word) {
      case "1ms" -> MILLI;
      case "1us" -> MICRO;
      default -> 1;
    };
  }

  private static PolicyInfo policy(
      String name,
      String summary,
      String source,
      List<Setting> settings,
      Function<Settings, ?> factory) {
    return new PolicyInfo(name, summary, source, AT_COORDINATOR, settings, List.of(), factory);
  }
}
