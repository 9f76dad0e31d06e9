/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import dev.manx.client.store.server.CacheServer;
import dev.manx.client.testkit.Fault;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A memcached whose faults a test controls. */
final class FailingMemcached implements AutoCloseable {
  private static final int OTHER_BYTES = 500_000;

  private final long bytes;
  private CacheServer server;

  /**
   * Starts a server.
   *
   * @param bytes its limit
   */
  FailingMemcached(long bytes) throws IOException {
    this.bytes = bytes;
    server = CacheServer.start(CacheServer.Kind.MEMCACHED, bytes);
  }

  InetSocketAddress address() {
    return server.address();
  }

  void fail(Fault fault) throws IOException {
    switch (fault) {
      case RESTART -> server.close();
      case FULL -> fill();
      default -> throw new AssertionError(fault);
    }
  }

  void recover(Fault fault) throws IOException {
    if (fault == Fault.RESTART) {
      server = CacheServer.start(CacheServer.Kind.MEMCACHED, bytes, address().getPort());
    }
  }

  /** Stores twice its limit, so that everything else is evicted. */
  private void fill() throws IOException {
    try (Socket socket = new Socket(address().getAddress(), address().getPort())) {
      OutputStream out = socket.getOutputStream();
      InputStream in = new BufferedInputStream(socket.getInputStream());
      byte[] value = new byte[OTHER_BYTES];
      for (int i = 0; i < 2 * bytes / OTHER_BYTES; i++) {
        out.write(text("set other" + i + " 0 0 " + OTHER_BYTES + "\r\n"));
        out.write(value);
        out.write(text("\r\n"));
        while (in.read() != '\n') {
          // Repeats until it is stored or rejected.
        }
      }
    }
  }

  private static byte[] text(String line) {
    return line.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() {
    server.close();
  }
}
