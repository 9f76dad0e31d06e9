/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.invalidation.KeyText;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers of an application that notify each other of changes through the statistics server. */
@Timeout(60)
class StatisticsInvalidationsTest {
  private static final String SECRET = "correct-horse-battery";
  private static final Duration PATIENT = Duration.ofSeconds(20);
  private static final Duration OFTEN = Duration.ofMillis(10);

  private final List<AutoCloseable> open = new ArrayList<>();
  private StatisticsServer server;

  private void start(int port) throws Exception {
    server =
        StatisticsServer.start(
            ExchangeSettings.of(
                new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), SECRET));
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private URI uri() {
    return URI.create("http://127.0.0.1:" + server.address().getPort());
  }

  /** One server's end of the channel. */
  private static class Line implements InvalidationChannel.Listener {
    final StatisticsInvalidations channel;
    final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    final BlockingQueue<String> broken = new LinkedBlockingQueue<>();

    Line(StatisticsInvalidations channel) {
      this.channel = channel;
    }

    @Override
    public void received(byte[] message) {
      received.add(new String(message, StandardCharsets.UTF_8));
    }

    @Override
    public void broken(String why) {
      broken.add(why);
    }

    String next() throws InterruptedException {
      return received.poll(20, TimeUnit.SECONDS);
    }

    CompletableFuture<Void> say(String text) {
      return channel.publish(text.getBytes(StandardCharsets.UTF_8)).toCompletableFuture();
    }
  }

  private Line line(String secret, String application, Duration timeout) {
    Line line = new Line(new StatisticsInvalidations(uri(), secret, application, timeout, OFTEN));
    open.add(line.channel);
    line.channel.open(line);
    return line;
  }

  private Line line() throws Exception {
    Line line = line(SECRET, "shop", PATIENT);
    // Its own message comes back once it is connected.
    line.say("hello").get(20, TimeUnit.SECONDS);
    while (!"hello".equals(line.next())) {
      assertThat(line.broken).isEmpty();
    }
    return line;
  }

