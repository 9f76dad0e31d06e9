/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Optional;

/**
 * The certificates of TLS connections; unused without TLS. Files are in PEM.
 *
 * @param authorities authorities that may sign a server's certificate; empty: those that the JVM
 *     trusts
 * @param identity sent to servers that require it; empty: none
 */
public record RedisTls(Optional<Path> authorities, Optional<Identity> identity) {
  /** What is valid in place of an address without TLS. */
  static final String ONLY_WITH_TLS =
      "rediss:// or rediss-sentinel://, because certificates are configured";

  /** The JVM's authorities, and no client certificate. */
  public static final RedisTls OF_THE_JVM = new RedisTls(Optional.empty(), Optional.empty());

  private static final String CERTIFICATE = "certificate";
  private static final String KEY = "certificate-key";
  private static final Setting CA =
      file("ca", "certificates in PEM in place of the JVM's authorities");

  /** Its settings, which have no default. */
  static final List<Setting> SETTINGS =
      List.of(
          CA,
          file(CERTIFICATE, "a certificate in PEM, for servers that require one from clients"),
          file(KEY, "its private key in PEM: PKCS#8, not encrypted"));

  /**
   * A client's certificate.
   *
   * @param certificate the certificate, with intermediate certificates if any
   * @param key private, PKCS#8, not encrypted
   */
  public record Identity(Path certificate, Path key) {
    /** Rejects unreadable files: no connection could ever succeed. */
    public Identity {
      try {
        SslContextBuilder.forClient().keyManager(certificate.toFile(), key.toFile());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            certificate
                + " and "
                + key
                + " cannot be read as a certificate and its unencrypted PKCS#8 key, both in PEM",
            e);
      }
    }
  }

  /** Rejects a file without certificates: no connection could ever succeed. */
  public RedisTls {
    authorities.ifPresent(RedisTls::check);
  }

  private static Setting file(String name, String meaning) {
    return Setting.path(name, "", meaning).withoutStandard();
  }

  private static void check(Path file) {
    try {
      // As text, because the client library reads no other form.
      byte[] pem = Files.readString(file).getBytes(StandardCharsets.UTF_8);
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      if (factory.generateCertificates(new ByteArrayInputStream(pem)).isEmpty()) {
        throw new IllegalArgumentException(file + " has no certificates");
      }
    } catch (IOException | CertificateException e) {
      throw new IllegalArgumentException(file + " cannot be read as certificates in PEM", e);
    }
  }

  /**
   * Returns a copy with its own authorities in place of those that the JVM trusts.
   *
   * @param file of certificates
   * @throws IllegalArgumentException if it cannot be read
   */
  public RedisTls trusting(Path file) {
    return new RedisTls(Optional.of(file), identity);
  }

  /**
   * Returns a copy with a certificate for servers that require one from clients.
   *
   * @param key private, PKCS#8, not encrypted
   * @throws IllegalArgumentException if a file cannot be read
   */
  public RedisTls presenting(Path certificate, Path key) {
    return new RedisTls(authorities, Optional.of(new Identity(certificate, key)));
  }

  /** Reads the files {@code ca}, {@code certificate} and {@code certificate-key}. */
  static RedisTls read(ConfigNode node) {
    RedisTls tls = OF_THE_JVM;
    Optional<ConfigNode> ca = node.findGiven(CA.name());
    if (ca.isPresent()) {
      try {
        tls = tls.trusting(Path.of(ca.get().text()));
      } catch (IllegalArgumentException e) {
        throw ca.get().refuse("a file of certificates in PEM that can be read");
      }
    }
    Optional<ConfigNode> certificate = node.findGiven(CERTIFICATE);
    if (certificate.isEmpty()) {
      if (node.findGiven(KEY).isPresent()) {
        throw node.at(KEY).refuse("only together with " + CERTIFICATE);
      }
      return tls;
    }
    Path key = Path.of(node.at(KEY).text());
    try {
      return tls.presenting(Path.of(certificate.get().text()), key);
    } catch (IllegalArgumentException e) {
      throw certificate
          .get()
          .refuse("a certificate in PEM whose " + KEY + " is an unencrypted PKCS#8 key in PEM");
    }
  }

  /**
   * Rejects an address without TLS if there are files: they would not be used, and a password would
   * be sent in clear.
   */
  void checkIsUsedBy(URI address) {
    if (!equals(OF_THE_JVM)) {
      RedisURI redis = RedisURI.create(address);
      if (!redis.isSsl() && !redis.isStartTls()) {
        throw new IllegalArgumentException("an address without TLS; allowed: " + ONLY_WITH_TLS);
      }
    }
  }

  ClientOptions.Builder into(ClientOptions.Builder options) {
    if (equals(OF_THE_JVM)) {
      return options;
    }
    SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider();
    authorities.ifPresent(file -> ssl.trustManager(file.toFile()));
    identity.ifPresent(
        own -> ssl.keyManager(own.certificate().toFile(), own.key().toFile(), new char[0]));
    return options.sslOptions(ssl.build());
  }
}
