/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Address and limits of the statistics server.
 *
 * @param address listen address; a secret is required unless it is a loopback address
 * @param secret secret that clients must send; null: none
 * @param keep how long a window is kept for late servers
 * @param maxBodyBytes larger bodies are rejected with 413
 * @param maxBackends maximum number of different backends of all servers together
 */
public record ExchangeSettings(
    InetSocketAddress address, String secret, Duration keep, int maxBodyBytes, int maxBackends) {
  /** A shorter secret could be guessed. */
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
          "listening on "
              + address.getHostString()
              + " requires a secret, because other machines can connect");
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

  /** Creates settings: windows kept 60 s, bodies up to 512 KiB, up to 1,024 backends. */
  public static ExchangeSettings of(InetSocketAddress address, String secret) {
    return new ExchangeSettings(address, secret, Duration.ofMinutes(1), 512 << 10, 1_024);
  }

  /**
   * Checks a secret: 16 to 512 printable ASCII characters without spaces.
   *
   * @throws IllegalArgumentException if it is invalid; the message does not contain the secret
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
