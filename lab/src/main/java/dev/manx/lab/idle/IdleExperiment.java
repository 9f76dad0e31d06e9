/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.idle;

import dev.manx.contention.idle.Case;
import dev.manx.contention.idle.WaitingLoad;
import dev.manx.contention.squeeze.Squeeze;
import dev.manx.lab.experiment.ExperimentWriter;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.YamlText;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.strategy.IdleSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An experiment {@code on: idle}, resolved: every setting has its value.
 *
 * @param name as it stands in the result files
 * @param description for people
 * @param quick whether it is too short to be believed
 * @param baseline the arm the others are compared with
 * @param squeeze what is done to the threads in the cases that squeeze them
 * @param load what they do; its rate is that of each of {@code loads}
 * @param loads operations per second, each measured on its own
 * @param cases each is one class of the results
 * @param seeds each gives one stream of operations, the same for all arms
 * @param rounds turns of each arm in each case
 * @param arms in the file's order
 */
record IdleExperiment(
    String name,
    String description,
    boolean quick,
    String baseline,
    Squeeze squeeze,
    WaitingLoad load,
    List<Load> loads,
    List<Case> cases,
    List<Long> seeds,
    int rounds,
    List<IdleArm> arms) {
  /**
   * One way to wait.
   *
   * @param name as it stands in every result file and legend
   * @param idle the policy and its settings
   */
  record IdleArm(String name, IdleSpec idle) {}

  IdleExperiment {
    loads = List.copyOf(loads);
    cases = List.copyOf(cases);
    seeds = List.copyOf(seeds);
    arms = List.copyOf(arms);
  }

  /** What the threads do at one of the loads. */
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

  /** The text of {@code experiment.yaml}; reading it gives this experiment. */
  String text() {
    Map<String, Object> top = new LinkedHashMap<>();
    top.put("experiment", name);
    if (!description.isEmpty()) {
      top.put("description", description);
    }
    top.put("on", "idle");
    top.put("quick", quick);
    top.put("baseline", baseline);
    top.put("threads", load.threads());
    top.put(
        "operation",
        ExperimentWriter.ordered(
            "work", ExperimentWriter.nanos(load.workNanos()),
            "hold", ExperimentWriter.nanos(load.holdNanos())));
    top.put(
        "squeeze",
        ExperimentWriter.ordered(
            "cores", squeeze.cores(), "boost", squeeze.boost(), "nice", squeeze.nice()));
    top.put("cases", cases.stream().map(Case::label).toList());
    top.put("loads", loads.stream().map(Load::label).toList());
    top.put("seeds", seeds);
    top.put("rounds", rounds);
    top.put("warm-up", ExperimentWriter.nanos(load.warmUpNanos()));
    top.put("window", ExperimentWriter.nanos(load.windowNanos()));
    top.put("drain", ExperimentWriter.nanos(load.drainNanos()));
    Map<String, Object> written = new LinkedHashMap<>();
    for (IdleArm arm : arms) {
      ConfigNode node = ConfigNode.parse(name, "idle: " + arm.idle().written()).at("idle");
      written.put(arm.name(), ExperimentWriter.ordered("idle", YamlText.tree(node)));
    }
    top.put("arms", written);
    return YamlText.of(top);
  }
}
