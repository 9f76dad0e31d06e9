/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Request line and headers of one HTTP/1.1 request.
 *
 * @param method such as POST
 * @param path without the query
 * @param headers by name in lower case; the last one wins if a name is repeated
 */
record HttpHead(String method, String path, Map<String, String> headers) {
  /**
   * Parses a head.
   *
   * @param length up to and including the empty line
   * @throws IOException if it is malformed
   */
  static HttpHead parse(byte[] bytes, int length) throws IOException {
    String[] lines = new String(bytes, 0, length, StandardCharsets.ISO_8859_1).split("\r\n", -1);
    String[] words = lines[0].split(" ", -1);
    if (words.length != 3 || !words[2].startsWith("HTTP/1.") || !words[1].startsWith("/")) {
      throw new IOException("not an HTTP/1.1 request");
    }
    Map<String, String> headers = new HashMap<>();
    for (int i = 1; i < lines.length && !lines[i].isEmpty(); i++) {
      int colon = lines[i].indexOf(':');
      if (colon < 1) {
        throw new IOException("a header without a colon");
      }
      headers.put(
          lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
          lines[i].substring(colon + 1).strip());
    }
    int query = words[1].indexOf('?');
    return new HttpHead(words[0], query < 0 ? words[1] : words[1].substring(0, query), headers);
  }

  /** A header's value, or null. */
  String header(String name) {
    return headers.get(name.toLowerCase(Locale.ROOT));
  }

  /** Bytes of the body; -1 if it is chunked or the length is not a number. */
  long bodyLength() {
    if (headers.containsKey("transfer-encoding")) {
      return -1;
    }
    String length = headers.getOrDefault("content-length", "0");
    return length.matches("[0-9]{1,12}") ? Long.parseLong(length) : -1;
  }

  /** Whether the client wants to reuse the connection. */
  boolean keepsAlive() {
    return !"close".equalsIgnoreCase(headers.get("connection"));
  }

  /** Whether the client waits for "100 Continue" before it sends the body. */
  boolean expectsContinue() {
    return "100-continue".equalsIgnoreCase(headers.get("expect"));
  }
}
