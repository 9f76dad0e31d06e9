/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Request;
import dev.manx.policy.config.Setting;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.hold.Gate;
import dev.manx.policy.hold.RoutedOp;
import dev.manx.policy.select.Selector;
import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo;
import java.util.Arrays;

/**
 * {@code fanout.brb-credits}: each coordinator has credit at each node, work per second that a
 * controller grants anew every interval; a read goes to a replica of its own with credit left, and
 * waits at the coordinator, in order of priority, while none has any.
 *
 * <p>Source: BRB section 2.2. The paper is silent on which of several replicas with credit a read
 * goes to; {@code prefer} says it, and both its values are ours (see {@link CreditPreference}).
 * Deviations: credit is forecast work and fills evenly through the interval, up to a depth, and the
 * last read may overdraw it by its own cost, since in lumps it would pass in bursts; demand counts
 * evenly for all replicas of a read; the adaptation law of {@link CreditController} is ours. {@code
 * per: subtask} sends all reads of a replica group (those with the same first replica in stock
 * order) to one node, as the paper draws it; {@code per: request} decides read by read. The
 * strategy's selector is not asked. Not work-conserving. Where a read's nodes are fixed when it is
 * planned ({@link #fixNodes}), they are those with credit at that moment, and the read waits for
 * its own; a gate that is free to choose does so when it releases the read.
 */
final class BrbCreditsPlanner implements FanoutPlanner {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "fanout.brb-credits",
              "a controller grants each coordinator credit at each node; reads wait for credit")
          .source("BRB section 2.2")
          .settings(
              Setting.word("priority", "order of reads", "equalmax", "unifincr"),
              BrbUnifIncr.PER,
              Setting.choice(
                  "prefer",
                  CreditPreference.class,
                  "replica that is chosen among those with credit"),
              Setting.duration("interval", "1s", "1ms", "1h", "time between two grants"),
              Setting.number("node-cores", 4, 0.001, 1e6, "reads that a node serves at once"),
              Setting.number("clients", 18, 1, 1e6, "coordinators that share the nodes"),
              Setting.duration("depth", "1s", "1ns", "1h", "most credit that is kept, as time"),
              Setting.share("floor", 0.1, 0, 1, "least credit, as part of an equal share"),
              Setting.whole("capacity", 1 << 20, 1, 1 << 24, "most reads held back"),
              RankedPlanner.LONGEST_FIRST)
          .needs(Ability.GATE, Ability.CREDITS)
          .make(
              s ->
                  new BrbCreditsPlanner(
                      s.word("priority").equals("unifincr")
                          ? Ranking.byIncrease(BrbUnifIncr.perSubtask(s))
                          : Ranking.BRB_EQUALMAX,
                      BrbUnifIncr.perSubtask(s),
                      s.choice("prefer", CreditPreference.class),
                      RankedPlanner.longestFirst(s),
                      s.whole("capacity"),
                      new CreditBuckets(
                          s.clock(),
                          s.number("interval"),
                          s.real("node-cores"),
                          s.real("clients"),
                          s.number("depth"),
                          s.real("floor"))));

  private final Ranking ranking;
  private final boolean perSubtask;
  private final CreditPreference prefer;
  private final boolean longestFirst;
  private final int capacity;
  private final CreditBuckets credits;

  /**
   * A planner for one coordinator.
   *
   * @param ranking EqualMax or UnifIncr
   * @param perSubtask choose a node per replica group and not per read
   * @param prefer which of the replicas with credit left
   * @param longestFirst whether the costliest read is sent and served first
   * @param capacity most reads held
   * @param credits the coordinator's credits
   */
  BrbCreditsPlanner(
      Ranking ranking,
      boolean perSubtask,
      CreditPreference prefer,
      boolean longestFirst,
      int capacity,
      CreditBuckets credits) {
    this.ranking = ranking;
    this.perSubtask = perSubtask;
    this.prefer = prefer;
    this.longestFirst = longestFirst;
    this.capacity = capacity;
    this.credits = credits;
  }

  @Override
  public void plan(Request request, Selector selector, ClusterView view) {
    Plans.arrange(request, longestFirst);
    int reads = request.reads();
    for (int read = 0; read < reads; read++) {
      request.assign(read);
      credits.want(request, read);
    }
    long bottleneck = Plans.bottleneck(request, unit());
    ranking.priorities().assign(request, bottleneck);
    if (perSubtask) {
      chooseByGroup(request, view);
    }
    request.longestFirst(longestFirst);
    request.finish(true, unit(), bottleneck);
  }

  @Override
  public void fixNodes(Request request, ClusterView view) {
    if (perSubtask) {
      return;
    }
    long bottleneck = request.bottleneck();
    request.clearPlan();
    int[] order = request.order();
    for (int i = 0, n = request.reads(); i < n; i++) {
      int read = order[i];
      int start = request.replicaStart(read);
      int end = Plans.firstGroupEnd(request, read);
      for (int place = start; place < Math.min(end, start + request.contacts(read)); place++) {
        toFront(request.replicas(), place, preferred(request, place, end, view));
      }
      request.assign(read);
    }
    request.longestFirst(longestFirst);
    request.finish(true, unit(), bottleneck);
  }

  private int preferred(Request request, int from, int to, ClusterView view) {
    long place = request.recalled(credits.preferred(prefer, request, from, to, view));
    // What a damaged log recalls may be no place.
    return place >= from && place < to ? (int) place : from;
  }

  private static void toFront(int[] replicas, int place, int chosen) {
    int node = replicas[chosen];
    System.arraycopy(replicas, place, replicas, place + 1, chosen - place);
    replicas[place] = node;
  }

  // The first read of a replica group chooses the node; scratch remembers it by first replica.
  private void chooseByGroup(Request request, ClusterView view) {
    long[] chosen = request.scratch(view.capacity());
    Arrays.fill(chosen, 0, view.capacity(), -1);
    request.clearPlan();
    int[] replicas = request.replicas();
    int[] order = request.order();
    for (int i = 0, n = request.reads(); i < n; i++) {
      int read = order[i];
      if (request.replicaCount(read) > 0) {
        int start = request.replicaStart(read);
        int end = Plans.firstGroupEnd(request, read);
        int home = replicas[start];
        if (chosen[home] < 0) {
          chosen[home] = replicas[preferred(request, start, end, view)];
        }
        int at = start;
        while (at < end - 1 && replicas[at] != chosen[home]) {
          at++;
        }
        toFront(replicas, start, at);
        request.candidates(read, request.contacts(read));
      }
      request.assign(read);
    }
  }

  @Override
  public Request.Unit unit() {
    return Request.Unit.NANOS;
  }

  @Override
  public boolean gated() {
    return true;
  }

  @Override
  public <T extends RoutedOp> Gate<T> newGate() {
    return new Gate<>(new CreditPermits(credits, prefer), capacity, longestFirst);
  }

  @Override
  public Credits credits() {
    return credits;
  }
}
