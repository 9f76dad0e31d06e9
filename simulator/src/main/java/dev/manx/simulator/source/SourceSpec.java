/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

import dev.manx.simulator.kernel.Streams;

/** Describes requests: how many reads, which keys, which sizes. Immutable; any thread. */
public interface SourceSpec {
  /** A new sequence; the same streams give the same sequence. */
  Source open(Streams streams, int nodes);

  /** Mean reads of a request; one that asks several replicas counts for each of them. */
  double meanReads();

  /** Mean size of a value read. */
  double meanBytes();

  /** Values from this size on are large. */
  int largeFromBytes();
}
