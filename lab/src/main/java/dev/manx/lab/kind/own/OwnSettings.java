/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.own;

import static dev.manx.lab.experiment.YamlText.nanos;
import static dev.manx.lab.experiment.YamlText.ordered;

import dev.manx.lab.experiment.Load;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.load.own.OwnStatement;
import dev.manx.policy.config.ConfigNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of such a file beside its arms.
 *
 * @param statements the mix
 * @param loads rates of requests
 * @param rounds turns of each arm at each load
 * @param warmUpNanos of each turn, not measured
 * @param windowNanos measured
 * @param timeoutNanos of a request
 * @param consistency of requests
 * @param sample rows from which each statement's keys are taken
 * @param maxOutstanding requests beyond are not sent, and counted
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
  private static final long SECOND = 1_000_000_000L;
  private static final int QUICK_ROUNDS = 3;
  private static final int WIDEST = 10_000;

  /**
   * Reads the keys; the caller refuses others.
   *
   * @param writes whether statements may write
   */
  static OwnSettings read(ConfigNode top, boolean writes) {
    List<OwnStatement> statements = new ArrayList<>();
    ConfigNode all = top.at("statements");
    for (String name : all.names()) {
      statements.add(statement(name, all.at(name), writes));
    }
    if (statements.isEmpty()) {
      throw all.refuse("at least one statement");
    }
    List<Load> loads = new ArrayList<>();
    for (ConfigNode item : top.at("loads").items()) {
      loads.add(new Load(item.text(), Double.NaN, item.perSecond(0.1, 1e6)));
    }
    if (loads.isEmpty()) {
      throw top.at("loads").refuse("at least one rate, such as 200/s");
    }
    return new OwnSettings(
        statements,
        loads,
        top.find("rounds").map(n -> (int) n.integer(1, 1_000)).orElse(PairedComparison.MIN_ROUNDS),
        top.find("warm-up").map(n -> n.durationNanos(0, 600 * SECOND)).orElse(2 * SECOND),
        top.at("window").durationNanos(SECOND / 10, 86_400 * SECOND),
        top.find("timeout").map(n -> n.durationNanos(SECOND / 10, 600 * SECOND)).orElse(5 * SECOND),
        top.find("consistency")
            .map(n -> n.oneOf("one", "local_one", "quorum", "local_quorum", "all"))
            .orElse("local_one"),
        top.find("sample").map(n -> (int) n.integer(20, 1_000_000)).orElse(2_000),
        top.find("max-outstanding").map(n -> (int) n.integer(1, 100_000)).orElse(1_000));
  }

  private static OwnStatement statement(String name, ConfigNode node, boolean writes) {
    ConfigNode cql = node.at("cql");
    List<ConfigNode> keys = node.find("keys").map(ConfigNode::items).orElse(List.of());
    if (keys.size() > 2) {
      throw node.at("keys").refuse("a number of keys, or the least and the most: [5, 20]");
    }
    int least = keys.isEmpty() ? 1 : (int) keys.get(0).integer(1, WIDEST);
    int most = keys.size() < 2 ? least : (int) keys.get(1).integer(least, WIDEST);
    OwnStatement statement =
        new OwnStatement(
            name,
            cql.text(),
            node.find("weight").map(n -> n.number(1e-6, 1e6)).orElse(1.0),
            least,
            most);
    node.noOtherKeys();
    if (!statement.reads() && !statement.writes()) {
      throw cql.refuse("SELECT, or with --allow-writes INSERT, UPDATE or DELETE");
    }
    if (!statement.reads() && !writes) {
      throw cql.refuse("SELECT; writes only with --allow-writes");
    }
    return statement;
  }

  /** The lowest rate that is allowed here. */
  double leastPerSecond() {
    return loads.stream().mapToDouble(Load::requestsPerSecond).min().orElseThrow();
  }

  /** Shorter, to see whether it works. */
  OwnSettings quick(boolean keepRounds) {
    return new OwnSettings(
        statements,
        loads,
        keepRounds ? rounds : Math.min(QUICK_ROUNDS, rounds),
        Math.min(SECOND, warmUpNanos),
        Math.min(3 * SECOND, windowNanos),
        timeoutNanos,
        consistency,
        sample,
        maxOutstanding);
  }

  /** The keys as they are read. */
  Map<String, Object> written() {
    Map<String, Object> mix = new LinkedHashMap<>();
    for (OwnStatement statement : statements) {
      mix.put(
          statement.name(),
          ordered(
              "cql",
              statement.cql(),
              "weight",
              statement.weight(),
              "keys",
              List.of(statement.leastKeys(), statement.mostKeys())));
    }
    return ordered(
        "statements",
        mix,
        "loads",
        loads.stream().map(Load::label).toList(),
        "rounds",
        rounds,
        "warm-up",
        nanos(warmUpNanos),
        "window",
        nanos(windowNanos),
        "timeout",
        nanos(timeoutNanos),
        "consistency",
        consistency,
        "sample",
        sample,
        "max-outstanding",
        maxOutstanding);
  }
}
