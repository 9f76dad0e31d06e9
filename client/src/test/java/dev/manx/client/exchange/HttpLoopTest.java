/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The loop has one thread, which must survive every failure. */
@Timeout(60)
class HttpLoopTest {
  private static final int PATIENT_MILLIS = 20_000;

  private HttpLoop loop;

  @BeforeEach
  void start() throws IOException {
    loop =
        new HttpLoop(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            "test-loop",
            new HttpLoop.Handler() {
              @Override
              public HttpAnswer head(HttpHead head) {
                if (head.path().equals("/memory")) {
                  throw new OutOfMemoryError("asked to fail");
                }
                return new HttpAnswer(200, new byte[0]);
              }

              @Override
              public HttpAnswer body(HttpHead head, byte[] body) {
                throw new AssertionError("no body is asked for");
              }
            });
  }

  @AfterEach
  void stop() {
    loop.close();
  }

  /** The whole response until the connection is closed. */
  private String get(String path) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(PATIENT_MILLIS);
      socket.connect(loop.address(), PATIENT_MILLIS);
      socket
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
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
}
