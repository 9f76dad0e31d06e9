/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.client.Loader;
import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import java.io.IOException;
import java.util.Map;

/** A real backend, filled and ready. */
interface LiveBackend extends AutoCloseable {
  /** The plan that it was made from. */
  BackendPlan plan();

  /** Reads from it for a cache; each call makes a loader with threads of its own. */
  Loader<Integer, byte[]> loader();

  /** Whether a value belongs to its key. */
  boolean right(int key, byte[] value);

  /** Whether its process, if it has one, still runs. */
  default boolean alive() {
    return true;
  }

  /** How it stands in the report. */
  String describe();

  @Override
  void close() throws IOException;

  /** A blocking read of several keys. */
  @FunctionalInterface
  interface Read {
    Map<Integer, byte[]> read(Iterable<Integer> keys) throws Exception;
  }
}
