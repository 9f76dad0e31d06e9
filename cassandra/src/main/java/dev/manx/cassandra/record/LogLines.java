/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.record;

import dev.manx.policy.record.DecisionLog;
import dev.manx.policy.record.LogHead;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The lines of one decision log in the order that its reader requires: the head first, a strategy
 * before its decisions, the nodes as they become known. Never exceeds its full size. One thread
 * writes.
 */
final class LogLines {
  // Count for the last line.
  private static final int END_ROOM = 256;

  private final OutputStream out;
  private final Supplier<Map<Integer, String>> names;
  private final long maxBytes;
  private final Map<Integer, String> named = new HashMap<>();
  private final Set<Integer> strategies = new HashSet<>();
  private volatile long written;
  private long recorded;

  /**
   * @param names the addresses of the nodes by their ids
   */
  LogLines(OutputStream out, Supplier<Map<Integer, String>> names, long maxBytes) {
    this.out = out;
    this.names = names;
    this.maxBytes = maxBytes;
  }

  void begin(LogHead head) throws IOException {
    put(head.line().bytes());
  }

  /** Writes the addresses of nodes that are new, or whose address has changed. */
  void name() throws IOException {
    for (Map.Entry<Integer, String> node : names.get().entrySet()) {
      byte[] line = DecisionLog.node(node.getKey(), node.getValue()).bytes();
      if (!node.getValue().equals(named.put(node.getKey(), node.getValue()))
          && hasRoom(line.length)) {
        put(line);
      }
    }
  }

  /** Writes a decision, and its strategy if that is new; false if there is no room. */
  boolean add(EngineLog from, byte[] bytes) throws IOException {
    byte[] strategy = strategies.contains(from.strategy()) ? new byte[0] : from.line().bytes();
    if (!hasRoom(strategy.length + bytes.length)) {
      return false;
    }
    strategies.add(from.strategy());
    put(strategy);
    put(bytes);
    recorded++;
    return true;
  }

  /**
   * Writes the last line.
   *
   * @param dropped number of lines that are missing between the first and the last one
   */
  void end(String why, long dropped) throws IOException {
    put(DecisionLog.end(why, recorded, dropped).bytes());
  }

  /**
   * Writes the last line of a log that was closed.
   *
   * @param nowNanos when, by the clock of the log's times
   */
  void closed(long dropped, long nowNanos) throws IOException {
    put(DecisionLog.end("closed", recorded, dropped).put("t", nowNanos).bytes());
  }

  /** The bytes written so far. Any thread may call this method. */
  long writtenBytes() {
    return written;
  }

  private boolean hasRoom(int bytes) {
    return written + bytes + END_ROOM <= maxBytes;
  }

  // Only one thread adds.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  private void put(byte[] bytes) throws IOException {
    out.write(bytes);
    written += bytes.length;
  }
}
