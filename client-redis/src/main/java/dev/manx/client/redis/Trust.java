/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.policy.config.ConfigNode;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.SslOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Optional;

/**
 * The authorities whose signature makes a server's certificate valid. They matter only with TLS.
 *
 * @param authorities a file of certificates in PEM; empty: those that the JVM trusts
 */
record Trust(Optional<Path> authorities) {
  static final Trust OF_THE_JVM = new Trust(Optional.empty());

  /** Refuses a file without certificates: no connection would ever succeed. */
  Trust {
    authorities.ifPresent(Trust::check);
  }

  private static void check(Path file) {
    try {
      // Text, for the client library reads no other form.
      byte[] pem = Files.readString(file).getBytes(StandardCharsets.UTF_8);
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      if (factory.generateCertificates(new ByteArrayInputStream(pem)).isEmpty()) {
        throw new IllegalArgumentException(file + " has no certificates");
      }
    } catch (IOException | CertificateException e) {
      throw new IllegalArgumentException(file + " cannot be read as certificates in PEM", e);
    }
  }

  /** Reads {@code ca}, a file. */
  static Trust read(ConfigNode node) {
    Optional<ConfigNode> file = node.find("ca");
    if (file.isEmpty()) {
      return OF_THE_JVM;
    }
    try {
      return new Trust(Optional.of(Path.of(file.get().text())));
    } catch (IllegalArgumentException e) {
      throw file.get().refuse("a file of certificates in PEM that can be read");
    }
  }

  ClientOptions.Builder into(ClientOptions.Builder options) {
    authorities.ifPresent(
        file ->
            options.sslOptions(
                SslOptions.builder().jdkSslProvider().trustManager(file.toFile()).build()));
    return options;
  }
}
