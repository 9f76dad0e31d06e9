/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import dev.manx.client.control.StatisticsExchange;
import dev.manx.client.invalidation.ChannelKind;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.shares.StatisticsFormatException;
import dev.manx.shares.WindowCodec;
import dev.manx.shares.WindowStatistics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * The application server's side of {@link StatisticsServer}. While the server is unreachable, slow
 * or sends invalid responses there are no statistics, so the shares are frozen; the next tick
 * retries. A window that could not be delivered is dropped: a repeated delivery could count it
 * twice.
 */
public final class StatisticsClient implements StatisticsExchange {
  /** The settings besides {@code server}. */
  public static final List<Setting> SETTINGS =
      Stream.concat(StatisticsAddress.SETTINGS.stream(), Stream.of(ChannelKind.APPLICATION))
          .toList();

  private static final int MOST_BACKENDS = WindowStatistics.MAX_BACKENDS;
  private static final int MOST_BYTES = 64 << 20;

  private final URI uri;
  private final StatisticsAddress address;
  // Null: none.
  private final String application;
  private final HttpClient http;
  private final LongAdder exchanges = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private volatile String lastFailure = "";
  private String since;
  // The version of the windows that the server reads.
  private int version = WindowCodec.VERSION;

  /**
   * Creates a client of a server.
   *
   * @param server its address, {@code http://host:port}
   * @param secret the secret that the server requires; null: none
   * @param timeout of a whole exchange, including connecting; well below a tick
   * @throws IllegalArgumentException if the address or the secret is invalid
   */
  public StatisticsClient(URI server, String secret, Duration timeout) {
    this(new StatisticsAddress(server, secret, timeout), null);
  }

  private StatisticsClient(StatisticsAddress address, String application) {
    this.application = application;
    uri = address.of(StatisticsServer.WINDOW_PATH);
    this.address = address;
    http = address.client();
  }

  /**
   * Creates a client whose sums contain only the windows of one application.
   *
   * @param application a name that the servers of a common sum share: 1 to 64 letters, digits,
   *     {@code . _ -}. Two caches of an application need two names
   * @throws IllegalArgumentException if the address, the secret or the name is invalid
   */
  public StatisticsClient(URI server, String secret, Duration timeout, String application) {
    this(new StatisticsAddress(server, secret, timeout), application);
    ChannelKind.APPLICATION.check(application);
  }

  /**
   * Reads {@code server}, {@code secret-file} (a file with the secret as its only line), {@code
   * timeout}, 1 s by default, and {@code application}.
   *
   * @throws dev.manx.policy.config.ConfigException if a setting is invalid
   */
  public static StatisticsClient read(ConfigNode node) {
    StatisticsAddress address = StatisticsAddress.read(node, "server");
    String application = (String) ChannelKind.APPLICATION.readOr(node, null);
    node.noOtherKeys();
    return new StatisticsClient(address, application);
  }

  @Override
  public Optional<Merged> exchange(long nowNanos, WindowStatistics own) {
    exchanges.increment();
    try {
      return Optional.of(new Merged(WindowCodec.read(ask(own), MOST_BACKENDS), nowNanos));
    } catch (IOException | StatisticsFormatException | RuntimeException e) {
      failures.increment();
      lastFailure = String.valueOf(e.getMessage());
      return Optional.empty();
    }
  }

  private byte[] ask(WindowStatistics own) throws IOException {
    long endNanos = System.nanoTime() + address.timeout().toNanos();
    int sent = version;
    HttpResponse<byte[]> answer = post(own, sent, endNanos);
    if (answer.statusCode() == 400 && sent > WindowCodec.OLDEST_VERSION) {
      // Perhaps a server that is not yet upgraded. It rejected the window, so nothing is counted
      // twice.
      sent = WindowCodec.OLDEST_VERSION;
      answer = post(own, sent, endNanos);
    }
    if (answer.statusCode() != 200) {
      throw new IOException(
          "the statistics server at " + address + " answered with status " + answer.statusCode());
    }
    String upTo = address.upTo(answer);
    // A server that was restarted may have been upgraded.
    version = since == null || sameRun(since, upTo) ? sent : WindowCodec.VERSION;
    since = upTo;
    return answer.body();
  }

  private static boolean sameRun(String one, String other) {
    return one.substring(0, one.indexOf(':') + 1)
        .equals(other.substring(0, other.indexOf(':') + 1));
  }

  private HttpResponse<byte[]> post(WindowStatistics own, int in, long endNanos)
      throws IOException {
    byte[] body = WindowCodec.write(own, in);
    HttpRequest.Builder request = address.post(uri, body);
    if (application != null) {
      request.header(StatisticsServer.APPLICATION, application);
    }
    if (since != null) {
      request.header(StatisticsServer.SINCE, since);
    }
    HttpResponse<byte[]> answer = send(request.build(), endNanos);
    if (answer.statusCode() == 200) {
      bytes.add(body.length + (long) answer.body().length);
    }
    return answer;
  }

  /** Sends a request; the time-out covers all of it, however steadily single bytes arrive. */
  private HttpResponse<byte[]> send(HttpRequest request, long endNanos) throws IOException {
    CompletableFuture<HttpResponse<byte[]>> answer =
        http.sendAsync(request, info -> StatisticsAddress.body(info, MOST_BYTES));
    try {
      return answer.get(Math.max(0, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IOException(
          "the statistics server at " + address + ": " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new IOException(
          "the statistics server at "
              + address
              + " did not answer within "
              + address.timeout().toMillis()
              + " ms",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      // Closes the connection unless the response is complete.
      answer.cancel(true);
    }
  }

  /** Number of exchanges attempted. */
  public long exchanges() {
    return exchanges.sum();
  }

  /** Number of failed exchanges. */
  public long failures() {
    return failures.sum();
  }

  /** Bytes of bodies, in both directions. */
  public long bodyBytes() {
    return bytes.sum();
  }

  /** The reason of the last failed exchange; empty if none failed. */
  @Override
  public String lastFailure() {
    return lastFailure;
  }
}
