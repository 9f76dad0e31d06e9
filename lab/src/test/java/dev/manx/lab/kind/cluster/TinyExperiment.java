/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import java.nio.file.Path;
import java.util.Map;

/** An experiment file that tests change a part of. */
final class TinyExperiment {
  static final String TEXT =
      """
      experiment: tiny
      on: cluster
      cluster:
        nodes: 3
        concurrent-reads: 2
      service-model: { base: 5ms, per-kib: 300us }
      workload:
        keys: 1000
        values: [{ bytes: 1KiB, share: 95% }, { bytes: 64KiB, share: 5% }]
        fan-out: { kind: fixed, reads: 4 }
      loads: [70%, 120/s]
      rounds: 8
      window: 5s
      arms:
        stock: { mode: off }
        manx:
          mode: on
          strategy:
            select: { policy: select.low }
      """;

  private TinyExperiment() {}

  static ClusterExperiment parse(String text, Map<String, String> overrides) {
    return ClusterFiles.parse(Path.of("tiny.yaml"), text, overrides);
  }
}
