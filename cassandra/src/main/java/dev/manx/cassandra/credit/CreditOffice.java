/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.credit;

import dev.manx.policy.fanout.CreditController;
import dev.manx.policy.fanout.Credits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * The controller's side: shares the capacity of the reporting nodes among them, by the policy's
 * {@link CreditController}. Every reporting node is both a coordinator, which gets credit, and a
 * replica, at which credit is granted; reads at other nodes are not bounded. Sequential; memory is
 * the square of the nodes of a datacenter.
 */
final class CreditOffice {
  /** A node that has not reported for this many of its intervals is no longer a member. */
  static final int SILENT_INTERVALS = 3;

  /** A node that has not reported for this many intervals of the controller is forgotten. */
  static final int MOST_SILENT_INTERVALS = 100;

  /** Most members; other nodes send without bound. */
  static final int MOST_MEMBERS = 256;

  private final Credits credits;
  // Includes silent members, because of their known intervals.
  private final Map<InetAddressAndPort, CreditMember> known = new TreeMap<>();
  private List<InetAddressAndPort> members = List.of();
  private CreditController controller;

  /**
   * Creates an office without members.
   *
   * @param credits creates the controller
   */
  CreditOffice(Credits credits) {
    this.credits = credits;
  }

  /** Applies a node's report. */
  void report(InetAddressAndPort node, CreditReport report, long atNanos) {
    CreditMember member = known.get(node);
    if (member == null) {
      if (known.size() >= MOST_MEMBERS) {
        known.values().removeIf(other -> other.isSilentFor(SILENT_INTERVALS));
      }
      if (known.size() >= MOST_MEMBERS) {
        return;
      }
      member = new CreditMember(credits.intervalNanos());
      known.put(node, member);
    }
    member.report(report, atNanos);
  }

  /**
   * Ends an interval. A member may have another interval, and the timers of two nodes drift against
   * each other, so an interval here contains none, one or several of a member's reports. In the
   * first case its last demand counts, until the second report in a row is missing; without demand
   * it would send at the floor until the next grant. In the last case their mean counts. All
   * demands are compared as work in an interval of the controller.
   */
  void adapt() {
    known.values().removeIf(member -> member.silent() >= MOST_SILENT_INTERVALS);
    List<InetAddressAndPort> now = new ArrayList<>();
    known.forEach(
        (node, member) -> {
          if (!member.isSilentFor(SILENT_INTERVALS)) {
            now.add(node);
          }
        });
    if (controller == null || !now.equals(members)) {
      renew(now);
    }
    Map<InetAddressAndPort, Integer> places = places(members);
    for (int i = 0; i < members.size(); i++) {
      take(i, known.get(members.get(i)), places);
    }
    known.values().forEach(CreditMember::end);
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

  private void take(int place, CreditMember member, Map<InetAddressAndPort, Integer> places) {
    CreditReport report = member.latest();
    if (report == null) {
      return;
    }
    controller.nominal(place, report.capacityNanosPerSecond());
    if (report.congested()) {
      controller.congested(place);
    }
    long[] work = new long[members.size()];
    report
        .workNanos()
        .forEach(
            (node, nanos) -> {
              Integer at = places.get(node);
              if (at != null) {
                work[at] = member.each(nanos);
              }
            });
    controller.demand(place, work);
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
