/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.level.LevelLink;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.testkit.Needs;
import dev.manx.client.testkit.Signals;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands to one memcached, and their results when it fails. */
@Tag("engines")
@Timeout(60)
class PipelineTest {
  private static final Duration PATIENT = Duration.ofSeconds(20);

  private CacheServer server;
  private Pipeline pipeline;

  private void start(Duration timeout) throws Exception {
    Needs.server(CacheServer.Kind.MEMCACHED);
    server = CacheServer.start(CacheServer.Kind.MEMCACHED, 64 << 20);
    pipeline = new Pipeline(server.address(), timeout);
  }

  @AfterEach
  void close() {
    if (pipeline != null) {
      pipeline.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static <T> T get(CompletableFuture<T> answer) throws Exception {
    return answer.get(20, TimeUnit.SECONDS);
  }

  @Test
  void storesReplacesAndDeletes() throws Exception {
    start(PATIENT);
    assertThat(get(pipeline.send(Command.add("k", bytes("one"), 60)))).isTrue();
    assertThat(get(pipeline.send(Command.add("k", bytes("two"), 60)))).isFalse();
    Command.Item item = get(pipeline.send(Command.get(List.of("k", "no")))).get("k");
    assertThat(item.value()).isEqualTo(bytes("one"));
    assertThat(get(pipeline.send(Command.replace("k", bytes("two"), 60, item.version())))).isTrue();
    assertThat(get(pipeline.send(Command.replace("k", bytes("3"), 60, item.version())))).isFalse();
    get(pipeline.send(Command.delete("k")));
    assertThat(get(pipeline.send(Command.replace("k", bytes("3"), 60, item.version())))).isFalse();
    get(pipeline.send(Command.delete("k")));
    assertThat(get(pipeline.send(Command.get(List.of("k"))))).isEmpty();
  }

  /** Values that contain line ends, and more of them than one batch. */
  @Test
  void manyAtOnceAreAnsweredEach() throws Exception {
    start(PATIENT);
    List<CompletableFuture<Boolean>> adds = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      adds.add(pipeline.send(Command.add("k" + i, bytes("END\r\n" + i), 60)));
    }
    for (CompletableFuture<Boolean> add : adds) {
      assertThat(get(add)).isTrue();
    }
    List<String> keys = IntStream.range(0, 5_000).mapToObj(i -> "k" + i).toList();
    Map<String, Command.Item> all = get(pipeline.send(Command.get(keys)));
    assertThat(all).hasSize(5_000);
    assertThat(all.get("k4999").value()).isEqualTo(bytes("END\r\n4999"));
  }

  @Test
  void aValueThatIsTooLargeIsRefusedAndTheNextIsNot() throws Exception {
    start(PATIENT);
    CompletableFuture<Boolean> large = pipeline.send(Command.add("l", new byte[2 << 20], 60));
    CompletableFuture<Boolean> small = pipeline.send(Command.add("s", new byte[20], 60));
    assertThatThrownBy(() -> get(large)).hasCauseInstanceOf(LevelLink.RefusedException.class);
    assertThat(get(small)).isTrue();
  }

  @Test
  void largeAnswersAndLargeValuesDoNotWaitForEachOther() throws Exception {
    start(PATIENT);
    List<String> keys = IntStream.range(0, 20).mapToObj(i -> "k" + i).toList();
    for (String key : keys) {
      assertThat(get(pipeline.send(Command.add(key, new byte[900_000], 60)))).isTrue();
    }
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      all.add(pipeline.send(Command.get(keys)));
      all.add(pipeline.send(Command.add("n" + i, new byte[900_000], 60)));
    }
    for (CompletableFuture<?> each : all) {
      get(each);
    }
  }

  /** It stops reading, so that sent commands wait in the sender. */
  @Test
  void oneThatHangsWhileItIsSentALargeValueIsFoundAgain() throws Exception {
    start(Duration.ofMillis(200));
    Signals.send("STOP", server.pid());
    CompletableFuture<Boolean> large = pipeline.send(Command.add("l", new byte[1_000_000], 60));
    CompletableFuture<Boolean> next = pipeline.send(Command.add("s", new byte[20], 60));
    while (!large.isDone()) {
      pipeline.renew();
      Thread.onSpinWait();
    }
    assertThat(large).isCompletedExceptionally();
    assertThatThrownBy(() -> get(next)).isInstanceOf(ExecutionException.class);
    Signals.send("CONT", server.pid());
    untilItAnswers();
  }

  private void untilItAnswers() throws Exception {
    boolean answers = false;
    while (!answers) {
      answers =
          get(pipeline.send(Command.get(List.of("k"))).handle((found, failure) -> failure == null));
    }
  }

  @Test
  void oneThatIsKilledFailsWhatWaitsAndIsFoundAgain() throws Exception {
    start(PATIENT);
    int port = server.address().getPort();
    untilItAnswers();
    server.close();
    assertThatThrownBy(() -> get(pipeline.send(Command.get(List.of("k")))))
        .hasCauseInstanceOf(IOException.class);
    server = CacheServer.start(CacheServer.Kind.MEMCACHED, 64 << 20, port);
    untilItAnswers();
  }

