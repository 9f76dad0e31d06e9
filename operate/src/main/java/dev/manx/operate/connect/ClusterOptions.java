/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.connect;

import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.ConnectSettings;
import dev.manx.load.connect.ConnectSettings.Login;
import dev.manx.load.connect.HostPort;
import dev.manx.load.connect.TlsSettings;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Values;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * The connection options of a command, combined with the clusters file. All commands share this
 * picocli mixin.
 */
public final class ClusterOptions {
  private static final String COMMAND_LINE = "command line";

  @Option(
      names = {"--on", "--contact-points"},
      paramLabel = "CLUSTER",
      description =
          "A name in clusters.yaml, or nodes that know the others: HOST[:PORT],... (standard port:"
              + " 9042).")
  private String on;

  @Option(
      names = "--local-dc",
      paramLabel = "NAME",
      description = "The datacenter near this machine; must exist.")
  private String localDatacenter;

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description =
          "The role to log in as; the password of another role in clusters.yaml is not used for it.")
  private String user;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "Its first line is the password (default: ask for it).")
  private Path passwordFile;

  @Option(names = "--tls", description = "Use TLS; implied by the options below.")
  private boolean tls;

  @Option(
      names = "--tls-trust",
      paramLabel = "FILE",
      description =
          "Authorities of the nodes' certificates: PEM, JKS, PKCS#12 (default: the JDK's).")
  private Path trust;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "This client's key, if nodes require one: PEM (PKCS#8) or a store.")
  private Path key;

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = "The certificate of a PEM key, with its chain.")
  private Path certificate;

  @Option(
      names = "--tls-password-file",
      paramLabel = "FILE",
      description = "Its first line is the password of stores or key.")
  private Path storePasswordFile;

  @Option(
      names = "--tls-trust-password-file",
      paramLabel = "FILE",
      description =
          "A file whose first line is the password of the store of authorities, if that differs.")
  private Path trustPasswordFile;

  @Option(names = "--tls-any-host", description = "Accept a certificate for another host name.")
  private boolean anyHost;

  @Option(
      names = "--clusters",
      paramLabel = "FILE",
      description = "Named clusters (default: ~/.config/manx/clusters.yaml).")
  private Path clusters;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "For connecting and for each query, 1s to 10min (default: ${DEFAULT-VALUE}).")
  private String timeout;

  /**
   * Connects.
   *
   * @throws ConfigException if an option or the clusters file is invalid
   * @throws dev.manx.load.connect.ConnectException if the cluster cannot be reached
   */
  public Cluster connect() {
    return Cluster.connect(settings());
  }

  /**
   * The combined settings of options and file; asks for the password if no file contains it.
   *
   * @throws ConfigException if an option or the clusters file is invalid
   */
  public ConnectSettings settings() {
    return settings(Passwords::asked);
  }

  /** The cluster as named by the user; null if not named. */
  public String name() {
    return on;
  }

  /**
   * Rejects options that require a cluster if none is named.
   *
   * @param command the command that has these options
   * @throws ParameterException if one was given
   */
  public void refuseWithoutCluster(CommandLine command) {
    refuse(command, "--local-dc", localDatacenter != null);
    refuse(command, "--user", user != null);
    refuse(command, "--password-file", passwordFile != null);
    refuse(command, "--tls", tls);
    refuse(command, "--tls-trust", trust != null);
    refuse(command, "--tls-key", key != null);
    refuse(command, "--tls-cert", certificate != null);
    refuse(command, "--tls-password-file", storePasswordFile != null);
    refuse(command, "--tls-trust-password-file", trustPasswordFile != null);
    refuse(command, "--tls-any-host", anyHost);
    refuse(command, "--clusters", clusters != null);
  }

  /**
   * Rejects an option that requires a cluster.
   *
   * @throws ParameterException if it was given
   */
  public static void refuse(CommandLine command, String option, boolean given) {
    if (given) {
      throw new ParameterException(command, option + " needs --on");
    }
  }

  /**
   * The combined settings of options and file.
   *
   * @param ask asks a user for the password
   */
  ConnectSettings settings(UnaryOperator<String> ask) {
    NamedCluster named = named();
    String ofFile = named.values().word(NamedCluster.USER);
    String login = or(user, ofFile);
    // The file's password is that of its own user.
    boolean another = user != null && !ofFile.isEmpty() && !user.equals(ofFile);
    Path password =
        another
            ? passwordFile
            : or(passwordFile, named, named.values(), NamedCluster.PASSWORD_FILE);
    if (text(login).isEmpty()) {
      refuseWithoutUser(named);
    }
    return new ConnectSettings(
        named.contactPoints(),
        text(or(localDatacenter, named.values().word(NamedCluster.LOCAL_DC))),
        text(login)
            .map(
                name ->
                    new Login(name, password == null ? ask.apply(name) : Passwords.in(password))),
        tls(named),
        duration("--timeout", timeout, 1, 600));
  }

  private void refuseWithoutUser(NamedCluster named) {
    if (passwordFile != null) {
      throw ConfigException.because(
          COMMAND_LINE, 0, "--password-file", passwordFile.toString(), "it needs --user");
    }
    if (named.passwordFile().isPresent()) {
      throw named.passwordFile().get().refuseBecause("it needs `user`, or --user");
    }
  }

  /** The value of a duration option, in nanoseconds, within a range of seconds. */
  public static long duration(String option, String text, long least, long most) {
    return ConfigNode.option(COMMAND_LINE, option, text)
        .durationNanos(TimeUnit.SECONDS.toNanos(least), TimeUnit.SECONDS.toNanos(most));
  }

  private Optional<TlsSettings> tls(NamedCluster named) {
    boolean asked =
        tls
            || anyHost
            || trust != null
            || key != null
            || certificate != null
            || storePasswordFile != null
            || trustPasswordFile != null;
    if (!asked && named.tls().isEmpty()) {
      return Optional.empty();
    }
    Values values = named.tls().orElseGet(() -> Values.read(NamedCluster.TLS, null));
    Path password = or(storePasswordFile, named, values, NamedCluster.PASSWORD_FILE);
    Path trustPassword = or(trustPasswordFile, named, values, NamedCluster.TRUST_PASSWORD_FILE);
    Path ownKey = or(key, named, values, NamedCluster.KEY);
    Path ownCertificate = or(certificate, named, values, NamedCluster.CERTIFICATE);
    if (ownKey == null && ownCertificate != null) {
      throw ConfigException.because(
          COMMAND_LINE,
          0,
          "--tls-cert",
          ownCertificate.toString(),
          "it needs its key: --tls-key, or `key` in the file of clusters");
    }
    String stores = password == null ? null : Passwords.in(password);
    return Optional.of(
        new TlsSettings(
            Optional.ofNullable(or(trust, named, values, NamedCluster.TRUST)),
            Optional.ofNullable(ownKey),
            Optional.ofNullable(ownCertificate),
            stores,
            trustPassword == null ? stores : Passwords.in(trustPassword),
            anyHost || values.flag(NamedCluster.ANY_HOST)));
  }

  private NamedCluster named() {
    if (clusters != null && !Files.exists(clusters)) {
      throw new ConfigException(
          COMMAND_LINE, 0, "--clusters", clusters.toString(), "an existing file");
    }
    ClustersFile file = ClustersFile.read(clusters == null ? ClustersFile.standard() : clusters);
    if (on == null) {
      throw new ConfigException(COMMAND_LINE, 0, "--on", null, allowed(file));
    }
    if (file.has(on)) {
      return file.cluster(on);
    }
    boolean plain = on.matches("[A-Za-z][\\w-]*");
    if (plain && new InetSocketAddress(on, HostPort.STANDARD_PORT).isUnresolved()) {
      throw new ConfigException(COMMAND_LINE, 0, "--on", on, allowed(file));
    }
    List<HostPort> points = new ArrayList<>();
    for (String one : on.split(",", -1)) {
      points.add(
          HostPort.parse(one.trim())
              .orElseThrow(() -> new ConfigException(COMMAND_LINE, 0, "--on", on, allowed(file))));
    }
    return NamedCluster.at(points);
  }

  private static String allowed(ClustersFile file) {
    return "HOST[:PORT],..., or a name in "
        + file
        + (file.names().isEmpty()
            ? ", which has none yet"
            : ": " + String.join(", ", file.names()));
  }

  private static Optional<String> text(String value) {
    return value.isEmpty() ? Optional.empty() : Optional.of(value);
  }

  private static String or(String option, String otherwise) {
    return option == null ? otherwise : option;
  }

  private static Path or(Path option, NamedCluster named, Values values, String name) {
    return option != null ? option : named.path(values, name).orElse(null);
  }
}
