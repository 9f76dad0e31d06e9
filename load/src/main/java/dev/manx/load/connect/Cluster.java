/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.metadata.Node;
import dev.manx.load.DriverSettings;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All nodes of an existing cluster, each with a separate session. Any thread. */
public final class Cluster implements AutoCloseable {
  // More than the nodes of one datacenter: if they hang, they must not delay those of another.
  private static final int AT_ONCE = 64;

  private final ConnectSettings settings;
  private final TlsEngines tls;
  private final List<Member> members;
  private final ExecutorService threads;

  private Cluster(ConnectSettings settings, TlsEngines tls, List<Member> members) {
    this.settings = settings;
    this.tls = tls;
    this.members = members;
    threads =
        Executors.newFixedThreadPool(
            Math.min(AT_ONCE, members.size()),
            task -> {
              Thread thread = new Thread(task, "manx-asks-a-node");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Asks the contact points for all nodes.
   *
   * @throws ConnectException if none of them answers, or the named datacenter does not exist
   */
  public static Cluster connect(ConnectSettings settings) {
    TlsEngines tls = settings.tls().map(TlsEngines::of).orElse(null);
    List<InetSocketAddress> addresses = addresses(settings);
    if (addresses.stream().allMatch(InetSocketAddress::isUnresolved)) {
      throw new ConnectException(
          "no such host is known: "
              + settings.contactPoints().stream()
                  .map(HostPort::host)
                  .collect(Collectors.joining(", ")));
    }
    List<Member> members = new ArrayList<>();
    try (CqlSession session = DriverSessions.open(settings, tls, addresses, null)) {
      for (Node node : session.getMetadata().getNodes().values()) {
        SocketAddress endPoint = node.getEndPoint().resolve();
        if (endPoint instanceof InetSocketAddress address) {
          members.add(
              new Member(
                  address,
                  node.getBroadcastAddress().orElse(null),
                  settings,
                  tls,
                  text(node.getDatacenter())));
        }
      }
    }
    members.sort(Comparator.comparing(Member::datacenter).thenComparing(Cluster::order));
    settings.localDatacenter().ifPresent(local -> checkDatacenter(local, members));
    return new Cluster(settings, tls, List.copyOf(members));
  }

  private static String text(String value) {
    return value == null ? "" : value;
  }

  /** Compares the numbers in addresses as numbers. */
  private static String order(Member member) {
    StringBuilder key = new StringBuilder();
    for (String part : member.address().toString().split("[.:]", -1)) {
      key.append(part.matches("\\d{1,5}") ? String.format("%06d", Integer.parseInt(part)) : part);
      key.append('.');
    }
    return key.toString();
  }

  private static void checkDatacenter(String local, List<Member> members) {
    Map<String, Long> sizes =
        members.stream()
            .collect(
                Collectors.groupingBy(Member::datacenter, TreeMap::new, Collectors.counting()));
    if (!sizes.containsKey(local)) {
      throw new ConnectException(
          "the cluster has no datacenter '"
              + local
              + "'; it has "
              + sizes.entrySet().stream()
                  .map(one -> "'" + one.getKey() + "' (" + nodes(one.getValue()) + ")")
                  .collect(Collectors.joining(", ")));
    }
  }

  private static String nodes(long count) {
    return count == 1 ? "1 node" : count + " nodes";
  }

  private static List<InetSocketAddress> addresses(ConnectSettings settings) {
    return settings.contactPoints().stream()
        .flatMap(point -> point.resolved().stream())
        .distinct()
        .toList();
  }

  /** {@link #session(String, long, Collection)} without further profiles. */
  public CqlSession session(String consistency, long requestTimeoutNanos) {
    return session(consistency, requestTimeoutNanos, List.of());
  }

  /**
   * A session like that of an application: the driver's defaults, in the local datacenter.
   *
   * @param consistency of requests, such as {@code LOCAL_ONE}
   * @param requestTimeoutNanos of requests
   * @param others settings whose {@link DriverSettings#profile()} the session gets
   * @throws ConnectException if the local datacenter is ambiguous, or none of its nodes answers
   */
  public CqlSession session(
      String consistency, long requestTimeoutNanos, Collection<DriverSettings> others) {
    List<String> datacenters = members.stream().map(Member::datacenter).distinct().toList();
    if (settings.localDatacenter().isEmpty() && datacenters.size() > 1) {
      throw new ConnectException(
          "which datacenter is near? Give --local-dc; there are " + String.join(", ", datacenters));
    }
    CqlSessionBuilder builder =
        CqlSession.builder()
            .addContactPoints(addresses(settings))
            .withConfigLoader(
                config(
                    settings.localDatacenter().orElse(datacenters.get(0)),
                    consistency,
                    requestTimeoutNanos,
                    Duration.ofNanos(settings.timeoutNanos()),
                    others));
    return DriverSessions.built(builder, settings, tls, addresses(settings));
  }

  /**
   * The configuration of such a session. The local datacenter is part of it, because the builder's
   * applies to the default profile alone, and a profile may have a load balancing policy of its
   * own.
   */
  static DriverConfigLoader config(
      String datacenter,
      String consistency,
      long requestTimeoutNanos,
      Duration connect,
      Collection<DriverSettings> others) {
    ProgrammaticDriverConfigLoaderBuilder config =
        DriverConfigLoader.programmaticBuilder()
            .withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, datacenter)
            .withString(DefaultDriverOption.REQUEST_CONSISTENCY, consistency)
            .withDuration(
                DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofNanos(requestTimeoutNanos))
            .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, connect)
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, connect);
    DriverSettings.setTimer(config, others);
    others.stream().distinct().forEach(driver -> driver.addTo(config));
    return config.build();
  }

  /** All nodes, by datacenter and address. */
  public List<Member> members() {
    return members;
  }

  /**
   * Queries several nodes concurrently; the results are in their order. If queries throw, the first
   * exception is thrown once all have ended, with the others suppressed.
   */
  public <T> List<T> ask(List<Member> some, Function<Member, T> question) {
    return all(some.stream().map(member -> begin(member, question)).toList());
  }

  static <T> List<T> all(List<Future<T>> answers) {
    List<T> all = new ArrayList<>();
    RuntimeException failed = null;
    for (Future<T> answer : answers) {
      try {
        all.add(joined(answer));
      } catch (RuntimeException e) {
        if (failed == null) {
          failed = e;
        } else {
          failed.addSuppressed(e);
        }
      }
    }
    if (failed != null) {
      throw failed;
    }
    return all;
  }

  /** Queries one node on another thread; at most 64 concurrently. */
  public <T> Future<T> begin(Member member, Function<Member, T> question) {
    return threads.submit(() -> question.apply(member));
  }

  private static <T> T joined(Future<T> answer) {
    try {
      return answer.get();
    } catch (java.util.concurrent.ExecutionException e) {
      if (e.getCause() instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectException("interrupted", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    members.forEach(Member::close);
  }
}
