/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Status, headers and body of a response; confined to the server's thread. */
final class HttpAnswer {
  final int status;
  final byte[] body;
  private final Map<String, String> headers = new LinkedHashMap<>();

  HttpAnswer(int status, byte[] body) {
    this.status = status;
    this.body = body;
  }

  static HttpAnswer refusal(int status, String why) {
    return new HttpAnswer(status, (why + "\n").getBytes(StandardCharsets.UTF_8));
  }

  HttpAnswer with(String header, String value) {
    headers.put(header, value);
    return this;
  }

  /** The encoded response. */
  byte[] bytes(boolean close) {
    StringBuilder head = new StringBuilder("HTTP/1.1 ").append(status).append(" -\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    head.append("Content-Length: ").append(body.length).append("\r\n");
    head.append(close ? "Connection: close\r\n\r\n" : "\r\n");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    out.writeBytes(body);
    return out.toByteArray();
  }
}
