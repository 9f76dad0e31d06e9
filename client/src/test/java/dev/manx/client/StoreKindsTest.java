/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.invalidation.ChannelKind;
import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.store.CaffeineStore;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreKind;
import dev.manx.client.store.StoreSpec;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kinds of stores and channels from service files, and missing kinds. */
class StoreKindsTest {
  private static final StoreFactory STORES =
      new StoreFactory() {
        @Override
        public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
          return CaffeineStore.factory().open(spec);
        }
      };
  private static final InvalidationChannel CHANNEL =
      new InvalidationChannel() {
        @Override
        public void open(Listener listener) {}

        @Override
        public CompletionStage<Void> publish(byte[] message) {
          return CompletableFuture.completedFuture(null);
        }

        @Override
        public void close() {}
      };

  /** A store of another jar; it does not report evictions. */
  public static final class Nowhere implements StoreKind {
    @Override
    public String name() {
      return "nowhere";
    }

    @Override
    public StoreFactory read(ConfigNode node) {
      node.at("depth").integer(1, 9);
      return STORES;
    }
  }

  /** A channel of another jar. */
  public static final class Silence implements ChannelKind {
    @Override
    public String name() {
      return "silence";
    }

    @Override
    public InvalidationChannel read(ConfigNode node) {
      node.at("silence").flag();
      return CHANNEL;
    }
  }

  private static ConfigNode node(String yaml) {
    return ConfigNode.parse("cache.yaml", yaml);
  }

  @Test
  void kindsOfOtherJarsAreFound() {
    FanoutCacheBuilder builder =
        FanoutCache.builder()
            .configure(
                node("{ store: { kind: nowhere, depth: 3 }, invalidations: { silence: true } }"));
    assertThat(builder.stores()).isSameAs(STORES);
    assertThat(builder.invalidations()).containsSame(CHANNEL);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          store: { kind: nowhere, depth: 3, width: 3 } | store.width: unknown key
          store: { kind: memcached, instances: { a: 'h:1' } } | dev.manx:manx-client-memcached
          store: redis | redis needs the artifact dev.manx:manx-client-redis
          store: disk | caffeine, lru, nowhere, memcached (with the artifact
          invalidations: { silence: true, loud: true } | invalidations.loud: unknown key
          invalidations: { redis: 'redis://x', application: shop } | manx-client-redis on the class
          invalidations: { kafka: x } | one of statistics, silence, redis (with the artifact
          invalidations: { } | one of statistics, silence
          second-level: { memcached: 'h:1', application: a } | manx-client-memcached on the class
          """)
  void aKindThatIsNotThereNamesItsArtifact(String settings, String said) {
    assertThatThrownBy(() -> FanoutCache.builder().configure(node(settings)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(said);
  }

  /** As if it had been left out: without invalidations, the other servers served old values. */
  @ParameterizedTest
  @ValueSource(strings = {"store", "invalidations", "second-level", "statistics"})
  void aKeyWithoutAValueDoesNotSwitchItsPartOff(String key) {
    assertThatThrownBy(() -> FanoutCache.builder().configure(node(key + ":\ncapacity: 16MiB")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(key + " = '' is invalid; allowed: a value; without one, remove");
  }

  /** A store visible only to the application's class loader. */
  public static final class Late implements StoreKind {
    @Override
    public String name() {
      return "late";
    }

    @Override
    public StoreFactory read(ConfigNode node) {
      return STORES;
    }
  }

  /** A store with an incompatible jar. */
  public static final class Broken implements StoreKind {
    /** Fails like a class that needs another version of a dependency. */
    public Broken() {
      throw new NoSuchMethodError("renamed");
    }

    @Override
    public String name() {
      return "broken";
    }

    @Override
    public StoreFactory read(ConfigNode node) {
      throw new AssertionError("was never made");
    }
  }

  @Test
  void aKindThatCannotBeLoadedIsNamedAndStopsNoOther(@TempDir Path jar) throws Exception {
    Path services = Files.createDirectories(jar.resolve("META-INF/services"));
    Files.writeString(
        services.resolve(StoreKind.class.getName()),
        String.join("\n", "no.such.Kind", Broken.class.getName(), Late.class.getName()));
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader ofApplication =
        new URLClassLoader(new URL[] {jar.toUri().toURL()}, before)) {
      thread.setContextClassLoader(ofApplication);
      assertThat(FanoutCache.builder().configure(node("store: late")).stores()).isSameAs(STORES);
      assertThatThrownBy(() -> FanoutCache.builder().configure(node("store: broken")))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("one of caffeine, lru, nowhere, late, memcached")
          .hasMessageContaining("no.such.Kind")
          .hasMessageContaining(Broken.class.getName());
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** An address may contain a password. */
  @Test
  void aMissingChannelDoesNotShowItsAddress() {
    String yaml = "invalidations: { redis: 'redis://user:secret@x', application: shop }";
    assertThatThrownBy(() -> FanoutCache.builder().configure(node(yaml)))
        .hasMessageNotContaining("secret");
  }
}
