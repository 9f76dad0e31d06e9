/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.record;

import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Counters;
import dev.manx.policy.config.Units;
import dev.manx.policy.record.LogHead;
import dev.manx.policy.record.LogLine;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One decision log from its first line to its last. Deciding threads only put lines into a bounded
 * buffer and never wait; a separate thread writes them. At its full size the log ends; after a disk
 * error it ends with one prominent log line. Unwritten lines are counted.
 */
final class LogFile {
  /** Most bytes waiting to be written. */
  static final long BUFFER_BYTES = 4L << 20;

  private static final Logger logger = LoggerFactory.getLogger(LogFile.class);
  private static final long PAUSE_MILLIS = 20;
  private static final int PAUSES_TO_NAME = 50;

  private final RecordConfig config;
  private final LogHead head;
  private final Supplier<Map<Integer, String>> names;
  private final Counters counters;
  private final Disk disk;
  private final Thread writer;
  private final ConcurrentLinkedQueue<Entry> buffer = new ConcurrentLinkedQueue<>();
  private final AtomicLong buffered = new AtomicLong();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  // Null until the file is open.
  private volatile LogLines lines;
  private volatile State state = State.OPEN;
  private volatile long closedNanos;
  private volatile String trouble = "";
  private volatile boolean failed;

  private enum State {
    OPEN,
    CLOSING,
    ENDED
  }

  /** The destination of the bytes. */
  interface Disk {
    OutputStream open(Path file) throws IOException;
  }

  /**
   * A line that waits to be written.
   *
   * @param droppedBefore lines that were dropped before it
   */
  private record Entry(EngineLog from, byte[] bytes, long droppedBefore) {}

  /**
   * Creates a log whose file is opened by its own thread.
   *
   * @param names the addresses of the nodes by their ids
   * @param previous the log that is written to its end before this one begins; null for none
   */
  LogFile(
      RecordConfig config,
      LogHead head,
      Supplier<Map<Integer, String>> names,
      Counters counters,
      LogFile previous) {
    this(config, head, names, counters, previous, LogFile::create);
  }

  LogFile(
      RecordConfig config,
      LogHead head,
      Supplier<Map<Integer, String>> names,
      Counters counters,
      LogFile previous,
      Disk disk) {
    this.config = config;
    this.disk = disk;
    this.head = head;
    this.names = names;
    this.counters = counters;
    writer = new Thread(() -> run(previous), "manx-decision-log");
    writer.setDaemon(true);
  }

  void start() {
    writer.start();
  }

  Path file() {
    return config.file();
  }

  double sample() {
    return config.sample();
  }

  boolean requestsOnly() {
    return config.requestsOnly();
  }

  long seed() {
    return head.seed();
  }

  /** The number of the next decision. */
  long nextNumber() {
    return numbers.incrementAndGet();
  }

  boolean isOpen() {
    return state == State.OPEN;
  }

  /** Submits a line, or counts it as dropped. */
  void offer(EngineLog from, LogLine line) {
    byte[] bytes = line.bytes();
    if (!isOpen()) {
      drop();
    } else if (buffered.addAndGet(bytes.length) > BUFFER_BYTES) {
      buffered.addAndGet(-bytes.length);
      drop();
    } else {
      buffer.add(new Entry(from, bytes, dropped.get()));
    }
  }

  /** Counts a line that is not recorded. */
  void drop() {
    dropped.incrementAndGet();
    counters.count(Counter.DECISIONS_NOT_RECORDED);
  }

  /**
   * Ends the log after the buffered lines are written.
   *
   * @param nowNanos by the clock of the log's times
   */
  void close(long nowNanos) {
    if (state == State.OPEN) {
      closedNanos = nowNanos;
      state = State.CLOSING;
    }
  }

  /**
   * Whether this log has its own file by now; until then, the file may be that of an earlier log.
   */
  boolean hasFile() {
    return lines != null;
  }

  /** Waits until the log has ended. */
  void await() throws InterruptedException {
    writer.join();
  }

  /** Whether writing has ended. */
  boolean hasEnded() {
    return !writer.isAlive();
  }

  /** Whether the log ended because it could not be written. */
  boolean hasFailed() {
    return failed;
  }

