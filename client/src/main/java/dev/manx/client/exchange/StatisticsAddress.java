/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import dev.manx.policy.config.ConfigNode;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Where a statistics server is, and how to speak to it.
 *
 * @param server its address, {@code http://host:port}
 * @param secret what the server wants to hear; null if nothing
 * @param timeout of a whole exchange, connecting included
 */
record StatisticsAddress(URI server, String secret, Duration timeout) {
  private static final String ADDRESS = "http://host:port or https://host:port";

  /**
   * Checks it.
   *
   * @throws IllegalArgumentException if the address is none, or the secret cannot be one
   */
  StatisticsAddress {
    boolean web = "http".equals(server.getScheme()) || "https".equals(server.getScheme());
    boolean bare = server.getPath() == null || server.getPath().matches("/?");
    if (!web || server.getHost() == null || !bare) {
      // Without the address, which may carry a password.
      throw new IllegalArgumentException(ADDRESS);
    }
    if (timeout.toMillis() < 1 || timeout.toSeconds() > 60) {
      throw new IllegalArgumentException("time-out " + timeout + "; allowed: 1ms to 60s");
    }
    if (secret != null) {
      ExchangeSettings.check(secret);
    }
  }

  /**
   * Reads it, {@code secret-file} (a file with the secret as its only line) and {@code timeout}, 1
   * s by default.
   *
   * @param key of the address
   * @throws dev.manx.policy.config.ConfigException if anything is refused
   */
  static StatisticsAddress read(ConfigNode node, String key) {
    ConfigNode server = node.at(key);
    String secret = node.find("secret-file").map(StatisticsAddress::secret).orElse(null);
    Duration timeout =
        node.find("timeout")
            .map(n -> Duration.ofNanos(n.durationNanos(1_000_000, 60_000_000_000L)))
            .orElse(Duration.ofSeconds(1));
    try {
      return new StatisticsAddress(new URI(server.text()), secret, timeout);
    } catch (URISyntaxException e) {
      throw server.refuse(ADDRESS);
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

  /** What speaks to it. */
  HttpClient client() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER)
        .connectTimeout(timeout)
        .build();
  }

  /** One of its pages. */
  URI of(String path) {
    return server.resolve(path);
  }

  /** A body for a page. */
  HttpRequest.Builder post(URI page, byte[] body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(page).POST(HttpRequest.BodyPublishers.ofByteArray(body));
    return secret == null ? request : request.header("Authorization", "Bearer " + secret);
  }

  /** Refuses a body that is too long, or of a length that is not known. */
  static HttpResponse.BodySubscriber<byte[]> body(HttpResponse.ResponseInfo info, long most) {
    long length = info.headers().firstValueAsLong("Content-Length").orElse(Long.MAX_VALUE);
    if (length > most) {
      throw new IllegalStateException("an answer of more than " + most + " bytes");
    }
    return HttpResponse.BodySubscribers.ofByteArray();
  }

  /** Does not show the secret. */
  @Override
  public String toString() {
    return server.getHost() + ":" + server.getPort();
  }
}
