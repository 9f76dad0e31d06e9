/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.ssl.SslEngineFactory;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/** The driver's TLS, from PEM files or key stores. Any thread. */
final class TlsEngines implements SslEngineFactory {
  private static final String PEM = "-----BEGIN ";

  private final SslContext context;
  private final boolean anyHost;

  private TlsEngines(SslContext context, boolean anyHost) {
    this.context = context;
    this.anyHost = anyHost;
  }

  /**
   * Reads the files.
   *
   * @throws ConnectException if one cannot be read, or a password is wrong
   */
  static TlsEngines of(TlsSettings settings) {
    // The JDK's engine: its exceptions explain faults of a certificate.
    SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
    settings.trust().ifPresent(file -> trust(builder, file, settings.trustPassword()));
    settings.key().ifPresent(file -> key(builder, file, settings));
    try {
      return new TlsEngines(builder.build(), settings.anyHost());
    } catch (SSLException e) {
      throw new ConnectException("TLS cannot be set up: " + Reasons.innermost(e), e);
    }
  }

  private static void trust(SslContextBuilder builder, Path file, String password) {
    try {
      if (isPem(file)) {
        builder.trustManager(file.toFile());
        return;
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store(file, password));
      builder.trustManager(factory);
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw refused(
          "the trusted certificates",
          file,
          "--tls-trust-password-file, or --tls-password-file if it is the key's too",
          e);
    }
  }

  private static void key(SslContextBuilder builder, Path file, TlsSettings settings) {
    String password = settings.password();
    Optional<Path> certificate = settings.certificate();
    try {
      if (isPem(file)) {
        Path chain =
            certificate.orElseThrow(
                () ->
                    new ConnectException(
                        "the key "
                            + file
                            + " is a PEM file, which needs its certificate in another: name that"
                            + " too"));
        // A password belongs to the stores unless the key is marked as encrypted.
        boolean encrypted = text(file).contains("ENCRYPTED");
        builder.keyManager(chain.toFile(), file.toFile(), encrypted ? password : null);
        return;
      }
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store(file, password), password == null ? null : password.toCharArray());
      builder.keyManager(factory);
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw refused("this client's key", file, "--tls-password-file", e);
    }
  }

  private static KeyStore store(Path file, String password)
      throws IOException, GeneralSecurityException {
    return KeyStore.getInstance(
        file.toFile(), password == null ? new char[0] : password.toCharArray());
  }

  private static boolean isPem(Path file) throws IOException {
    return text(file).contains(PEM);
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
  }

  private static ConnectException refused(String what, Path file, String option, Exception e) {
    if (!Files.isReadable(file)) {
      return new ConnectException(what + " cannot be read: " + file + " is not a readable file", e);
    }
    return new ConnectException(
        what
            + " cannot be read from "
            + file
            + ", which must be a PEM file (a key in PKCS#8) or a JKS or PKCS#12 store with the right"
            + " password ("
            + option
            + "): "
            + Reasons.innermost(e),
        e);
  }

  @Override
  public SSLEngine newSslEngine(EndPoint remote) {
    InetSocketAddress address = (InetSocketAddress) remote.resolve();
    SSLEngine engine =
        context.newEngine(
            UnpooledByteBufAllocator.DEFAULT, address.getHostString(), address.getPort());
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm(anyHost ? "" : "HTTPS");
    engine.setSSLParameters(parameters);
    return engine;
  }

  @Override
  public void close() {}
}
