/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Signs certificates of nodes with the JDK's keytool, in a separate folder. */
final class Authority {
  static final String PASSWORD = "changeit";

  // Its short runs need neither the second compiler nor stores that are hard to break.
  private static final List<String> SOONER =
      List.of(
          "-J-XX:TieredStopAtLevel=1",
          "-J-XX:+UseSerialGC",
          "-J-Dkeystore.pkcs12.macIterationCount=1000",
          "-J-Dkeystore.pkcs12.certPbeIterationCount=1000",
          "-J-Dkeystore.pkcs12.keyPbeIterationCount=1000");

  private final Path folder;

  private Authority(Path folder) {
    this.folder = folder;
  }

  static Authority in(Path folder) throws Exception {
    Files.createDirectories(folder);
    Authority authority = new Authority(folder);
    authority.generate("authority", "-ext", "bc:c");
    authority.keytool(
        "authority", "-exportcert", "-rfc", "-alias", "key", "-file", authority.pem().toString());
    return authority;
  }

  /** The certificate that clients trust. */
  Path pem() {
    return folder.resolve("authority.pem");
  }

  /**
   * A store with a key and a certificate that this authority signed.
   *
   * @param subject who may use it, such as {@code ip:127.0.0.1}; empty to name no subject
   * @param beginsDays start of its validity, in days from now
   * @param days length of its validity
   */
  Path sign(String name, String subject, int beginsDays, int days) throws Exception {
    String request = folder.resolve(name + ".csr").toString();
    String certificate = folder.resolve(name + ".crt").toString();
    generate(name);
    keytool(name, "-certreq", "-alias", "key", "-file", request);
    List<String> sign =
        new ArrayList<>(List.of("-gencert", "-alias", "key", "-rfc", "-infile", request));
    sign.addAll(List.of("-outfile", certificate, "-validity", Integer.toString(days)));
    sign.addAll(List.of("-startdate", (beginsDays < 0 ? "" : "+") + beginsDays + "d"));
    if (!subject.isEmpty()) {
      sign.addAll(List.of("-ext", "san=" + subject));
    }
    keytool("authority", sign.toArray(String[]::new));
    String trusted = pem().toString();
    keytool(name, "-importcert", "-noprompt", "-alias", "authority", "-file", trusted);
    keytool(name, "-importcert", "-noprompt", "-alias", "key", "-file", certificate);
    return folder.resolve(name + ".p12");
  }

  /** The signed certificate of a store, as PEM. */
  Path certificate(String name) {
    return folder.resolve(name + ".crt");
  }

  /** Writes a store's key as PEM, next to the store. */
  static Path pemKey(Path store) throws Exception {
    char[] password = PASSWORD.toCharArray();
    Key key = KeyStore.getInstance(store.toFile(), password).getKey("key", password);
    return Files.writeString(
        Path.of(store + ".key.pem"),
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(key.getEncoded())
            + "\n-----END PRIVATE KEY-----\n");
  }

  /** Writes a JKS store that trusts this authority. */
  void trustedBy(Path jks) throws Exception {
    KeyStore store = KeyStore.getInstance("JKS");
    store.load(null, null);
    try (InputStream certificate = Files.newInputStream(pem());
        OutputStream file = Files.newOutputStream(jks)) {
      store.setCertificateEntry(
          "authority", CertificateFactory.getInstance("X.509").generateCertificate(certificate));
      store.store(file, PASSWORD.toCharArray());
    }
  }

  private void generate(String name, String... extensions) throws Exception {
    Files.deleteIfExists(folder.resolve(name + ".p12"));
    List<String> arguments =
        new ArrayList<>(List.of("-genkeypair", "-alias", "key", "-keyalg", "EC"));
    arguments.addAll(List.of("-dname", "CN=" + name, "-validity", "30"));
    arguments.addAll(List.of(extensions));
    keytool(name, arguments.toArray(String[]::new));
  }

  private void keytool(String store, String... arguments) throws Exception {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin/keytool").toString());
    line.addAll(SOONER);
    line.addAll(List.of(arguments));
    line.addAll(List.of("-keystore", folder.resolve(store + ".p12").toString()));
    line.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(line + ": " + said);
    }
  }
}
