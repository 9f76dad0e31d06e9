/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.policy.config.ConfigNode;
import io.lettuce.core.RedisURI;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Where a Redis or Valkey is: one instance, the master that Sentinels name, or a Cluster, with
 * user, password and TLS as lettuce reads them from an address.
 */
public final class RedisAddress {
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
   * One instance, or the one that Sentinels name.
   *
   * @param instance {@code redis://} or {@code rediss://}; or {@code
   *     redis-sentinel://host:port,host:port#master}, or {@code rediss-sentinel://...}
   */
  public static RedisAddress of(URI instance) {
    return checked(List.of(instance), false);
  }

  /**
   * A Redis Cluster.
   *
   * @param nodes of it, at least one, of which one must be there to begin with; the others are
   *     found. Either all of them with TLS or none
   */
  public static RedisAddress ofCluster(List<URI> nodes) {
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("a cluster without nodes");
    }
    if (nodes.stream().map(URI::getScheme).distinct().count() > 1) {
      throw new IllegalArgumentException("nodes of a cluster with and without TLS");
    }
    return checked(List.copyOf(nodes), true);
  }

  private static RedisAddress checked(List<URI> uris, boolean cluster) {
    uris.forEach(RedisURI::create);
    return new RedisAddress(uris, cluster, RedisTls.OF_THE_JVM);
  }

  /**
   * The same with authorities of its own for the servers' certificates, in place of those that the
   * JVM trusts. It matters only with TLS.
   *
   * @param authorities a file of certificates in PEM
   * @throws IllegalArgumentException if it cannot be read
   */
  public RedisAddress trusting(Path authorities) {
    return with(tls.trusting(authorities));
  }

  /**
   * The same with a certificate for servers that ask clients for one ({@code tls-auth-clients}).
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
   * Reads {@code redis}, an address or, for a Cluster, several with commas between them, {@code
   * cluster} (false), and the files of {@link RedisTls#read}.
   *
   * @throws dev.manx.policy.config.ConfigException if anything is refused
   */
  static RedisAddress read(ConfigNode mapping) {
    RedisAddress read = readBare(mapping);
    return read.with(RedisTls.read(mapping));
  }

  private static RedisAddress readBare(ConfigNode mapping) {
    ConfigNode redis = mapping.at("redis");
    if (mapping.find("cluster").map(ConfigNode::flag).orElse(false)) {
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
      // refused below
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
      // refused below
    }
    throw redis.refuse("redis-sentinel://host:port,host:port#master");
  }

  boolean isCluster() {
    return cluster;
  }

  /** The nodes of a Cluster, else one. */
  List<RedisURI> uris(Duration timeout) {
    List<RedisURI> all = uris.stream().map(RedisURI::create).toList();
    all.forEach(uri -> uri.setTimeout(timeout));
    // Each has its own: one that hangs is to be left for the next in time.
    all.forEach(uri -> uri.getSentinels().forEach(sentinel -> sentinel.setTimeout(timeout)));
    return all;
  }

  /** Without user and password. */
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
