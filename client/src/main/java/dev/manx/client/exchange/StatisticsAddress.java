/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import dev.manx.client.config.Durations;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
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
import java.util.List;

/**
 * The address of a statistics server and the parameters of access.
 *
 * @param server its address, {@code http://host:port}
 * @param secret the secret that the server requires; null: none
 * @param timeout of a whole exchange, including connecting
 */
record StatisticsAddress(URI server, String secret, Duration timeout) {
  private static final Setting TIMEOUT =
      Setting.duration(
          "timeout", "1s", "1ms", "60s", "time-out of a whole exchange, including connecting");

  private static final Setting SECRET_FILE =
      Setting.path("secret-file", "", "a file with the server's secret as its only line")
          .withoutStandard();

  /** The settings besides the address. */
  static final List<Setting> SETTINGS = List.of(SECRET_FILE, TIMEOUT);

  private static final String ADDRESS =
      "http://host:port or https://host:port, without user and password";

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if the address or the secret is invalid
   */
  StatisticsAddress {
    boolean web = "http".equals(server.getScheme()) || "https".equals(server.getScheme());
    boolean bare = server.getPath() == null || server.getPath().matches("/?");
    if (!web || server.getHost() == null || !bare || server.getRawUserInfo() != null) {
      // Omits the address, which may contain a password.
      throw new IllegalArgumentException(ADDRESS);
    }
    Durations.check(TIMEOUT, timeout);
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
    String secret = node.findGiven(SECRET_FILE.name()).map(StatisticsAddress::secret).orElse(null);
    Duration timeout = Durations.readOr(TIMEOUT, node, Durations.standard(TIMEOUT));
    try {
      return new StatisticsAddress(new URI(server.text()), secret, timeout);
    } catch (URISyntaxException e) {
      throw server.refuse(ADDRESS);
    } catch (IllegalArgumentException e) {
      throw server.refuse(e.getMessage());
    }
  }

  private static String secret(ConfigNode node) {
    String secret;
    try {
      secret = Files.readString(Path.of(node.text())).strip();
    } catch (IOException | InvalidPathException e) {
      throw node.refuse("a readable file whose one line is the secret");
    }
    try {
      ExchangeSettings.check(secret);
    } catch (IllegalArgumentException e) {
      throw node.refuseBecause(e.getMessage());
    }
    return secret;
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

  /**
   * The number of the last item in an answer, to be sent with the next request.
   *
   * @throws IOException if the answer lacks it, so that the next answer would repeat or omit items
   */
  String upTo(HttpResponse<?> answer) throws IOException {
    return answer
        .headers()
        .firstValue(StatisticsServer.UP_TO)
        .orElseThrow(
            () ->
                new IOException(
                    "the answer of the statistics server at "
                        + this
                        + " lacks the header "
                        + StatisticsServer.UP_TO
                        + ": a proxy between must pass all headers that begin with Manx-"));
  }

  /** Host and port, without the secret. */
  @Override
  public String toString() {
    return server.getRawAuthority();
  }
}
