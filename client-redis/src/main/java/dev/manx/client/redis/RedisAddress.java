/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import io.lettuce.core.RedisURI;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The address of a Redis or Valkey: one instance, the master named by Sentinels, or a Cluster, with
 * user, password and TLS in lettuce's address syntax.
 */
public final class RedisAddress {
  private static final Setting CLUSTER =
      Setting.flag("cluster", false, "whether the address names nodes of a Cluster");

  /** The settings besides the address. */
  static final List<Setting> SETTINGS =
      Stream.concat(Stream.of(CLUSTER), RedisTls.SETTINGS.stream()).toList();

  private static final String SENTINEL = "redis(s)?-sentinel://.*";

  private final List<URI> uris;
  private final boolean cluster;
  private final RedisTls tls;

  private RedisAddress(List<URI> uris, boolean cluster, RedisTls tls) {
    this.uris = uris;
    this.cluster = cluster;
    this.tls = tls;
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
    return new RedisAddress(uris, cluster, RedisTls.OF_THE_JVM);
  }

  /**
   * Returns a copy with its own authorities for the servers' certificates, in place of those that
   * the JVM trusts. Used only with TLS.
   *
   * @param authorities a file of certificates in PEM
   * @throws IllegalArgumentException if it cannot be read
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
   * @throws IllegalArgumentException if they cannot be read
   */
  public RedisAddress presenting(Path certificate, Path key) {
    return with(tls.presenting(certificate, key));
  }

  private RedisAddress with(RedisTls other) {
    return new RedisAddress(uris, cluster, other);
  }

  RedisTls tls() {
    return tls;
  }

  /**
   * Reads {@code redis} (an address or, for a Cluster, several separated by commas), {@code
   * cluster} (false), and the files of {@link RedisTls#read}.
   *
   * @throws dev.manx.policy.config.ConfigException if a setting is invalid
   */
  static RedisAddress read(ConfigNode mapping) {
    RedisAddress read = readBare(mapping);
    return read.with(RedisTls.read(mapping));
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

  /** The nodes of a Cluster, or the single instance. */
  List<RedisURI> uris(Duration timeout) {
    List<RedisURI> all = uris.stream().map(RedisURI::create).toList();
    all.forEach(uri -> uri.setTimeout(timeout));
    // Each has its own: one that hangs is to be left for the next in time.
    all.forEach(uri -> uri.getSentinels().forEach(sentinel -> sentinel.setTimeout(timeout)));
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
