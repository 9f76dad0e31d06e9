/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.store.Codec;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import dev.manx.client.store.remote.RemoteSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A remote store and its server for each test, and methods that wait for them. */
@Timeout(120)
public abstract class RemoteStoreFixture {
  /** The first share. */
  protected static final long SHARE = 16L << 20;

  /** The first limit of a server. */
  protected static final long SERVER = 32L << 20;

  // A test of the contract may replace these.
  ServerProcess server;
  Store<String, byte[]> store;

  /**
   * Starts an empty server on 127.0.0.1 and waits until it answers. Skips the test if its program
   * is not installed; for memcached and Redis, {@link ServerProcess#start} does all that.
   *
   * @param bytes its first limit
   * @param port 0 for a free one
   */
  protected abstract ServerProcess startServer(long bytes, int port) throws IOException;

  /** Opens stores in the server at an address. */
  protected abstract StoreFactory factory(InetSocketAddress address, RemoteSettings settings);

  @BeforeEach
  void start() throws Exception {
    server = startServer(SERVER, 0);
    store = open(Needs.hasty());
    found(() -> !store.isDegraded());
  }

  @AfterEach
  void stop() {
    if (store != null) {
      store.close();
    }
    if (server != null) {
      server.close();
    }
  }

  /** Reopens the store with a time-out that is not reached even on a busy machine. */
  protected final void waitsPatiently() throws InterruptedException {
    store.close();
    store = open(Needs.patient());
    found(() -> !store.isDegraded());
  }

  /** This test's server. */
  protected final ServerProcess server() {
    return server;
  }

  /** This test's store. */
  protected final Store<String, byte[]> store() {
    return store;
  }

  /** Another store in the same server. */
  protected final Store<String, byte[]> open(RemoteSettings settings) {
    return factory(server.address(), settings).open(spec(new Bytes()));
  }

  /** The specification of the stores. */
  protected static StoreSpec<String, byte[]> spec(Codec<String, byte[]> codec) {
    return new StoreSpec<>("b1", SHARE, (k, v) -> v.length, Optional.of(codec));
  }

  /** The result of a stage, which completes within 20 s. */
  protected static <T> T await(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  /** Waits until a condition holds, at most 30 s. */
  protected static void found(BooleanSupplier so) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!so.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited too long").isLessThan(deadline);
      Thread.sleep(5);
    }
  }

  /** Repeats a resize until it is done: a hasty store gives one up on a busy machine. */
  protected final void resizes(long bytes) throws InterruptedException {
    found(
        () -> {
          try {
            return await(store.resize(bytes)) == bytes;
          } catch (ExecutionException e) {
            return false;
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  /** Repeats a put until its value is found. */
  protected final void serves(String key) throws InterruptedException {
    found(
        () -> {
          try {
            await(store.putAll(Map.of(key, new byte[100])));
            return await(store.getAll(List.of(key))).containsKey(key);
          } catch (Exception e) {
            throw new AssertionError("a store harmed a request", e);
          }
        });
  }
}