  @Test
  void messagesReachAllServersOnceAndInOrder() throws Exception {
    start(0);
    Line one = line();
    Line two = line();
    assertThat(one.next()).isEqualTo("hello");
    Line other = line(SECRET, "other", PATIENT);
    List<CompletableFuture<Void>> sent = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      sent.add(one.say("m" + i));
    }
    for (CompletableFuture<Void> each : sent) {
      each.get(20, TimeUnit.SECONDS);
    }
    for (int i = 0; i < 500; i++) {
      assertThat(one.next()).isEqualTo("m" + i);
      assertThat(two.next()).isEqualTo("m" + i);
    }
    other.say("mine").get(20, TimeUnit.SECONDS);
    assertThat(other.next()).isEqualTo("mine");
    assertThat(one.received).isEmpty();
    assertThat(two.received).isEmpty();
  }

  @Test
  void aRestartIsABreakAndMessagesGoOn() throws Exception {
    start(0);
    Line one = line();
    int port = server.address().getPort();
    server.close();
    assertThatThrownBy(() -> one.say("lost").get(20, TimeUnit.SECONDS)).isNotNull();
    start(port);
    assertThat(one.broken.poll(20, TimeUnit.SECONDS)).contains("restarted");
    one.say("again").get(20, TimeUnit.SECONDS);
    assertThat(one.next()).isEqualTo("again");
    assertThat(one.broken).isEmpty();
  }

  /** It may run application code that hangs. */
  @Test
  void aClientThatHangsOverAMessageStillSends() throws Exception {
    start(0);
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    StatisticsInvalidations channel =
        new StatisticsInvalidations(uri(), SECRET, "shop", PATIENT, OFTEN);
    Line one =
        new Line(channel) {
          @Override
          public void received(byte[] message) {
            hangs.countDown();
            try {
              release.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        };
    open.add(channel);
    open.add(0, release::countDown);
    channel.open(one);
    while (hangs.getCount() > 0) {
      // Its own messages come back once it is connected.
      one.say("hello").get(20, TimeUnit.SECONDS);
    }
    one.say("sent").get(20, TimeUnit.SECONDS);
    assertThat(line(SECRET, "shop", PATIENT).say("of another")).succeedsWithin(PATIENT);
  }

  @Test
  void aWrongSecretFailsWhatIsSent() throws Exception {
    start(0);
    Line wrong = line("not-the-right-secret", "shop", PATIENT);
    assertThatThrownBy(() -> wrong.say("x").get(20, TimeUnit.SECONDS))
        .hasMessageContaining("401")
        .hasMessageNotContaining("not-the-right-secret");
  }

  @Test
  void aServerThatHangsFailsWhatIsSentInTime() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"))) {
      Line one =
          new Line(
              new StatisticsInvalidations(
                  URI.create("http://127.0.0.1:" + silent.getLocalPort()),
                  null,
                  "shop",
                  Duration.ofMillis(50),
                  OFTEN));
      open.add(one.channel);
      one.channel.open(one);
      assertThatThrownBy(() -> one.say("x").get(20, TimeUnit.SECONDS)).isNotNull();
    }
  }

  /** Otherwise it would receive only its own messages, and seem to be connected. */
  @Test
  void aProxyThatRemovesHeadersFailsWhatIsSent() throws Exception {
    HttpServer proxy = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 10);
    proxy.createContext(
        "/",
        exchange -> {
          byte[] posted = exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, posted.length == 0 ? -1 : posted.length);
          exchange.getResponseBody().write(posted);
          exchange.close();
        });
    proxy.start();
    open.add(() -> proxy.stop(0));
    URI uri = URI.create("http://127.0.0.1:" + proxy.getAddress().getPort());
    Line one = new Line(new StatisticsInvalidations(uri, null, "shop", PATIENT, OFTEN));
    open.add(0, one.channel);
    one.channel.open(one);
    assertThatThrownBy(() -> one.say("x").get(20, TimeUnit.SECONDS))
        .hasMessageContaining("lacks the header Manx-Upto");
    assertThat(one.received).isEmpty();
    StatisticsClient client = new StatisticsClient(uri, null, PATIENT);
    assertThat(client.exchange(1, Windows.of("a", 2))).isEmpty();
    assertThat(client.lastFailure()).contains("lacks the header Manx-Upto");
  }

  @Test
  void afterTheEndNothingIsSent() throws Exception {
    start(0);
    Line one = line();
    one.channel.close();
    assertThatThrownBy(() -> one.say("x").get(20, TimeUnit.SECONDS)).hasMessageContaining("closed");
  }

  @Test
  void aMessageThatIsTooLongIsRefused() throws Exception {
    start(0);
    Line one = line();
    assertThatThrownBy(
            () ->
                one.channel
                    .publish(new byte[InvalidationChannel.LONGEST_BYTES + 1])
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS))
        .isNotNull();
    one.channel
        .publish(new byte[InvalidationChannel.LONGEST_BYTES])
        .toCompletableFuture()
        .get(20, TimeUnit.SECONDS);
  }

  private FanoutCache cache() throws Exception {
    Path secret = Files.createTempFile("manx", ".secret");
    try {
      Files.writeString(secret, SECRET);
      FanoutCache cache =
          FanoutCache.builder()
              .configure(
                  ConfigNode.parse(
                      "settings",
                      "{ invalidations: { statistics: '"
                          + uri()
                          + "', secret-file: '"
                          + secret
                          + "', application: shop, timeout: 20s, interval: 10ms } }"))
              .drivenByHost()
              .open();
      open.add(0, cache);
      return cache;
    } finally {
      Files.delete(secret);
    }
  }

  private static void until(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void anInvalidationReachesTheOtherCache() throws Exception {
    start(0);
    List<FanoutCache> caches = List.of(cache(), cache());
    List<Backend<Integer, String>> songs = new ArrayList<>();
    for (FanoutCache cache : caches) {
      songs.add(
          cache.add(
              BackendSpec.<Integer, String>of(
                      "songs",
                      (key, value) -> 10,
                      keys -> CompletableFuture.completedFuture(Map.of()))
                  .with(KeyText.INTEGER)));
    }
    until(() -> caches.stream().allMatch(c -> c.stats().invalidations().peers() == 1));
    until(() -> caches.stream().allMatch(c -> c.stats().invalidations().connected()));
    // Entries cached before are removed when the servers meet.
    until(
        () -> {
          songs.get(1).put(2, "mine").toCompletableFuture().join();
          return songs.get(1).getIfPresent(2).toCompletableFuture().join() != null;
        });
    songs.get(0).invalidate(List.of(2)).toCompletableFuture().get(20, TimeUnit.SECONDS);
    until(() -> songs.get(1).getIfPresent(2).toCompletableFuture().join() == null);
    assertThat(caches.get(1).stats().invalidations().gaps()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          { statistics: 'ftp://h', application: shop } | http://host:port
          { statistics: 'http://h:1' } | application
          { statistics: 'http://h:1', application: 'a b' } | letters
          { statistics: 'http://h:1', application: shop, interval: 1ms } | 10ms
          { statistics: 'http://h:1', application: shop, secret-file: /no/such } | readable
          { statistics: 'http://h:1', application: shop, size: 3 } | size
          """)
  void refusesInvalidSettings(String settings, String said) {
    assertThatThrownBy(
            () ->
                FanoutCache.builder()
                    .configure(ConfigNode.parse("s", "invalidations: " + settings)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(said);
  }
}
