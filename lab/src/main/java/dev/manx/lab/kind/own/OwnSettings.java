/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.own;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.OwnCluster;
import dev.manx.lab.experiment.TurnWindow;
import dev.manx.lab.kind.cluster.ArmDriver;
import dev.manx.lab.kind.cluster.ArmReader;
import dev.manx.lab.kind.cluster.ClusterExperimentReader;
import dev.manx.lab.settings.Items;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Named;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Quantity;
import dev.manx.lab.settings.Section;
import dev.manx.load.own.OwnStatement;
import dev.manx.load.own.OwnTarget;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The settings of such a file except its arms.
 *
 * @param statements the mix
 * @param loads rates of requests
 * @param rounds turns of each arm at each load
 * @param warmUpNanos time at the start of each turn that is not measured
 * @param windowNanos measured
 * @param timeoutNanos of a request
 * @param consistency of requests
 * @param sample rows from which each statement's keys are taken
 * @param maxOutstanding largest number in flight; further requests are counted but not sent
 */
record OwnSettings(
    List<OwnStatement> statements,
    List<Load> loads,
    int rounds,
    long warmUpNanos,
    long windowNanos,
    long timeoutNanos,
    String consistency,
    int sample,
    int maxOutstanding) {
  private static final int QUICK_ROUNDS = 3;
  private static final int WIDEST = 10_000;

  private static final Section STATEMENT =
      Section.of(
          Key.required(
              Setting.anyText(
                  "cql",
                  null,
                  "SELECT, or with --allow-writes INSERT, UPDATE or DELETE; its markers are filled"
                      + " with keys of the table")),
          Key.of(Setting.number("weight", 1, 1e-6, 1e6, "frequency, relative to the others")),
          Key.of(
              Setting.whole(
                  "keys", 1, 1, WIDEST, "of an IN list: a number, or the least and the most"),
              List.of(1L)));

  private static final Quantity LOAD =
      new Quantity(
          List.of(Setting.rate("rate", 1, 0.1, 1e6, "of requests")), "a rate such as 200/s");

  static final Section SECTION =
      CommonSettings.top(
          OwnKind.ON,
          Section.of(
              Key.required(
                  Setting.word("mode", "Manx's mode on every node", "off", "shadow", "on")),
              CommonSettings.DESCRIPTION.quiet(),
              ArmReader.STRATEGY,
              ArmDriver.OWN_KEY),
          CommonSettings.SEEDS,
          Key.required(
              "statements",
              new Named(".+", "names of statements", STATEMENT),
              "the mix of requests, by name"),
          Key.required("loads", new Items(LOAD), "rates of requests, each measured separately"),
          CommonSettings.rounds("turns of each arm, per load and seed", "mark the result as quick"),
          ClusterExperimentReader.WARM_UP,
          Key.required(
              Setting.duration("window", "1s", "100ms", "24h", "length of each measured window")),
          Key.of(Setting.duration("timeout", "5s", "100ms", "10min", "timeout of a request")),
          Key.of(ClusterExperimentReader.CONSISTENCY.withStandard("local_one")),
          Key.of(
              Setting.whole(
                  "sample",
                  2_000,
                  20,
                  1_000_000,
                  "rows that each statement's keys come from; the run says how often it uses each")),
          Key.of(
              Setting.whole(
                  "max-outstanding",
                  1_000,
                  1,
                  100_000,
                  "largest number in flight; further requests are counted as not_sent")));

  /**
   * Reads the keys; a quick run has shorter times.
   *
   * @param choices of the command line, with the cluster that says whether statements may write
   */
  static OwnSettings read(Part top, Choices choices) {
    boolean writes = choices.cluster().map(OwnCluster::writes).orElse(true);
    choices.shorten(top, "rounds", QUICK_ROUNDS);
    choices.shorten(top, "warm-up", TurnWindow.QUICK_WARM_UP_NANOS);
    choices.shorten(top, "window", TurnWindow.QUICK_NANOS);
    int sample = top.whole("sample");
    List<OwnStatement> statements = new ArrayList<>();
    top.named("statements", Part.class)
        .forEach((name, one) -> statements.add(statement(name, one, writes, sample)));
    if (statements.isEmpty()) {
      throw top.node("statements").refuse("at least one statement");
    }
    List<Load> loads = top.words("loads").stream().map(Load::of).toList();
    CommonSettings.checkLoads(top, top.words("loads"), "rate, such as 200/s");
    return new OwnSettings(
        statements,
        loads,
        top.whole("rounds"),
        top.number("warm-up"),
        top.number("window"),
        top.number("timeout"),
        top.word("consistency"),
        sample,
        top.whole("max-outstanding"));
  }

  private static OwnStatement statement(String name, Part part, boolean writes, int sample) {
    List<Long> keys = part.items("keys", Long.class);
    if (keys.isEmpty() || keys.size() > 2) {
      throw part.node("keys").refuse("a number of keys, or the least and the most: [5, 20]");
    }
    int least = Math.toIntExact(keys.get(0));
    int most = Math.toIntExact(keys.get(keys.size() - 1));
    if (least > most) {
      part.node("keys").items().get(1).integer(least, WIDEST);
    }
    if (most > sample) {
      throw part.node("keys")
          .items()
          .get(keys.size() - 1)
          .refuse("at most " + sample + ", the rows that are sampled (the key sample)");
    }
    ConfigNode cql = part.node("cql");
    OwnStatement statement =
        new OwnStatement(name, part.word("cql"), part.real("weight"), least, most);
    if (!statement.reads() && !statement.writes()) {
      throw cql.refuse("SELECT, or with --allow-writes INSERT, UPDATE or DELETE");
    }
    if (!statement.reads() && !writes) {
      throw cql.refuse("SELECT; writes only with --allow-writes");
    }
    return statement;
  }

  /** The lowest allowed rate. */
  double leastPerSecond() {
    return loads.stream().mapToDouble(Load::requestsPerSecond).min().orElseThrow();
  }

  /**
   * The number of requests of an arm in all rounds of a seed.
   *
   * @param mostLateNanos largest delay of a request
   */
  double requests(long mostLateNanos) {
    return rounds
        * loads.stream()
            .mapToDouble(
                load ->
                    OwnTarget.requests(
                        load.requestsPerSecond(), mostLateNanos, warmUpNanos + windowNanos))
            .sum();
  }

  /** The time for which keys are sampled before the first turn. */
  double samplingSeconds() {
    return statements.size() * OwnTarget.reads(sample) / leastPerSecond();
  }

  /** Sets the values of the resolved file that differ from those read. */
  void resolve(Part top) {
    Map<String, Part> parts = top.named("statements", Part.class);
    for (OwnStatement one : statements) {
      parts.get(one.name()).put("keys", List.of(one.leastKeys(), one.mostKeys()));
    }
  }
}
