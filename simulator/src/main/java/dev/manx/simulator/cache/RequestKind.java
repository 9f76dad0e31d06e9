/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import java.util.List;

/**
 * A class of requests.
 *
 * @param weight relative weight of the class
 * @param chances by backend, probability that a request of this class queries it
 */
public record RequestKind(double weight, List<Double> chances) {
  /** Copies the list. */
  public RequestKind {
    chances = List.copyOf(chances);
  }
}
