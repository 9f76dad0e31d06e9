/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import dev.manx.lab.kind.cachelive.LiveSettings.Kind;
import dev.manx.workload.CheckedValues;
import dev.manx.workload.KeySpace;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The backend of kind {@code http}: a service in a separate process that uses CPU for each page, so
 * that a CPU limit squeezes only this service. Without a cgroup its gate squeezes it: pages one at
 * a time, each followed by a pause.
 */
public final class PageService {
  private final KeySpace keySpace;
  private final int valueBytes;
  private volatile int rounds;
  private final ReentrantLock gate = new ReentrantLock(true);
  private volatile double cores = Double.POSITIVE_INFINITY;

  private PageService(int keys, int valueBytes, long workNanos) {
    BackendPlan plan = new BackendPlan("pages", Kind.HTTP, keys, valueBytes, 1, 1, 0, 1, workNanos);
    keySpace = BlockingBackend.keySpace(plan);
    this.valueBytes = valueBytes;
    rounds = WorkCalibration.rounds(workNanos, n -> page(0, n));
  }

  /**
   * Serves until it is ended.
   *
   * @param arguments keys, bytes of a value, nanoseconds of CPU for each, threads, and the file for
   *     the ports and the rounds once it serves
   */
  public static void main(String[] arguments) throws IOException {
    PageService service =
        new PageService(
            Integer.parseInt(arguments[0]),
            Integer.parseInt(arguments[1]),
            Long.parseLong(arguments[2]));
    HttpServer pages = server(Map.of("/pages", service::pages));
    pages.setExecutor(Executors.newFixedThreadPool(Integer.parseInt(arguments[3])));
    // On a thread of its own: the gate's release must not wait for requests that wait at the gate.
    HttpServer control = server(Map.of("/limit", service::limit, "/rounds", service::rounds));
    pages.start();
    control.start();
    Path file = Path.of(arguments[4]);
    Path part = Path.of(arguments[4] + ".part");
    Files.writeString(
        part,
        pages.getAddress().getPort() + " " + control.getAddress().getPort() + " " + service.rounds);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static HttpServer server(Map<String, HttpHandler> handlers) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 512);
    handlers.forEach(server::createContext);
    return server;
  }

  /** {@code /pages?1,2,3}: for each key its number, the length and the bytes. */
  private void pages(HttpExchange exchange) throws IOException {
    try (exchange) {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(body);
      for (String key : exchange.getRequestURI().getQuery().split(",", -1)) {
        int id = Integer.parseInt(key);
        byte[] page = gated(id);
        out.writeInt(id);
        out.writeInt(page.length);
        out.write(page);
      }
      exchange.sendResponseHeaders(200, body.size());
      body.writeTo(exchange.getResponseBody());
    }
  }

  /** {@code /limit?0.2}: limits further work to the given number of cores. */
  private void limit(HttpExchange exchange) throws IOException {
    try (exchange) {
      cores = Double.parseDouble(exchange.getRequestURI().getQuery());
      ok(exchange);
    }
  }

  /** {@code /rounds?700}: sets the work for each further page. */
  private void rounds(HttpExchange exchange) throws IOException {
    try (exchange) {
      rounds = Integer.parseInt(exchange.getRequestURI().getQuery());
      ok(exchange);
    }
  }

  private static void ok(HttpExchange exchange) throws IOException {
    byte[] body = "ok\n".getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
  }

  private byte[] gated(int id) throws IOException {
    if (cores >= Runtime.getRuntime().availableProcessors()) {
      return page(id, rounds);
    }
    gate.lock();
    try {
      long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      byte[] page = page(id, rounds);
      long used = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin;
      TimeUnit.NANOSECONDS.sleep((long) (used * Math.max(0, 1 / cores - 1)));
      return page;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      gate.unlock();
    }
  }

  /** A page, hashed repeatedly. */
  private byte[] page(int id, int times) {
    byte[] page = CheckedValues.encode(keySpace.key(id), 1, valueBytes).array();
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] sum = new byte[0];
      ByteBuffer part = ByteBuffer.wrap(page, 0, Math.min(page.length, 1_024));
      for (int i = 0; i < times; i++) {
        digest.update(sum);
        digest.update(part.rewind());
        sum = digest.digest();
      }
      return page;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
