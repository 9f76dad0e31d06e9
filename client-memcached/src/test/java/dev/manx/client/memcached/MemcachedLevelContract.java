/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.level.LevelKind;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.testkit.LevelContract;
import dev.manx.client.testkit.Needs;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A second level in memcached; a subclass determines the number of servers. */
abstract class MemcachedLevelContract extends LevelContract {
  private static final long BYTES = 8L << 20;

  private final List<CacheServer> servers = new ArrayList<>();

  /** The number of servers. */
  abstract int count();

  @Override
  protected final void start() throws Exception {
    Needs.server(CacheServer.Kind.MEMCACHED);
    for (int i = 0; i < count(); i++) {
      servers.add(CacheServer.start(CacheServer.Kind.MEMCACHED, BYTES));
    }
  }

  @Override
  protected final void end() {
    servers.forEach(CacheServer::close);
  }

  @Override
  protected final LevelKind kind() {
    return new MemcachedLevelKind();
  }

  @Override
  protected final String address() {
    return "memcached: \""
        + servers.stream().map(at -> text(at.address())).collect(Collectors.joining(","))
        + "\"";
  }

  /** An address in the form of the settings. */
  static String text(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  /** One of the servers. */
  final CacheServer node(int number) {
    return servers.get(number);
  }

  /** The number of the server of a name. */
  final int nodeOf(String name) {
    Fleet fleet =
        new Fleet(
            servers.stream()
                .map(at -> new InetSocketAddress("127.0.0.1", at.address().getPort()))
                .toList());
    String text = fleet.of(name);
    for (int i = 0; i < servers.size(); i++) {
      if (text.equals(text(servers.get(i).address()))) {
        return i;
      }
    }
    throw new AssertionError(text);
  }

  /** Kills a server. */
  final void kill(int number) {
    servers.get(number).close();
  }

  /** Restarts a killed server, empty. */
  final void restart(int number) throws IOException {
    int port = servers.get(number).address().getPort();
    servers.set(number, CacheServer.start(CacheServer.Kind.MEMCACHED, BYTES, port));
  }

  /** The first line of a server's response to a command. */
  final String ask(int number, String command) throws IOException {
    try (MemcachedAdmin admin = new MemcachedAdmin(node(number).address(), Duration.ofSeconds(5))) {
      return admin.ask(command);
    }
  }

  @Override
  protected final long ttlMillis(String name) throws Exception {
    String answer = ask(nodeOf(name), "mg " + name + " t");
    assertThat(answer).startsWith("HD t");
    return TimeUnit.SECONDS.toMillis(Long.parseLong(answer.substring("HD t".length())));
  }
}
