/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.testkit.Songs;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** As much of a Redis as a store needs to claim one, which stops a test at the right moment. */
final class FakeRedis implements AutoCloseable {
  /** Its limit. */
  static final long BYTES = 16L << 20;

  private static final String LEASE = "manx:lease";
  private static final String NODE = "0123456789abcdef0123456789abcdef01234567";

  private final ServerSocket listener = new ServerSocket(0, 16, InetAddress.getByName("127.0.0.1"));
  private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
  private final Map<String, String> values = new ConcurrentHashMap<>();
  private final List<String> written = new CopyOnWriteArrayList<>();
  private final AtomicInteger open = new AtomicInteger();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch goesOn = new CountDownLatch(1);
  private volatile boolean anothers;
  private volatile boolean hesitates;
  private volatile boolean replica;
  private final List<String> unanswered = new CopyOnWriteArrayList<>();
  private final List<String> ignored = new CopyOnWriteArrayList<>();
  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicInteger greeted = new AtomicInteger();

  FakeRedis() throws IOException {
    start(this::accept);
  }

  private static void start(Runnable task) {
    Thread daemon = new Thread(task, "fake-redis");
    daemon.setDaemon(true);
    daemon.start();
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Its clients lose it, and find one that a store of another process uses. */
  void becomesAnothers() throws IOException {
    anothers = true;
    values.put(LEASE, "another/1/b9");
    for (Socket client : clients) {
      client.close();
    }
  }

  /** Greets no new client before {@link #goOn}. */
  void hesitates() {
    hesitates = true;
  }

  /** Rejects writes from now on, on present connections too. */
  void isDemoted() {
    replica = true;
  }

  /** It closes the connection of the next command of this name, and does not answer it. */
  void breaksAt(String name) {
    unanswered.add(name);
  }

  /** It does not answer the next command of this name. */
  void ignores(String name) {
    ignored.add(name);
  }

  /** The stored value of a key; null: none. */
  String value(String key) {
    return values.get(key);
  }

  /** Number of connections so far. */
  int accepted() {
    return accepted.get();
  }

  /** Number of connections so far that have sent a greeting. */
  int greeted() {
    return greeted.get();
  }

  /** Number of present connections. */
  int open() {
    return open.get();
  }

  /** Waits until a store has asked whose it is, or greeted it, which is not answered yet. */
  void awaitClaim() throws InterruptedException {
    asked.await();
  }

  /** Answers. */
  void goOn() {
    goesOn.countDown();
  }

  /** Waits until all that was sent on one of the present connections has been read. */
  void awaitEnd() throws InterruptedException {
    Songs.until(() -> open.get() == 0 || !written.isEmpty());
  }

  /** What was written since it is another's, other than markers. */
  List<String> written() {
    return List.copyOf(written);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        clients.add(client);
        accepted.incrementAndGet();
        start(() -> serve(client));
      } catch (IOException e) {
        // It is closed.
      }
    }
  }

  private void serve(Socket client) {
    open.incrementAndGet();
    try (client) {
      InputStream in = new BufferedInputStream(client.getInputStream());
      for (List<String> command = command(in); command != null; command = command(in)) {
        if (unanswered.remove(command.get(0).toUpperCase(Locale.ROOT))) {
          return;
        }
        if (ignored.remove(command.get(0).toUpperCase(Locale.ROOT))) {
          continue;
        }
        client.getOutputStream().write(answer(command).getBytes(StandardCharsets.ISO_8859_1));
      }
    } catch (IOException | InterruptedException e) {
      // The client is gone.
    } finally {
      open.decrementAndGet();
    }
  }

  /** Null at the end. */
  private static List<String> command(InputStream in) throws IOException {
    String head = line(in);
    if (head == null) {
      return null;
    }
    List<String> words = new ArrayList<>();
    for (int left = Integer.parseInt(head.substring(1)); left > 0; left--) {
      int length = Integer.parseInt(line(in).substring(1));
      words.add(new String(in.readNBytes(length), StandardCharsets.ISO_8859_1));
      line(in);
    }
    return words;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int octet = in.read(); octet != '\n'; octet = in.read()) {
      if (octet < 0) {
        return null;
      }
      line.append((char) octet);
    }
    return line.toString().strip();
  }

  private String answer(List<String> command) throws InterruptedException {
    String name = command.get(0).toUpperCase(Locale.ROOT);
    if (replica && (name.equals("SET") || name.equals("UNLINK"))) {
      return "-READONLY You can't write against a read only replica.\r\n";
    }
    return switch (name) {
      case "HELLO" -> hello();
      case "PING" -> "+PONG\r\n";
      case "INFO" -> bulk(info(command.get(1)));
      case "MGET" -> "*1\r\n$-1\r\n";
      case "UNLINK" -> ":1\r\n";
      case "GET" -> get(command.get(1));
      case "CLUSTER" -> bulk(cluster(command.get(1)));
      case "SUBSCRIBE" -> "*3\r\n" + bulk("subscribe") + bulk(command.get(1)) + ":1\r\n";
      case "PUBLISH" -> ":1\r\n";
      case "SET", "MSET" -> set(command);
      case "DEL", "PEXPIRE" -> ":1\r\n";
      default -> "+OK\r\n";
    };
  }

  private String hello() throws InterruptedException {
    greeted.incrementAndGet();
    if (hesitates) {
      asked.countDown();
      goesOn.await();
    }
    return "-ERR unknown command\r\n";
  }

  /** A Cluster of one node. */
  private String cluster(String what) {
    return what.equalsIgnoreCase("MYID")
        ? NODE
        : NODE + " 127.0.0.1:" + port() + "@1 myself,master - 0 0 1 connected 0-16383\n";
  }

  private static String info(String part) {
    return switch (part.toLowerCase(Locale.ROOT)) {
      case "server" -> "run_id:1\r\n";
      case "memory" ->
          "maxmemory:" + BYTES + "\r\nused_memory:1\r\nmem_not_counted_for_evict:0\r\n";
      default -> "";
    };
  }

  private String get(String key) throws InterruptedException {
    if (anothers && key.equals(LEASE)) {
      asked.countDown();
      goesOn.await();
    }
    String value = values.get(key);
    return value == null ? "$-1\r\n" : bulk(value);
  }

  private String set(List<String> command) {
    if (anothers) {
      written.add(String.join(" ", command.subList(0, 2)));
    }
    values.put(command.get(1), command.get(2));
    return "+OK\r\n";
  }

  private static String bulk(String text) {
    return "$" + text.length() + "\r\n" + text + "\r\n";
  }

  @Override
  public void close() throws IOException {
    goOn();
    listener.close();
    for (Socket client : clients) {
      client.close();
    }
  }
}
