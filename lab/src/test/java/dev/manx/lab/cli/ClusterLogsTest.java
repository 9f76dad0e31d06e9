/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ClusterLogsTest {
  private static ClusterLogs parsed(String... arguments) {
    ClusterLogs logs = new ClusterLogs();
    new CommandLine(logs).parseArgs(arguments);
    return logs;
  }

  /** Advice for one datacenter must not switch the other. */
  @Test
  void adviceIsForTheDatacenterThatWasRecorded() {
    assertThat(parsed("--on=production", "--dc=dc1").target())
        .isEqualTo("--on production --dc dc1");
    assertThat(parsed("--on=production").target()).isEqualTo("--on production");
    assertThat(parsed().target()).isEqualTo("--on CLUSTER");
  }
}
