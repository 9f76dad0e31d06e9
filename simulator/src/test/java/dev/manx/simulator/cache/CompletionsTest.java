/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.shares.WindowRecorder;
import dev.manx.simulator.cache.Completions.End;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompletionsTest {
  @Test
  void requestsKeepTheirBlockerOrHaveNone() {
    Completions completions = new Completions();
    completions.miss(0, 5, 0, 7, End.ANSWERED);
    int[] blockers = {0, 7, WindowRecorder.NO_SHARE};
    for (int i = 0; i < blockers.length; i++) {
      completions.request(0, 10 + i, i, blockers[i], i == 1);
    }
    assertThat(completions.requests()).isEqualTo(3);
    List<String> seen = new ArrayList<>();
    Completions.Listener listener =
        new Completions.Listener() {
          @Override
          public void missed(int server, int backend, long latencyNanos, End end) {
            seen.add("miss " + server + " " + backend + " " + latencyNanos + " " + end);
          }

          @Override
          public void ended(int server, int blocker, long latencyNanos, boolean failed) {
            seen.add("request " + server + " " + blocker + " " + latencyNanos + " " + failed);
          }
        };
    while (completions.nextNanos() < Long.MAX_VALUE) {
      completions.pop(listener);
    }
    assertThat(seen)
        .containsExactly(
            "miss 0 7 5 ANSWERED",
            "request 0 0 10 false",
            "request 1 7 11 true",
            "request 2 -1 12 false");
    assertThat(completions.requests()).isZero();
  }
}
