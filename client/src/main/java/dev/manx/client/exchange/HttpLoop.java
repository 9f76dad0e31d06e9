/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import dev.manx.client.log.SparseLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * A small HTTP/1.1 server with one daemon thread, so a slow peer costs a buffer but no thread.
 *
 * <p>At most {@value #MOST_CONNECTIONS} connections are open. At most {@value #MOST_UNKNOWN}
 * connections of one address may be waiting for an acceptable head; a further connection closes the
 * oldest of these. So a client that sends its head at once is served in spite of slow clients. If
 * the buffers of all connections exceed a maximum, the connections with the largest buffers are
 * closed.
 */
final class HttpLoop implements AutoCloseable {
  /* The JDK's server reads heads on its worker threads, so that as many slow peers as it has
   * threads stop it, before any of them has sent a secret. */
  static final int MOST_CONNECTIONS = 1_024;
  static final int MOST_UNKNOWN = 64;

  private static final long LOOK_MILLIS = 200;
  private static final long REST_NANOS = 10_000_000;
  private static final long REFUSED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int BACKLOG = 256;

  /** Handles requests; called only on the loop's thread. */
  interface Handler {
    /**
     * A response based on the head alone; null to read the body, whose length is then acceptable.
     */
    HttpAnswer head(HttpHead head);

    /** The response to a complete request. */
    HttpAnswer body(HttpHead head, byte[] body);

    /** Bytes were received or sent, heads included. */
    default void transferred(int bytes) {}
  }

  /** Accepts waiting connections. */
  interface Acceptor {
    /** The next connection; null if none waits. */
    SocketChannel accept(ServerSocketChannel server) throws IOException;
  }

  private static final int SMALL_BYTES = 16 << 10;

  private final Handler handler;
  private final long mostHeldBytes;
  private final Selector selector;
  private final ServerSocketChannel server;
  private final Acceptor acceptor;
  private final SelectionKey accepts;
  private final InetSocketAddress address;
  private final Thread thread;
  // Oldest first; used by the thread only.
  private final Map<SelectionKey, HttpConnection> connections = new LinkedHashMap<>();
  private final SparseLog log = new SparseLog(StatisticsServer.class);
  // Used by the thread only: whether the last accept failed, and when the next one is due.
  private boolean refused;
  private long acceptNanos;
  private volatile boolean closed;

  /**
   * @param mostHeldBytes maximum size of the buffers of all connections, except small ones
   */
  HttpLoop(InetSocketAddress listen, String name, long mostHeldBytes, Handler handler)
      throws IOException {
    this(listen, name, mostHeldBytes, handler, ServerSocketChannel::accept);
  }

  HttpLoop(
      InetSocketAddress listen, String name, long mostHeldBytes, Handler handler, Acceptor acceptor)
      throws IOException {
    this.handler = handler;
    this.mostHeldBytes = mostHeldBytes;
    this.acceptor = acceptor;
    selector = Selector.open();
    server = ServerSocketChannel.open();
    boolean listening = false;
    try {
      server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      server.bind(listen, BACKLOG);
      server.configureBlocking(false);
      accepts = server.register(selector, SelectionKey.OP_ACCEPT);
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
        selector.select(refused ? TimeUnit.NANOSECONDS.toMillis(REFUSED_NANOS) : LOOK_MILLIS);
        long now = System.nanoTime();
        // First, because it may free the descriptors and the memory that the rest needs.
        connections.values().removeIf(connection -> closeIf(connection, connection.late(now)));
        Iterator<SelectionKey> ready = selector.selectedKeys().iterator();
        while (ready.hasNext()) {
          SelectionKey key = ready.next();
          ready.remove();
          serve(key, now);
        }
        if (refused && now - acceptNanos >= 0 && accepts.isValid()) {
          accepts.interestOps(SelectionKey.OP_ACCEPT);
        }
      } catch (Throwable e) {
        // For example, out of memory; it may succeed later. Without this thread the port would be
        // bound but never served.
        LockSupport.parkNanos(REST_NANOS);
      }
    }
    connections.values().forEach(HttpConnection::close);
  }

  private void serve(SelectionKey key, long now) {
    if (key == accepts) {
      acceptOrRest(now);
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
    } else if (connection.heldBytes() > SMALL_BYTES) {
      closeLargest();
    }
  }

  private void closeLargest() {
    while (connections.values().stream().mapToLong(HttpConnection::heldBytes).sum()
        > mostHeldBytes) {
      HttpConnection largest =
          Collections.max(
              connections.values(), Comparator.comparingLong(HttpConnection::heldBytes));
      largest.close();
      connections.values().remove(largest);
    }
  }

  /**
   * A connection that cannot be accepted, for example for lack of file descriptors, stays ready and
   * would keep this thread busy. So the next attempt waits, while open connections are served.
   */
  private void acceptOrRest(long now) {
    try {
      accept(now);
      refused = false;
    } catch (Throwable e) {
      if (closed) {
        return;
      }
      boolean first = !refused;
      refused = true;
      acceptNanos = now + REFUSED_NANOS;
      accepts.interestOps(0);
      if (first) {
        log.warn("the statistics server accepts no new connections for now: " + e, e);
      }
    }
  }

  private void accept(long now) throws IOException {
    SocketChannel channel = acceptor.accept(server);
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
