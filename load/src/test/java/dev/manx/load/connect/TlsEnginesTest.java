/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stores as a cluster has them: keystore and truststore, each with a password of its own. */
@Timeout(60)
class TlsEnginesTest {
  @TempDir static Path folder;
  private static Path key;
  private static Path trust;

  @BeforeAll
  static void makeStores() throws Exception {
    key = folder.resolve("keystore.p12");
    List<String> line =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin/keytool").toString()));
    line.addAll(List.of("-genkeypair", "-alias", "key", "-keyalg", "EC", "-dname", "CN=client"));
    line.addAll(List.of("-keystore", key.toString()));
    line.addAll(List.of("-storetype", "PKCS12", "-storepass", "of the key"));
    assertThat(new ProcessBuilder(line).start().waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance(key.toFile(), "of the key".toCharArray());
    KeyStore trusted = KeyStore.getInstance("JKS");
    trusted.load(null, null);
    trusted.setCertificateEntry("authority", keys.getCertificate("key"));
    trust = folder.resolve("truststore.jks");
    try (OutputStream file = Files.newOutputStream(trust)) {
      trusted.store(file, "of the trust".toCharArray());
    }
  }

  private static TlsSettings settings(String password, String trustPassword) {
    return new TlsSettings(
        Optional.of(trust), Optional.of(key), Optional.empty(), password, trustPassword, false);
  }

  @Test
  void eachStoreHasItsPassword() {
    assertThat(TlsEngines.of(settings("of the key", "of the trust"))).isNotNull();
  }

  @Test
  void aWrongPasswordNamesItsOption() {
    assertThatThrownBy(() -> TlsEngines.of(settings("of the key", "of the key")))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining(trust + ", which must be a PEM file")
        .hasMessageContaining("password (--tls-trust-password-file, or --tls-password-file");
    assertThatThrownBy(() -> TlsEngines.of(settings("of the trust", "of the trust")))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining(key + ", which must be a PEM file")
        .hasMessageContaining("password (--tls-password-file)");
  }
}
