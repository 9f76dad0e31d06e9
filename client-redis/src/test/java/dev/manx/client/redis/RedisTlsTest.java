/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static dev.manx.client.testkit.Songs.ask;
import static dev.manx.client.testkit.Songs.until;
import static dev.manx.client.testkit.Songs.untilTheyKnowEachOther;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.client.Backend;
import dev.manx.client.FanoutCache;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.testkit.LevelContract;
import dev.manx.client.testkit.Needs;
import dev.manx.client.testkit.Songs;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Redis with TLS, whose certificate is trusted only through {@code ca}. */
@Tag("engines")
@Timeout(120)
class RedisTlsTest {
  @TempDir Path folder;

  private final Map<Integer, String> database = new ConcurrentHashMap<>(Map.of(1, "one"));
  private RedisNodes nodes;
  private Path certificate;
  private Path key;
  private int port;

  @BeforeEach
  void start() throws Exception {
    Needs.server(CacheServer.Kind.REDIS);
    nodes = new RedisNodes(folder);
    certificate = folder.resolve("ca.pem");
    key = folder.resolve("key.pem");
    assumeTrue(certify(), "openssl is not installed");
    port = nodes.startTls(certificate, key, false);
  }

  private boolean certify() throws Exception {
    List<String> command =
        List.of(
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=manx-test",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
            "-keyout",
            key.toString(),
            "-out",
            certificate.toString());
    try {
      Process openssl =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("openssl.log").toFile())
              .start();
      return openssl.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @AfterEach
  void close() throws Exception {
    nodes.close();
  }

  private String address(String host) {
    return "rediss://" + host + ":" + port;
  }

  private static FanoutCache open(String settings) {
    return FanoutCache.builder()
        .configure(ConfigNode.parse("settings", "{ capacity: 16MiB, " + settings + " }"))
        .drivenByHost()
        .open();
  }

  @Test
  void invalidationsAndASecondLevelUseIt() throws Exception {
    String redis =
        "{ redis: \"" + address("127.0.0.1") + "\", ca: " + certificate + ", application: shop";
    String settings =
        "invalidations: " + redis + ", timeout: 5s }, second-level: " + redis + ", timeout: 5s }";
    try (FanoutCache one = open(settings);
        FanoutCache two = open(settings)) {
      Backend<Integer, String> here = one.add(Songs.of(database).with(LevelContract.TEXT));
      Backend<Integer, String> there = two.add(Songs.of(database).with(LevelContract.TEXT));
      untilTheyKnowEachOther(one, two);
      // Values are not stored until it has connected.
      AtomicInteger key = new AtomicInteger(1_000);
      until(
          () -> {
            assertThat(ask(one, here, key.incrementAndGet())).isEqualTo("none");
            return here.stats().level().fills() > 0;
          });
      until(
          () -> {
            assertThat(ask(two, there, key.getAndDecrement())).isEqualTo("none");
            return there.stats().level().hits() > 0;
          });
      assertThat(ask(two, there, 1)).isEqualTo("one");
      database.put(1, "new");
      CompletableFuture<Void> told = here.invalidate(List.of(1)).toCompletableFuture();
      told.join();
      until(() -> ask(two, there, 1).equals("new"));
    }
  }

  @Test
  void aShareUsesIt() {
    String store =
        "policy: { policy: cache.static }, store: { kind: redis, timeout: 5s, ca: "
            + certificate
            + ", instances: { songs: \""
            + address("127.0.0.1")
            + "\" } }";
    try (FanoutCache cache = open(store)) {
      Backend<Integer, String> songs = cache.add(Songs.of(database).with(LevelContract.TEXT));
      songs.put(7, "seven").toCompletableFuture().join();
      assertThat(ask(cache, songs, 7)).isEqualTo("seven");
      assertThat(songs.stats().hits()).isEqualTo(1);
    }
  }

  /** A certificate of an unknown authority, or for another host. */
  @Test
  void aServerThatCannotProveWhoItIsIsNotUsed() {
    RedisAddress unknown = RedisAddress.of(URI.create(address("127.0.0.1")));
    RedisAddress otherHost =
        RedisAddress.of(URI.create(address("localhost"))).trusting(certificate);
    for (RedisAddress address : List.of(unknown, otherHost)) {
      assertThatThrownBy(() -> connect(address)).hasStackTraceContaining("SSL");
    }
  }

  /** Redis' default. The test's certificate is self-signed, so it also serves as a client's. */
  @Test
  void aServerThatAsksForACertificateGetsOne() throws Exception {
    port = nodes.startTls(certificate, key, true);
    String tls =
        "ca: " + certificate + ", certificate: " + certificate + ", certificate-key: " + key;
    String store =
        "policy: { policy: cache.static }, store: { kind: redis, timeout: 5s, "
            + tls
            + ", instances: { songs: \""
            + address("127.0.0.1")
            + "\" } }";
    try (FanoutCache cache = open(store)) {
      Backend<Integer, String> songs = cache.add(Songs.of(database).with(LevelContract.TEXT));
      songs.put(7, "seven").toCompletableFuture().join();
      assertThat(ask(cache, songs, 7)).isEqualTo("seven");
      assertThat(songs.stats().hits()).isEqualTo(1);
    }
    RedisAddress without = RedisAddress.of(URI.create(address("127.0.0.1"))).trusting(certificate);
    connect(without.presenting(certificate, key));
    assertThatThrownBy(() -> connect(without)).hasStackTraceContaining("certificate");
  }

  @Test
  void aCertificateWithoutItsKeyIsRefused() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty.pem"), "nothing\n");
    String level = "second-level: { redis: \"rediss://127.0.0.1\", application: shop, ";
    for (String own :
        List.of(
            "certificate: " + certificate + ", certificate-key: " + empty,
            "certificate: " + empty + ", certificate-key: " + key,
            "certificate: " + certificate,
            "certificate-key: " + key)) {
      assertThatThrownBy(() -> open(level + own + " }"))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("certificate");
    }
  }

