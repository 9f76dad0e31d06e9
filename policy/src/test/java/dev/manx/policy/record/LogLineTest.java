/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LogLineTest {
  @Test
  void isWrittenAsInTheGuide() {
    LogLine line = new LogLine("S").put("s", 1).put("y", "a: b\nc\\");
    assertThat(new String(line.bytes(), UTF_8)).isEqualTo("S s=1 y=a:\\sb\\nc\\\\ #29faf4ba\n");
  }

  @Test
  void anyValueIsReadBackAsWritten() {
    String letters = "ab \\\n\r#=;:snr\u00e4\u20ac";
    for (long seed = 0; seed < 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      LogLine line = new LogLine("X");
      for (int field = 0; field < 4; field++) {
        StringBuilder value = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
          value.append(letters.charAt(random.nextInt(letters.length())));
        }
        line.put("f" + field, value.toString());
      }
      String text = new String(line.bytes(), UTF_8);
      assertThat(text.indexOf('\n')).as("seed %d", seed).isEqualTo(text.length() - 1);
      LogLine back = LogLine.parse(text.substring(0, text.length() - 1));
      for (int field = 0; field < 4; field++) {
        assertThat(back.text("f" + field)).as("seed %d", seed).isEqualTo(line.text("f" + field));
      }
    }
  }

  @Test
  void anyChangedByteIsSeen() {
    String text =
        new String(new LogLine("P").put("i", 17).put("o", "0.1.2:500:3").bytes(), UTF_8).trim();
    for (int at = 0; at < text.length(); at++) {
      char other = text.charAt(at) == '7' ? '8' : '7';
      String changed = text.substring(0, at) + other + text.substring(at + 1);
      assertThat(LogLine.parse(changed)).as(changed).isNull();
    }
    for (int end = 0; end < text.length(); end++) {
      assertThat(LogLine.parse(text.substring(0, end))).isNull();
    }
  }
}
