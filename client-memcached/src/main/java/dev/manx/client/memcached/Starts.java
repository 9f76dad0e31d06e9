/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import java.io.IOException;
import java.util.Map;

/** Tells the starts of a server apart by its statistics. Confined to one thread. */
/*
 * memcached has no id of its run. Process ids repeat: in a container the server is always number 1.
 * A server that restarts with its memory (-e) also restores the time of its first start. But its
 * counters begin at 0 again, and each poll of the statistics adds two kilobytes to the bytes sent.
 * After "stats reset" a server counts as started again too, which only empties the share.
 */
final class Starts {
  private String process = "";
  private long sentBytes;
  private long number;

  /**
   * Returns the id of the start that has sent these statistics, which differs from that of any
   * earlier one.
   *
   * @param stats the general ones
   */
  String id(Map<String, String> stats) throws IOException {
    // Both are of the same moment, so the difference does not vary.
    long second = MemcachedAdmin.number(stats, "time") - MemcachedAdmin.number(stats, "uptime");
    String now = MemcachedAdmin.number(stats, "pid") + "@" + second;
    long sent = MemcachedAdmin.number(stats, "bytes_written");
    if (!now.equals(process) || sent < sentBytes) {
      number++;
    }
    process = now;
    sentBytes = sent;
    return now + "/" + number;
  }
}
