/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.store.Store;
import dev.manx.client.store.StoreSpec;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.testkit.Bytes;
import dev.manx.client.testkit.Needs;
import dev.manx.client.testkit.Songs;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import net.rubyeye.xmemcached.impl.ReconnectRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a store's link handles Errors. */
@Timeout(60)
class MemcachedLinkTest {
  private static final class Broken extends AbstractMap<String, byte[]> {
    @Override
    public Set<Map.Entry<String, byte[]>> entrySet() {
      throw new AssertionError("asked to fail");
    }
  }

  @Test
  void anErrorIsAFailureOfItsOwnOperation() throws Exception {
    RemoteSettings settings = RemoteSettings.standard().withTimeout(Duration.ofSeconds(20));
    // It accepts connections and never answers.
    try (ServerSocket silent = new ServerSocket(0, 2, InetAddress.getByName("127.0.0.1"));
        MemcachedLink link =
            new MemcachedLink(
                "songs", new InetSocketAddress("127.0.0.1", silent.getLocalPort()), settings)) {
      for (int i = 0; i < 8; i++) {
        CompletionStage<?> put = link.put(new Broken(), null);
        assertThatThrownBy(() -> put.toCompletableFuture().get(20, TimeUnit.SECONDS))
            .hasCauseInstanceOf(AssertionError.class);
      }
    }
  }

  private static Store<String, byte[]> store(InetSocketAddress address) {
    return MemcachedStore.factory(backend -> address, Needs.patient()).open(spec());
  }

  private static StoreSpec<String, byte[]> spec() {
    return new StoreSpec<>("b1", 16L << 20, (k, v) -> v.length, Optional.of(new Bytes()));
  }

  /** As that of a container that is not there yet: two dots in a row are in no name. */
  @Test
  void aNameThatIsNotKnownIsAServerOutOfReach() {
    try (Store<String, byte[]> store =
        store(InetSocketAddress.createUnresolved("not..known", 11_211))) {
      assertThat(store.isDegraded()).isTrue();
      assertThat(store.getAll(List.of("a")).toCompletableFuture()).isCompletedWithValue(Map.of());
    }
  }

  @Test
  @Tag("engines")
  void anAddressIsLookedUpWhenItConnects() throws Exception {
    Needs.server(CacheServer.Kind.MEMCACHED);
    try (CacheServer server = CacheServer.start(CacheServer.Kind.MEMCACHED, 16L << 20);
        Store<String, byte[]> store =
            store(InetSocketAddress.createUnresolved("127.0.0.1", server.address().getPort()))) {
      assertThat(store.isDegraded()).isFalse();
      store.putAll(Map.of("a", new byte[9])).toCompletableFuture().get(20, TimeUnit.SECONDS);
      assertThat(store.getAll(List.of("a")).toCompletableFuture().get(20, TimeUnit.SECONDS))
          .containsOnlyKeys("a");
    }
  }

  private static int tries(MemcachedLink link) {
    return link.reconnects().stream().mapToInt(ReconnectRequest::getTries).max().orElse(-1);
  }

