/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

/** Supplies the requests of a run, one after another. Confined to one run. */
public interface QuerySource {
  /**
   * Fills in the next request.
   *
   * @param batch cleared first; contains every backend at most once, each with at least one query
   */
  void next(Batch batch);

  /** Number of objects of a backend, above every object's number. */
  int objects(int backend);

  /** Size of an object in bytes. */
  int bytes(int backend, int object);
}
