/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.credit;

import dev.manx.policy.fanout.CreditController;
import dev.manx.policy.fanout.Credits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * The controller's side: shares the capacity of the reporting nodes among them, by the policy's
 * {@link CreditController}. Every reporting node is both a coordinator, which gets credit, and a
 * replica, at which credit is granted; reads at other nodes are not bounded. Sequential; memory is
 * the square of the nodes of a datacenter.
 */
final class CreditOffice {
  /** A node that has not reported for this many intervals is no longer a member. */
  static final int SILENT_INTERVALS = 3;

  /** Most members; other nodes send without bound. */
  static final int MOST_MEMBERS = 256;

  /** A member's reports of one interval, merged. */
  private record Reported(CreditReport sum, int reports) {
    Reported and(Reported later) {
      return new Reported(sum.and(later.sum), reports + later.reports);
    }

    Reported withoutCongestion() {
      return new Reported(sum.withoutCongestion(), reports);
    }
  }

  private final Credits credits;
  private final Map<InetAddressAndPort, Reported> reports = new TreeMap<>();
  // Those of the interval before, for members whose next report is late.
  private Map<InetAddressAndPort, Reported> earlier = Map.of();
  private final Map<InetAddressAndPort, Integer> silent = new TreeMap<>();
  private List<InetAddressAndPort> members = List.of();
  private CreditController controller;

  /**
   * Creates it without members.
   *
   * @param credits creates the controller
   */
  CreditOffice(Credits credits) {
    this.credits = credits;
  }

  /** Applies a node's report. */
  void report(InetAddressAndPort node, CreditReport report) {
    if (silent.containsKey(node) || silent.size() < MOST_MEMBERS) {
      silent.put(node, 0);
      reports.merge(node, new Reported(report, 1), Reported::and);
    }
  }

  /**
   * Ends an interval. The timers of two nodes drift against each other, so now and then an interval
   * here contains none or two of a member's reports. In the first case it counts for once with its
   * last demand; without demand it would send at the floor until the next grant. In the second case
   * it counts with their mean, since it would take the others' credit.
   */
  void adapt() {
    silent.values().removeIf(intervals -> intervals >= SILENT_INTERVALS);
    silent.replaceAll((node, intervals) -> intervals + 1);
    List<InetAddressAndPort> now = new ArrayList<>(new TreeSet<>(silent.keySet()));
    if (controller == null || !now.equals(members)) {
      renew(now);
    }
    Map<InetAddressAndPort, Integer> places = places(members);
    for (int i = 0; i < members.size(); i++) {
      Reported late = earlier.get(members.get(i));
      Reported reported = reports.getOrDefault(members.get(i), late);
      if (reported != null) {
        take(i, reported, places);
      }
    }
    earlier = new TreeMap<>(reports);
    earlier.replaceAll((node, reported) -> reported.withoutCongestion());
    reports.clear();
    controller.adapt();
  }

  private void renew(List<InetAddressAndPort> now) {
    CreditController next = credits.newController(Math.max(1, now.size()), now.size());
    Map<InetAddressAndPort, Integer> before = places(members);
    for (int i = 0; i < now.size(); i++) {
      Integer old = before.get(now.get(i));
      if (old != null) {
        next.inherit(i, controller, old);
      }
    }
    members = now;
    controller = next;
  }

  private void take(int member, Reported reported, Map<InetAddressAndPort, Integer> places) {
    CreditReport report = reported.sum;
    controller.nominal(member, report.capacityNanosPerSecond());
    if (report.congested()) {
      controller.congested(member);
    }
    long[] work = new long[members.size()];
    report
        .workNanos()
        .forEach(
            (node, nanos) -> {
              Integer place = places.get(node);
              if (place != null) {
                work[place] = nanos / reported.reports;
              }
            });
    controller.demand(member, work);
  }

  private static Map<InetAddressAndPort, Integer> places(List<InetAddressAndPort> nodes) {
    Map<InetAddressAndPort, Integer> places = new HashMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      places.put(nodes.get(i), i);
    }
    return places;
  }

  /** The credit of each member since the last {@link #adapt}. */
  Map<InetAddressAndPort, CreditGrant> grants() {
    Map<InetAddressAndPort, CreditGrant> grants = new TreeMap<>();
    double[] credit = new double[members.size()];
    for (int i = 0; i < members.size(); i++) {
      controller.credits(i, credit);
      Map<InetAddressAndPort, Long> granted = new TreeMap<>();
      for (int node = 0; node < credit.length; node++) {
        granted.put(members.get(node), Math.max(0, Math.round(credit[node])));
      }
      grants.put(members.get(i), new CreditGrant(granted));
    }
    return grants;
  }
}