  /** A server that was away for long is found again as soon as one that was not. */
  @Test
  void theClientDoesNotWaitLongerThanTheProbes() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      port = free.getLocalPort();
    }
    InetSocketAddress nowhere = new InetSocketAddress("127.0.0.1", port);
    try (MemcachedLink link = new MemcachedLink("songs", nowhere, Needs.hasty())) {
      Songs.until(() -> tries(link) >= 2);
      // On a busy machine the client may have tried twice again before it is looked at.
      int probes = 0;
      do {
        assertThatThrownBy(() -> link.probe(null)).isInstanceOf(IOException.class);
        assertThat(++probes).as("probes that began anew").isLessThan(1_000);
      } while (tries(link) >= 2);
    }
  }

  /** Answers deletes and look-ups, and closes its first connection after it has read a line. */
  private static final class Forgetful implements AutoCloseable {
    final ServerSocket server = new ServerSocket(0, 4, InetAddress.getByName("127.0.0.1"));
    final CountDownLatch reconnected = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run);

    Forgetful() throws IOException {
      thread.start();
    }

    private void run() {
      try {
        try (Socket first = server.accept()) {
          line(first.getInputStream());
        }
        try (Socket second = server.accept()) {
          reconnected.countDown();
          InputStream in = second.getInputStream();
          for (String line = line(in); !line.isEmpty(); line = line(in)) {
            if (line.startsWith("delete") && !line.contains("noreply")) {
              second.getOutputStream().write("DELETED\r\n".getBytes(StandardCharsets.US_ASCII));
            } else if (line.startsWith("get")) {
              second.getOutputStream().write("END\r\n".getBytes(StandardCharsets.US_ASCII));
            }
          }
        }
      } catch (IOException e) {
        // The test has ended.
      }
    }

    private static String line(InputStream in) throws IOException {
      StringBuilder line = new StringBuilder();
      for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
        line.append((char) c);
      }
      return line.toString();
    }

    @Override
    public void close() throws Exception {
      server.close();
      thread.join();
    }
  }

  /** The last response says nothing about deletes that were lost with a connection. */
  @Test
  void deletesBeforeAReconnectAreNotConfirmed() throws Exception {
    RemoteSettings settings = RemoteSettings.standard().withTimeout(Duration.ofSeconds(20));
    try (Forgetful server = new Forgetful();
        MemcachedLink link =
            new MemcachedLink(
                "songs",
                new InetSocketAddress("127.0.0.1", server.server.getLocalPort()),
                settings)) {
      untilConnected(link, 1);
      fails(link.delete(keys(() -> {}, () -> untilReconnected(server, link))));
    }
  }

  /** The next connection may be to a server that has restarted with its old values. */
  @Test
  void whatIsReadAfterAReconnectIsNotFound() throws Exception {
    RemoteSettings settings = RemoteSettings.standard().withTimeout(Duration.ofSeconds(20));
    try (Forgetful server = new Forgetful();
        MemcachedLink link =
            new MemcachedLink(
                "songs",
                new InetSocketAddress("127.0.0.1", server.server.getLocalPort()),
                settings)) {
      untilConnected(link, 1);
      fails(
          link.get(
              keys(
                  () -> {
                    var unused = link.delete(List.of("closes the connection"));
                  },
                  () -> untilReconnected(server, link))));
    }
  }

  private static void fails(CompletionStage<?> operation) {
    assertThatThrownBy(() -> operation.toCompletableFuture().get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(IOException.class)
        .hasMessageContaining("reconnected");
  }

  private static void untilReconnected(Forgetful server, MemcachedLink link) {
    try {
      server.reconnected.await();
      untilConnected(link, 2);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void untilConnected(MemcachedLink link, int connections)
      throws InterruptedException {
    Songs.until(() -> link.connection() >= connections);
  }

  /** Two keys, each of which does something before it is returned. */
  private static Collection<String> keys(Runnable first, Runnable second) {
    return new AbstractCollection<>() {
      @Override
      public Iterator<String> iterator() {
        Iterator<Runnable> both = List.of(first, second).iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return both.hasNext();
          }

          @Override
          public String next() {
            Runnable before = both.next();
            before.run();
            return before == first ? "a" : "b";
          }
        };
      }

      @Override
      public int size() {
        return 2;
      }
    };
  }

  private static long clients(MemcachedAdmin admin) throws IOException {
    return admin.stats("conns").entrySet().stream()
        .filter(stat -> stat.getKey().endsWith(":state"))
        .filter(stat -> !stat.getValue().equals("conn_listening"))
        .count();
  }

  /** In the place of the store's own, before the store has looked whose it is. */
  @Test
  @Tag("engines")
  void nothingIsWrittenToAServerOfOthers() throws Exception {
    Needs.server(CacheServer.Kind.MEMCACHED);
    RemoteSettings patient = Needs.patient();
    RemoteSettings seldom =
        new RemoteSettings(
            patient.timeout(),
            patient.resizeTimeout(),
            Duration.ofMinutes(10),
            patient.retryAfter(),
            patient.retryAtMost(),
            patient.maxOutstanding());
    CacheServer own = CacheServer.start(CacheServer.Kind.MEMCACHED, 16L << 20);
    InetSocketAddress address = own.address();
    try (Store<String, byte[]> store =
        MemcachedStore.factory(backend -> address, seldom).open(spec())) {
      assertThat(store.isDegraded()).isFalse();
      own.close();
      try (CacheServer others =
              CacheServer.start(CacheServer.Kind.MEMCACHED, 16L << 20, address.getPort());
          MemcachedAdmin admin = new MemcachedAdmin(others.address(), Duration.ofSeconds(5))) {
        assertThat(admin.ask("set precious 0 0 1\r\nx")).isEqualTo("STORED");
        while (clients(admin) < 2) {
          TimeUnit.MILLISECONDS.sleep(5);
        }
        store.putAll(Map.of("k", new byte[9])).toCompletableFuture().get(20, TimeUnit.SECONDS);
        assertThat(admin.stats("")).containsEntry("curr_items", "1");
      }
    } finally {
      own.close();
    }
  }
}
