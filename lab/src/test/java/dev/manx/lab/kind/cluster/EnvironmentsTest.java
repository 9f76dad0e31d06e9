/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.workload.Workload;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EnvironmentsTest {
  private static Map<String, String> of(String text) {
    ClusterExperiment experiment = TinyExperiment.parse(text, Map.of());
    return Environments.settings(
        experiment,
        new Workload(experiment.workload()),
        Map.of("driver.paging", "off: no page size is sent"),
        "5.0.9");
  }

  @Test
  void shippedSettingsAreOneLine() {
    assertThat(of(TinyExperiment.TEXT))
        .containsEntry("driver driver.paging", "off: no page size is sent")
        .containsEntry(
            "stock", "dynamic snitch on as shipped; no hook of Manx in the path (mode off)")
        .doesNotContainKeys(
            "arm stock",
            "arm manx",
            "driver driver.timer",
            "nodes' JIT compiler",
            "nodes' further options");
  }

  /** They decide what stock is; a report must not contradict the file. */
  @Test
  void otherSettingsOfNodesAreNamed() {
    String text =
        TinyExperiment.TEXT.replace(
            "  concurrent-reads: 2\n",
            """
              concurrent-reads: 2
              jit: c1
              jvm-options: [-XX:+UseSerialGC, -Xlog:gc]
              cassandra-yaml: { dynamic_snitch: "false" }
            """);
    assertThat(of(text))
        .containsEntry(
            "stock", "no dynamic snitch (cassandra-yaml); no hook of Manx in the path (mode off)")
        .containsEntry("nodes' JIT compiler", "c1")
        .containsEntry("nodes' further options", "-XX:+UseSerialGC -Xlog:gc");
  }

  @Test
  void otherSettingsOfArmsAreNamed() {
    String text =
        TinyExperiment.TEXT
            + """
              tuned:
                mode: off
                dynamic-snitch: off
                speculative-retry: 50ms
                paging: driver-default
                driver: { slow-avoidance: on, speculative-execution: 20ms }
            """;
    assertThat(of(text))
        .containsEntry(
            "arm tuned",
            "dynamic snitch off, speculative_retry 50ms, the driver's paging on, driver: default"
                + " policy, token-aware for single reads, slow replica avoidance on, speculative"
                + " execution after 20.0 ms")
        .hasEntrySatisfying(
            "driver driver.timer",
            words -> assertThat(words).startsWith("tick of 1 ms instead of the default of 100 ms"))
        .doesNotContainKeys("arm stock", "arm manx");
  }
}
