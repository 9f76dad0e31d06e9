/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

import dev.manx.simulator.kernel.Streams;

/** Describes requests: number of reads, keys and sizes. Immutable; any thread. */
public interface SourceSpec {
  /**
   * Creates a sequence; equal streams give equal sequences.
   *
   * @param run number of requests of the run
   */
  Source open(Streams streams, int nodes, long run);

  /** Mean reads of a request; a read at several replicas counts once for each. */
  double meanReads();

  /** Mean size of a value read. */
  double meanBytes();

  /** Values from this size on are large. */
  int largeFromBytes();
}
