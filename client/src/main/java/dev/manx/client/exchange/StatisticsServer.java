/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import dev.manx.client.invalidation.ChannelKind;
import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.shares.StatisticsFormatException;
import dev.manx.shares.WindowCodec;
import dev.manx.shares.WindowStatistics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Merges the statistics of several application servers over HTTP. Each server posts its window of
 * statistics once a tick and receives the sum of its application's windows, including its own,
 * since the last one that it received. Decisions are made by the application servers. This server
 * keeps only the last minute, in bounded memory, and may be restarted at any time. It also carries
 * the messages by which the servers of an application invalidate keys ({@link
 * StatisticsInvalidations}).
 *
 * <pre>
 * POST /v1/window   body: a window, encoded by WindowCodec
 *   Authorization: Bearer SECRET        if the server requires one
 *   Manx-Application: NAME              whose windows are summed; omitted: those without a name
 *   Manx-Since: RUN:NUMBER              Manx-Upto of the last response; omitted the first time
 * 200  body: the sum, in the version of the posted window; Manx-Upto: RUN:NUMBER
 * 400 bad input, 401 unknown secret, 404, 405, 411, 413 too large
 * POST /v1/messages body: messages, each after its length in four bytes; or empty
 *   Manx-Application: NAME              application that shares the messages
 *   Manx-Since: RUN:NUMBER              as above; omitted the first time: no old messages
 * 200  body: later messages, including its own; Manx-Upto: RUN:NUMBER
 *   Manx-Lost: yes                      if some were dropped; Manx-More: yes if more are available
 * GET  /v1/status   human-readable text
 * </pre>
 *
 * <p>RobinHood's RBC server (OSDI'18, section 4.1) collects (latency, backend) pairs and returns
 * blocking counts; this one sums histograms, which is exact and smaller.
 */
public final class StatisticsServer implements AutoCloseable {
  static final String WINDOW_PATH = "/v1/window";
  static final String STATUS_PATH = "/v1/status";
  static final String SINCE = "Manx-Since";
  static final String UP_TO = "Manx-Upto";

  static final String MESSAGES_PATH = "/v1/messages";
  static final String APPLICATION = "Manx-Application";
  static final String LOST = "Manx-Lost";
  static final String MORE = "Manx-More";

  private static final long WINDOWS_BYTES = 80_000_000;

  // Bodies not yet complete and responses not yet read, in addition to some of the maximum size.
  private static final long BUFFERS_BYTES = 64 << 20;

  private static final int LONGEST_SINCE = 64;
  private static final String BEARER = "Bearer ";

  private final ExchangeSettings settings;
  private final byte[] authorization;
  private final LongSupplier clock;
  private final WindowLog log;
  private final String run = UUID.randomUUID().toString();
  private final MessageLog messages;
  private final LongAdder windows = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder bytesIn = new LongAdder();
  private final LongAdder bytesOut = new LongAdder();
  private final LongAdder transferred = new LongAdder();
  private HttpLoop http;

  private StatisticsServer(ExchangeSettings settings, LongSupplier clock) {
    this.settings = settings;
    this.clock = clock;
    authorization =
        settings.secret() == null
            ? null
            : (BEARER + settings.secret()).getBytes(StandardCharsets.US_ASCII);
    log = new WindowLog(settings.keep().toNanos(), WINDOWS_BYTES, settings.maxBackends());
    messages = new MessageLog(settings.keep().toNanos());
  }

  /**
   * Starts to listen; port 0 selects a free port.
   *
   * @throws IOException if the address is not available
   */
  public static StatisticsServer start(ExchangeSettings settings) throws IOException {
    return start(settings, System::nanoTime);
  }

  static StatisticsServer start(ExchangeSettings settings, LongSupplier clock) throws IOException {
    StatisticsServer server = new StatisticsServer(settings, clock);
    long mostHeld = BUFFERS_BYTES + 4L * settings.maxBodyBytes();
    server.http =
        new HttpLoop(settings.address(), "manx-statistics", mostHeld, server.new Answers());
    return server;
  }

  private final class Answers implements HttpLoop.Handler {
    @Override
    public HttpAnswer head(HttpHead head) {
      return counted(early(head));
    }

    @Override
    public HttpAnswer body(HttpHead head, byte[] body) {
      bytesIn.add(body.length);
      return counted(MESSAGES_PATH.equals(head.path()) ? messages(head, body) : window(head, body));
    }

    @Override
    public void transferred(int bytes) {
      transferred.add(bytes);
    }

    private HttpAnswer counted(HttpAnswer answer) {
      if (answer != null) {
        refused.add(answer.status == 200 ? 0 : 1);
        bytesOut.add(answer.status == 200 ? answer.body.length : 0);
      }
      return answer;
    }
  }

