/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.client.store.server.CacheServer;
import java.time.Duration;

/** Requirements of tests on real servers, and settings for a machine under load. */
public final class Needs {
  private Needs() {}

  /** Skips the test without the server; under CI, where ./test installs it, fails instead. */
  public static void server(CacheServer.Kind kind) {
    if (System.getenv("CI") != null) {
      assertThat(kind.program()).as("program of %s; ./test installs it", kind).isPresent();
    }
    assumeTrue(kind.program().isPresent(), "needs " + kind + " on the PATH");
  }

  /** Time-outs that a busy machine does not reach. */
  public static RemoteSettings patient() {
    return new RemoteSettings(
        Duration.ofSeconds(5),
        Duration.ofSeconds(5),
        Duration.ofMillis(200),
        Duration.ofMillis(20),
        Duration.ofMillis(200),
        1_024);
  }

  /** Like {@link #patient}, but hanging operations fail soon. */
  public static RemoteSettings hasty() {
    return patient().withTimeout(Duration.ofMillis(150));
  }
}
