/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * The most recent messages of each application, in order of arrival, for servers that name the last
 * message they have received. Old messages, and the oldest beyond a limit, are dropped; a server
 * that has not received a dropped message is notified. Confined to one thread.
 */
final class MessageLog {
  /**
   * Maximum number of bytes of one application, including the overhead of each message; the oldest
   * are dropped.
   */
  static final int MOST_BYTES = 4 << 20;

  /**
   * Maximum number of bytes of all applications; the oldest of the application with the most are
   * dropped.
   */
  static final int MOST_BYTES_TOGETHER = 64 << 20;

  /** Overhead of one message: its entry, the array's head, and a place in the queue. */
  static final int OVERHEAD_BYTES = 64;

  /**
   * Maximum number of applications; further ones are rejected until one has been silent for long
   * enough.
   */
  static final int MOST_APPLICATIONS = 64;

  /**
   * Maximum number of bytes of one response, at least one message; the rest follow with the next.
   */
  static final int MOST_AT_ONCE = 1 << 20;

  private record Message(long number, long atNanos, byte[] bytes) {
    int heldBytes() {
      return bytes.length + OVERHEAD_BYTES;
    }
  }

  /**
   * The messages sent to a server.
   *
   * @param upTo the number of the last one sent, or of the last one that existed
   * @param lost whether messages were dropped before this server received them
   * @param more whether further messages are available
   */
  record Taken(List<byte[]> messages, long upTo, boolean lost, boolean more) {}

  private static final class OfApplication {
    private final ArrayDeque<Message> messages = new ArrayDeque<>();
    private int bytes;
    private long last;
    private long gone;
    private long usedNanos;

    /**
     * The messages after the given number, in order. Numbers are consecutive, and servers usually
     * lack only the last few messages: the time grows only with their number.
     */
    private Collection<Message> later(long number) {
      ArrayDeque<Message> later = new ArrayDeque<>();
      Iterator<Message> fromLast = messages.descendingIterator();
      for (long next = last; next > number; next--) {
        later.addFirst(fromLast.next());
      }
      return later;
    }

    /** Returns the bytes that this frees. */
    private int removeOldest() {
      Message oldest = messages.remove();
      bytes -= oldest.heldBytes();
      gone = oldest.number;
      return oldest.heldBytes();
    }
  }

  private final long keepNanos;
  private final Map<String, OfApplication> applications = new HashMap<>();

  // Bytes of all applications.
  private long heldBytes;

  /**
   * @param keepNanos older messages, and applications silent for this long, are dropped
   */
  MessageLog(long keepNanos) {
    this.keepNanos = keepNanos;
  }

  private OfApplication at(String application) {
    return applications.computeIfAbsent(application, name -> new OfApplication());
  }

  /** Whether an application of this name may be used or added. */
  boolean mayUse(String application, long nowNanos) {
    applications
        .values()
        .removeIf(
            other -> {
              boolean silent = nowNanos - other.usedNanos > keepNanos;
              heldBytes -= silent ? other.bytes : 0;
              return silent;
            });
    return applications.containsKey(application) || applications.size() < MOST_APPLICATIONS;
  }

  /** The number of the last message; 0: none yet. */
  long last(String application) {
    return at(application).last;
  }

  /** Adds messages. */
  void add(String application, long nowNanos, List<byte[]> messages) {
    OfApplication log = at(application);
    log.usedNanos = nowNanos;
    for (byte[] bytes : messages) {
      Message message = new Message(++log.last, nowNanos, bytes);
      log.messages.add(message);
      log.bytes += message.heldBytes();
      heldBytes += message.heldBytes();
    }
    while (log.bytes > MOST_BYTES
        || (!log.messages.isEmpty() && nowNanos - log.messages.peek().atNanos > keepNanos)) {
      heldBytes -= log.removeOldest();
    }
    while (heldBytes > MOST_BYTES_TOGETHER) {
      heldBytes -= largest().removeOldest();
    }
  }

  private OfApplication largest() {
    OfApplication largest = null;
    for (OfApplication log : applications.values()) {
      largest = largest == null || log.bytes > largest.bytes ? log : largest;
    }
    return largest;
  }

  /** Bytes of all messages, with their overhead. */
  long heldBytes() {
    return heldBytes;
  }

  /** The messages with higher numbers. */
  Taken after(String application, long number) {
    OfApplication log = at(application);
    List<byte[]> taken = new ArrayList<>();
    long upTo = Math.max(number, log.gone);
    int bytes = 0;
    for (Message message : log.later(upTo)) {
      bytes += Frames.bytes(message.bytes);
      if (bytes > MOST_AT_ONCE && !taken.isEmpty()) {
        break;
      }
      taken.add(message.bytes);
      upTo = message.number;
    }
    // A number from the future: this application was dropped in the meantime.
    boolean lost = number < log.gone || number > log.last;
    return new Taken(taken, Math.min(upTo, log.last), lost, upTo < log.last);
  }
}
