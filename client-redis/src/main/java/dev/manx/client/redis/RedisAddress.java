/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The address of a Redis or Valkey: one instance, the master named by Sentinels, or a Cluster, with
 * user, password and TLS in lettuce's address syntax.
 */
public final class RedisAddress {
  private static final Setting CLUSTER =
      Setting.flag("cluster", false, "whether the address names nodes of a Cluster");

  private static final Setting SENTINEL_USER =
      Setting.anyText("sentinel-user", "", "the user, for Sentinels that have several")
          .withoutStandard();

  private static final Setting SENTINEL_PASSWORD =
      Setting.anyText(
              "sentinel-password",
              "",
              "the password that the Sentinels require; that of the address is the master's")
          .withoutStandard();

  /** The settings besides the address. */
  static final List<Setting> SETTINGS =
      Stream.concat(
              Stream.of(CLUSTER, SENTINEL_USER, SENTINEL_PASSWORD), RedisTls.SETTINGS.stream())
          .toList();

  /**
   * A login.
   *
   * @param user null: the default user
   */
  private record Login(String user, String password) {
    RedisCredentialsProvider credentials() {
      return new StaticCredentialsProvider(user, password.toCharArray());
    }
  }

  private static final String SENTINEL = "redis(s)?-sentinel://.*";

  private final List<URI> uris;
  private final boolean cluster;
  private final RedisTls tls;
  private final Optional<Login> sentinels;

  private RedisAddress(List<URI> uris, boolean cluster, RedisTls tls, Optional<Login> sentinels) {
    this.uris = uris;
    this.cluster = cluster;
    this.tls = tls;
    this.sentinels = sentinels;
  }

  /**
   * The address of one instance, or of the master named by Sentinels.
   *
   * @param instance {@code redis://} or {@code rediss://}; or {@code
   *     redis-sentinel://host:port,host:port#master}, or {@code rediss-sentinel://...}
   */
  public static RedisAddress of(URI instance) {
    return checked(List.of(instance), false);
  }

