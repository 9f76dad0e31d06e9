/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

/** Gives the requests of a run, one after the other. Confined to one run. */
public interface QuerySource {
  /**
   * Fills in the next request.
   *
   * @param batch emptied before; every backend in it at most once, each with at least one query
   */
  void next(Batch batch);

  /** Objects of a backend; their numbers are smaller. */
  int objects(int backend);

  /** Size of an object in bytes. */
  int bytes(int backend, int object);
}
