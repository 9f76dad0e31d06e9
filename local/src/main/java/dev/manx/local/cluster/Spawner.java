/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import dev.manx.client.store.server.ChildProcess;
import dev.manx.policy.config.JvmEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Starts child processes: nodes, backends. */
public final class Spawner {
  private Spawner() {}

  /**
   * Starts a process.
   *
   * @param tied whether the process ends with this JVM; if not, it gets a separate session, so that
   *     it does not receive the terminal's Ctrl-C and hang-up
   * @param output file for both output streams
   */
  public static Process start(List<String> command, boolean tied, Path output) throws IOException {
    ProcessBuilder program = ChildProcess.program(command, output);
    // A user's JVM options must not reach the nodes, because they would affect the measurement.
    program.environment().keySet().removeAll(JvmEnvironment.VARIABLES);
    if (tied) {
      // TERM would wait in a node that an event has stopped.
      return ChildProcess.start(program, "KILL");
    }
    if (find("setsid")) {
      program.command().add(0, "setsid");
    }
    return program.start();
  }

  private static boolean find(String program) {
    for (String folder : System.getenv().getOrDefault("PATH", "/usr/bin:/bin").split(":", -1)) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) {
        return true;
      }
    }
    return false;
  }
}
