/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import dev.manx.client.control.StatisticsExchange;
import dev.manx.policy.cache.StatisticsFormatException;
import dev.manx.policy.cache.WindowCodec;
import dev.manx.policy.cache.WindowStatistics;
import dev.manx.policy.config.ConfigNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * An application server's side of {@link StatisticsServer}. While the server is gone, slow or
 * answers nonsense there are no statistics, and so the shares are frozen; it is asked again at the
 * next tick. A window that could not be handed in is dropped: sent twice it would count twice.
 */
public final class StatisticsClient implements StatisticsExchange {
  private static final int MOST_BACKENDS = WindowStatistics.MAX_BACKENDS;
  private static final int MOST_BYTES = 64 << 20;

  private final URI uri;
  private final String authorization;
  private final int timeoutMillis;
  private final LongAdder exchanges = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private volatile String lastFailure = "";
  private String since;

  /**
   * A client of a server.
   *
   * @param server its address, {@code http://host:port}
   * @param secret what the server wants to hear; null if nothing
   * @param timeout of a whole exchange, connecting included; well below a tick
   * @throws IllegalArgumentException if the address is none, or the secret cannot be one
   */
  public StatisticsClient(URI server, String secret, Duration timeout) {
    boolean http = "http".equals(server.getScheme()) || "https".equals(server.getScheme());
    boolean bare = server.getPath() == null || server.getPath().matches("/?");
    if (!http || server.getHost() == null || !bare) {
      throw new IllegalArgumentException(server + "; allowed: http://host:port or https://");
    }
    if (timeout.toMillis() < 1 || timeout.toSeconds() > 60) {
      throw new IllegalArgumentException("time-out " + timeout + "; allowed: 1ms to 60s");
    }
    if (secret != null) {
      ExchangeSettings.check(secret);
    }
    uri = server.resolve(StatisticsServer.WINDOW_PATH);
    authorization = secret == null ? null : "Bearer " + secret;
    timeoutMillis = (int) timeout.toMillis();
  }

  /**
   * Reads {@code server}, {@code secret-file} (a file whose one line it is) and {@code timeout}, 1
   * s unless told.
   *
   * @throws dev.manx.policy.config.ConfigException if anything is refused
   */
  public static StatisticsClient read(ConfigNode node) {
    ConfigNode server = node.at("server");
    String secret = node.find("secret-file").map(StatisticsClient::secret).orElse(null);
    Duration timeout =
        node.find("timeout")
            .map(n -> Duration.ofNanos(n.durationNanos(1_000_000, 60_000_000_000L)))
            .orElse(Duration.ofSeconds(1));
    node.noOtherKeys();
    try {
      return new StatisticsClient(URI.create(server.text()), secret, timeout);
    } catch (IllegalArgumentException e) {
      throw server.refuse(e.getMessage());
    }
  }

  private static String secret(ConfigNode node) {
    try {
      return Files.readString(Path.of(node.text())).strip();
    } catch (IOException | InvalidPathException e) {
      throw node.refuse("a readable file whose one line is the secret");
    }
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
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    byte[] body = WindowCodec.write(own);
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    boolean done = false;
    try {
      connection.setRequestMethod("POST");
      connection.setConnectTimeout(timeoutMillis);
      connection.setReadTimeout(timeoutMillis);
      connection.setInstanceFollowRedirects(false);
      connection.setUseCaches(false);
      connection.setDoOutput(true);
      connection.setFixedLengthStreamingMode(body.length);
      if (authorization != null) {
        connection.setRequestProperty("Authorization", authorization);
      }
      if (since != null) {
        connection.setRequestProperty(StatisticsServer.SINCE, since);
      }
      try (OutputStream out = connection.getOutputStream()) {
        out.write(body);
      }
      int status = connection.getResponseCode();
      if (status != HttpURLConnection.HTTP_OK) {
        throw new IOException("the statistics server at " + uri + " answers " + status);
      }
      byte[] answer = read(connection.getInputStream(), deadline);
      since = connection.getHeaderField(StatisticsServer.UP_TO);
      bytes.add(body.length + (long) answer.length);
      done = true;
      return answer;
    } finally {
      if (!done) {
        connection.disconnect();
      }
    }
  }

  /** Reads to the end, but not for ever though byte follows byte in time. */
  private static byte[] read(InputStream in, long deadline) throws IOException {
    try (in) {
      byte[] read = new byte[8 << 10];
      int size = 0;
      for (int more = in.read(read); more >= 0; more = in.read(read, size, read.length - size)) {
        size += more;
        if (System.nanoTime() - deadline > 0) {
          throw new IOException("the statistics server is too slow");
        }
        if (size == read.length) {
          if (size >= MOST_BYTES) {
            throw new IOException("the statistics server answers without end");
          }
          read = Arrays.copyOf(read, 2 * size);
        }
      }
      return Arrays.copyOf(read, size);
    }
  }

  /** Times it asked. */
  public long exchanges() {
    return exchanges.sum();
  }

  /** Times it asked in vain. */
  public long failures() {
    return failures.sum();
  }

  /** Bytes of bodies, both ways. */
  public long bodyBytes() {
    return bytes.sum();
  }

  /** Why it last asked in vain; empty if it never did. */
  public String lastFailure() {
    return lastFailure;
  }
}
