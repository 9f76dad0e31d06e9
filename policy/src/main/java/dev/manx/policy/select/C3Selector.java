/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Ewma;
import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * {@code select.c3}: score of response time, service time and the cube of the expected queue.
 *
 * <p>{@code q = 1 + outstanding * clients + mean queue; score = R - T + q^3 * T}, smallest first.
 * Response time R, service time T and queue are exponentially weighted means of what came with this
 * coordinator's own answers.
 *
 * <p>Source: C3 (NSDI'15) section 3.1. Deviations: the ranking only, no rate control; nanoseconds
 * throughout; reads planned for the same request count as outstanding; nodes that never answered
 * come first, among them those with fewer outstanding reads; a node that reports no facts (it runs
 * without Manx) gets its response time as service time, else it would draw every read.
 */
public final class C3Selector extends ScoredSelector {
  private static final int RESPONSE = 0;
  private static final int SERVICE = 1;
  private static final int QUEUE = 2;
  private static final int FIELDS = 3;

  private final double weight;
  private final double clients;

  // FIELDS means per node as raw double bits, 0 before the first answer. It grows with the view's
  // capacity; an answer that arrives during the copy may be lost, as one sample of a mean.
  private volatile AtomicLongArray means = new AtomicLongArray(0);

  /**
   * Knows no node yet.
   *
   * @param weight of the newest sample, in (0, 1]
   * @param clients coordinators that read from the same nodes, to scale this one's outstanding
   *     reads up
   */
  public C3Selector(double weight, double clients) {
    this.weight = weight;
    this.clients = clients;
  }

  /** The score from its parts; times in any one unit. */
  public static double score(
      double response, double service, double queue, double outstanding, double clients) {
    double expected = 1 + outstanding * clients + queue;
    return response - service + expected * expected * expected * service;
  }

  @Override
  long score(Request request, int node, ClusterView view) {
    double outstanding = (double) view.outstandingReads(node) + request.plannedReads(node);
    return sortable(score(outstanding, node, view));
  }

  /** A node's score; below 0, and lower with fewer outstanding reads, if it never answered. */
  double score(double outstanding, int node, ClusterView view) {
    AtomicLongArray known = means;
    double response = mean(known, node, RESPONSE);
    if (response == 0) {
      return -1 / (1 + outstanding);
    }
    double service = mean(known, node, SERVICE);
    double queue = mean(known, node, QUEUE);
    return Math.max(0, score(response, service, queue, outstanding, clients));
  }

  @Override
  public void answered(int node, long costNanos, long responseNanos, ClusterView view) {
    if (node < 0 || node >= view.capacity()) {
      return;
    }
    AtomicLongArray known = room(view.capacity());
    double response = Math.max(1, responseNanos);
    long service = view.value(FactColumn.SERVICE_TIME, node);
    Ewma.add(known, node * FIELDS + RESPONSE, weight, response);
    Ewma.add(known, node * FIELDS + SERVICE, weight, service > 0 ? service : response);
    Ewma.add(
        known, node * FIELDS + QUEUE, weight, (double) view.value(FactColumn.PENDING_READS, node));
  }

  @Override
  public void forgotten(int node) {
    AtomicLongArray known = means;
    for (int field = 0; field < FIELDS && node * FIELDS < known.length(); field++) {
      known.set(node * FIELDS + field, 0);
    }
  }

  private AtomicLongArray room(int nodes) {
    AtomicLongArray known = means;
    return known.length() >= nodes * FIELDS ? known : grow(nodes);
  }

  private synchronized AtomicLongArray grow(int nodes) {
    AtomicLongArray known = means;
    if (known.length() < nodes * FIELDS) {
      AtomicLongArray wider = new AtomicLongArray(nodes * FIELDS);
      for (int i = 0; i < known.length(); i++) {
        wider.set(i, known.get(i));
      }
      means = wider;
    }
    return means;
  }

  private static double mean(AtomicLongArray known, int node, int field) {
    int at = node * FIELDS + field;
    return at < known.length() ? Double.longBitsToDouble(known.get(at)) : 0;
  }

  /** A long that sorts as the double does. */
  private static long sortable(double score) {
    long bits = Double.doubleToLongBits(score);
    return bits ^ (bits >> 63 & Long.MAX_VALUE);
  }
}
