/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.experiment.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class TerminalTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final AtomicLong nanos = new AtomicLong(-7);

  private Terminal terminal(boolean live) {
    return new Terminal(new PrintStream(bytes, true, UTF_8), live, 80, nanos::get);
  }

  @Test
  void pipedProgressComesInLinesSecondsApart() {
    Terminal terminal = terminal(false);
    terminal.step("begun");
    for (int second = 0; second < 12; second++) {
      terminal.now("at second " + second);
      nanos.addAndGet(1_000_000_000L);
    }
    terminal.step("ended");
    assertThat(bytes.toString(UTF_8).lines())
        .containsExactly("begun", "at second 5", "at second 10", "ended");
  }

  @Test
  void aLastingLineIsProgressEnough() {
    Terminal terminal = terminal(false);
    nanos.addAndGet(6_000_000_000L);
    terminal.step("a round");
    terminal.now("not yet");
    nanos.addAndGet(Terminal.PROGRESS_NANOS);
    terminal.now("now");
    terminal.silence("interrupted");
    nanos.addAndGet(Terminal.PROGRESS_NANOS);
    terminal.now("too late");
    assertThat(bytes.toString(UTF_8).lines()).containsExactly("a round", "now", "interrupted");
  }

  @Test
  void aTerminalsLineIsRewritten() {
    Terminal terminal = terminal(true);
    terminal.now("one");
    terminal.now("two");
    terminal.step("three");
    assertThat(bytes.toString(UTF_8)).isEqualTo("one\r\u001b[Ktwo\r\u001b[Kthree\n");
  }

  /** A wrapped line smeared: only its last row was cleared. */
  @Test
  void aTerminalsLineFitsIt() {
    Terminal terminal = terminal(true);
    terminal.now("x".repeat(110));
    terminal.step("y".repeat(110));
    assertThat(bytes.toString(UTF_8).split("\r\u001b\\[K"))
        .containsExactly("x".repeat(79), "y".repeat(110) + "\n");
  }

  @Test
  void aBriefOneKeepsWarningsAlone() {
    Terminal terminal = terminal(false);
    Progress brief = terminal.brief();
    brief.step("a round");
    brief.now("half of the next");
    brief.warning("a check failed");
    terminal.line("the result");
    assertThat(bytes.toString(UTF_8).lines()).containsExactly("a check failed", "the result");
  }
}