  long bufferedBytes() {
    return buffered.get();
  }

  /** Describes for operators how full the log is, or why it ended. */
  String describe() {
    LogLines open = lines;
    String size =
        Units.bytes(open == null ? 0 : open.writtenBytes())
            + " of "
            + Units.bytes(config.maxBytes());
    return (trouble.isEmpty() ? (isOpen() ? "on" : "off") : trouble)
        + ": %s, %s%% %ssampled, in %s"
            .formatted(
                size,
                100 * config.sample(),
                config.requestsOnly() ? "of the requests " : "",
                config.file());
  }

  private void run(LogFile previous) {
    try {
      if (previous != null) {
        previous.await();
      }
      write();
    } catch (IOException | RuntimeException e) {
      failed(e);
    } catch (Error e) {
      failed(e);
      // Cassandra handles the error.
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      state = State.ENDED;
      dropBuffered();
    }
  }

  private void failed(Throwable t) {
    failed = true;
    counters.count(Counter.RECORD_FAILURES);
    trouble = "failed (" + t + ")";
    logger.error(
        "MANX HAS STOPPED RECORDING DECISIONS: {} cannot be written: {}. Nothing else is"
            + " affected.",
        config.file(),
        t.toString());
  }

  private void write() throws IOException, InterruptedException {
    Path file = config.file().toAbsolutePath();
    Files.createDirectories(file.getParent());
    setAside(file);
    try (OutputStream out = new BufferedOutputStream(disk.open(file), 1 << 16)) {
      lines = new LogLines(out, names, config.maxBytes());
      lines.begin(head);
      int pauses = 0;
      while (true) {
        boolean last = state != State.OPEN;
        if (last || pauses++ % PAUSES_TO_NAME == 0) {
          lines.name();
        }
        Entry first = writeBuffered();
        if (first != null) {
          // The lines from this one on do not belong to the time that the log covers.
          lines.end("full", first.droppedBefore);
          logger.info("Manx's decision log is full: {}", file);
          return;
        }
        out.flush();
        if (last) {
          lines.closed(dropped.get(), closedNanos);
          return;
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  /** Creates the log, which contains tokens of keys. */
  static OutputStream create(Path file) throws IOException {
    return Files.newOutputStream(Files.createFile(file, OwnerOnly.permissions(file)));
  }

  /** Keeps the previous log, in place of the one before it. */
  private static void setAside(Path file) throws IOException {
    if (!Files.exists(file)) {
      if (Files.isSymbolicLink(file)) {
        throw new IOException(
            file
                + " is a link to "
                + Files.readSymbolicLink(file)
                + ", which does not exist; remove the link, or name another file in record.file");
      }
      return;
    }
    Path earlier = file.resolveSibling(file.getFileName() + ".1");
    mustBeLog(file);
    if (Files.exists(earlier)) {
      mustBeLog(earlier);
    }
    Files.move(file, earlier, StandardCopyOption.REPLACE_EXISTING);
    OwnerOnly.restrict(earlier);
  }

  /**
   * A file that was not written by Manx is neither moved nor replaced, even if a setting names it.
   * A full disk may leave an empty file of a log.
   */
  private static void mustBeLog(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + " is not a regular file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] first = in.readNBytes(LogHead.MAGIC_BYTES);
      if (!LogHead.begins(first)) {
        throw new IOException(
            file
                + " was not written by Manx and is left as it is; remove it, or name another in"
                + " record.file");
      }
    }
  }

  /** Writes the buffered lines; returns the first one for which there is no room, or null. */
  private Entry writeBuffered() throws IOException {
    for (Entry entry = buffer.poll(); entry != null; entry = buffer.poll()) {
      buffered.addAndGet(-entry.bytes.length);
      if (!lines.add(entry.from, entry.bytes)) {
        trouble = "full";
        state = State.ENDED;
        drop();
        dropBuffered();
        return entry;
      }
      counters.count(Counter.DECISIONS_RECORDED);
    }
    return null;
  }

  private void dropBuffered() {
    for (Entry left = buffer.poll(); left != null; left = buffer.poll()) {
      drop();
    }
  }
}
