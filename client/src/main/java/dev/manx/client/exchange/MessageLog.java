/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The last messages of each application, in the order in which they came, for servers that say
 * which they took last. Messages go when they are old, or when there are too many; a server that
 * has not taken one of these is told so. Confined to one thread.
 */
final class MessageLog {
  /** Bytes of one application, with what each message takes beyond its own; the oldest go. */
  static final int MOST_BYTES = 4 << 20;

  /** Of one message: its entry, the array's head, and a place in the queue. */
  static final int OVERHEAD_BYTES = 64;

  /** An application more is refused until one has been silent for long enough. */
  static final int MOST_APPLICATIONS = 64;

  /** Bytes of one answer, at least one message; the rest follow with the next. */
  static final int MOST_AT_ONCE = 1 << 20;

  private record Message(long number, long atNanos, byte[] bytes) {
    int heldBytes() {
      return bytes.length + OVERHEAD_BYTES;
    }
  }

  /**
   * What a server takes.
   *
   * @param upTo the number of the last one, or of the last there was
   * @param lost whether some are gone that it has not taken
   * @param more whether there are others
   */
  record Taken(List<byte[]> messages, long upTo, boolean lost, boolean more) {}

  private static final class OfApplication {
    private final ArrayDeque<Message> messages = new ArrayDeque<>();
    private int bytes;
    private long last;
    private long gone;
    private long usedNanos;

    private void removeOldest() {
      Message oldest = messages.remove();
      bytes -= oldest.heldBytes();
      gone = oldest.number;
    }
  }

  private final long keepNanos;
  private final Map<String, OfApplication> applications = new HashMap<>();

  /**
   * @param keepNanos messages older than this go, and applications that were silent for so long
   */
  MessageLog(long keepNanos) {
    this.keepNanos = keepNanos;
  }

  private OfApplication at(String application) {
    return applications.computeIfAbsent(application, name -> new OfApplication());
  }

  /** Whether there may be one more application, if this is one. */
  boolean mayUse(String application, long nowNanos) {
    applications.values().removeIf(other -> nowNanos - other.usedNanos > keepNanos);
    return applications.containsKey(application) || applications.size() < MOST_APPLICATIONS;
  }

  /** The number of the last message; 0: there was none. */
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
    }
    while (log.bytes > MOST_BYTES
        || (!log.messages.isEmpty() && nowNanos - log.messages.peek().atNanos > keepNanos)) {
      log.removeOldest();
    }
  }

  /** The messages after a number. */
  Taken after(String application, long number) {
    OfApplication log = at(application);
    List<byte[]> taken = new ArrayList<>();
    long upTo = Math.max(number, log.gone);
    int bytes = 0;
    for (Message message : log.messages) {
      if (message.number > number) {
        bytes += Frames.bytes(message.bytes);
        if (bytes > MOST_AT_ONCE && !taken.isEmpty()) {
          break;
        }
        taken.add(message.bytes);
        upTo = message.number;
      }
    }
    // A number from the future: this application was forgotten meanwhile.
    boolean lost = number < log.gone || number > log.last;
    return new Taken(taken, Math.min(upTo, log.last), lost, upTo < log.last);
  }
}