  /** Responses that need no body: rejections and the status. */
  private HttpAnswer early(HttpHead head) {
    if (!knows(head.header("Authorization"))) {
      return HttpAnswer.refusal(401, "unknown secret").with("WWW-Authenticate", "Bearer");
    }
    boolean post = head.method().equals("POST");
    if (WINDOW_PATH.equals(head.path())) {
      return post ? ofLength(head.bodyLength()) : HttpAnswer.refusal(405, "POST a window");
    }
    if (MESSAGES_PATH.equals(head.path())) {
      return post ? ofLength(head.bodyLength()) : HttpAnswer.refusal(405, "POST messages");
    }
    if (STATUS_PATH.equals(head.path())) {
      return post
          ? HttpAnswer.refusal(405, "GET the status")
          : new HttpAnswer(200, status().getBytes(StandardCharsets.UTF_8));
    }
    return HttpAnswer.refusal(
        404, "pages: " + WINDOW_PATH + ", " + MESSAGES_PATH + " and " + STATUS_PATH);
  }

  private HttpAnswer ofLength(long bytes) {
    if (bytes < 0) {
      return HttpAnswer.refusal(411, "send a Content-Length");
    }
    return bytes > settings.maxBodyBytes()
        ? HttpAnswer.refusal(413, "more than " + settings.maxBodyBytes() + " bytes")
        : null;
  }

  private boolean knows(String given) {
    if (authorization == null) {
      return true;
    }
    byte[] bytes = given == null ? new byte[0] : given.getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(authorization, bytes);
  }

  private HttpAnswer window(HttpHead head, byte[] body) {
    String application = head.header(APPLICATION);
    WindowStatistics window;
    long since;
    try {
      if (application == null) {
        application = "";
      } else {
        ChannelKind.APPLICATION.check(application);
      }
      window = WindowCodec.read(body, settings.maxBackends());
      since = since(head.header(SINCE));
    } catch (StatisticsFormatException | IllegalArgumentException e) {
      return HttpAnswer.refusal(400, String.valueOf(e.getMessage()));
    }
    long now = clock.getAsLong();
    if (!log.add(application, now, window)) {
      return HttpAnswer.refusal(
          400, "more than " + settings.maxBackends() + " backends in total, or too large a window");
    }
    windows.increment();
    WindowLog.Taken taken = log.after(application, now, since);
    return new HttpAnswer(200, WindowCodec.write(taken.window(), WindowCodec.version(body)))
        .with(UP_TO, run + ":" + taken.upTo())
        .with("Content-Type", "application/octet-stream");
  }

  private HttpAnswer messages(HttpHead head, byte[] body) {
    String application = head.header(APPLICATION);
    String header = head.header(SINCE);
    long now = clock.getAsLong();
    long since;
    boolean restarted;
    List<byte[]> sent;
    try {
      if (application == null) {
        throw new IllegalArgumentException(APPLICATION + " is missing");
      }
      ChannelKind.APPLICATION.check(application);
      if (!messages.mayUse(application, now)) {
        throw new IllegalArgumentException("too many applications");
      }
      sent = Frames.read(body, InvalidationChannel.LONGEST_BYTES);
      since = since(header);
      restarted = header != null && !header.startsWith(run + ":");
    } catch (IOException | IllegalArgumentException e) {
      return HttpAnswer.refusal(400, String.valueOf(e.getMessage()));
    }
    // A server that is new or unknown here receives only later messages.
    long from = header == null || restarted ? messages.last(application) : since;
    messages.add(application, now, sent);
    MessageLog.Taken taken = messages.after(application, from);
    HttpAnswer answer =
        new HttpAnswer(200, Frames.write(taken.messages()))
            .with(UP_TO, run + ":" + taken.upTo())
            .with("Content-Type", "application/octet-stream");
    if (restarted || taken.lost()) {
      answer.with(LOST, "yes");
    }
    return taken.more() ? answer.with(MORE, "yes") : answer;
  }

  /** The number of the last window that a server has received; 0 if that was in an earlier run. */
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

  /** The listen address. */
  public InetSocketAddress address() {
    return http.address();
  }

  /** Bytes of bodies received and sent since the start. */
  public long bodyBytes() {
    return bytesIn.sum() + bytesOut.sum();
  }

  /** Bytes received and sent since the start, heads of requests and responses included. */
  public long transferredBytes() {
    return transferred.sum();
  }

  /** Stops listening and aborts requests in progress. Idempotent. */
  @Override
  public void close() {
    http.close();
  }
}
