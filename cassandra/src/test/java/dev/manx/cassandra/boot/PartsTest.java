/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestSchema;
import org.apache.cassandra.concurrent.Stage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The facts of a node that a decision log begins with. */
@Timeout(60)
class PartsTest {
  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  @Test
  void readThreadsAreThoseAtPresent() {
    int configured = Stage.READ.executor().getMaximumPoolSize();
    try {
      // As `nodetool setconcurrency` does.
      Stage.READ.setMaximumPoolSize(configured + 3);
      assertThat(Engine.readThreads()).isEqualTo(configured + 3);
    } finally {
      Stage.READ.setMaximumPoolSize(configured);
    }
  }
}
