/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Checks whether this user may raise priorities, by trying it on a child process: root, a
 * capability and a resource limit can each permit it, and a container can forbid it.
 */
public final class Permission {
  private static final String ADVICE =
      """
      cannot raise priorities (nice -20), which this experiment needs. Permit it by one of:
        run it as root
        sudo prlimit --nice=40 --pid $$     in the shell that runs ./manx
        docker run --cap-add SYS_NICE ...   in a container""";

  private Permission() {}

  /**
   * Raises the priority of an idle child process.
   *
   * @throws EngineException with the remedy, if not permitted
   */
  public static void require() throws InterruptedException {
    Tool.require(
        List.of(Tool.Need.program("renice", "bsdutils"), Tool.Need.program("sleep", "coreutils")));
    Process child = null;
    try {
      child = new ProcessBuilder("sleep", "10").start();
      Process renice =
          new ProcessBuilder("renice", "--priority", "-20", "-p", Long.toString(child.pid()))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!renice.waitFor(10, TimeUnit.SECONDS) || renice.exitValue() != 0) {
        throw new EngineException(ADVICE);
      }
    } catch (IOException e) {
      throw new EngineException("cannot try renice: " + e.getMessage(), e);
    } finally {
      if (child != null) {
        child.destroyForcibly();
      }
    }
  }
}
