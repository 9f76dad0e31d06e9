/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import static dev.manx.policy.strategy.Scales.AT_COORDINATOR;
import static dev.manx.policy.strategy.Scales.IN_SIMULATOR;
import static dev.manx.policy.strategy.Scales.MILLI;
import static dev.manx.policy.strategy.Scales.SECOND;

import dev.manx.policy.Request.Unit;
import dev.manx.policy.fanout.BrbCreditsPlanner;
import dev.manx.policy.fanout.BrbEqualMaxPlanner;
import dev.manx.policy.fanout.BrbUnifIncrPlanner;
import dev.manx.policy.fanout.Cancelling;
import dev.manx.policy.fanout.CopyBudget;
import dev.manx.policy.fanout.CreditBuckets;
import dev.manx.policy.fanout.CreditPreference;
import dev.manx.policy.fanout.HedgedPlanner;
import dev.manx.policy.fanout.NonePlanner;
import dev.manx.policy.fanout.Ranking;
import dev.manx.policy.fanout.ReinSbfPlanner;
import dev.manx.policy.fanout.ReinSdsPlanner;
import dev.manx.policy.fanout.SpeculativeRetryPlanner;
import dev.manx.policy.fanout.SpeculativeThreshold;
import dev.manx.policy.fanout.TailxHoldPlanner;
import dev.manx.policy.fanout.TailxSlackPlanner;
import dev.manx.policy.fanout.TiedPlanner;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The registry's family {@code fanout}. */
final class FanoutPolicies {
  private static final Setting LONGEST_FIRST =
      Setting.flag("longest-first", false, "costliest read of a request first");
  private static final Setting PER =
      Setting.word("per", "a read by itself, or those of one opset", "request", "subtask");
  private static final Setting RANK =
      Setting.word("rank", "priorities of the reads", "none", "rein-sbf", "brb-equalmax");

  private static final Setting CANCEL =
      Setting.word("cancel", "copies that a cancellation stops", "queued", "started");
  private static final Setting ABORT_AFTER =
      Setting.duration("abort-after", 0, 0, SECOND, "from cancelling a started copy to its end");

  private FanoutPolicies() {}

