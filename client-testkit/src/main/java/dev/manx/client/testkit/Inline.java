/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Commands to a Redis as lines of text, without a client library. */
final class Inline {
  private static final int MILLIS = 60_000;

  private Inline() {}

  /** Sends commands over one connection; returns all responses as received. */
  static String ask(InetSocketAddress redis, String... commands) throws IOException {
    try (Socket socket = new Socket(redis.getAddress(), redis.getPort())) {
      socket.setSoTimeout(MILLIS);
      String lines = String.join("\r\n", commands) + "\r\nQUIT\r\n";
      socket.getOutputStream().write(lines.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
