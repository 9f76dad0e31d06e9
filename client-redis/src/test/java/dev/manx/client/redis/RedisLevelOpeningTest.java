/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static dev.manx.client.testkit.Songs.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutCacheBuilder;
import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.level.LevelSettings;
import dev.manx.client.level.SecondLevel;
import dev.manx.client.store.remote.Shared;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cache that cannot be opened keeps none of the threads and connections of its second level. */
@Timeout(60)
class RedisLevelOpeningTest {
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final Shared<ClientResources> resources =
      new Shared<>(
          () -> {
            opened.incrementAndGet();
            return DefaultClientResources.create();
          },
          ended -> {
            closed.incrementAndGet();
            var unused = ended.shutdown(0, 1, TimeUnit.SECONDS);
          });

  private FanoutCacheBuilder over(RedisAddress address) {
    LevelSettings settings = LevelSettings.of("shop");
    return FanoutCache.builder()
        .secondLevel(new SecondLevel(new RedisLevel(address, settings, resources), settings))
        .drivenByHost();
  }

  private static RedisAddress nowhere(String scheme) throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return RedisAddress.of(URI.create(scheme + "://127.0.0.1:" + free.getLocalPort()));
    }
  }

  /** Any certificate will do. */
  private static String authority() throws Exception {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init((KeyStore) null);
    X509Certificate any =
        ((X509TrustManager) factory.getTrustManagers()[0]).getAcceptedIssuers()[0];
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder().encodeToString(any.getEncoded())
        + "\n-----END CERTIFICATE-----\n";
  }

  @Test
  void oneWhoseAuthorityIsGoneFailsAndKeepsNothing(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("ca.pem"), authority());
    FanoutCacheBuilder builder = over(nowhere("rediss").trusting(file));
    Files.delete(file);
    assertThatThrownBy(builder::open).isInstanceOf(IllegalArgumentException.class);
    assertThat(opened).hasValue(1);
    assertThat(closed).hasValue(1);
  }

  @Test
  void aChannelThatFailsAfterwardsClosesIt() throws Exception {
    FanoutCacheBuilder builder = over(nowhere("redis")).invalidations(new Failing());
    assertThatThrownBy(builder::open).hasMessage("asked to fail");
    assertThat(opened).hasValue(1);
    until(() -> closed.get() == 1);
  }

  private static final class Failing implements InvalidationChannel {
    @Override
    public void open(Listener listener) {
      throw new IllegalStateException("asked to fail");
    }

    @Override
    public CompletionStage<Void> publish(byte[] message) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {}
  }
}