  @Test
  void afterTheEndNothingIsSent() throws Exception {
    start(PATIENT);
    pipeline.close();
    assertThatThrownBy(() -> get(pipeline.send(Command.get(List.of("k")))))
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void aBrokenThreadFailsWaitingCommandsAndTheNextIsSent() throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 2, InetAddress.getByName("127.0.0.1"))) {
      listening.setSoTimeout(20_000);
      pipeline =
          new Pipeline(new InetSocketAddress("127.0.0.1", listening.getLocalPort()), PATIENT);
      CompletableFuture<?> broken = pipeline.send(new Command<>(null, true, in -> null));
      assertThatThrownBy(() -> get(broken)).hasCauseInstanceOf(NullPointerException.class);
      CompletableFuture<Map<String, Command.Item>> next = pipeline.send(Command.get(List.of("k")));
      try (Socket server = listening.accept()) {
        answer(server, "END\r\n");
        assertThat(get(next)).isEmpty();
      }
    }
  }

  /** After such a response the end of the next one is unknown, so the connection is not reused. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ERROR",
        "CLIENT_ERROR bad data chunk",
        "VALUE k 0 99999999999 1",
        "VALUE k 0 -1 1",
        "VALUE k 0 3 1\r\nabcd",
        "HTTP/1.1 400 Bad Request"
      })
  void garbageClosesTheConnection(String garbage) throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 2, InetAddress.getByName("127.0.0.1"))) {
      listening.setSoTimeout(20_000);
      pipeline =
          new Pipeline(new InetSocketAddress("127.0.0.1", listening.getLocalPort()), PATIENT);
      CompletableFuture<?> one = pipeline.send(Command.get(List.of("k")));
      try (Socket first = listening.accept()) {
        answer(first, garbage + "\r\nEND\r\n");
        assertThatThrownBy(() -> get(one)).isInstanceOf(ExecutionException.class);
        assertThat(first.getInputStream().read()).as("its end").isEqualTo(-1);
      }
      CompletableFuture<Map<String, Command.Item>> two = pipeline.send(Command.get(List.of("k")));
      try (Socket second = listening.accept()) {
        answer(second, "END\r\n");
        assertThat(get(two)).isEmpty();
      }
    }
  }

  private static void answer(Socket to, String text) throws IOException {
    line(to);
    OutputStream out = to.getOutputStream();
    out.write(bytes(text));
    out.flush();
  }

  private static String line(Socket from) throws IOException {
    InputStream in = from.getInputStream();
    StringBuilder line = new StringBuilder();
    for (int octet = in.read(); octet != '\n'; octet = in.read()) {
      assertThat(octet).isNotNegative();
      line.append((char) octet);
    }
    return line.toString();
  }

  /** A server or a firewall closes it while it is idle. */
  @Test
  void aConnectionThatWasClosedIsReplacedWithoutAFailure() throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 2, InetAddress.getByName("127.0.0.1"))) {
      listening.setSoTimeout(20_000);
      pipeline =
          new Pipeline(new InetSocketAddress("127.0.0.1", listening.getLocalPort()), PATIENT);
      CompletableFuture<Map<String, Command.Item>> one = pipeline.send(Command.get(List.of("k")));
      try (Socket first = listening.accept()) {
        answer(first, "END\r\n");
        assertThat(get(one)).isEmpty();
      }
      CompletableFuture<Void> two = pipeline.send(Command.delete("k"));
      try (Socket second = listening.accept()) {
        answer(second, "DELETED\r\n");
        get(two);
      }
      // Once: a server that closes every connection is not asked for ever.
      CompletableFuture<Void> three = pipeline.send(Command.delete("k"));
      try (Socket third = listening.accept()) {
        assertThat(third.getInputStream().read()).isNotNegative();
      }
      assertThatThrownBy(() -> get(three)).hasCauseInstanceOf(IOException.class);
    }
  }

  /**
   * Its answer may be lost: if another server has deleted the entry meanwhile, the second one would
   * bring an epoch back, and all its old values.
   */
  @Test
  void anAddIsNotSentTwice() throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 2, InetAddress.getByName("127.0.0.1"))) {
      listening.setSoTimeout(20_000);
      pipeline =
          new Pipeline(new InetSocketAddress("127.0.0.1", listening.getLocalPort()), PATIENT);
      CompletableFuture<Map<String, Command.Item>> one = pipeline.send(Command.get(List.of("k")));
      CompletableFuture<Boolean> two;
      try (Socket first = listening.accept()) {
        answer(first, "END\r\n");
        assertThat(get(one)).isEmpty();
        two = pipeline.send(Command.add("k", bytes("epoch"), 0));
        assertThat(line(first)).startsWith("add k");
        assertThat(line(first)).startsWith("epoch");
      }
      assertThatThrownBy(() -> get(two)).hasCauseInstanceOf(IOException.class);
      CompletableFuture<Map<String, Command.Item>> next = pipeline.send(Command.get(List.of("k")));
      try (Socket second = listening.accept()) {
        assertThat(line(second)).startsWith("gets k");
        second.getOutputStream().write(bytes("END\r\n"));
        assertThat(get(next)).isEmpty();
      }
    }
  }
}
