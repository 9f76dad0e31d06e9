/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Ewma;
import java.util.concurrent.atomic.AtomicLongArray;

/** Exponentially weighted means, as C3 keeps them; they start at 0. Lock-free. */
final class SmoothedMeans implements NodeMeans {
  private static final int RESPONSE = 0;
  private static final int SERVICE = 1;
  private static final int QUEUE = 2;
  // Not 0 once the node has answered: with rounding, a mean may be 0 then.
  private static final int KNOWN = 3;
  private static final int FIELDS = 4;

  private final double weight;

  // FIELDS means per node as raw double bits, 0 before the first answer. It grows with the view's
  // capacity; an answer that arrives during the copy may be lost, as one sample of a mean.
  private volatile AtomicLongArray means = new AtomicLongArray(0);

  /**
   * Creates means without answers.
   *
   * @param weight of the newest sample, in (0, 1]
   */
  SmoothedMeans(double weight) {
    this.weight = weight;
  }

  @Override
  public void add(int node, int capacity, double response, double service, double queue) {
    AtomicLongArray known = room(capacity);
    int at = node * FIELDS;
    Ewma.add(known, at + RESPONSE, weight, response);
    Ewma.add(known, at + SERVICE, weight, service);
    Ewma.add(known, at + QUEUE, weight, queue);
    known.set(at + KNOWN, 1);
  }

  @Override
  public boolean isKnown(int node) {
    AtomicLongArray known = means;
    int at = node * FIELDS + KNOWN;
    return at < known.length() && known.get(at) != 0;
  }

  @Override
  public double response(int node) {
    return mean(node, RESPONSE);
  }

  @Override
  public double service(int node) {
    return mean(node, SERVICE);
  }

  @Override
  public double queue(int node) {
    return mean(node, QUEUE);
  }

  @Override
  public void forget(int node) {
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

  private double mean(int node, int field) {
    AtomicLongArray known = means;
    int at = node * FIELDS + field;
    return at < known.length() ? Double.longBitsToDouble(known.get(at)) : 0;
  }
}
