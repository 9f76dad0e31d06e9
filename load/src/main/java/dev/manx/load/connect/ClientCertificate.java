/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The certificate that this client presents to nodes. */
final class ClientCertificate {
  private ClientCertificate() {}

  /** A message if it has expired. Some nodes close the connection without a reason. */
  static Optional<String> expired(TlsSettings settings) {
    Optional<Path> file = settings.certificate().or(settings::key);
    try {
      for (Certificate each :
          file.isEmpty() ? List.<Certificate>of() : read(file.get(), settings)) {
        ((X509Certificate) each).checkValidity();
      }
      return Optional.empty();
    } catch (CertificateExpiredException e) {
      return Optional.of(
          "this client's certificate, "
              + file.get()
              + ", has expired ("
              + e.getMessage()
              + "): renew it");
    } catch (IOException | GeneralSecurityException | ClassCastException e) {
      // Unreadable files were refused before the first connection.
      return Optional.empty();
    }
  }

  private static Collection<? extends Certificate> read(Path file, TlsSettings settings)
      throws IOException, GeneralSecurityException {
    if (settings.certificate().isPresent()) {
      try (InputStream in = Files.newInputStream(file)) {
        return CertificateFactory.getInstance("X.509").generateCertificates(in);
      }
    }
    String password = settings.password();
    KeyStore store =
        KeyStore.getInstance(
            file.toFile(), password == null ? new char[0] : password.toCharArray());
    List<Certificate> own = new ArrayList<>();
    for (String alias : Collections.list(store.aliases())) {
      if (store.isKeyEntry(alias)) {
        own.add(store.getCertificate(alias));
      }
    }
    return own;
  }
}
