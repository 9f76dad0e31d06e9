/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import dev.manx.lab.cli.Manx;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/**
 * The output of a {@code ./manx} command.
 *
 * @param code its exit code
 * @param output text of both output streams
 */
record Command(int code, String output) {
  /** Runs one in this JVM. */
  static Command run(String... arguments) {
    return run(List.of(), arguments);
  }

  /**
   * Runs one in this JVM.
   *
   * @param more further arguments
   */
  static Command run(List<String> more, String... arguments) {
    StringWriter output = new StringWriter();
    CommandLine line = Manx.commandLine();
    line.setOut(new PrintWriter(output, true));
    line.setErr(new PrintWriter(output, true));
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(more);
    int code = line.execute(all.toArray(String[]::new));
    return new Command(code, output.toString());
  }
}
