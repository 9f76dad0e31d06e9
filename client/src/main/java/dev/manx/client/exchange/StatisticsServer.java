/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.manx.policy.cache.StatisticsFormatException;
import dev.manx.policy.cache.WindowCodec;
import dev.manx.policy.cache.WindowStatistics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Brings the statistics of several application servers together over HTTP: each posts its window of
 * statistics once a tick and gets the sum of all windows that came since it last took some, its own
 * included. Decisions stay with the servers; this one keeps nothing but the last minute, in bounded
 * memory, and may be restarted at any time.
 *
 * <pre>
 * POST /v1/window   body: a window as WindowCodec writes it
 *   Authorization: Bearer SECRET        if the server has one
 *   Manx-Since: RUN:NUMBER              as the last answer's Manx-Upto; left out the first time
 * 200  body: the sum; Manx-Upto: RUN:NUMBER
 * 400 bad input, 401 unknown secret, 404, 405, 413 too large
 * GET  /v1/status   text for people
 * </pre>
 *
 * <p>RobinHood's own RBC server (OSDI'18, section 4.1) collects (latency, backend) pairs and
 * answers with blocking counts; ours adds histograms up, which is exact and smaller.
 */
public final class StatisticsServer implements AutoCloseable {
  static final String WINDOW_PATH = "/v1/window";
  static final String STATUS_PATH = "/v1/status";
  static final String SINCE = "Manx-Since";
  static final String UP_TO = "Manx-Upto";

  // The JDK's server counts the wait for a thread as part of a request's time and cuts it off, so
  // there are far more threads than work: they are for those who send slowly.
  private static final int THREADS = 64;
  private static final int WAITING = 256;
  private static final int COLUMNS = 16_384;
  private static final int LONGEST_SINCE = 64;
  private static final String BEARER = "Bearer ";

  static {
    // Read when the JDK's server is first used. Whoever sends or takes bytes too slowly is cut off
    // after so many seconds, and small answers do not wait for Nagle.
    Map<String, String> properties =
        Map.of("maxReqTime", "5", "maxRspTime", "5", "nodelay", "true");
    properties.forEach(
        (name, value) -> {
          if (System.getProperty("sun.net.httpserver." + name) == null) {
            System.setProperty("sun.net.httpserver." + name, value);
          }
        });
  }

  private final ExchangeSettings settings;
  private final byte[] authorization;
  private final LongSupplier clock;
  private final WindowLog log;
  private final String run = UUID.randomUUID().toString();
  private final HttpServer http;
  private final ThreadPoolExecutor threads;
  private final LongAdder windows = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder bytesIn = new LongAdder();
  private final LongAdder bytesOut = new LongAdder();

  private StatisticsServer(ExchangeSettings settings, LongSupplier clock) throws IOException {
    this.settings = settings;
    this.clock = clock;
    authorization =
        settings.secret() == null
            ? null
            : (BEARER + settings.secret()).getBytes(StandardCharsets.US_ASCII);
    log = new WindowLog(settings.keep().toNanos(), COLUMNS, settings.maxBackends());
    http = HttpServer.create(settings.address(), WAITING);
    threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING),
            task -> {
              Thread thread = new Thread(task, "manx-statistics");
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    http.setExecutor(threads);
    http.createContext("/", this::handle);
  }

  /**
   * Starts to listen; port 0 takes a free one.
   *
   * @throws IOException if the address cannot be had
   */
  public static StatisticsServer start(ExchangeSettings settings) throws IOException {
    return start(settings, System::nanoTime);
  }

  static StatisticsServer start(ExchangeSettings settings, LongSupplier clock) throws IOException {
    StatisticsServer server = new StatisticsServer(settings, clock);
    server.http.start();
    return server;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Answer answer = answer(exchange);
      if (answer.status != 200) {
        refused.increment();
        // What is left of a refused body is not read.
        exchange.getResponseHeaders().set("Connection", "close");
      }
      exchange.sendResponseHeaders(
          answer.status, answer.body.length == 0 ? -1 : answer.body.length);
      if (answer.body.length > 0) {
        // Counted first, so that who has an answer in hand finds it counted.
        bytesOut.add(answer.body.length);
        exchange.getResponseBody().write(answer.body);
      }
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Answer(int status, byte[] body) {
    static Answer refusal(int status, String why) {
      return new Answer(status, (why + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  private Answer answer(HttpExchange exchange) throws IOException {
    Headers headers = exchange.getRequestHeaders();
    if (!knows(headers.getFirst("Authorization"))) {
      exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
      return Answer.refusal(401, "unknown secret");
    }
    String path = exchange.getRequestURI().getPath();
    boolean post = exchange.getRequestMethod().equals("POST");
    if (WINDOW_PATH.equals(path)) {
      return post ? window(exchange) : Answer.refusal(405, "POST a window of statistics");
    }
    if (STATUS_PATH.equals(path)) {
      return post
          ? Answer.refusal(405, "GET the status")
          : new Answer(200, status().getBytes(StandardCharsets.UTF_8));
    }
    return Answer.refusal(404, "there are " + WINDOW_PATH + " and " + STATUS_PATH);
  }

  private boolean knows(String given) {
    if (authorization == null) {
      return true;
    }
    byte[] bytes = given == null ? new byte[0] : given.getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(authorization, bytes);
  }

  private Answer window(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(settings.maxBodyBytes() + 1);
    bytesIn.add(body.length);
    if (body.length > settings.maxBodyBytes()) {
      return Answer.refusal(413, "more than " + settings.maxBodyBytes() + " bytes");
    }
    WindowStatistics window;
    long since;
    try {
      window = WindowCodec.read(body, settings.maxBackends());
      since = since(exchange.getRequestHeaders().getFirst(SINCE));
    } catch (StatisticsFormatException | IllegalArgumentException e) {
      return Answer.refusal(400, String.valueOf(e.getMessage()));
    }
    long now = clock.getAsLong();
    if (!log.add(now, window)) {
      return Answer.refusal(
          400, "more than " + settings.maxBackends() + " backends of all servers together");
    }
    windows.increment();
    WindowLog.Taken taken = log.after(now, since);
    exchange.getResponseHeaders().set(UP_TO, run + ":" + taken.upTo());
    exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
    return new Answer(200, WindowCodec.write(taken.window()));
  }

  /** The number after which a server wants windows; 0 if it took them from an earlier run. */
  private long since(String header) {
    if (header == null) {
      return 0;
    }
    int colon = header.indexOf(':');
    if (header.length() > LONGEST_SINCE || colon < 0) {
      throw new IllegalArgumentException("bad " + SINCE);
    }
    try {
      long number = Long.parseLong(header.substring(colon + 1));
      return header.substring(0, colon).equals(run) ? number : 0;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("bad " + SINCE, e);
    }
  }

  private String status() {
    return String.format(
        Locale.ROOT,
        "windows %d%nwindows_kept %d%nbackends %d%nrefused %d%nbytes_in %d%nbytes_out %d%n",
        windows.sum(),
        log.size(),
        log.backends(),
        refused.sum(),
        bytesIn.sum(),
        bytesOut.sum());
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return http.getAddress();
  }

  /** Bytes of bodies that came and were answered since it was started. */
  public long bodyBytes() {
    return bytesIn.sum() + bytesOut.sum();
  }

  /** Stops listening; requests under way are cut off. Idempotent. */
  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
