/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import dev.manx.shares.WindowRecorder;
import dev.manx.shares.WindowStatistics;
import java.util.List;

/** Windows to send. */
final class Windows {
  private Windows() {}

  /** This many requests of 10 ms that the backend blocked. */
  static WindowStatistics of(String backend, int requests) {
    WindowRecorder recorder = new WindowRecorder(List.of(backend));
    for (int i = 0; i < requests; i++) {
      recorder.request(10_000_000, 0);
    }
    return recorder.cut();
  }
}
