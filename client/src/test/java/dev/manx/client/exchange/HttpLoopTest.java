/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Logged;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The loop has one thread, which must survive every failure. */
@Timeout(60)
class HttpLoopTest {
  private static final int PATIENT_MILLIS = 20_000;
  private static final int MOST_HELD_BYTES = 1 << 20;
  private static final int LARGE = 400_000;

  private final CountDownLatch failed = new CountDownLatch(3);
  private volatile boolean full;
  private HttpLoop loop;

  /** As if the process had no file descriptor left. */
  private SocketChannel accept(ServerSocketChannel server) throws IOException {
    if (full) {
      failed.countDown();
      throw new IOException("Too many open files");
    }
    return server.accept();
  }

  @BeforeEach
  void start() throws IOException {
    loop =
        new HttpLoop(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            "test-loop",
            MOST_HELD_BYTES,
            new HttpLoop.Handler() {
              @Override
              public HttpAnswer head(HttpHead head) {
                if (head.path().equals("/memory")) {
                  throw new OutOfMemoryError("asked to fail");
                }
                return head.bodyLength() > 0 ? null : new HttpAnswer(200, new byte[0]);
              }

              @Override
              public HttpAnswer body(HttpHead head, byte[] body) {
                return new HttpAnswer(200, new byte[0]);
              }
            },
            this::accept);
  }

  @AfterEach
  void stop() {
    loop.close();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout(PATIENT_MILLIS);
    socket.connect(loop.address(), PATIENT_MILLIS);
    return socket;
  }

  private static void send(Socket socket, String head) throws IOException {
    socket
        .getOutputStream()
        .write((head + "\r\nHost: h\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
  }

  /** The first line of the next response, which has no body. */
  private static String answer(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      assertThat(next).as("closed after '%s'", head).isNotNegative();
      head.append((char) next);
    }
    return head.substring(0, head.indexOf("\r\n"));
  }

  /** The whole response until the connection is closed. */
  private String get(String path) throws IOException {
    try (Socket socket = connect()) {
      send(socket, "GET " + path + " HTTP/1.1\r\nConnection: close");
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void anErrorEndsItsConnectionAndNoOther() throws Exception {
    assertThat(get("/")).startsWith("HTTP/1.1 200");
    for (int i = 0; i < 3; i++) {
      assertThat(get("/memory")).isEmpty();
      assertThat(get("/")).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void withoutFileDescriptorsOpenConnectionsAreServedAndOverdueOnesClosed() throws Exception {
    String logged = Logged.during(this::runOutOfDescriptors);
    assertThat(logged)
        .containsOnlyOnce("accepts no new connections")
        .contains("java.io.IOException: Too many open files");
  }

  private void runOutOfDescriptors() throws Exception {
    try (Socket silent = connect();
        Socket known = connect()) {
      send(known, "GET / HTTP/1.1");
      assertThat(answer(known)).startsWith("HTTP/1.1 200");
      full = true;
      try (Socket waiting = connect()) {
        send(waiting, "GET / HTTP/1.1");
        failed.await();
        for (int i = 0; i < 5; i++) {
          send(known, "GET / HTTP/1.1");
          assertThat(answer(known)).startsWith("HTTP/1.1 200");
        }
        assertThat(silent.getInputStream().read()).as("it sent no head in time").isNegative();
        full = false;
        assertThat(answer(waiting)).startsWith("HTTP/1.1 200");
      }
    }
    assertThat(get("/")).startsWith("HTTP/1.1 200");
  }

  /**
   * One or two of the bodies, read into growing arrays, fit into the memory that the loop may hold.
   */
  @Test
  void ofManyLargeBodiesThatDoNotEndSomeAreGivenUp() throws Exception {
    List<Socket> open = new ArrayList<>();
    ExecutorService readers = Executors.newCachedThreadPool();
    try (Socket small = connect()) {
      send(small, "POST / HTTP/1.1\r\nContent-Length: 3");
      CountDownLatch givenUp = new CountDownLatch(2);
      List<Future<Boolean>> answered = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Socket large = connect();
        open.add(large);
        answered.add(readers.submit(() -> isAnswered(large, givenUp)));
        sendPart(large);
      }
      givenUp.await();
      int complete = 0;
      for (int i = 0; i < 4; i++) {
        sendEnd(open.get(i));
        complete += answered.get(i).get() ? 1 : 0;
      }
      assertThat(complete).as("bodies of 400 KB, of at most 1 MiB").isBetween(1, 2);
      small.getOutputStream().write(new byte[3]);
      assertThat(answer(small)).startsWith("HTTP/1.1 200");
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
      readers.shutdown();
    }
  }

  /** Sends all but one byte of a large body, unless the server closes the connection. */
  private static void sendPart(Socket socket) throws IOException {
    try {
      send(socket, "POST / HTTP/1.1\r\nContent-Length: " + LARGE);
      socket.getOutputStream().write(new byte[LARGE - 1]);
    } catch (SocketException e) {
      // Its reader sees it, too.
    }
  }

  private static void sendEnd(Socket socket) throws IOException {
    try {
      socket.getOutputStream().write(0);
    } catch (SocketException e) {
      // Its reader sees it, too.
    }
  }

  /** Waits for the first byte of an answer; false if the server closed the connection. */
  private static boolean isAnswered(Socket socket, CountDownLatch closed) throws IOException {
    boolean answered = false;
    try {
      answered = socket.getInputStream().read() >= 0;
    } catch (SocketException e) {
      // Closed with bytes on their way.
    }
    if (!answered) {
      closed.countDown();
    }
    return answered;
  }
}
