/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import dev.manx.client.store.server.CacheServer;
import java.io.IOException;
import java.net.InetSocketAddress;

/** A server that a test has started, in a process of this machine. */
public interface ServerProcess extends AutoCloseable {
  /** The listen address. */
  InetSocketAddress address();

  /** The id of the process, which a test stops and continues by signals. */
  long pid();

  /** Kills the process and waits for its end. Idempotent. */
  @Override
  void close();

  /**
   * Starts memcached or Redis, without a password; skips the test if the program is not installed.
   *
   * @param bytes its first limit
   * @param port of 127.0.0.1; 0 for a free one
   */
  static ServerProcess start(CacheServer.Kind kind, long bytes, int port) throws IOException {
    Needs.server(kind);
    CacheServer server =
        port == 0 ? CacheServer.start(kind, bytes) : CacheServer.start(kind, bytes, port);
    if (!server.password().isEmpty()) {
      removePassword(server);
    }
    return new ServerProcess() {
      @Override
      public InetSocketAddress address() {
        return server.address();
      }

      @Override
      public long pid() {
        return server.pid();
      }

      @Override
      public void close() {
        server.close();
      }
    };
  }

  private static void removePassword(CacheServer server) throws IOException {
    String answers =
        Inline.ask(server.address(), "AUTH " + server.password(), "CONFIG SET requirepass \"\"");
    if (!answers.startsWith("+OK\r\n+OK\r\n")) {
      server.close();
      throw new IOException("the password was not removed: " + answers);
    }
  }
}
