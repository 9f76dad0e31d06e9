/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.manx.client.control.StatisticsExchange.Merged;
import dev.manx.shares.WindowCodec;
import dev.manx.shares.WindowStatistics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StatisticsServerTest {
  private static final String SECRET = "correct-horse-battery";

  private final HttpClient http = HttpClient.newHttpClient();
  private final AtomicLong clock = new AtomicLong();
  private StatisticsServer server;

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private void start(String secret) throws IOException {
    start(secret, 0);
  }

  private void start(String secret, int port) throws IOException {
    ExchangeSettings settings =
        new ExchangeSettings(loopback(port), secret, Duration.ofMinutes(1), 4_096, 50);
    server = StatisticsServer.start(settings, clock::get);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.address().getPort() + path);
  }

  private StatisticsClient client(String secret) {
    return new StatisticsClient(uri(""), secret, Duration.ofSeconds(10));
  }

  private static long requests(Optional<Merged> merged) {
    return merged.orElseThrow().window().requests();
  }

  private HttpResponse<String> post(byte[] body, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri("/v1/window"))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void windowsOfSeveralServersComeTogether() throws Exception {
    start(SECRET);
    StatisticsClient one = client(SECRET);
    StatisticsClient two = client(SECRET);
    assertThat(requests(one.exchange(1, Windows.of("a", 10)))).isEqualTo(10);
    Merged both = two.exchange(2, Windows.of("b", 5)).orElseThrow();
    assertThat(both.window().requests()).isEqualTo(15);
    assertThat(both.window().backends()).containsExactlyInAnyOrder("a", "b");
    assertThat(both.asOfNanos()).isEqualTo(2);
    assertThat(requests(one.exchange(3, Windows.of("a", 1)))).isEqualTo(6);
    assertThat(requests(two.exchange(4, Windows.of("b", 0)))).isEqualTo(1);
    assertThat(one.bodyBytes() + two.bodyBytes()).isEqualTo(server.bodyBytes());
    assertThat(server.transferredBytes())
        .as("heads of some hundred bytes in each direction")
        .isBetween(server.bodyBytes() + 4 * 2 * 80, server.bodyBytes() + 4 * 2 * 500);
  }

  @Test
  void aServerThatWasRestartedGoesOn() throws Exception {
    start(SECRET);
    StatisticsClient one = client(SECRET);
    StatisticsClient two = client(SECRET);
    assertThat(requests(one.exchange(1, Windows.of("a", 10)))).isEqualTo(10);
    assertThat(requests(two.exchange(1, Windows.of("a", 10)))).isEqualTo(20);
    int port = server.address().getPort();
    server.close();
    assertThat(one.exchange(2, Windows.of("a", 1))).isEmpty();
    assertThat(one.failures()).isEqualTo(1);
    assertThat(one.lastFailure()).isNotEmpty();
    start(SECRET, port);
    assertThat(requests(two.exchange(3, Windows.of("a", 7)))).isEqualTo(7);
    assertThat(requests(one.exchange(3, Windows.of("a", 3)))).isEqualTo(10);
  }

  @Test
  void aClientThatWasRestartedGetsWhatIsKept() throws Exception {
    start(null);
    assertThat(requests(client(null).exchange(1, Windows.of("a", 10)))).isEqualTo(10);
    clock.set(Duration.ofSeconds(30).toNanos());
    assertThat(requests(client(null).exchange(1, Windows.of("a", 5)))).isEqualTo(15);
    clock.set(Duration.ofSeconds(70).toNanos());
    assertThat(requests(client(null).exchange(1, Windows.of("a", 1)))).isEqualTo(6);
  }

  @Test
  void badInputIsRefused() throws Exception {
    start(SECRET);
    String bearer = "Bearer " + SECRET;
    byte[] good = WindowCodec.write(Windows.of("a", 3));
    assertThat(post(good).statusCode()).isEqualTo(401);
    assertThat(post(good, "Authorization", "Bearer " + SECRET + "x").statusCode()).isEqualTo(401);
    assertThat(post(good, "Authorization", "Basic " + SECRET).statusCode()).isEqualTo(401);
    assertThat(post(new byte[0], "Authorization", bearer).statusCode()).isEqualTo(400);
    assertThat(post(new byte[] {9, 9, 9}, "Authorization", bearer).statusCode()).isEqualTo(400);
    assertThat(post(new byte[5_000], "Authorization", bearer).statusCode()).isEqualTo(413);
    for (String since : List.of("x", "a:b", "a:" + "9".repeat(70))) {
      assertThat(post(good, "Authorization", bearer, "Manx-Since", since).statusCode())
          .isEqualTo(400);
    }
    assertThat(post(good, "Authorization", bearer).statusCode()).isEqualTo(200);
    for (String path : List.of("/", "/v1", "/v1/window/x")) {
      assertThat(get(path, bearer)).isEqualTo(404);
    }
    assertThat(get("/v1/window", bearer)).isEqualTo(405);
    assertThat(get("/v1/status", "none")).isEqualTo(401);
    assertThat(get("/v1/status", bearer)).isEqualTo(200);
    assertThat(requests(client(SECRET).exchange(1, Windows.of("a", 0))))
        .as("rejected posts do not count")
        .isEqualTo(3);
  }

  private int get(String path, String authorization) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path)).header("Authorization", authorization).build();
    return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  @Test
  void noInputBreaksIt() throws Exception {
    start(null);
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    byte[] good = WindowCodec.write(Windows.of("a", 3));
    for (int i = 0; i < 500; i++) {
      byte[] body = good.clone();
      if (i % 2 == 0) {
        body = new byte[random.nextInt(200)];
        random.nextBytes(body);
      } else {
        body[random.nextInt(body.length)] = (byte) random.nextInt();
      }
      assertThat(post(body).statusCode()).as("seed %d, body %d", seed, i).isIn(200, 400);
    }
  }

  @Test
  void tooManyBackendsOfAllServersAreRefused() throws Exception {
    start(null);
    for (int i = 0; i < 50; i++) {
      assertThat(post(WindowCodec.write(Windows.of("b" + i, 1))).statusCode()).isEqualTo(200);
    }
    assertThat(post(WindowCodec.write(Windows.of("b50", 1))).statusCode()).isEqualTo(400);
    assertThat(post(WindowCodec.write(Windows.of("b49", 1))).statusCode()).isEqualTo(200);
  }

  @Test
  void aSlowSenderDelaysOthersOnlyBriefly() throws Exception {
    start(null);
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
        socket
            .getOutputStream()
            .write(
                "POST /v1/window HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nab"
                    .getBytes(StandardCharsets.US_ASCII));
        slow.add(socket);
      }
      StatisticsClient client = new StatisticsClient(uri(""), null, Duration.ofSeconds(60));
      assertThat(requests(client.exchange(1, Windows.of("a", 2)))).isEqualTo(2);
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  @Timeout(60)
  void aClientThatDripsHeadersDoesNotStarveOthers() throws Exception {
    start(SECRET);
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 300; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
        socket.getOutputStream().write("POST /v1/window HT".getBytes(StandardCharsets.US_ASCII));
        slow.add(socket);
      }
      for (int i = 1; i <= 15; i++) {
        assertThat(requests(client(SECRET).exchange(i, Windows.of("a", 1)))).isEqualTo(i);
      }
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  @Timeout(60)
  void absurdCountsOfOnePeerDoNotStopTheOthers() throws Exception {
    start(null);
    WindowStatistics absurd = Windows.of("a", 1 << 10);
    for (int i = 0; i < 20; i++) {
      absurd = absurd.plus(absurd);
    }
    for (int i = 0; i < 3; i++) {
      assertThat(post(WindowCodec.write(absurd)).statusCode()).isEqualTo(200);
    }
    assertThat(requests(client(null).exchange(1, Windows.of("b", 7))))
        .isEqualTo(Integer.MAX_VALUE + 7L);
  }

  @Test
  @Timeout(60)
  void aServerThatDripsIsGivenUpInTime() throws Exception {
    try (ServerSocket dripping = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread server = new Thread(() -> drip(dripping));
      server.setDaemon(true);
      server.start();
      StatisticsClient client =
          new StatisticsClient(
              URI.create("http://127.0.0.1:" + dripping.getLocalPort()),
              null,
              Duration.ofMillis(300));
      assertThat(client.exchange(1, Windows.of("a", 2))).isEmpty();
      assertThat(client.lastFailure()).contains("within 300 ms");
    }
  }

  /** Sends a header that never ends, a byte at a time, until the client hangs up. */
  private static void drip(ServerSocket server) {
    try (Socket socket = server.accept()) {
      socket.getOutputStream().write("HTTP/1.1 200 OK\r\nX: ".getBytes(StandardCharsets.US_ASCII));
      while (true) {
        socket.getOutputStream().write('x');
        Thread.sleep(20);
      }
    } catch (IOException | InterruptedException e) {
      // the client has hung up
    }
  }

  @Test
  void aServerThatHangsOrTalksNonsenseIsNoNews() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      StatisticsClient client =
          new StatisticsClient(
              URI.create("http://127.0.0.1:" + mute.getLocalPort()), null, Duration.ofMillis(100));
      assertThat(client.exchange(1, Windows.of("a", 2))).isEmpty();
      Thread talker = new Thread(() -> talkNonsense(mute));
      talker.start();
      assertThat(client.exchange(2, Windows.of("a", 2))).isEmpty();
      assertThat(client.exchange(3, Windows.of("a", 2))).isEmpty();
      talker.interrupt();
    }
  }

  private static void talkNonsense(ServerSocket server) {
    try {
      while (true) {
        try (Socket socket = server.accept()) {
          socket
              .getOutputStream()
              .write(
                  "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"
                      .getBytes(StandardCharsets.US_ASCII));
        }
      }
    } catch (IOException e) {
      // the test is over
    }
  }

  @Test
  void aSecretIsNeededToBeReachedFromOutside() {
    InetSocketAddress all = new InetSocketAddress(0);
    assertThatThrownBy(() -> ExchangeSettings.of(all, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("secret");
    assertThat(ExchangeSettings.of(all, SECRET).secret()).isEqualTo(SECRET);
    for (String bad : List.of("short", "with a space in it", "ümlaut-ümlaut-ümlaut")) {
      assertThatThrownBy(() -> ExchangeSettings.of(loopback(0), bad))
          .hasMessageContaining("16 to 512")
          .hasMessageNotContaining(bad);
    }
  }

  @Test
  void aClientRefusesInvalidAddresses() {
    for (String bad : List.of("ftp://host", "http:///x", "http://host/path", "host:80")) {
      assertThatThrownBy(() -> new StatisticsClient(URI.create(bad), null, Duration.ofSeconds(1)))
          .as(bad)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void theWindowThatComesBackIsExact() throws Exception {
    start(null);
    WindowStatistics sent = Windows.of("a", 1_000).plus(Windows.of("b", 17));
    WindowStatistics back = client(null).exchange(1, sent).orElseThrow().window();
    assertThat(back.requests()).isEqualTo(1_017);
    assertThat(WindowCodec.write(back)).isEqualTo(WindowCodec.write(sent));
  }

  @Test
  void aWindowIsAnsweredInItsVersion() throws Exception {
    start(null);
    for (int version = WindowCodec.OLDEST_VERSION; version <= WindowCodec.VERSION; version++) {
      byte[] body = WindowCodec.write(Windows.of("a", 3), version);
      assertThat(post(body).body().charAt(0)).isEqualTo((char) version);
    }
    assertThat(requests(client(null).exchange(1, Windows.of("a", 0)))).isEqualTo(6);
  }

  /** A server that reads only windows up to a version, until it is upgraded and restarted. */
  private static HttpServer older(AtomicInteger reads, List<Integer> posted) throws IOException {
    HttpServer old = HttpServer.create(loopback(0), 0);
    old.createContext(
        "/",
        asked -> {
          byte[] body = asked.getRequestBody().readAllBytes();
          posted.add((int) body[0]);
          boolean taken = body[0] <= reads.get();
          asked.getResponseHeaders().add("Manx-Upto", "run-" + reads.get() + ":" + posted.size());
          asked.sendResponseHeaders(taken ? 200 : 400, taken ? body.length : -1);
          if (taken) {
            asked.getResponseBody().write(body);
          }
          asked.close();
        });
    old.start();
    return old;
  }

  @Test
  @Timeout(60)
  void aServerThatIsUpgradedLaterFreezesNothing() throws Exception {
    AtomicInteger reads = new AtomicInteger(WindowCodec.OLDEST_VERSION);
    List<Integer> posted = Collections.synchronizedList(new ArrayList<>());
    HttpServer old = older(reads, posted);
    try {
      StatisticsClient client =
          new StatisticsClient(
              URI.create("http://127.0.0.1:" + old.getAddress().getPort()),
              null,
              Duration.ofSeconds(10));
      assertThat(requests(client.exchange(1, Windows.of("a", 3)))).isEqualTo(3);
      assertThat(requests(client.exchange(2, Windows.of("a", 4)))).isEqualTo(4);
      assertThat(posted).containsExactly(2, 1, 1);
      reads.set(WindowCodec.VERSION);
      assertThat(requests(client.exchange(3, Windows.of("a", 5)))).isEqualTo(5);
      assertThat(requests(client.exchange(4, Windows.of("a", 6)))).isEqualTo(6);
      assertThat(posted).as("after the restart").containsExactly(2, 1, 1, 1, 2);
      assertThat(client.failures()).isZero();
      reads.set(0);
      assertThat(client.exchange(5, Windows.of("a", 7))).isEmpty();
      assertThat(client.lastFailure()).contains("status 400");
    } finally {
      old.stop(0);
    }
  }

  @Test
  void anApplicationGetsOnlyItsOwnWindows() throws Exception {
    start(null);
    StatisticsClient common = client(null);
    StatisticsClient shop = new StatisticsClient(uri(""), null, Duration.ofSeconds(10), "shop");
    StatisticsClient news = new StatisticsClient(uri(""), null, Duration.ofSeconds(10), "news");
    StatisticsClient alsoShop = new StatisticsClient(uri(""), null, Duration.ofSeconds(10), "shop");
    assertThat(requests(common.exchange(1, Windows.of("users", 1)))).isEqualTo(1);
    assertThat(requests(shop.exchange(1, Windows.of("users", 10)))).isEqualTo(10);
    assertThat(requests(news.exchange(1, Windows.of("users", 100)))).isEqualTo(100);
    assertThat(requests(alsoShop.exchange(1, Windows.of("users", 20)))).isEqualTo(30);
    assertThat(requests(shop.exchange(2, Windows.of("users", 1)))).isEqualTo(21);
    assertThat(requests(common.exchange(2, Windows.of("users", 1)))).isEqualTo(1);
    byte[] window = WindowCodec.write(Windows.of("users", 1));
    assertThat(post(window, "Manx-Application", "no-spaces").statusCode()).isEqualTo(200);
    assertThat(post(window, "Manx-Application", "no spaces").statusCode()).isEqualTo(400);
    assertThatThrownBy(() -> new StatisticsClient(uri(""), null, Duration.ofSeconds(1), "a b"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
