/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A network between a client and one server that a test can make fail. It listens on a free port of
 * 127.0.0.1 and forwards bytes, delays them, holds them back, or resets the connection.
 * Thread-safe.
 *
 * <p>Bytes held back are delivered when it forwards again, including those of a client that has
 * closed its connection: a sender's kernel retransmits packets that a network drops.
 */
public final class Relay implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int BACKLOG = 64;

  private enum Mode {
    PASSES,
    DELAYS,
    STALLS,
    RESETS,
    CLOSED
  }

  /**
   * A client's connection and its connection to the server.
   *
   * @param ended directions in which everything has been forwarded
   */
  private record Pair(Socket client, Socket server, AtomicInteger ended) {
    void close() {
      Relay.close(client);
      Relay.close(server);
    }
  }

  private final InetSocketAddress target;
  private final ServerSocket listener;
  private final Set<Pair> pairs = ConcurrentHashMap.newKeySet();

  // Guarded by this.
  private Mode mode = Mode.PASSES;
  private long delayNanos;

  /**
   * Begins to listen and to forward bytes.
   *
   * @param target the server; each client connection has its own connection to it
   */
  public Relay(InetSocketAddress target) throws IOException {
    this.target = target;
    listener = new ServerSocket(0, BACKLOG, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    start("accepts", this::accept);
  }

  /** The address that clients use instead of the server's. */
  public InetSocketAddress address() {
    return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
  }

  /** Forwards everything from now on, first the bytes held back. */
  public void pass() {
    set(Mode.PASSES, 0);
  }

  /** Holds back all bytes, in both directions. Connections stay open, and new ones are accepted. */
  public void stall() {
    set(Mode.STALLS, 0);
  }

  /** Delays all bytes by this time, in both directions; buffers at most 64 KiB. */
  public void delay(Duration time) {
    set(Mode.DELAYS, time.toNanos());
  }

  /** Resets all connections, and each new one at its first bytes. */
  public void reset() {
    set(Mode.RESETS, 0);
    pairs.forEach(Pair::close);
  }

  private synchronized void set(Mode next, long nanos) {
    if (mode != Mode.CLOSED) {
      mode = next;
      delayNanos = nanos;
      notifyAll();
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      Socket client = null;
      try {
        client = listener.accept();
        connect(client);
      } catch (IOException e) {
        // Closed, or the server is down: the client's connection is then closed too.
        close(client);
      }
    }
  }

  private void connect(Socket client) throws IOException {
    Socket server = new Socket();
    Pair pair = new Pair(client, server, new AtomicInteger());
    pairs.add(pair);
    boolean open = false;
    try {
      resets(client);
      resets(server);
      server.connect(target);
      open = true;
    } finally {
      if (!open) {
        end(pair);
      }
    }
    start("asks", () -> pump(pair, client, server));
    start("answers", () -> pump(pair, server, client));
    if (isClosed()) {
      end(pair);
    }
  }

  /** Makes closing the socket a reset. */
  private static void resets(Socket socket) throws SocketException {
    socket.setTcpNoDelay(true);
    socket.setSoLinger(true, 0);
  }

  private void pump(Pair pair, Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      int bytes = from.getInputStream().read(buffer);
      while (bytes >= 0 && mayPass()) {
        to.getOutputStream().write(buffer, 0, bytes);
        bytes = from.getInputStream().read(buffer);
      }
      boolean whole = bytes < 0;
      if (whole) {
        // The other side still reads earlier bytes, and may respond.
        to.shutdownOutput();
      }
      if (!whole || pair.ended.incrementAndGet() == 2) {
        end(pair);
      }
    } catch (IOException e) {
      // One side has reset the connection, which the other side also sees.
      end(pair);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end(pair);
    }
  }

  /** Waits while bytes that have just arrived are held back; returns whether they may pass then. */
  private synchronized boolean mayPass() throws InterruptedException {
    long arrived = System.nanoTime();
    while (mode == Mode.STALLS || mode == Mode.DELAYS) {
      long left = mode == Mode.STALLS ? Long.MAX_VALUE : arrived + delayNanos - System.nanoTime();
      if (left <= 0) {
        return true;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return mode == Mode.PASSES;
  }

  private synchronized boolean isClosed() {
    return mode == Mode.CLOSED;
  }

  private void end(Pair pair) {
    pairs.remove(pair);
    pair.close();
  }

  private static void close(Socket socket) {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException e) {
      // It is closed in any case.
    }
  }

  private void start(String what, Runnable task) {
    Thread daemon = new Thread(task, "relay-" + what);
    daemon.setDaemon(true);
    daemon.start();
  }

  /** Resets all connections and stops listening. */
  @Override
  public void close() {
    set(Mode.CLOSED, 0);
    try {
      listener.close();
    } catch (IOException e) {
      // It stops listening in any case.
    }
    pairs.forEach(Pair::close);
  }
}
