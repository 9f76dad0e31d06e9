/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import org.junit.jupiter.api.Test;

class CheckedOutputTest {
  private static PrintWriter writer(PrintStream stream) {
    return new CheckedOutput(new PrintWriter(new OutputStreamWriter(stream, UTF_8), true), stream);
  }

  @Test
  void aReaderThatHasGoneIsSeen() {
    PrintStream pipe =
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int one) throws IOException {
                throw new IOException("Broken pipe");
              }
            });
    PrintWriter out = writer(pipe);
    assertThat(out.checkError()).as("before anything is written").isFalse();
    out.println("a line");
    assertThat(out.checkError()).isTrue();
  }

  @Test
  void everyLineIsPassedOnAtOnce() {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    PrintWriter out = writer(new PrintStream(read, true, UTF_8));
    out.println("a line, µs");
    assertThat(read.toString(UTF_8)).isEqualTo("a line, µs" + System.lineSeparator());
    assertThat(out.checkError()).isFalse();
  }

  @Test
  void theCommandsUseIt() {
    PrintStream own = System.out;
    PrintStream gone = new PrintStream(new ByteArrayOutputStream(), true, UTF_8);
    try {
      System.setOut(gone);
      PrintWriter out = Manx.commandLine().getSubcommands().get("top").getOut();
      assertThat(out.checkError()).isFalse();
      assertThat(out).isInstanceOf(CheckedOutput.class);
    } finally {
      System.setOut(own);
    }
  }
}
