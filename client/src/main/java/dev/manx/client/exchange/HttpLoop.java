/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * A small HTTP/1.1 server with one daemon thread, so a slow peer costs a buffer but no thread.
 *
 * <p>At most {@value #MOST_CONNECTIONS} connections are open. At most {@value #MOST_UNKNOWN} of one
 * address may be waiting for an acceptable head; a further connection closes the oldest of these.
 * So a client that sends its head at once is served in spite of slow ones.
 */
final class HttpLoop implements AutoCloseable {
  /* The JDK's server reads heads on its worker threads, so that as many slow peers as it has
   * threads stop it, before any of them has sent a secret. */
  static final int MOST_CONNECTIONS = 1_024;
  static final int MOST_UNKNOWN = 64;

  private static final long LOOK_MILLIS = 200;
  private static final long REST_NANOS = 10_000_000;
  private static final int BACKLOG = 256;

  /** Handles requests; called only on the loop's thread. */
  interface Handler {
    /**
     * A response based on the head alone; null to read the body, whose length is then acceptable.
     */
    HttpAnswer head(HttpHead head);

    /** The response to a complete request. */
    HttpAnswer body(HttpHead head, byte[] body);
  }

  private final Handler handler;
  private final Selector selector;
  private final ServerSocketChannel server;
  private final InetSocketAddress address;
  private final Thread thread;
  // Oldest first; used by the thread only.
  private final Map<SelectionKey, HttpConnection> connections = new LinkedHashMap<>();
  private volatile boolean closed;

  HttpLoop(InetSocketAddress listen, String name, Handler handler) throws IOException {
    this.handler = handler;
    selector = Selector.open();
    server = ServerSocketChannel.open();
    boolean listening = false;
    try {
      server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      server.bind(listen, BACKLOG);
      server.configureBlocking(false);
      server.register(selector, SelectionKey.OP_ACCEPT);
      address = (InetSocketAddress) server.getLocalAddress();
      listening = true;
    } finally {
      if (!listening) {
        server.close();
        selector.close();
      }
    }
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
    thread.start();
  }

  InetSocketAddress address() {
    return address;
  }

  private void run() {
    while (!closed) {
      try {
        selector.select(LOOK_MILLIS);
        long now = System.nanoTime();
        Iterator<SelectionKey> ready = selector.selectedKeys().iterator();
        while (ready.hasNext()) {
          SelectionKey key = ready.next();
          ready.remove();
          serve(key, now);
        }
        connections.values().removeIf(connection -> closeIf(connection, connection.late(now)));
      } catch (Throwable e) {
        // The selector or accept failed, for example for lack of file descriptors or memory; it may
        // succeed later. Without this thread the port would be bound but never served.
        LockSupport.parkNanos(REST_NANOS);
      }
    }
    connections.values().forEach(HttpConnection::close);
  }

  private void serve(SelectionKey key, long now) throws IOException {
    if (key.isValid() && key.isAcceptable()) {
      accept(now);
      return;
    }
    HttpConnection connection = connections.get(key);
    if (connection == null || !key.isValid()) {
      return;
    }
    boolean open = false;
    try {
      open = connection.ready(now);
    } catch (Throwable e) {
      // The peer has disconnected, or its request made the handler fail: other peers are not
      // affected.
    }
    if (closeIf(connection, !open)) {
      connections.remove(key);
    }
  }

  private void accept(long now) throws IOException {
    SocketChannel channel = server.accept();
    if (channel == null) {
      return;
    }
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
      HttpConnection fresh = new HttpConnection(channel, key, handler, now);
      makeRoom(fresh.peer());
      connections.put(key, fresh);
    } catch (Throwable e) {
      channel.close();
    }
  }

  private void makeRoom(InetAddress peer) {
    Predicate<HttpConnection> stranger = other -> !other.known() && other.peer().equals(peer);
    if (connections.values().stream().filter(stranger).count() >= MOST_UNKNOWN) {
      closeOldest(stranger);
    }
    if (connections.size() >= MOST_CONNECTIONS && !closeOldest(other -> !other.known())) {
      closeOldest(other -> true);
    }
  }

  private boolean closeOldest(Predicate<HttpConnection> which) {
    Iterator<HttpConnection> all = connections.values().iterator();
    while (all.hasNext()) {
      HttpConnection connection = all.next();
      if (which.test(connection)) {
        connection.close();
        all.remove();
        return true;
      }
    }
    return false;
  }

  private static boolean closeIf(HttpConnection connection, boolean end) {
    if (end) {
      connection.close();
    }
    return end;
  }

  /** Stops listening and aborts requests in progress; returns when the port is free. */
  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    try {
      server.close();
      thread.join(5_000);
      selector.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      // closed in either case
    }
  }
}
