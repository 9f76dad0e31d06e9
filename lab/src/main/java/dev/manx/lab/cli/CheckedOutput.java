/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import java.io.PrintStream;
import java.io.PrintWriter;

/**
 * The output of the commands. It reports by {@link #checkError} that its reader has gone, as in
 * {@code ./manx top | head}, which the writer alone would not report.
 */
final class CheckedOutput extends PrintWriter {
  private final PrintStream behind;

  /**
   * @param writer encodes into the stream
   * @param behind the stream
   */
  CheckedOutput(PrintWriter writer, PrintStream behind) {
    super(writer, true);
    this.behind = behind;
  }

  @Override
  public boolean checkError() {
    return super.checkError() | behind.checkError();
  }
}
