/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.record;

import dev.manx.policy.SplitMix;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads a decision log line by line. Damaged lines are counted and skipped; a last line without a
 * line end marks a truncated log. Confined to one thread.
 */
public final class DecisionLog {
  /** A plan of a request. */
  public static final String PLAN = "P";

  /** A choice among queued reads. */
  public static final String DISPATCH = "Q";

  /** The end of a read that was sent. */
  public static final String ANSWER = "A";

  /** A strategy, logged before the first line that refers to its number. */
  public static final String STRATEGY = "S";

  /** A read that this node executed. */
  public static final String EXECUTED = "X";

  /** The end of a request. */
  public static final String REQUEST = "R";

  /** The address of a node, by its id. */
  public static final String NODE = "N";

  /** The end of a closed log. */
  public static final String END = "E";

  private static final long STEP = 0x9E3779B97F4A7C15L;

  private final ByteBuffer bytes;
  private final LogHead head;
  private long lineNumber;
  private long damaged;
  private long firstDamaged;
  private String firstReason = "";
  private boolean cut;
  private LogLine end;

  /**
   * Reads the head.
   *
   * @param file the log's name in errors
   * @param bytes the whole log, accessed with absolute gets only
   * @throws dev.manx.policy.config.ConfigException if it is not a log of a supported version
   */
  public DecisionLog(String file, ByteBuffer bytes) {
    this.bytes = bytes.duplicate();
    String first = line();
    head = LogHead.read(file, first == null ? "" : first);
  }

  /** The seed of a decision's randomness. */
  static long seed(long logSeed, long number) {
    return SplitMix.mix(logSeed + number * STEP);
  }

  /**
   * A strategy's line.
   *
   * @param limitNanos the longest wait that the node allows its order; 0 if there is none
   */
  public static LogLine strategy(int number, String document, long limitNanos) {
    LogLine line = new LogLine(STRATEGY).put("s", number).put("y", document);
    return limitNanos > 0 ? line.put("l", limitNanos) : line;
  }

  /** A node's line; the later of two lines about one id counts. */
  public static LogLine node(int id, String address) {
    return new LogLine(NODE).put("i", id).put("a", address);
  }

  /** The last line of a closed log. */
  public static LogLine end(String why, long recorded, long dropped) {
    return new LogLine(END).put("why", why).put("recorded", recorded).put("dropped", dropped);
  }

  /** The first line. */
  public LogHead head() {
    return head;
  }

  /** The next undamaged line, or null at the end. */
  public LogLine next() {
    for (String text = line(); text != null; text = line()) {
      LogLine line = LogLine.parse(text);
      if (line == null) {
        damagedHere(
            text.endsWith("\r")
                ? "it ends with \\r\\n instead of \\n"
                : "its checksum is missing or wrong");
      } else {
        end = line.kind().equals(END) ? line : end;
        return line;
      }
    }
    return null;
  }

  /**
   * Counts the line that {@link #next} returned last as damaged, since its contents are impossible.
   */
  public void damagedHere() {
    damagedHere("its contents are impossible");
  }

  /** Counts the line that {@link #next} returned last as damaged, with the reason in words. */
  public void damagedHere(String why) {
    if (damaged++ == 0) {
      firstDamaged = lineNumber;
      firstReason = why;
    }
  }

  /** Why the first damaged line is damaged; empty if none is. */
  public String firstReason() {
    return firstReason;
  }

  /** Number of the line returned last, from 1. */
  public long lineNumber() {
    return lineNumber;
  }

  /** The part of the log read so far, from 0 to 1. */
  public double progress() {
    return bytes.limit() == 0 ? 1 : bytes.position() / (double) bytes.limit();
  }

  /** Number of damaged lines, which were skipped. */
  public long damaged() {
    return damaged;
  }

  /** Number of the first damaged line; 0 if none is damaged. */
  public long firstDamaged() {
    return firstDamaged;
  }

  /** Whether the last line has no line end. */
  public boolean isCut() {
    return cut;
  }

  /**
   * The closing line if it was read, otherwise null: the log is still being written, or was
   * truncated.
   */
  public LogLine end() {
    return end;
  }

  private String line() {
    int from = bytes.position();
    int to = from;
    while (to < bytes.limit() && bytes.get(to) != '\n') {
      to++;
    }
    if (to == bytes.limit()) {
      cut |= to > from;
      bytes.position(to);
      return null;
    }
    byte[] text = new byte[to - from];
    bytes.get(text);
    bytes.get();
    lineNumber++;
    return new String(text, StandardCharsets.UTF_8);
  }
}
