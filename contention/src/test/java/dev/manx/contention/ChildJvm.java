/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** JVMs that run main classes of the tests. */
public final class ChildJvm {
  private ChildJvm() {}

  /** The command line of a main class; a small JVM that starts quickly. */
  public static List<String> command(Class<?> main, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Starts one, whose errors go to the tests' own. */
  public static Process start(Class<?> main, String... arguments) throws IOException {
    return new ProcessBuilder(command(main, arguments))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