  /**
   * The address of a Redis Cluster.
   *
   * @param nodes at least one of its nodes, one of which must be reachable at first; the others are
   *     discovered. Either all of them use TLS or none does
   */
  public static RedisAddress ofCluster(List<URI> nodes) {
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("a cluster without nodes");
    }
    if (nodes.stream().map(URI::getScheme).distinct().count() > 1) {
      throw new IllegalArgumentException("all nodes of a cluster must use TLS, or none");
    }
    return checked(List.copyOf(nodes), true);
  }

  private static RedisAddress checked(List<URI> uris, boolean cluster) {
    uris.forEach(RedisURI::create);
    return new RedisAddress(uris, cluster, RedisTls.OF_THE_JVM, Optional.empty());
  }

  /**
   * Returns a copy with its own authorities for the servers' certificates, in place of those that
   * the JVM trusts.
   *
   * @param authorities a file of certificates in PEM
   * @throws IllegalArgumentException if it cannot be read, or the address is one without TLS
   */
  public RedisAddress trusting(Path authorities) {
    return with(tls.trusting(authorities));
  }

  /**
   * Returns a copy with a certificate for servers that require one from clients ({@code
   * tls-auth-clients}).
   *
   * @param certificate a file in PEM
   * @param key its private key: a file in PEM, PKCS#8, not encrypted
   * @throws IllegalArgumentException if they cannot be read, or the address is one without TLS
   */
  public RedisAddress presenting(Path certificate, Path key) {
    return with(tls.presenting(certificate, key));
  }

  /**
   * Returns a copy with a password that the Sentinels require; that of the address is the master's.
   *
   * @param user null: the default user
   * @throws IllegalArgumentException if the address is not one of Sentinels
   */
  public RedisAddress withSentinelLogin(String user, String password) {
    if (!hasSentinels()) {
      throw new IllegalArgumentException(
          "a password of Sentinels needs an address of Sentinels: redis-sentinel://");
    }
    return new RedisAddress(uris, cluster, tls, Optional.of(new Login(user, password)));
  }

  private boolean hasSentinels() {
    return uris.get(0).toString().matches(SENTINEL);
  }

  private RedisAddress with(RedisTls other) {
    uris.forEach(other::checkIsUsedBy);
    return new RedisAddress(uris, cluster, other, sentinels);
  }

  RedisTls tls() {
    return tls;
  }

  /**
   * Reads {@code redis} (an address or, for a Cluster, several separated by commas), {@code
   * cluster} (false), {@code sentinel-user}, {@code sentinel-password}, and the files of {@link
   * RedisTls#read}.
   *
   * @throws dev.manx.policy.config.ConfigException if a setting is invalid
   */
  static RedisAddress read(ConfigNode mapping) {
    RedisAddress read = readBare(mapping);
    Optional<ConfigNode> user = mapping.findGiven(SENTINEL_USER.name());
    Optional<ConfigNode> password = mapping.findGiven(SENTINEL_PASSWORD.name());
    if (user.isPresent() && password.isEmpty()) {
      throw user.get().refuse("only together with " + SENTINEL_PASSWORD.name());
    }
    if (password.isPresent()) {
      if (!read.hasSentinels()) {
        // Not the password's node: error messages are logged.
        throw mapping
            .at("redis")
            .refuse("redis-sentinel://, because there is a " + SENTINEL_PASSWORD.name());
      }
      read = read.withSentinelLogin(user.map(ConfigNode::text).orElse(null), password.get().text());
    }
    RedisTls tls = RedisTls.read(mapping);
    try {
      return read.with(tls);
    } catch (IllegalArgumentException e) {
      throw mapping.at("redis").refuse(RedisTls.ONLY_WITH_TLS);
    }
  }

  private static RedisAddress readBare(ConfigNode mapping) {
    ConfigNode redis = mapping.at("redis");
    if ((Boolean) CLUSTER.readOr(mapping, CLUSTER.standard())) {
      List<URI> nodes = new ArrayList<>();
      for (String node : redis.text().split(",", -1)) {
        nodes.add(instance(node.strip(), redis));
      }
      if (nodes.stream().map(URI::getScheme).distinct().count() > 1) {
        throw redis.refuse("all nodes with redis:// or all with rediss://");
      }
      return ofCluster(nodes);
    }
    return of(redis.text().matches(SENTINEL) ? sentinels(redis) : instance(redis));
  }

  /** The address of one instance. */
  static URI instance(ConfigNode node) {
    return instance(node.text(), node);
  }

  private static URI instance(String text, ConfigNode node) {
    try {
      URI uri = URI.create(text);
      if (uri.getHost() != null && String.valueOf(uri.getScheme()).matches("rediss?")) {
        RedisURI.create(uri);
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // rejected below
    }
    throw node.refuse("redis://host:port or rediss://host:port, with /number of a database if any");
  }

  private static URI sentinels(ConfigNode redis) {
    try {
      URI uri = URI.create(redis.text());
      if (RedisURI.create(uri).getSentinelMasterId() != null) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // rejected below
    }
    throw redis.refuse("redis-sentinel://host:port,host:port#master");
  }

  boolean isCluster() {
    return cluster;
  }

  /**
   * The nodes of a Cluster, or the single instance.
   *
   * @param timeout of connecting to one of them
   */
  List<RedisURI> uris(Duration timeout) {
    List<RedisURI> all = uris.stream().map(RedisURI::create).toList();
    all.forEach(uri -> uri.setTimeout(timeout));
    // Each has its own: one that hangs is to be left for the next in time.
    all.forEach(uri -> uri.getSentinels().forEach(sentinel -> sentinel.setTimeout(timeout)));
    sentinels
        .map(Login::credentials)
        .ifPresent(
            login ->
                all.forEach(
                    uri ->
                        uri.getSentinels()
                            .forEach(sentinel -> sentinel.setCredentialsProvider(login))));
    return all;
  }

  /** The address without user and password. */
  @Override
  public String toString() {
    return uris.stream()
        .map(RedisURI::create)
        .map(
            uri ->
                uri.getSentinels().isEmpty()
                    ? uri.getHost() + ":" + uri.getPort()
                    : uri.getSentinelMasterId())
        .collect(Collectors.joining(", "));
  }
}
