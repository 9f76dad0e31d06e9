/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.ArrayList;
import java.util.List;

/**
 * Treats backends that share a bottleneck, such as one storage system under several services, as
 * one unit (RobinHood section 6, "Interdependent backends"): another policy sees their sums, and a
 * change to the unit's share is split among its members.
 */
public final class GroupedPolicy extends DelegatingPolicy {
  /* The gain of a unit goes to its members by their misses, because each miss loads the bottleneck
   * alike; without misses by their shares, like its loss; and in equal parts if they have no
   * shares. */

  private final List<List<String>> groups;

  /**
   * Groups backends for a policy.
   *
   * @param units decides between units
   * @param groups names of backends that belong together; others are separate units; unknown names
   *     are ignored
   */
  public GroupedPolicy(SharePolicy units, List<List<String>> groups) {
    super(units);
    this.groups = groups.stream().map(List::copyOf).toList();
  }

  @Override
  public double[] targets(ShareView view) {
    List<String> names = view.statistics().backends();
    int[] unitOf = new int[names.size()];
    List<String> unitNames = unitNames(names, unitOf);
    int n = unitNames.size();
    double[] allocated = new double[n];
    double[] used = new double[n];
    double[] floors = new double[n];
    double[] misses = new double[n];
    int[] members = new int[n];
    List<MissCurve> curves = new ArrayList<>();
    for (int u = 0; u < n; u++) {
      curves.add(null);
    }
    for (int b = 0; b < unitOf.length; b++) {
      int u = unitOf[b];
      members[u]++;
      allocated[u] += view.allocated()[b];
      used[u] += view.used()[b];
      floors[u] += view.floors()[b];
      misses[u] += view.statistics().misses(b);
      curves.set(u, unitNames.get(u).equals(names.get(b)) ? view.curves().get(b) : null);
    }
    double[] targets =
        policy.targets(
            new ShareView(
                view.nowNanos(),
                view.statistics().rename(unitNames, unitOf),
                view.latest().rename(unitNames, unitOf),
                allocated.clone(),
                used,
                floors,
                curves));
    double[] own = view.allocated().clone();
    for (int b = 0; b < own.length; b++) {
      int u = unitOf[b];
      double change = targets[u] - allocated[u];
      if (change > 0 && misses[u] > 0) {
        own[b] += change * view.statistics().misses(b) / misses[u];
      } else if (allocated[u] > 0) {
        own[b] += change * view.allocated()[b] / allocated[u];
      } else {
        own[b] += change / members[u];
      }
    }
    return own;
  }

  private List<String> unitNames(List<String> names, int[] unitOf) {
    List<String> unitNames = new ArrayList<>();
    for (int b = 0; b < unitOf.length; b++) {
      String name = names.get(b);
      String unit =
          groups.stream()
              .filter(group -> group.contains(name))
              .findFirst()
              .map(group -> String.join("+", group))
              .orElse(name);
      if (!unitNames.contains(unit)) {
        unitNames.add(unit);
      }
      unitOf[b] = unitNames.indexOf(unit);
    }
    return unitNames;
  }
}