  /** They would not be used, and the password would be sent in clear. */
  @Test
  void anAddressWithoutTlsIsRefusedNextToCertificates() {
    String own = "certificate: " + certificate + ", certificate-key: " + key;
    for (String tls : List.of("ca: " + certificate, own)) {
      for (String settings :
          List.of(
              "second-level: { redis: \"redis://me:secret@127.0.0.1\", application: shop, ",
              "invalidations: { redis: \"redis://me:secret@127.0.0.1\", application: shop, ",
              "second-level: { redis: \"redis-sentinel://127.0.0.1#a\", application: shop, ",
              "second-level: { redis: \"redis://127.0.0.1\", cluster: true, application: shop, ",
              "store: { kind: redis, instances: { a: \"redis://me:secret@127.0.0.1\" }, ")) {
        assertThatThrownBy(() -> open(settings + tls + " }"))
            .isInstanceOf(ConfigException.class)
            .hasMessageContaining("rediss://")
            .hasMessageNotContaining("secret");
      }
    }
    RedisAddress bare = RedisAddress.of(URI.create("redis://127.0.0.1"));
    assertThatThrownBy(() -> bare.trusting(certificate))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rediss://");
    assertThatThrownBy(() -> bare.presenting(certificate, key))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(RedisAddress.of(URI.create("rediss-sentinel://127.0.0.1#a")).trusting(certificate))
        .isNotNull();
  }

  private static void connect(RedisAddress address) throws Exception {
    Connector connector = Connector.of(address, Lettuce.CHANNELS, Duration.ofSeconds(5), 16, false);
    try {
      connector.connect().toCompletableFuture().get();
    } finally {
      connector.shutdown().toCompletableFuture().get();
      Lettuce.CHANNELS.release();
    }
  }

  @Test
  void aFileWithoutCertificatesIsRefused() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty.pem"), "nothing\n");
    for (Path file : List.of(folder.resolve("nowhere.pem"), folder, empty)) {
      String level = "second-level: { redis: \"rediss://127.0.0.1\", application: shop, ca: ";
      assertThatThrownBy(() -> open(level + file + " }"))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("PEM");
    }
  }
}
