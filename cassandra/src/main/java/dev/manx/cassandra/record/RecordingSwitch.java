/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.record;

import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Counters;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.control.Version;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.record.LogHead;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Switches the decision log on and off. Any thread. */
public final class RecordingSwitch {
  private static final Logger logger = LoggerFactory.getLogger(RecordingSwitch.class);

  private static final String CROWDED =
      "the last decision logs are not on disk yet, and another one would wait too";

  /** Most logs not yet written to their end; each has a thread and a buffer. */
  static final int MOST_LOGS = 4;

  /** Most bytes of lines waiting to be written, of all logs together. */
  public static final long BUFFER_BYTES = MOST_LOGS * LogFile.BUFFER_BYTES;

  private RecordConfig config;
  private final Counters counters;
  private final LogHost host;
  private final LogFile.Disk disk;
  // The logs not yet written to their end, including the last one.
  private final List<LogFile> unfinished = new ArrayList<>();
  // null while nothing is recorded: one volatile read is then the whole cost.
  private volatile LogFile log;
  private LogFile last;
  private RecordConfig started;
  private int strategies;

  /**
   * Starts without a log.
   *
   * @param host this node
   */
  public RecordingSwitch(RecordConfig config, Counters counters, LogHost host) {
    this(config, counters, host, LogFile::create);
  }

  RecordingSwitch(RecordConfig config, Counters counters, LogHost host, LogFile.Disk disk) {
    this.disk = disk;
    this.config = config;
    this.counters = counters;
    this.host = host;
  }

  /**
   * The settings in force; switched off if the log could not be written. A full log still meets its
   * settings.
   */
  public synchronized RecordConfig config() {
    return log != null && !log.hasFailed() ? started : config.switched("off").orElseThrow();
  }

  /**
   * Applies other settings. A log that matches them continues, or stays if it is full; any other
   * log ends. A new log does not begin while too many logs wait for their disk.
   */
  public synchronized void take(RecordConfig next) {
    boolean goesOn = next.isSameLog(config());
    config = next;
    if (!goesOn) {
      end();
      if (next.on() && isCrowded()) {
        counters.count(Counter.RECORD_FAILURES);
        logger.error("MANX DOES NOT RECORD DECISIONS: {}. Nothing else is affected.", CROWDED);
      } else if (next.on()) {
        start(next);
      }
    }
  }

  /** Begins a log at once if configured. */
  public synchronized void begin() {
    if (config.on()) {
      start(config);
    }
  }

  /**
   * Switches the log.
   *
   * @param value {@code off}; {@code on}, or the part of the decisions to record, such as {@code
   *     5%}, for a new log; {@code requests}, also with a part, such as {@code requests 5%}, for
   *     one of requests and executed reads only
   * @throws ConfigException if it is another value
   * @throws IllegalStateException if too many logs wait for their disk; nothing has changed then
   */
  public synchronized void set(String value) {
    if (value.equals("off")) {
      end();
      return;
    }
    RecordConfig asked =
        config
            .switched(value)
            .orElseThrow(
                () ->
                    new ConfigException("manx.strategy", 0, "record", value, RecordConfig.ALLOWED));
    if (isCrowded()) {
      throw new IllegalStateException(CROWDED + "; switch it off, or try again");
    }
    end();
    start(asked);
  }

  /** Whether the maximum number of logs already waits for a disk that hangs. */
  private boolean isCrowded() {
    unfinished.removeIf(LogFile::hasEnded);
    return unfinished.size() >= MOST_LOGS;
  }

  private void start(RecordConfig asked) {
    Map<String, String> about = new LinkedHashMap<>();
    about.put("node", host.node());
    Instant now = Instant.now();
    about.put("started", now.truncatedTo(ChronoUnit.SECONDS).toString());
    long sinceEpoch = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    about.put(LogHead.EPOCH, Long.toString(sinceEpoch - host.clock().nanoTime()));
    about.put("manx", Version.text());
    about.put("java", Runtime.version().toString());
    about.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    about.put("read-threads", Integer.toString(host.readThreads().get()));
    long seed = new SplittableRandom().nextLong();
    LogFile next =
        new LogFile(
            asked,
            new LogHead(seed, asked.sample(), host.nodes(), about),
            host.names(),
            counters,
            last,
            disk);
    next.start();
    unfinished.add(next);
    last = next;
    started = asked;
    log = next;
    logger.info("Manx records decisions: {}", next.describe());
  }

  private void end() {
    if (log != null) {
      log.close(host.clock().nanoTime());
      log = null;
    }
  }

  /** Describes for operators: {@code off}, or how full the log is, or why it ended. */
  public synchronized String describe() {
    return last == null ? "off" : last.describe();
  }

  /**
   * Returns a part of the last log's file, or of the file left by an earlier start of this node.
   *
   * @param part from 0
   * @return empty if the log ends before it, or could not be opened
   * @throws IllegalStateException if another part is being read, or the file is unreadable
   */
  public Optional<LogPart> part(int part) {
    Path file;
    synchronized (this) {
      if (last != null && !last.hasFile()) {
        return Optional.empty();
      }
      file = last == null ? config.file() : last.file();
    }
    return LogPart.read(file, part);
  }

  /** Bytes of lines waiting to be written. */
  public synchronized long bufferedBytes() {
    unfinished.removeIf(LogFile::hasEnded);
    return unfinished.stream().mapToLong(LogFile::bufferedBytes).sum();
  }

  /** The recorder of the decisions of a strategy in a mode. */
  public synchronized EngineLog of(String document, Mode mode) {
    return new EngineLog(this, ++strategies, document, mode == Mode.ON);
  }

  LogFile log() {
    return log;
  }

  /** Ends a log after a failure to record a decision. */
  void failed(LogFile which, Throwable fault) {
    synchronized (this) {
      which.close(host.clock().nanoTime());
      if (log != which) {
        return;
      }
      log = null;
    }
    counters.count(Counter.RECORD_FAILURES);
    logger.error("MANX HAS STOPPED RECORDING DECISIONS. Nothing else is affected.", fault);
  }
}
