/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that work for all requests keep nothing of the request that happened to start them. */
@Timeout(60)
class ThreadContextTest {
  private static final InheritableThreadLocal<String> USER = new InheritableThreadLocal<>();

  private record Context(ClassLoader loader, String user) {
    static Context here() {
      return new Context(Thread.currentThread().getContextClassLoader(), USER.get());
    }
  }

  private static final Context NONE = new Context(ThreadContextTest.class.getClassLoader(), null);

  /** The context in which a loader is called for a request of a user of another application. */
  private static Context loads(
      Function<Loader.Blocking<Integer, String>, Loader<Integer, String>> made) throws Exception {
    CompletableFuture<Context> seen = new CompletableFuture<>();
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(NONE.loader);
    try (URLClassLoader other = new URLClassLoader(new URL[0], null)) {
      Loader<Integer, String> loader =
          made.apply(
              keys -> {
                seen.complete(Context.here());
                return Map.of();
              });
      Thread request =
          new Thread(
              () -> {
                Thread.currentThread().setContextClassLoader(other);
                USER.set("ada");
                var unused = loader.loadAll(List.of(1));
              });
      request.start();
      request.join();
      assertThat(seen).succeedsWithin(Duration.ofSeconds(20));
      return seen.join();
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  @Test
  void loadersOnThreadsOfTheirOwn() throws Exception {
    assertThat(loads(blocking -> Loader.onThreads(1, 1, blocking))).isEqualTo(NONE);
  }

  @Test
  void loadersOfAPool() throws Exception {
    try (LoaderPool pool = LoaderPool.ofThreads(1)) {
      assertThat(loads(blocking -> pool.loader(1, 1, blocking))).isEqualTo(NONE);
    }
  }

  /** From Java 21 on; before, it is a pool like the one above. */
  @Test
  void loadersOnVirtualThreads() throws Exception {
    try (LoaderPool pool = LoaderPool.ofVirtualThreads(1)) {
      assertThat(loads(blocking -> pool.loader(1, 1, blocking))).isEqualTo(NONE);
    }
  }
}
