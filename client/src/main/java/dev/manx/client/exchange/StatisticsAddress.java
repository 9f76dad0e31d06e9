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
 * The address of a statistics server and the parameters of access.
 *
 * @param server its address, {@code http://host:port}
 * @param secret the secret that the server requires; null: none
 * @param timeout of a whole exchange, including connecting
 */
record StatisticsAddress(URI server, String secret, Duration timeout) {
  private static final String ADDRESS = "http://host:port or https://host:port";

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if the address or the secret is invalid
   */
  StatisticsAddress {
    boolean web = "http".equals(server.getScheme()) || "https".equals(server.getScheme());
    boolean bare = server.getPath() == null || server.getPath().matches("/?");
    if (!web || server.getHost() == null || !bare) {
      // Omits the address, which may contain a password.
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
   * Reads the address, {@code secret-file} (a file with the secret as its only line) and {@code
   * timeout}, 1 s by default.
   *
   * @param key key of the address
   * @throws dev.manx.policy.config.ConfigException if a setting is invalid
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

  /** An HTTP client for the server. */
  HttpClient client() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER)
        .connectTimeout(timeout)
        .build();
  }

  /** The URI of one of its pages. */
  URI of(String path) {
    return server.resolve(path);
  }

  /** A request that posts a body to a page. */
  HttpRequest.Builder post(URI page, byte[] body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(page).POST(HttpRequest.BodyPublishers.ofByteArray(body));
    return secret == null ? request : request.header("Authorization", "Bearer " + secret);
  }

  /** Rejects a body that is too long or of unknown length. */
  static HttpResponse.BodySubscriber<byte[]> body(HttpResponse.ResponseInfo info, long most) {
    long length = info.headers().firstValueAsLong("Content-Length").orElse(Long.MAX_VALUE);
    if (length > most) {
      throw new IllegalStateException("an answer of more than " + most + " bytes");
    }
    return HttpResponse.BodySubscribers.ofByteArray();
  }

  /** Omits the secret. */
  @Override
  public String toString() {
    return server.getHost() + ":" + server.getPort();
  }
}
