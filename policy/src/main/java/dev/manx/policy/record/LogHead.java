/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.record;

import dev.manx.policy.config.ConfigException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The first line of a decision log.
 *
 * @param seed of all draws: decision {@code i} draws from {@link DecisionLog#seed}
 * @param sample part of the decisions to be recorded
 * @param nodes node ids are below this
 * @param columns names of a node's facts in a view, in order; other names are skipped
 * @param about further information for readers: the node, the time, versions
 */
public record LogHead(
    long seed, double sample, int nodes, List<String> columns, Map<String, String> about) {
  /**
   * Key in {@code about}: nanoseconds from 1970 to the zero of the log's times, by the node's
   * clock.
   */
  public static final String EPOCH = "epoch";

  private static final String MAGIC = "manx-decisions";

  /** Number of bytes that identify a decision log of any version. */
  public static final int MAGIC_BYTES = MAGIC.length() + 1;

  private static final String VERSION = "1";
  private static final int MOST_NODES = 1 << 20;
  private static final List<String> ABOUT =
      List.of("node", "started", EPOCH, "manx", "java", "cores", "read-threads");

  /** Creates the head of a new log. */
  public LogHead(long seed, double sample, int nodes, Map<String, String> about) {
    this(seed, sample, nodes, List.of(ViewText.columns().split(",", -1)), about);
  }

  /**
   * Whether a file is a decision log of any version, or the beginning of one: a full disk may leave
   * less than the first word.
   *
   * @param first its first {@link #MAGIC_BYTES} bytes, or all its bytes if it has fewer
   */
  public static boolean begins(byte[] first) {
    byte[] magic = (MAGIC + " ").getBytes(StandardCharsets.US_ASCII);
    return Arrays.equals(first, Arrays.copyOf(magic, Math.min(first.length, magic.length)));
  }

  /** The log line. */
  public LogLine line() {
    LogLine line = new LogLine(MAGIC).put("version", VERSION);
    about.forEach(line::put);
    return line.put("seed", seed)
        .put("sample", Double.toString(sample))
        .put("nodes", nodes)
        .put("columns", String.join(",", columns));
  }

  /**
   * Reads a line.
   *
   * @param file the log's name in errors
   * @throws ConfigException if it is not the head of a log of this version
   */
  static LogHead read(String file, String text) {
    if (text.startsWith("\uFEFF" + MAGIC)) {
      throw ConfigException.because(
          file,
          1,
          "",
          text,
          "it begins with a byte order mark (BOM), which is not allowed in a" + " decision log");
    }
    if (text.startsWith(MAGIC) && text.endsWith("\r")) {
      throw ConfigException.because(
          file, 1, "", text, "its lines end with \\r\\n (CRLF) instead of \\n");
    }
    String[] words = text.split(" ", 3);
    if (words.length < 2 || !words[0].equals(MAGIC) || !words[1].startsWith("version=")) {
      throw new ConfigException(
          file, 1, "", text.substring(0, Math.min(40, text.length())), "a decision log of Manx");
    }
    String version = words[1].substring("version=".length());
    if (!version.equals(VERSION)) {
      throw new ConfigException(
          file, 1, "version", version, "version 1; replay it with the Manx that wrote it");
    }
    LogLine line = LogLine.parse(text);
    try {
      if (line != null && line.number("nodes") > 0 && line.number("nodes") <= MOST_NODES) {
        Map<String, String> about = new LinkedHashMap<>();
        ABOUT.forEach(key -> about.put(key, line.text(key)));
        return new LogHead(
            line.number("seed"),
            Double.parseDouble(line.text("sample")),
            (int) line.number("nodes"),
            List.of(line.text("columns").split(",", -1)),
            about);
      }
    } catch (NumberFormatException e) {
      // treated as damaged, as with a wrong check sum
    }
    throw new ConfigException(file, 1, "", text, "an undamaged first line");
  }
}
