/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.internal.core.metadata.DefaultEndPoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages for servers that are not Cassandra nodes or cannot be reached. */
class ReasonsTest {
  private static final TlsSettings TLS =
      new TlsSettings(Optional.empty(), Optional.empty(), Optional.empty(), null, null, false);

  @TempDir private Path folder;

  private static ConnectSettings to(int port, TlsSettings tls) {
    return new ConnectSettings(
        List.of(new HostPort("127.0.0.1", port)),
        Optional.empty(),
        Optional.empty(),
        Optional.ofNullable(tls),
        Duration.ofSeconds(20).toNanos());
  }

  /** A server that answers every connection with these bytes and closes it. */
  private static ServerSocket answering(byte[] bytes) throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    Thread thread =
        new Thread(
            () -> {
              while (!server.isClosed()) {
                try (Socket socket = server.accept()) {
                  socket.getInputStream().read();
                  socket.getOutputStream().write(bytes);
                } catch (IOException e) {
                  if (!server.isClosed()) {
                    throw new UncheckedIOException(e);
                  }
                }
              }
            });
    thread.setDaemon(true);
    thread.start();
    return server;
  }

  private static String words(ConnectSettings settings) {
    try (Cluster cluster = Cluster.connect(settings)) {
      return "connected to " + cluster.members();
    } catch (ConnectException e) {
      return e.getMessage();
    }
  }

  @Test
  void nothingListens() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      free = socket.getLocalPort();
    }
    assertThat(words(to(free, null))).contains("127.0.0.1:" + free + ": nothing listens there");
  }

  @Test
  void aServerThatClosesAtOnceMayWantTls() throws IOException {
    try (ServerSocket server = answering(new byte[0])) {
      assertThat(words(to(server.getLocalPort(), null)))
          .contains("closed the connection at once", "--tls");
    }
  }

  @Test
  void aServerWithoutTls() throws IOException {
    byte[] text = "SSH-2.0-OpenSSH_9.6 and so on\r\n".getBytes(StandardCharsets.US_ASCII);
    try (ServerSocket server = answering(text)) {
      assertThat(words(to(server.getLocalPort(), TLS))).contains("does not speak TLS on this port");
    }
  }

  @Test
  void aHostThatIsNotKnown() {
    // Longer than a label may be: no name server is queried.
    String host = "h".repeat(70);
    ConnectSettings settings =
        new ConnectSettings(
            List.of(new HostPort(host, 9_042)),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Duration.ofSeconds(20).toNanos());
    assertThat(words(settings)).isEqualTo("no such host is known: " + host);
  }

  @Test
  void tlsFilesThatCannotBeRead() throws IOException {
    Path missing = folder.resolve("missing.pem");
    Path garbage = Files.writeString(folder.resolve("garbage.p12"), "garbage");
    Path key = Files.writeString(folder.resolve("key.pem"), "-----BEGIN PRIVATE KEY-----\n");
    assertThatThrownBy(() -> TlsEngines.of(trusting(missing)))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining(missing + " is not a readable file");
    assertThatThrownBy(() -> TlsEngines.of(trusting(garbage)))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining(garbage + ", which must be a PEM file");
    TlsSettings alone =
        new TlsSettings(Optional.empty(), Optional.of(key), Optional.empty(), null, null, false);
    assertThatThrownBy(() -> TlsEngines.of(alone))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("needs its certificate");
  }

  private static TlsSettings trusting(Path file) {
    return new TlsSettings(
        Optional.of(file), Optional.empty(), Optional.empty(), null, null, false);
  }

  @Test
  void aLoginThatCannotBeCheckedIsNoWrongPassword() {
    DefaultEndPoint node = new DefaultEndPoint(new InetSocketAddress("127.0.0.1", 9_042));
    assertThat(
            Reasons.of(
                new AuthenticationException(
                    node, "server replied with 'Unable to perform authentication: Cannot achieve'"),
                to(9_042, null)))
        .contains("too few replicas of system_auth")
        .doesNotContain("password");
    assertThat(Reasons.of(new AuthenticationException(node, "none configured"), to(9_042, null)))
        .contains("asks for a login");
  }

  @Test
  void aRoleThatMayNotLogInIsNoWrongPassword() {
    DefaultEndPoint node = new DefaultEndPoint(new InetSocketAddress("127.0.0.1", 9_042));
    ConnectSettings settings =
        new ConnectSettings(
            List.of(new HostPort("127.0.0.1", 9_042)),
            Optional.empty(),
            Optional.of(new ConnectSettings.Login("Looker", "secret")),
            Optional.empty(),
            1);
    assertThat(
            Reasons.of(
                new AuthenticationException(
                    node, "server replied with 'Looker is not permitted to log in'"),
                settings))
        .contains("ALTER ROLE \"Looker\" WITH LOGIN = true")
        .doesNotContain("password");
    assertThat(
            Reasons.of(
                new AuthenticationException(
                    node,
                    "server replied with 'Provided username Looker and/or password are incorrect'"),
                settings))
        .contains("refused the login of user Looker: wrong password, or no such user")
        .contains("Provided username Looker and/or password are incorrect")
        .doesNotContain("127.0.0.1");
  }

  @Test
  void theClientsOwnCertificateHasExpired() throws Exception {
    Path store = folder.resolve("client.p12");
    List<String> line =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin/keytool").toString()));
    line.addAll(List.of("-genkeypair", "-alias", "key", "-keyalg", "EC", "-dname", "CN=client"));
    line.addAll(List.of("-startdate", "-20d", "-validity", "10", "-keystore", store.toString()));
    line.addAll(List.of("-storetype", "PKCS12", "-storepass", "changeit"));
    assertThat(new ProcessBuilder(line).start().waitFor()).isZero();
    TlsSettings tls =
        new TlsSettings(
            Optional.empty(), Optional.of(store), Optional.empty(), "changeit", null, false);
    assertThat(Reasons.of(new ClosedConnectionException("Lost connection"), to(9_042, tls)))
        .contains("this client's certificate, " + store + ", has expired (NotAfter: ");
    SSLException alert = new SSLException("Received fatal alert: certificate_expired");
    assertThat(Reasons.of(alert, to(9_042, tls))).contains("this client's certificate, " + store);
    assertThat(Reasons.of(alert, to(9_042, TLS)))
        .contains("refused this client's certificate because it has expired");
    assertThat(Reasons.of(new java.net.ConnectException("refused"), to(9_042, tls)))
        .doesNotContain("certificate");
  }

  @Test
  void aPasswordIsNeverPrinted() {
    ConnectSettings settings =
        new ConnectSettings(
            List.of(new HostPort("a", 1)),
            Optional.empty(),
            Optional.of(new ConnectSettings.Login("me", "secret")),
            Optional.of(
                new TlsSettings(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    "secret",
                    "secret",
                    false)),
            1);
    assertThat(settings.toString()).doesNotContain("secret");
  }
}
