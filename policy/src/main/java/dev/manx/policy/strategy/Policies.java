/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import static dev.manx.policy.strategy.PolicyInfo.Place.COORDINATOR;
import static dev.manx.policy.strategy.PolicyInfo.Place.REPLICA;
import static dev.manx.policy.strategy.PolicyInfo.Place.SIMULATOR;

import dev.manx.policy.Request.Unit;
import dev.manx.policy.fanout.BrbEqualMaxPlanner;
import dev.manx.policy.fanout.NonePlanner;
import dev.manx.policy.fanout.ReinSbfPlanner;
import dev.manx.policy.oracle.BloomSizeOracle;
import dev.manx.policy.oracle.KeyEncodedSizeOracle;
import dev.manx.policy.order.BottleneckOrder;
import dev.manx.policy.order.FifoOrder;
import dev.manx.policy.select.C3Selector;
import dev.manx.policy.select.LorSelector;
import dev.manx.policy.select.LowSelector;
import dev.manx.policy.select.RandomSelector;
import dev.manx.policy.select.StockSelector;
import dev.manx.policy.strategy.PolicyInfo.Place;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * The one registry: every policy by its name. Those of Manx stand here in full; a third party's
 * come by {@link PolicyProvider}. Immutable once loaded.
 */
public final class Policies {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final long KIB = 1L << 10;
  private static final long MIB = 1L << 20;

  private static final Set<Place> AT_COORDINATOR = Set.of(COORDINATOR, SIMULATOR);
  private static final Set<Place> AT_REPLICA = Set.of(REPLICA, SIMULATOR);
  private static final Set<Place> AT_BOTH = Set.of(COORDINATOR, REPLICA, SIMULATOR);

  private static final Setting CAPACITY =
      Setting.whole("capacity", 65_536, 1, 1 << 24, "most reads queued; beyond, the stock queue");
  private static final Setting LONGEST_FIRST =
      Setting.flag("longest-first", false, "costliest read of a request first");
  private static final Setting LARGE_ABOVE =
      Setting.size("large-above", 64 * KIB, 1, 1L << 40, "values from this size on are large");

  /** The coordinator's forecast of service times; it is part of every strategy. */
  static final List<Setting> FORECAST =
      List.of(
          Setting.duration(
              "small-default", MILLI, 1, 60 * SECOND, "service time until nodes report theirs"),
          Setting.duration(
              "large-default", 4 * MILLI, 1, 60 * SECOND, "the same for a large read"));

  private static final Map<String, PolicyInfo> ALL = load();

  private Policies() {}

  /** Every policy, in the order of the registry. */
  public static List<PolicyInfo> all() {
    return List.copyOf(ALL.values());
  }

  /**
   * The policies of a family: {@code select}, {@code order}, {@code fanout}, {@code oracle}, {@code
   * bound}.
   */
  public static List<PolicyInfo> family(String family) {
    return ALL.values().stream().filter(info -> info.family().equals(family)).toList();
  }

  /** A policy by its name. */
  public static Optional<PolicyInfo> find(String name) {
    return Optional.ofNullable(ALL.get(name));
  }

