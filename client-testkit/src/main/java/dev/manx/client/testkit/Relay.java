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
 * A network between a client and one server that a test can make fail: it listens on a free port of
 * 127.0.0.1 and passes bytes on, late, not at all, or until it resets the connection. Any thread.
 *
 * <p>Bytes that it holds back are delivered when it passes again, also those of a client that has
 * closed its connection: packets that a network drops are sent again by their sender's kernel.
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
   * A client's connection and the one to the server that belongs to it.
   *
   * @param ended directions in which all has been passed on
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
   * Begins to listen, and passes bytes on as they come.
   *
   * @param target the server; each connection of a client has a connection of its own to it
   */
  public Relay(InetSocketAddress target) throws IOException {
    this.target = target;
    listener = new ServerSocket(0, BACKLOG, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    start("accepts", this::accept);
  }

  /** Where clients connect to instead of the server. */
  public InetSocketAddress address() {
    return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
  }

  /** Passes everything on from now on, first what it has held back. */
  public void pass() {
    set(Mode.PASSES, 0);
  }

  /** No byte passes, in either direction. Connections stay open, and new ones are accepted. */
  public void stall() {
    set(Mode.STALLS, 0);
  }

  /** What has arrived, at most 64 KiB, passes only so much later, in either direction. */
  public void delay(Duration time) {
    set(Mode.DELAYS, time.toNanos());
  }

  /** Resets all connections, and each new one when its first bytes arrive. */
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
        // Closed, or the server is away: then so is the connection of its client.
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

  /** To close it is to reset it. */
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
        // The other side still reads what was sent before, and may answer.
        to.shutdownOutput();
      }
      if (!whole || pair.ended.incrementAndGet() == 2) {
        end(pair);
      }
    } catch (IOException e) {
      // One of the two has reset it, and the other one sees the same.
      end(pair);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end(pair);
    }
  }

  /** Waits as long as bytes that have just arrived are held back; whether they pass then. */
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
      // It is closed all the same.
    }
  }

  private void start(String what, Runnable task) {
    Thread daemon = new Thread(task, "relay-" + what);
    daemon.setDaemon(true);
    daemon.start();
  }

  /** Resets all connections and listens no more. */
  @Override
  public void close() {
    set(Mode.CLOSED, 0);
    try {
      listener.close();
    } catch (IOException e) {
      // It listens no more all the same.
    }
    pairs.forEach(Pair::close);
  }
}
