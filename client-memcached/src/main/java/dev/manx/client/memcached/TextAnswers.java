/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads the responses of one memcached over its text protocol. Confined to one thread. */
final class TextAnswers {
  private static final int LONGEST_LINE = 2_048;

  /** memcached's item limit is at most 1 GiB, and 1 MiB by default. */
  private static final int LONGEST_VALUE = 256 << 20;

  private final InputStream in;
  private final String server;

  /**
   * @param server name used in messages
   */
  TextAnswers(InputStream in, String server) {
    this.in = new BufferedInputStream(in);
    this.server = server;
  }

  /** The next line, without its terminator. */
  String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int octet = in.read(); octet != '\n'; octet = in.read()) {
      if (octet < 0) {
        throw ended();
      }
      if (line.length() == LONGEST_LINE) {
        throw new IOException("memcached " + server + " sent an endless line");
      }
      if (octet != '\r') {
        line.append((char) octet);
      }
    }
    return line.toString();
  }

  /** Reads the bytes of a value, and the end of their line. */
  byte[] value(int length) throws IOException {
    if (length < 0 || length > LONGEST_VALUE) {
      throw new IOException("memcached " + server + " sent a value of " + length + " bytes");
    }
    byte[] value = in.readNBytes(length);
    if (value.length < length) {
      throw ended();
    }
    if (!line().isEmpty()) {
      throw new IOException("memcached " + server + " sent more than the value");
    }
    return value;
  }

  private EOFException ended() {
    return new EOFException("memcached " + server + " closed the connection");
  }
}