  static List<PolicyInfo> all() {
    return List.of(
        policy(
            "fanout.none",
            "each read of a request alone, no tags",
            "baseline",
            List.of(LONGEST_FIRST),
            s -> new NonePlanner(longest(s))),
        policy(
            "fanout.rein-sbf",
            "priority is the largest opset of the request in keys",
            "Rein (EuroSys'17) SBF",
            List.of(LONGEST_FIRST),
            s -> new ReinSbfPlanner(longest(s))),
        policy(
            "fanout.rein-sds",
            "each opset may be as late as its cost is below the bottleneck",
            "Rein (EuroSys'17) SDS",
            List.of(
                Setting.word("rank", "what the priority is", "bottleneck", "slack"), LONGEST_FIRST),
            s -> new ReinSdsPlanner(s.word("rank").equals("slack"), longest(s))),
        policy(
            "fanout.brb-equalmax",
            "priority is the forecast cost of the costliest opset of the request",
            "BRB section 2.1 EqualMax",
            List.of(
                Setting.word("cost", "what costs are counted in", "forecast", "keys", "bytes"),
                LONGEST_FIRST),
            s -> new BrbEqualMaxPlanner(unit(s.word("cost")), longest(s))),
        policy(
            "fanout.brb-unifincr",
            "priority is the bottleneck minus the own cost",
            "BRB section 2.1 UnifIncr",
            List.of(PER, LONGEST_FIRST),
            s -> new BrbUnifIncrPlanner(subtask(s), longest(s))),
        simulated(
            "fanout.brb-credits",
            "a controller grants each coordinator credit at each node; reads wait for credit",
            "BRB section 2.2",
            Set.of(Ability.HOLD, Ability.CREDITS),
            List.of(
                Setting.word("priority", "order of reads", "equalmax", "unifincr"),
                PER,
                Setting.word("prefer", "replica with credit left", "most-credit", "least-work"),
                Setting.duration("interval", SECOND, MILLI, 3600 * SECOND, "between grants"),
                Setting.number("node-cores", 4, 0.001, 1e6, "reads a node serves at once"),
                Setting.number("clients", 18, 1, 1e6, "coordinators that share the nodes"),
                Setting.duration("depth", SECOND, 1, 3600 * SECOND, "credit kept, as time"),
                Setting.share("floor", 0.1, 0, 1, "least credit, of an equal share"),
                Setting.whole("capacity", 1 << 20, 1, 1 << 24, "most reads held"),
                LONGEST_FIRST),
            s ->
                new BrbCreditsPlanner(
                    s.word("priority").equals("unifincr"),
                    subtask(s),
                    CreditPreference.of(s.word("prefer")),
                    longest(s),
                    (int) s.number("capacity"),
                    new CreditBuckets(
                        s.clock(),
                        s.number("interval"),
                        s.real("node-cores"),
                        s.real("clients"),
                        s.number("depth"),
                        s.real("floor")))),
        simulated(
            "fanout.tailx-hold",
            "the coordinator holds every opset back for its slack",
            "TailX (DAIS'20) section 3",
            Set.of(Ability.HOLD),
            List.of(
                Setting.share("phi", 1, 0, 1, "part of the slack to hold for"),
                RANK,
                LONGEST_FIRST),
            s -> new TailxHoldPlanner(s.real("phi"), ranking(s), longest(s))),
        policy(
            "fanout.tailx-slack",
            "the slack travels to the replica, which serves others for so long",
            "TailX (DAIS'20) sections 1 and 2",
            List.of(Setting.share("phi", 1, 0, 1, "part of the slack to allow"), LONGEST_FIRST),
            s -> new TailxSlackPlanner(s.real("phi"), longest(s))),
        simulated(
            "fanout.hedged",
            "a late read is sent once more; first answer wins, copies have a budget",
            "The Tail at Scale (CACM 2013) hedged requests",
            Set.of(Ability.COPIES),
            List.of(
                Setting.share("after", 0.95, 0.01, 0.9999, "quantile of latency that is late"),
                Setting.duration(
                    "first-delay", 10 * MILLI, 1, 60 * SECOND, "until a class has 100 reads"),
                Setting.share(
                    "stragglers", 0.05, 0, 1, "reads of a request that are hedged, the last"),
                Setting.share("budget", 0.05, 0, 1, "copies for each read answered in time"),
                Setting.whole("burst", 10, 1, 1_000_000, "copies at once after a quiet time"),
                CANCEL,
                ABORT_AFTER,
                RANK,
                LONGEST_FIRST),
            s ->
                new HedgedPlanner(
                    new HedgedPlanner.Lateness(
                        s.real("after"), s.number("first-delay"), s.real("stragglers")),
                    new CopyBudget(s.number("burst"), s.real("budget")),
                    cancelling(s),
                    ranking(s),
                    longest(s))),
        simulated(
            "fanout.tied",
            "two copies that name each other; the first to start cancels the other",
            "The Tail at Scale (CACM 2013) tied requests; sender replica: Manx",
            Set.of(Ability.COPIES),
            List.of(
                Setting.duration("stagger", MILLI, 0, 60 * SECOND, "from first copy to second"),
                Setting.word("sender", "of the second copy", "coordinator", "replica"),
                CANCEL,
                ABORT_AFTER,
                Setting.number("budget", 1, 0, 100, "copies for each read answered or served"),
                Setting.whole("burst", 1000, 1, 1_000_000, "copies at once after a quiet time"),
                RANK,
                LONGEST_FIRST),
            s ->
                new TiedPlanner(
                    s.number("stagger"),
                    s.word("sender").equals("replica"),
                    cancelling(s),
                    s.real("budget"),
                    s.number("burst"),
                    ranking(s),
                    longest(s))),
        simulated(
            "fanout.speculative-retry",
            "stock Cassandra's second try, one threshold for all sizes, nothing cancelled",
            "Cassandra 5.0.9 SpeculativeRetryPolicy",
            Set.of(Ability.COPIES),
            List.of(
                Setting.text(
                    "threshold",
                    "99p",
                    SpeculativeThreshold.PATTERN,
                    SpeculativeThreshold.ALLOWED,
                    "when a read is tried again"),
                Setting.duration(
                    "read-timeout",
                    5 * SECOND,
                    MILLI,
                    3600 * SECOND,
                    "first threshold is half of it"),
                RANK,
                LONGEST_FIRST),
            s ->
                new SpeculativeRetryPlanner(
                    SpeculativeThreshold.parse(s.word("threshold")),
                    s.number("read-timeout"),
                    ranking(s),
                    longest(s),
                    s.clock())));
  }

  private static boolean longest(Settings s) {
    return s.flag("longest-first");
  }

  private static boolean subtask(Settings s) {
    return s.word("per").equals("subtask");
  }

  private static Cancelling cancelling(Settings s) {
    return new Cancelling(s.word("cancel").equals("started"), s.number("abort-after"));
  }

  private static Ranking ranking(Settings s) {
    return Ranking.of(s.word("rank"));
  }

  private static Unit unit(String cost) {
    return switch (cost) {
      case "keys" -> Unit.KEYS;
      case "bytes" -> Unit.BYTES;
      default -> Unit.NANOS;
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

  private static PolicyInfo simulated(
      String name,
      String summary,
      String source,
      Set<Ability> needs,
      List<Setting> settings,
      Function<Settings, ?> factory) {
    return new PolicyInfo(name, summary, source, IN_SIMULATOR, settings, List.of(), needs, factory);
  }
}
