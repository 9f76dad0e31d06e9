/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.load.connect.ConnectException;
import dev.manx.load.connect.ConnectSettings;
import dev.manx.load.connect.HostPort;
import dev.manx.load.connect.TlsSettings;
import dev.manx.policy.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class ClusterOptionsTest {
  @TempDir private Path folder;
  private Path clusters;
  private Path password;

  @BeforeEach
  void files() throws IOException {
    clusters = folder.resolve("clusters.yaml");
    password = Files.writeString(folder.resolve("password"), "pass word\nsecond line\n");
    Files.writeString(
        clusters,
        """
        staging: { contact-points: 10.9.0.1 }
        production:
          contact-points: [10.0.1.11, "10.0.2.11:9142"]
          local-dc: dc1
          user: operator
          password-file: %s
          tls:
            trust: /etc/ca.pem
            any-host: true
        """
            .formatted(password));
  }

  private ConnectSettings settings(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--clusters=" + clusters);
    ClusterOptions options = new ClusterOptions();
    new CommandLine(options).parseArgs(all.toArray(String[]::new));
    return options.settings(user -> "typed by " + user);
  }

  @Test
  void aNamedClusterIsAllThatIsNeeded() {
    ConnectSettings settings = settings("--on=production");
    assertThat(settings.contactPoints())
        .containsExactly(new HostPort("10.0.1.11", 9_042), new HostPort("10.0.2.11", 9_142));
    assertThat(settings.localDatacenter()).contains("dc1");
    assertThat(settings.login().orElseThrow().password()).isEqualTo("pass word");
    TlsSettings tls = settings.tls().orElseThrow();
    assertThat(tls.trust()).contains(Path.of("/etc/ca.pem"));
    assertThat(tls.anyHost()).isTrue();
    assertThat(tls.password()).isNull();
  }

  /** Commands that name the file are typed in any folder. */
  @Test
  void relativePathsAreInTheFolderOfTheFile() throws IOException {
    Files.writeString(
        clusters,
        """
        near:
          contact-points: 10.9.0.1
          user: operator
          password-file: password
          tls: { trust: keys/ca.pem }
        """);
    ConnectSettings settings = settings("--on=near");
    assertThat(settings.login().orElseThrow().password()).isEqualTo("pass word");
    assertThat(settings.tls().orElseThrow().trust()).contains(folder.resolve("keys/ca.pem"));
  }

  @Test
  void optionsStandOverTheFile() {
    ConnectSettings settings =
        settings("--on=production", "--user=me", "--local-dc=dc2", "--tls-trust=/other.pem");
    assertThat(settings.login().orElseThrow().user()).isEqualTo("me");
    assertThat(settings.localDatacenter()).contains("dc2");
    assertThat(settings.tls().orElseThrow().trust()).contains(Path.of("/other.pem"));
  }

  /** The password of the file's user was sent for another. */
  @Test
  void thePasswordOfTheFileIsThatOfItsUser() throws IOException {
    assertThat(settings("--on=production", "--user=me").login().orElseThrow().password())
        .isEqualTo("typed by me");
    assertThat(settings("--on=production", "--user=operator").login().orElseThrow().password())
        .isEqualTo("pass word");
    Path mine = Files.writeString(folder.resolve("mine"), "my own\n");
    assertThat(
            settings("--on=production", "--user=me", "--password-file=" + mine)
                .login()
                .orElseThrow()
                .password())
        .isEqualTo("my own");
  }

  @Test
  void addressesNeedNoFile() {
    ConnectSettings settings = settings("--contact-points", "10.0.0.1,10.0.0.2:9142");
    assertThat(settings.contactPoints())
        .containsExactly(new HostPort("10.0.0.1", 9_042), new HostPort("10.0.0.2", 9_142));
    assertThat(settings.login()).isEmpty();
    assertThat(settings.tls()).isEmpty();
  }

  @Test
  void aPasswordIsAskedForWhereNoFileHoldsIt() {
    assertThat(settings("--on=staging", "--user=me").login().orElseThrow().password())
        .isEqualTo("typed by me");
    Path missing = folder.resolve("missing");
    assertThatThrownBy(() -> settings("--on=staging", "--user=me", "--password-file=" + missing))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining(
            "password file " + missing + " cannot be read: no such file or folder");
  }

  @Test
  void aTlsOptionAsksForTls() {
    assertThat(settings("--on=staging", "--tls-any-host").tls()).isPresent();
    assertThat(settings("--on=staging").tls()).isEmpty();
  }

  /** It meant none, and the password was sent in clear. */
  @ParameterizedTest
  @ValueSource(strings = {"tls:", "tls: {}", "tls: # trust: ca.pem", "tls: null", "tls: ''"})
  void aSectionWithoutSettingsMeansTlsWithTheAuthoritiesOfTheJdk(String section)
      throws IOException {
    Files.writeString(clusters, "a:\n  contact-points: x\n  " + section + "\n");
    TlsSettings tls = settings("--on=a").tls().orElseThrow();
    assertThat(tls.trust()).isEmpty();
    assertThat(tls.anyHost()).isFalse();
  }

  @Test
  void aPasswordOfAStoreMeansTlsToo() throws IOException {
    Path password = Files.writeString(folder.resolve("store"), "secret\n");
    assertThat(settings("--on=staging", "--tls-password-file=" + password).tls()).isPresent();
  }

  /** As the truststore and the keystore of a node may. */
  @Test
  void theStoreOfAuthoritiesMayHaveAnotherPassword() throws IOException {
    Path stores = Files.writeString(folder.resolve("stores"), "of the key\n");
    Path trust = Files.writeString(folder.resolve("trust"), "of the trust\n");
    String ofStores = "--tls-password-file=" + stores;
    TlsSettings one = settings("--on=staging", ofStores).tls().orElseThrow();
    assertThat(one.trustPassword()).isEqualTo(one.password()).isEqualTo("of the key");
    Files.writeString(
        clusters,
        "\na: { contact-points: x, tls: { password-file: %s, trust-password-file: trust } }\n"
            .formatted(stores));
    for (TlsSettings two :
        List.of(
            settings("--on=10.0.0.1", ofStores, "--tls-trust-password-file=" + trust)
                .tls()
                .orElseThrow(),
            settings("--on=a").tls().orElseThrow())) {
      assertThat(two.password()).isEqualTo("of the key");
      assertThat(two.trustPassword()).isEqualTo("of the trust");
    }
  }

  @Test
  void aPasswordWithoutAUserIsRefused() {
    assertThatThrownBy(() -> settings("--contact-points=10.0.0.1", "--password-file=/p"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--password-file = '/p' is invalid: it needs --user");
  }

  @Test
  void aPasswordOfTheFileWithoutAUserIsRefused() throws IOException {
    Files.writeString(
        clusters, "\na: { contact-points: 10.9.0.1, password-file: %s }\n".formatted(password));
    assertThatThrownBy(() -> settings("--on=a"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "%s:2: a.password-file = '%s' is invalid: it needs `user`, or --user"
                .formatted(clusters, password));
    assertThat(settings("--on=a", "--user=me").login().orElseThrow().password())
        .isEqualTo("pass word");
  }

  @ParameterizedTest
  @CsvSource({"rw-------, ''", "r--------, ''", "rw-r-----, rw-r-----", "rw----r--, rw----r--"})
  void aPasswordFileThatOthersCanReadGivesAWarning(String permissions, String warned)
      throws IOException {
    Files.setPosixFilePermissions(password, PosixFilePermissions.fromString(permissions));
    assertThat(Passwords.in(password)).isEqualTo("pass word");
    Optional<String> warning = Passwords.exposed(password, "password file");
    assertThat(warning.isPresent()).isEqualTo(!warned.isEmpty());
    warning.ifPresent(
        words ->
            assertThat(words)
                .contains("other users can read the password file " + password)
                .contains("(" + warned + "): chmod 600 "));
  }

  @Test
  void anUnknownNameSaysWhichThereAre() {
    // Longer than a label may be: no name server is asked.
    String name = "produktion".repeat(7);
    assertThatThrownBy(() -> settings("--on=" + name))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--on = '" + name + "' is invalid")
        .hasMessageContaining("staging, production");
    assertThatThrownBy(() -> settings())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--on is missing");
  }

  @Test
  void aCertificateWithoutItsKeyIsRefusedRatherThanLeftOut() {
    assertThatThrownBy(() -> settings("--on=staging", "--tls-cert=/c.pem"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--tls-cert = '/c.pem' is invalid: it needs its key");
    assertThat(settings("--on=staging", "--tls-cert=/c.pem", "--tls-key=/k.pem").tls()).isPresent();
  }

  @Test
  void aFileOfClustersThatIsNamedMustExist() throws IOException {
    Files.delete(clusters);
    assertThatThrownBy(() -> settings("--on=10.0.0.1"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--clusters")
        .hasMessageContaining("an existing file");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--local-dc=dc1",
        "--user=me",
        "--password-file=/p",
        "--tls",
        "--tls-trust=/t",
        "--tls-trust-password-file=/t",
        "--tls-any-host",
        "--clusters=/c"
      })
  void anOptionThatNeedsAClusterIsNotIgnoredWithoutOne(String option) {
    ClusterOptions options = new ClusterOptions();
    CommandLine command = new CommandLine(options);
    assertThatCode(() -> options.refuseWithoutCluster(command)).doesNotThrowAnyException();
    command.parseArgs(option);
    assertThatThrownBy(() -> options.refuseWithoutCluster(command))
        .isInstanceOf(ParameterException.class)
        .hasMessage(option.split("=")[0] + " needs --on");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a: { contact-points: 'x:0' } | a.contact-points | host, host:port",
        "a: { contact-points: x, tsl: {} } | a.tsl | unknown key; valid keys: contact-points",
        "a: { contact-points: x, tls: { trsut: y } } | a.tls.trsut | valid keys: trust, key",
        "a: { contact-points: x, tls: false } | a.tls = 'false' | a mapping",
        "a: { contact-points: x, tls: { any-host: maybe } } | a.tls.any-host | true, false",
        "a: { user: me } | a.contact-points is missing | a value",
        "a: { contact-points: [] } | a.contact-points | at least one node"
      })
  void aBadFileIsRefusedWithItsLine(String line, String key, String allowed) throws IOException {
    Files.writeString(clusters, "# clusters\n" + line + "\n");
    assertThatThrownBy(() -> settings("--on=a"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(clusters + ":2: ")
        .hasMessageContaining(key)
        .hasMessageContaining(allowed);
  }
}
