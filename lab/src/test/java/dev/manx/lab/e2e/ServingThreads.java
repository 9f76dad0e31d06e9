/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import com.sun.management.ThreadMXBean;
import java.lang.management.ThreadInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The bytes allocated by a node's threads that serve requests. Confined to one thread. */
final class ServingThreads {
  /**
   * Threads that allocate by the second or for the test, not by the request: the slower the
   * machine, the more per request.
   */
  private static final List<String> OTHERS =
      List.of(
          "RMI ",
          "JMX ",
          "Notification",
          "Gossip",
          "OptionalTasks",
          "Scheduled",
          "manx-timer",
          "manx-control",
          "manx-kill-file");

  private final ThreadMXBean node;
  private final Map<Long, Long> before = new HashMap<>();
  private long bytes;

  ServingThreads(ThreadMXBean node) {
    this.node = node;
  }

  /** All bytes so far, also of threads that have ended since an earlier call. */
  long allocated() {
    long[] ids = node.getAllThreadIds();
    ThreadInfo[] threads = node.getThreadInfo(ids);
    long[] now = node.getThreadAllocatedBytes(ids);
    for (int i = 0; i < ids.length; i++) {
      if (threads[i] != null && now[i] > 0 && serves(threads[i])) {
        Long had = before.put(ids[i], now[i]);
        bytes += now[i] - (had == null ? 0 : had);
      }
    }
    return bytes;
  }

  private static boolean serves(ThreadInfo thread) {
    return OTHERS.stream().noneMatch(thread.getThreadName()::startsWith);
  }
}
