/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import dev.manx.client.measure.MeasuredStore;
import dev.manx.client.store.Store;
import dev.manx.shares.MissCurve;

/**
 * A backend's store as the control loop sees it.
 *
 * @param name the backend
 * @param store the resized store
 * @param floorBytes its own floor, if more than the common one
 */
public record Share(String name, Store<?, ?> store, long floorBytes) {
  /** The smallest share that backend and store permit. */
  long leastBytes() {
    return Math.max(floorBytes, store.minimumBytes());
  }

  /** Its misses as a function of its space; null if not measured. */
  MissCurve missCurve() {
    return store instanceof MeasuredStore<?, ?> measured ? measured.missCurve() : null;
  }
}
