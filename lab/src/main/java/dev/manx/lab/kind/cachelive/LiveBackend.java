/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.client.Loader;
import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import java.io.IOException;
import java.util.Map;

/** A real backend, filled and ready. */
interface LiveBackend extends AutoCloseable {
  BackendPlan plan();

  /** Creates a loader for a cache, with separate threads. */
  Loader<Integer, byte[]> loader();

  /** Whether a value belongs to its key. */
  boolean right(int key, byte[] value);

  /** Whether its process, if it has one, still runs. */
  default boolean alive() {
    return true;
  }

  String describe();

  @Override
  void close() throws IOException;

  /** A blocking read of several keys. */
  @FunctionalInterface
  interface Read {
    Map<Integer, byte[]> read(Iterable<Integer> keys) throws Exception;
  }
}