  private static List<PolicyInfo> own() {
    return List.of(
        new PolicyInfo(
            "select.stock",
            "the engine's own ranking, untouched",
            "baseline",
            AT_COORDINATOR,
            List.of(),
            List.of(),
            s -> new StockSelector()),
        new PolicyInfo(
            "select.random",
            "a replica drawn at random, the rest in stock order",
            "baseline",
            AT_COORDINATOR,
            List.of(),
            List.of(),
            s -> new RandomSelector()),
        new PolicyInfo(
            "select.lor",
            "least outstanding reads of this coordinator",
            "load balancers; C3 (NSDI'15) section 2",
            AT_COORDINATOR,
            List.of(),
            List.of(),
            s -> new LorSelector()),
        new PolicyInfo(
            "select.low",
            "least outstanding work: forecast service time of this coordinator's open reads",
            "Manx",
            AT_COORDINATOR,
            List.of(),
            List.of(),
            s -> new LowSelector()),
        new PolicyInfo(
            "select.c3",
            "response time, service time and the cube of the expected queue; ranking only",
            "C3 (NSDI'15) section 3.1",
            AT_COORDINATOR,
            List.of(
                Setting.share("ewma-weight", 0.9, 0.001, 1, "weight of the newest sample"),
                Setting.number("clients", 3, 0, 100_000, "coordinators reading from one node")),
            List.of("pending-reads", "service-time"),
            s -> new C3Selector(s.real("ewma-weight"), s.real("clients"))),
        new PolicyInfo(
            "order.fifo",
            "arrival order",
            "baseline",
            AT_REPLICA,
            List.of(CAPACITY),
            List.of(),
            s -> new FifoOrder<>((int) s.number("capacity"))),
        new PolicyInfo(
            "order.bottleneck",
            "smallest bottleneck first, arrival order among equals, bounded wait",
            "Rein (EuroSys'17) SBF; BRB section 2.1",
            AT_REPLICA,
            List.of(
                Setting.duration(
                    "max-wait", 500 * MILLI, 1, 3600 * SECOND, "then the oldest read goes first"),
                CAPACITY),
            List.of(),
            s -> new BottleneckOrder<>((int) s.number("capacity"), s.number("max-wait"))),
        new PolicyInfo(
            "fanout.none",
            "each read of a request alone, no tags",
            "baseline",
            AT_COORDINATOR,
            List.of(LONGEST_FIRST),
            List.of(),
            s -> new NonePlanner(s.flag("longest-first"))),
        new PolicyInfo(
            "fanout.rein-sbf",
            "priority is the largest opset of the request in keys",
            "Rein (EuroSys'17) SBF",
            AT_COORDINATOR,
            List.of(LONGEST_FIRST),
            List.of(),
            s -> new ReinSbfPlanner(s.flag("longest-first"))),
        new PolicyInfo(
            "fanout.brb-equalmax",
            "priority is the forecast cost of the costliest opset of the request",
            "BRB section 2.1 EqualMax",
            AT_COORDINATOR,
            List.of(
                Setting.word("cost", "what costs are counted in", "forecast", "keys", "bytes"),
                LONGEST_FIRST),
            List.of(),
            s -> new BrbEqualMaxPlanner(unit(s.word("cost")), s.flag("longest-first"))),
        new PolicyInfo(
            "oracle.size-bloom",
            "two generations of Bloom filters of keys seen with large values",
            "TailX section 3",
            AT_BOTH,
            List.of(
                LARGE_ABOVE,
                Setting.size("memory", 4 * MIB, KIB, 512 * MIB, "of both filters together"),
                Setting.share(
                    "false-positives", 1e-4, 1e-9, 0.5, "most small keys that pass as large")),
            List.of(),
            s ->
                new BloomSizeOracle(
                    s.number("large-above"), s.number("memory"), s.real("false-positives"))),
        new PolicyInfo(
            "oracle.size-key-encoded",
            "the number before the first _ of the key; for experiments",
            "Hector KeySizeOracle",
            AT_BOTH,
            List.of(
                LARGE_ABOVE,
                Setting.size("small-guess", KIB, 0, 1L << 40, "size of a key that names none")),
            List.of(),
            s -> new KeyEncodedSizeOracle(s.number("large-above"), s.number("small-guess"))));
  }

  private static Unit unit(String cost) {
    return switch (cost) {
      case "keys" -> Unit.KEYS;
      case "bytes" -> Unit.BYTES;
      default -> Unit.NANOS;
    };
  }

  private static Map<String, PolicyInfo> load() {
    List<PolicyInfo> infos = new ArrayList<>(own());
    for (PolicyProvider provider :
        ServiceLoader.load(PolicyProvider.class, Policies.class.getClassLoader())) {
      infos.addAll(provider.policies());
    }
    Map<String, PolicyInfo> all = new LinkedHashMap<>();
    for (PolicyInfo info : infos) {
      if (all.putIfAbsent(info.name(), info) != null) {
        throw new IllegalStateException("two policies are called " + info.name());
      }
    }
    return all;
  }
}
