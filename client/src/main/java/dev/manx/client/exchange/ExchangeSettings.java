/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * How the statistics server listens and what it bears.
 *
 * @param address where; any but a loopback address needs a secret
 * @param secret the secret that clients must send; null if none is needed
 * @param keep how long a window waits for servers that are late
 * @param maxBodyBytes more is refused with 413
 * @param maxBackends different backends of all servers at a time
 */
public record ExchangeSettings(
    InetSocketAddress address, String secret, Duration keep, int maxBodyBytes, int maxBackends) {
  /** Fewer would be guessed. */
  public static final int SHORTEST_SECRET = 16;

  private static final int LONGEST_SECRET = 512;

  /** Checks the ranges, and that connections from other machines need a secret. */
  public ExchangeSettings {
    if (address.isUnresolved()) {
      throw new IllegalArgumentException("unknown host " + address.getHostString());
    }
    if (secret != null) {
      check(secret);
    } else if (!address.getAddress().isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "to listen on "
              + address.getHostString()
              + " needs a secret, because other machines could connect");
    }
    if (keep.compareTo(Duration.ofSeconds(1)) < 0 || keep.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException("keep " + keep + "; allowed: 1s to 1h");
    }
    if (maxBodyBytes < 1_024 || maxBodyBytes > 64 << 20) {
      throw new IllegalArgumentException("body of " + maxBodyBytes + " B; allowed: 1KiB to 64MiB");
    }
    if (maxBackends < 1 || maxBackends > 4_096) {
      throw new IllegalArgumentException(maxBackends + " backends; allowed: 1 to 4096");
    }
  }

  /** Windows kept 60 s, bodies up to 512 KiB, up to 1,024 backends. */
  public static ExchangeSettings of(InetSocketAddress address, String secret) {
    return new ExchangeSettings(address, secret, Duration.ofMinutes(1), 512 << 10, 1_024);
  }

  /**
   * A secret that can be sent: 16 to 512 printable ASCII characters without spaces.
   *
   * @throws IllegalArgumentException without telling the secret
   */
  static byte[] check(String secret) {
    boolean printable = secret.chars().allMatch(c -> c > ' ' && c <= '~');
    if (!printable || secret.length() < SHORTEST_SECRET || secret.length() > LONGEST_SECRET) {
      throw new IllegalArgumentException(
          "a secret of "
              + secret.length()
              + " characters; allowed: 16 to 512 printable ASCII characters without spaces");
    }
    return secret.getBytes(StandardCharsets.US_ASCII);
  }
}
