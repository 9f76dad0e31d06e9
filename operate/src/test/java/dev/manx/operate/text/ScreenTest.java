/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ScreenTest {
  /** They show escape sequences as they are. */
  @Test
  void aTerminalWithoutEscapeSequencesIsNotLive() {
    assertThat(Screen.isLive(Map.of("TERM", "xterm-256color")::get)).isTrue();
    assertThat(Screen.isLive(Map.of("TERM", "dumb")::get)).isFalse();
    assertThat(Screen.isLive(Map.of("TERM", "")::get)).isFalse();
    assertThat(Screen.isLive(Map.<String, String>of()::get)).isFalse();
    assertThat(Screen.isLive(Map.of("TERM", "xterm", "NO_LIVE", "")::get)).isFalse();
  }

  /** A window that was made smaller lost the first lines of every view. */
  @Test
  void aSizeThatChangesIsSeenBeforeALaterFrame() {
    AtomicReference<String> stty = new AtomicReference<>("50 132\n");
    AtomicInteger asked = new AtomicInteger();
    AtomicLong nanos = new AtomicLong(-7);
    TerminalSize size =
        new TerminalSize(
            () -> {
              asked.incrementAndGet();
              return stty.get();
            },
            24,
            80,
            nanos::get);
    assertThat(size.rows()).isEqualTo(50);
    assertThat(size.columns()).isEqualTo(132);
    stty.set("20 90\n");
    assertThat(size.rows()).isEqualTo(50);
    assertThat(asked).hasValue(1);
    nanos.addAndGet(2_000_000_000L);
    assertThat(size.rows()).isEqualTo(20);
    assertThat(size.columns()).isEqualTo(90);
    assertThat(asked).hasValue(2);
  }

  @Test
  void whereTheTerminalDoesNotTellTheSizeIsThatOfTheEnvironment() {
    for (String none : new String[] {"", "0 0\n", "stty: invalid\n", "50\n"}) {
      TerminalSize size = new TerminalSize(() -> none, 24, 80, () -> 0);
      assertThat(size.rows()).as(none).isEqualTo(24);
      assertThat(size.columns()).as(none).isEqualTo(80);
    }
  }
}
