/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.idle;

import static dev.manx.lab.experiment.YamlText.nanos;
import static dev.manx.lab.experiment.YamlText.ordered;

import dev.manx.contention.idle.Case;
import dev.manx.contention.idle.WaitingLoad;
import dev.manx.contention.squeeze.Squeeze;
import dev.manx.lab.experiment.Head;
import dev.manx.lab.experiment.Load;
import dev.manx.policy.config.ConfigNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The threads and operations of an experiment {@code on: idle}.
 *
 * @param squeeze what is done to the threads in the cases that squeeze them
 * @param load what they do; its rate is that of each of {@code loads}
 * @param loads operations per second, each measured on its own
 * @param cases each is one class of the results
 */
record IdleSettings(Squeeze squeeze, WaitingLoad load, List<Load> loads, List<Case> cases) {
  private static final long MICRO = 1_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final long QUICK_WINDOW_NANOS = 1_500_000_000L;

  static IdleSettings read(ConfigNode top, boolean quick) {
    int threads = top.find("threads").map(n -> (int) n.integer(2, 1_000)).orElse(8);
    List<Load> loads = loads(top.at("loads"));
    ConfigNode nothing = ConfigNode.parse("none", "none: {}").at("none");
    return new IdleSettings(
        squeeze(top.find("squeeze").orElse(nothing), threads),
        load(top, threads, loads, quick),
        loads,
        top.find("cases")
            .map(n -> n.items().stream().map(i -> Case.ofLabel(i.oneOf(Case.labels()))))
            .orElseGet(() -> List.of(Case.values()).stream())
            .distinct()
            .sorted()
            .toList());
  }

  private static WaitingLoad load(ConfigNode top, int threads, List<Load> loads, boolean quick) {
    ConfigNode operation = top.at("operation");
    long work = operation.at("work").durationNanos(MICRO, SECOND);
    long hold = operation.at("hold").durationNanos(0, work);
    operation.noOtherKeys();
    long window =
        top.find("window").map(n -> n.durationNanos(SECOND / 10, 600 * SECOND)).orElse(3 * SECOND);
    double most = loads.stream().mapToDouble(Load::requestsPerSecond).max().orElseThrow();
    WaitingLoad load =
        new WaitingLoad(
            threads,
            most,
            work,
            hold,
            top.find("warm-up").map(n -> n.durationNanos(0, 60 * SECOND)).orElse(SECOND / 2),
            quick ? Math.min(window, QUICK_WINDOW_NANOS) : window,
            top.find("drain").map(n -> n.durationNanos(0, 600 * SECOND)).orElse(10 * SECOND));
    if (load.operations() > WaitingLoad.MOST_OPERATIONS) {
      throw top.at("loads")
          .refuse(
              "at most "
                  + WaitingLoad.MOST_OPERATIONS
                  + " operations in warm-up and window together");
    }
    return load;
  }

  /** Always both: each case does its part of it. */
  private static Squeeze squeeze(ConfigNode node, int threads) {
    Squeeze squeeze =
        new Squeeze(
            node.find("cores").map(n -> (int) n.integer(1, 1_000)).orElse(1),
            node.find("boost").map(n -> (int) n.integer(1, threads - 1)).orElse(threads / 2),
            "",
            node.find("nice").map(n -> (int) n.integer(-20, 19)).orElse(Squeeze.STRONGEST));
    node.noOtherKeys();
    return squeeze;
  }

  private static List<Load> loads(ConfigNode node) {
    List<Load> loads = new ArrayList<>();
    for (ConfigNode item : node.items()) {
      loads.add(new Load(item.text(), Double.NaN, item.perSecond(1, 1e6)));
    }
    if (loads.isEmpty()) {
      throw node.refuse("at least one rate of operations (10k/s)");
    }
    return loads;
  }

  /** The first keys of {@code experiment.yaml}. */
  Map<String, Object> written(Head head, int rounds) {
    Map<String, Object> top = head.written();
    top.put("threads", load.threads());
    top.put("operation", ordered("work", nanos(load.workNanos()), "hold", nanos(load.holdNanos())));
    top.put(
        "squeeze",
        ordered("cores", squeeze.cores(), "boost", squeeze.boost(), "nice", squeeze.nice()));
    top.put("cases", cases.stream().map(Case::label).toList());
    top.put("loads", loads.stream().map(Load::label).toList());
    top.put("seeds", head.seeds());
    top.put("rounds", rounds);
    top.put("warm-up", nanos(load.warmUpNanos()));
    top.put("window", nanos(load.windowNanos()));
    top.put("drain", nanos(load.drainNanos()));
    return top;
  }

  /** The work of the threads at one of the loads. */
  WaitingLoad load(Load at) {
    return new WaitingLoad(
        load.threads(),
        at.requestsPerSecond(),
        load.workNanos(),
        load.holdNanos(),
        load.warmUpNanos(),
        load.windowNanos(),
        load.drainNanos());
  }
}
