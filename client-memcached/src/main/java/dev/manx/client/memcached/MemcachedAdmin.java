/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Administers one memcached 1.6 over its text protocol, with commands that no Java client offers:
 * {@code stats}, {@code cache_memlimit}, {@code slabs reassign}, {@code flush_all}. Connects when
 * needed; any failure closes the connection. Confined to one thread, except for {@link #close}.
 *
 * <p>Source: memcached's doc/protocol.txt.
 */
final class MemcachedAdmin implements AutoCloseable {
  private static final int MOST_LINES = 20_000;

  private final InetSocketAddress address;
  private final int timeoutMillis;
  private Socket socket;
  private TextAnswers answers;
  private volatile boolean closed;

  MemcachedAdmin(InetSocketAddress address, Duration timeout) {
    this.address = address;
    timeoutMillis = (int) Math.max(1, Math.min(Integer.MAX_VALUE, timeout.toMillis()));
  }

  /** Sends a command and returns its one-line response, which may be an error. */
  synchronized String ask(String command) throws IOException {
    boolean done = false;
    try {
      send(command);
      String answer = answers.line();
      done = true;
      return answer;
    } finally {
      if (!done) {
        disconnect();
      }
    }
  }

  /**
   * Name and value of each {@code STAT} line.
   *
   * @param what the part, such as {@code slabs}; empty for the general ones
   */
  synchronized Map<String, String> stats(String what) throws IOException {
    boolean done = false;
    try {
      send(what.isEmpty() ? "stats" : "stats " + what);
      Map<String, String> stats = new HashMap<>();
      for (int i = 0; i < MOST_LINES; i++) {
        String line = answers.line();
        if (line.equals("END")) {
          done = true;
          return stats;
        }
        String[] words = line.split(" ", 3);
        if (words.length < 3 || !words[0].equals("STAT")) {
          throw new IOException("memcached " + address + " answered stats with: " + line);
        }
        stats.put(words[1], words[2]);
      }
      throw new IOException("memcached " + address + " does not end its statistics");
    } finally {
      if (!done) {
        disconnect();
      }
    }
  }

  /** A statistic as a number. */
  static long number(Map<String, String> stats, String name) throws IOException {
    String value = stats.get(name);
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IOException("memcached reported " + value + " for " + name, e);
    }
  }

  private void send(String command) throws IOException {
    if (socket == null) {
      connect();
    }
    socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
  }

  private void connect() throws IOException {
    if (closed) {
      throw new IOException("closed");
    }
    Socket fresh = new Socket();
    try {
      fresh.setTcpNoDelay(true);
      fresh.setSoTimeout(timeoutMillis);
      fresh.connect(Addresses.lookedUp(address), timeoutMillis);
      answers = new TextAnswers(fresh.getInputStream(), address.toString());
      socket = fresh;
    } finally {
      if (socket == null) {
        fresh.close();
      }
    }
  }

  private void disconnect() {
    Socket old = socket;
    socket = null;
    if (old != null) {
      try {
        old.close();
      } catch (IOException e) {
        // the connection is useless in any case
      }
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    disconnect();
  }
}
