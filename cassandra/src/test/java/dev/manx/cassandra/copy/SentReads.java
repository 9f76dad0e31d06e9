/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import dev.manx.cassandra.control.Mode;
import dev.manx.policy.Request;

/** Reads for tests. */
final class SentReads {
  private SentReads() {}

  /** A read without further meaning. */
  static SentRead any() {
    CopyBench bench = new CopyBench("", Mode.ON);
    Request request = bench.planned(1, 1, false);
    Flight flight = bench.engine.copier().begin(bench.engine, request);
    return new SentRead(
        flight, bench.send(flight, request, 0).message(), null, 1, null, 2, request, 0, 0);
  }
}
