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
 * {@code fanout.brb-credits}: each coordinator has credit at each node, in work per second, which a
 * controller grants anew every interval; a read goes to one of its replicas with credit left, and
 * waits at the coordinator, in order of priority, while none has credit.
 *
 * <p>Source: BRB section 2.2. The paper does not specify the choice among several replicas with
 * credit; {@code prefer} sets it, and both its values are ours (see {@link CreditPreference}).
 * Deviations: credit is work (for a read, its forecast), multiplied by the ratio of service times
 * to forecasts at that node where the host reports service times; it fills evenly through the
 * interval, up to a depth, and the last read may overdraw it by its own cost, since credit in lumps
 * would release bursts; demand counts evenly for all replicas of a read; the adaptation law of
 * {@link CreditController} is ours. {@code per: subtask} sends all reads of a replica group (those
 * with the same first replica in stock order) to one node, as in the paper's figure, except for
 * reads without that node among their replicas; {@code per: request} decides read by read. The
 * strategy's selector is not used. Not work-conserving. If a read's nodes are fixed at planning
 * ({@link #fixNodes}), they are the nodes with credit at that moment, and the read waits for them;
 * a gate that may choose does so when it releases the read.
 */
final class BrbCreditsPlanner implements FanoutPlanner {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "fanout.brb-credits",
              "a controller grants each coordinator credit at each node; reads wait for credit")
          .source("BRB section 2.2")
          .settings(
              Setting.word("priority", "order of reads", "equalmax", "unifincr"),
              Setting.word(
                  "per",
                  "own cost: of the read, or (subtask) of its opset; and unit of choice: the read,"
                      + " or (subtask) all reads with the same first replica",
                  "request",
                  "subtask"),
              Setting.choice(
                  "prefer",
                  CreditPreference.class,
                  "replica that is chosen among those with credit"),
              Setting.duration("interval", "1s", "1ms", "1h", "time between two grants"),
              Setting.number("node-cores", 4, 0.001, 1e6, "reads that a node serves at once"),
              Setting.number("clients", 18, 1, 1e6, "coordinators that share the nodes"),
              Setting.duration("depth", "1s", "1ns", "1h", "most credit that is kept, as time"),
              Setting.share("floor", 0.1, 0.001, 1, "least credit, as part of an equal share"),
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
   * Creates a planner for one coordinator.
   *
   * @param ranking EqualMax or UnifIncr
   * @param perSubtask whether to choose a node per replica group rather than per read
   * @param prefer the choice among the replicas with credit left
   * @param longestFirst whether the costliest read is sent and served first
   * @param capacity most reads held back
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
        request.toFront(place, preferred(request, place, end, view));
      }
      request.assign(read);
    }
    request.longestFirst(longestFirst);
    request.finish(true, unit(), bottleneck);
  }

  private int preferred(Request request, int from, int to, ClusterView view) {
    long place = request.recalled(credits.preferred(prefer, request, from, to, view));
    // A damaged log may recall an invalid place.
    return place >= from && place < to ? (int) place : from;
  }

  // The first read of a replica group chooses the node; scratch stores it by first replica.
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
        while (at < end && replicas[at] != chosen[home]) {
          at++;
        }
        request.toFront(start, at < end ? at : preferred(request, start, end, view));
        request.candidates(read, request.contacts(read));
      }
      request.assign(read);
    }
  }

  @Override
  public void served(int node, long costNanos, long serviceNanos) {
    credits.served(node, costNanos, serviceNanos);
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
