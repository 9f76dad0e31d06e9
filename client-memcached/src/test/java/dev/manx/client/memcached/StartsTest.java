/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which statistics are of the same start of a server, and which are not. */
class StartsTest {
  private final Starts starts = new Starts();

  private String id(int pid, int startedAt, int uptime, int sent) throws IOException {
    return starts.id(
        Map.of(
            "pid", Integer.toString(pid),
            "time", Integer.toString(startedAt + uptime),
            "uptime", Integer.toString(uptime),
            "bytes_written", Integer.toString(sent)));
  }

  @Test
  void aServerThatRunsOnIsTheSame() throws Exception {
    String first = id(1, 1_000, 0, 0);
    assertThat(id(1, 1_000, 0, 2_000)).isEqualTo(first);
    assertThat(id(1, 1_000, 9, 4_000)).isEqualTo(first);
    assertThat(id(1, 1_000, 100_000, 5_000_000)).isEqualTo(first);
  }

  /** In a container the process is always number 1. */
  @Test
  void oneThatStartsAgainWithinSecondsIsAnother() throws Exception {
    String first = id(1, 1_000, 3, 9_000);
    String second = id(1, 1_001, 0, 20_000);
    assertThat(second).isNotEqualTo(first);
    assertThat(id(2, 1_001, 0, 30_000)).isNotEqualTo(second);
  }

  /** Restarted with its memory (-e), it reports the time of its first start. */
  @Test
  void oneWhoseCountersBeginAgainIsAnother() throws Exception {
    String first = id(1, 1_000, 50, 900_000);
    String second = id(1, 1_000, 53, 2_000);
    assertThat(second).isNotEqualTo(first);
    assertThat(id(1, 1_000, 54, 4_000)).isEqualTo(second);
    assertThat(id(1, 1_000, 57, 2_000)).isNotIn(first, second);
  }
}
