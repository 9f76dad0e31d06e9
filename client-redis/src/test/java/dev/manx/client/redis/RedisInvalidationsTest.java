/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static dev.manx.client.testkit.Songs.ask;
import static dev.manx.client.testkit.Songs.cache;
import static dev.manx.client.testkit.Songs.until;
import static dev.manx.client.testkit.Songs.untilTheyKnowEachOther;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.FanoutCache;
import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.store.remote.Shared;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.testkit.ServerProcess;
import dev.manx.client.testkit.Songs;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.EventLoopGroupProvider;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two servers of one application and a real Redis between them. */
@Tag("engines")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(120)
class RedisInvalidationsTest {
  private final Map<Integer, String> database = new ConcurrentHashMap<>();
  private ServerProcess redis;
  private FanoutCache one;
  private FanoutCache two;
  private Backend<Integer, String> here;
  private Backend<Integer, String> there;

  @BeforeEach
  void open() throws Exception {
    redis = ServerProcess.start(CacheServer.Kind.REDIS, 16L << 20, 0);
    one = cache("redis: \"redis://127.0.0.1:" + redis.address().getPort() + "\"");
    two = cache("redis: \"redis://127.0.0.1:" + redis.address().getPort() + "\"");
    here = one.add(Songs.of(database));
    there = two.add(Songs.of(database));
    untilTheyKnowEachOther(one, two);
  }

  @AfterEach
  void close() {
    for (FanoutCache cache : new FanoutCache[] {one, two}) {
      if (cache != null) {
        cache.close();
      }
    }
    if (redis != null) {
      redis.close();
    }
  }

  private void write(int key, String value) {
    database.put(key, value);
    here.invalidate(List.of(key)).toCompletableFuture().join();
  }

  private Throwable failureOfInvalidation(int key) {
    return here.invalidate(List.of(key)).toCompletableFuture().handle((done, e) -> e).join();
  }

  @Test
  void anInvalidationAndAPutReachTheOtherServer() throws Exception {
    write(1, "old");
    assertThat(ask(two, there, 1)).isEqualTo("old");
    assertThat(ask(two, there, 2)).isEqualTo("none");
    write(1, "new");
    until(() -> ask(two, there, 1).equals("new"));
    database.put(2, "put");
    here.put(2, "put").toCompletableFuture().join();
    until(() -> ask(two, there, 2).equals("put"));
    database.put(3, "x");
    assertThat(ask(two, there, 3)).isEqualTo("x");
    database.put(3, "y");
    here.invalidateAll().toCompletableFuture().join();
    until(() -> ask(two, there, 3).equals("y"));
    assertThat(two.stats().invalidations().gaps()).isZero();
  }

  /** Written while no server is reachable: detected when Redis is back. */
  @Test
  void aRestartOfRedisLosesNoInvalidation() throws Exception {
    write(1, "old");
    assertThat(ask(two, there, 1)).isEqualTo("old");
    int port = redis.address().getPort();
    redis.close();
    database.put(1, "new");
    assertThat(failureOfInvalidation(1)).isNotNull();
    redis = ServerProcess.start(CacheServer.Kind.REDIS, 16L << 20, port);
    until(() -> ask(two, there, 1).equals("new"));
    database.put(1, "newer");
    // The servers reconnect at different times; until then their invalidations fail.
    until(() -> failureOfInvalidation(1) == null);
    until(() -> ask(two, there, 1).equals("newer"));
  }

  /** A server that began, invalidated and ended meanwhile sends nothing that reveals it. */
  @Test
  void aConnectionThatIsLostForAMomentIsNoticed() throws Exception {
    long breaks = two.stats().invalidations().breaks();
    long received = two.stats().invalidations().received();
    int port = redis.address().getPort();
    assertThat(RedisCommand.ask(port, "CLIENT", "KILL", "TYPE", "pubsub").strip()).isEqualTo("2");
    until(
        () -> {
          write(1, "new");
          return two.stats().invalidations().received() > received;
        });
    assertThat(two.stats().invalidations().breaks()).isEqualTo(breaks + 1);
    until(() -> two.stats().invalidations().connected());
  }

  /** As where no thread can be made at the moment. */
  @Test
  void anAttemptThatCannotBeginIsTriedAgain() throws Exception {
    EventLoopGroupProvider threads = new DefaultEventLoopGroupProvider(2);
    AtomicInteger attempts = new AtomicInteger();
    EventLoopGroupProvider failing =
        (EventLoopGroupProvider)
            Proxy.newProxyInstance(
                EventLoopGroupProvider.class.getClassLoader(),
                new Class<?>[] {EventLoopGroupProvider.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("allocate") && attempts.incrementAndGet() == 1) {
                    throw new IllegalStateException("asked to fail");
                  }
                  return method.invoke(threads, arguments);
                });
    ClientResources resources =
        DefaultClientResources.builder().eventLoopGroupProvider(failing).build();
    RedisAddress address =
        RedisAddress.of(URI.create("redis://127.0.0.1:" + redis.address().getPort()));
    Shared<ClientResources> shared = new Shared<>(() -> resources, ended -> {});
    try (RedisInvalidations channel =
        new RedisInvalidations(address, "shop", Duration.ofSeconds(5), shared, Lettuce.TIMER)) {
      channel.open(
          new InvalidationChannel.Listener() {
            @Override
            public void received(byte[] message) {}

            @Override
            public void broken(String why) {}
          });
      assertThat(attempts.get()).isEqualTo(1);
      until(() -> failureToSend(channel) == null);
    } finally {
      resources.shutdown(0, 1, TimeUnit.SECONDS).get();
      threads.shutdown(0, 1, TimeUnit.SECONDS).get();
    }
  }

  @Test
  void aLoginThatRedisRefusesIsTheCauseOfWhatIsNotSent() throws Exception {
    URI uri = URI.create("redis://me:wrong@127.0.0.1:" + redis.address().getPort());
    try (RedisInvalidations channel = RedisInvalidations.of(uri, "shop", Duration.ofSeconds(5))) {
      channel.open(
          new InvalidationChannel.Listener() {
            @Override
            public void received(byte[] message) {}

            @Override
            public void broken(String why) {}
          });
      // An attempt may also end before Redis has answered the login.
      until(() -> Throwables.getStackTrace(failureToSend(channel)).contains("WRONGPASS"));
      assertThat(failureToSend(channel).toString()).doesNotContain("me:wrong");
    }
  }

  private static Throwable failureToSend(RedisInvalidations channel) {
    return channel.publish(new byte[1]).toCompletableFuture().handle((done, e) -> e).join();
  }

  /** A hanging Redis: no answer and no error, until the server's own beats are missed. */
  @Test
  void aRedisThatHangsMakesWhatIsHeldSuspect() throws Exception {
    write(1, "old");
    assertThat(ask(two, there, 1)).isEqualTo("old");
    new ProcessBuilder("kill", "-STOP", Long.toString(redis.pid())).start().waitFor();
    database.put(1, "new");
    until(() -> ask(two, there, 1).equals("new"));
    assertThat(two.stats().invalidations().forgotten()).isPositive();
    new ProcessBuilder("kill", "-CONT", Long.toString(redis.pid())).start().waitFor();
    until(() -> two.stats().invalidations().connected());
  }
}
