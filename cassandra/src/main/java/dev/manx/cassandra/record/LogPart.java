/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.record;

import dev.manx.policy.record.LogHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A part of a decision log's file, for tools that collect the logs of all nodes.
 *
 * @param bytes bytes of this part; fewer than {@link #BYTES} only at the end of the written file
 * @param fileBytes length of the file as written so far
 */
/*
 * A client's thread reads the disk. Only one does so at a time, so a disk that hangs blocks only
 * one of the node's request threads, and reading uses the heap for one part.
 */
public record LogPart(ByteBuffer bytes, long fileBytes) {
  /** Bytes of a part: part 3 begins at three times this offset. */
  public static final int BYTES = 64 << 10;

  private static final AtomicBoolean READING = new AtomicBoolean();

  /**
   * Reads a part.
   *
   * @param part from 0
   * @return empty if there is no decision log, or it ends before this part
   * @throws IllegalStateException if another part is being read, or the file is unreadable
   */
  static Optional<LogPart> read(Path file, int part) {
    if (part < 0) {
      return Optional.empty();
    }
    if (!READING.compareAndSet(false, true)) {
      throw new IllegalStateException("another client is reading the decision log; try again");
    }
    try {
      return Files.isRegularFile(file) ? read(file, part * (long) BYTES) : Optional.empty();
    } catch (IOException e) {
      throw new IllegalStateException("the decision log " + file + " cannot be read: " + e, e);
    } finally {
      READING.set(false);
    }
  }

  private static Optional<LogPart> read(Path file, long from) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      long size = channel.size();
      // A file of another kind must not be read here, even if a setting names it.
      if (from >= size || size < LogHead.MAGIC_BYTES || !LogHead.begins(first(channel))) {
        return Optional.empty();
      }
      return Optional.of(new LogPart(at(channel, from, Math.min(BYTES, size - from)), size));
    }
  }

  private static byte[] first(FileChannel channel) throws IOException {
    ByteBuffer bytes = at(channel, 0, LogHead.MAGIC_BYTES);
    byte[] first = new byte[bytes.remaining()];
    bytes.get(first);
    return first;
  }

  private static ByteBuffer at(FileChannel channel, long from, long length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) length);
    int read = 0;
    while (bytes.hasRemaining() && read >= 0) {
      read = channel.read(bytes, from + bytes.position());
    }
    return bytes.flip();
  }
}
