/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import static org.assertj.core.api.Assertions.assertThat;

/** Sends signals to processes that a test has started. */
final class Signals {
  private Signals() {}

  static void send(String signal, long pid) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start();
    assertThat(kill.waitFor()).isZero();
  }
}
