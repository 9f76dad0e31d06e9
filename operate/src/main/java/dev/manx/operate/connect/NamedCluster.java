/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.connect;

import dev.manx.load.connect.HostPort;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A cluster as defined in a clusters file. Missing settings are empty texts.
 *
 * @param contactPoints nodes that know all others
 * @param values of {@link #SETTINGS}
 * @param tls of {@link #TLS}; empty if the section is missing
 * @param passwordFile its node; empty if the setting is missing
 * @param folder of the file; relative paths are in it
 */
record NamedCluster(
    List<HostPort> contactPoints,
    Values values,
    Optional<Values> tls,
    Optional<ConfigNode> passwordFile,
    Path folder) {
  static final String CONTACT_POINTS = "contact-points";
  static final String LOCAL_DC = "local-dc";
  static final String USER = "user";
  static final String PASSWORD_FILE = "password-file";
  static final String TRUST = "trust";
  static final String KEY = "key";
  static final String CERTIFICATE = "certificate";
  static final String TRUST_PASSWORD_FILE = "trust-password-file";
  static final String ANY_HOST = "any-host";

  /** Settings of a cluster in addition to its contact points. */
  static final List<Setting> SETTINGS =
      List.of(
          text(LOCAL_DC, "a name", "the datacenter near this machine"),
          text(USER, "a name", "the role to log in as (default: no login)"),
          path(PASSWORD_FILE, "its first line is the password (default: ask for it)"));

  /** Settings of its section {@code tls}. */
  static final List<Setting> TLS =
      List.of(
          path(TRUST, "authorities of the nodes' certificates: a PEM file, JKS or PKCS#12"),
          path(KEY, "this client's key, if nodes require one: PEM (PKCS#8) or a store"),
          path(CERTIFICATE, "the certificate of a PEM key"),
          path(PASSWORD_FILE, "its first line is the stores' password"),
          path(
              TRUST_PASSWORD_FILE,
              "a file whose first line is the password of `trust`, if that differs"),
          Setting.flag(ANY_HOST, false, "accept a certificate for another host name"));

  /** A cluster without further settings. */
  static NamedCluster at(List<HostPort> contactPoints) {
    return new NamedCluster(
        contactPoints,
        Values.read(SETTINGS, null),
        Optional.empty(),
        Optional.empty(),
        Path.of(""));
  }

  private static Setting text(String name, String allowed, String meaning) {
    return Setting.text(name, "", ".+", allowed, meaning);
  }

  private static Setting path(String name, String meaning) {
    return Setting.text(name, "", ".+", "a path; ~ is your home", meaning);
  }

  /**
   * Reads one cluster.
   *
   * @param folder of the file
   * @throws ConfigException if a setting is invalid
   */
  static NamedCluster read(ConfigNode node, Path folder) {
    List<HostPort> points = new ArrayList<>();
    for (ConfigNode item : node.at(CONTACT_POINTS).items()) {
      points.add(
          HostPort.parse(item.text())
              .orElseThrow(() -> item.refuse("host, host:port or [IPv6]:port")));
    }
    if (points.isEmpty()) {
      throw node.at(CONTACT_POINTS).refuse("at least one node");
    }
    Values values = Values.read(SETTINGS, node);
    Optional<Values> tls =
        // Without settings too: without TLS, a password would be sent in clear.
        node.findMapping("tls")
            .map(
                section -> {
                  Values read = Values.read(TLS, section);
                  section.noOtherKeys();
                  return read;
                });
    node.noOtherKeys();
    return new NamedCluster(points, values, tls, node.find(PASSWORD_FILE), folder);
  }

  /** The file that a setting names; empty if it is not set. */
  Optional<Path> path(Values of, String name) {
    String path = of.word(name);
    if (path.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        path.startsWith("~/")
            ? Path.of(System.getProperty("user.home"), path.substring(2))
            : folder.resolve(path));
  }
}
