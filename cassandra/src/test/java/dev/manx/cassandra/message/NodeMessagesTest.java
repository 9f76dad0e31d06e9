/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.wire.InboundFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.cassandra.io.util.DataInputBuffer;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class NodeMessagesTest {
  private static final InetAddressAndPort SELF = FakeConnections.node(1);
  private static final InetAddressAndPort PEER = FakeConnections.node(2);
  private static final byte[] ONE = {7};

  private long now = 7_000_000_000L;
  private Engine engine;
  private final FakeConnections post = new FakeConnections(SELF);
  private final NodeMessages messages = new NodeMessages(() -> engine, post);
  private final List<byte[]> handled = new ArrayList<>();

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  private void mode(Mode mode) {
    engine = TestEngines.of("strategy: {}", () -> now, mode, self -> self);
    post.live.add(PEER);
    messages.handle(
        MessageKind.HELLO,
        (acting, from, node, bytes) -> {
          assertThat(acting).isSameAs(engine);
          assertThat(from).isEqualTo(PEER);
          assertThat(node).isEqualTo(engine.nodes().find(PEER));
          handled.add(bytes);
          return true;
        });
  }

  private long count(Counter counter) {
    return engine.counters().get(counter);
  }

  private static Message<?> message(byte[] all) {
    return Message.builder(Envelope.VERB, NoPayload.noPayload)
        .from(PEER)
        .withId(0)
        .withParam(ParamType.CUSTOM_MAP, Collections.singletonMap("manx.message", all))
        .build();
  }

  @Test
  void aSentMessageIsHandledByTheOtherNode() throws Exception {
    mode(Mode.ON);
    assertThat(messages.send(PEER, MessageKind.HELLO, ONE)).isTrue();
    FakeConnections.Sent sent = post.sent.get(0);
    assertThat(sent.to()).isEqualTo(PEER);
    // Over the wire, as Cassandra writes it, and back from the peer.
    Message<?> read;
    try (DataOutputBuffer out = new DataOutputBuffer()) {
      Message.serializer.serialize(sent.message(), out, MessagingService.current_version);
      read =
          Message.serializer.deserialize(
              new DataInputBuffer(out.toByteArray()), PEER, MessagingService.current_version);
    }
    assertThat(read.id()).as("no request has this id").isZero();
    assertThat(messages.take(engine, read)).isTrue();
    assertThat(handled).containsExactly(ONE);
    assertThat(count(Counter.MESSAGES_SENT)).isEqualTo(1);
    assertThat(count(Counter.MESSAGE_BYTES_SENT)).isEqualTo(1);
    assertThat(count(Counter.MESSAGES_RECEIVED)).isEqualTo(1);
  }

  @Test
  void cassandrasOwnMessagesPassThrough() {
    mode(Mode.ON);
    InboundFilter filter = new InboundFilter(() -> engine);
    Message<?> ofManx = message(new byte[] {1, 1, 1, 7});
    Message<?> withId = Message.builder((Message<Object>) ofManx).withId(3).build();
    Message<?> plain =
        Message.builder(Verb.READ_REPAIR_RSP, NoPayload.noPayload).from(PEER).withId(0).build();
    Message<?> ofOthers =
        plain.withParam(ParamType.CUSTOM_MAP, Collections.singletonMap("theirs", ONE));
    assertThat(messages.take(engine, plain)).isFalse();
    assertThat(filter.test(withId)).isTrue();
    assertThat(filter.test(plain)).isTrue();
    assertThat(filter.test(ofOthers)).isTrue();
    assertThat(filter.test(ofManx)).as("out of the path").isFalse();
    engine = null;
    assertThat(filter.test(ofManx)).as("off: as on a stock node").isTrue();
  }

  @Test
  void noneIsSentWhileOff() {
    assertThat(messages.send(PEER, MessageKind.HELLO, ONE)).isFalse();
    assertThat(post.sent).isEmpty();
  }

  @Test
  void noneIsSentToADeadNodeOrToThisOneOrInExcess() {
    mode(Mode.ON);
    assertThat(messages.send(SELF, MessageKind.HELLO, ONE)).isFalse();
    assertThat(messages.send(FakeConnections.node(3), MessageKind.HELLO, ONE)).isFalse();
    assertThat(messages.send(PEER, MessageKind.HELLO, new byte[2])).isFalse();
    assertThat(post.sent).isEmpty();
    assertThat(count(Counter.MESSAGES_NOT_SENT)).isEqualTo(3);
  }

  @Test
  void aMessageIsASignOfManx() {
    mode(Mode.ON);
    messages.take(engine, message(new byte[] {1, 1, 1, 7}));
    int node = engine.nodes().find(PEER);
    assertThat(engine.signs().acts(node, now)).isTrue();
    mode(Mode.ON);
    messages.take(engine, message(new byte[] {1, 0, 1, 7}));
    node = engine.nodes().find(PEER);
    assertThat(engine.signs().isPeer(node, now)).isTrue();
    assertThat(engine.signs().acts(node, now)).as("it is in shadow mode").isFalse();
    mode(Mode.SHADOW);
    messages.take(engine, message(new byte[] {1, 0, 1, 7}));
    assertThat(engine.signs().acts(engine.nodes().find(PEER), now)).as("both are").isTrue();
  }

  @Test
  void unreadableMessagesAreCountedAndSkipped() {
    mode(Mode.ON);
    byte[][] broken = {
      {},
      {1},
      {1, 1},
      {2, 1, 1, 7}, // a later version
      {1, 1, 99, 7}, // an unknown kind
      {1, 1, (byte) 255},
      {1, 1, 1, 7, 7}, // more than this kind may have
    };
    for (byte[] all : broken) {
      assertThat(messages.take(engine, message(all))).as(Arrays.toString(all)).isTrue();
    }
    assertThat(handled).isEmpty();
    assertThat(count(Counter.MESSAGES_IGNORED)).isEqualTo(broken.length);
    assertThat(count(Counter.FAULTS)).isZero();
  }

  @Test
  void unknownFlagsAreSkipped() {
    mode(Mode.ON);
    messages.take(engine, message(new byte[] {1, (byte) 0xfe, 1, 7}));
    assertThat(handled).containsExactly(ONE);
  }

  @Test
  void aKindWithoutHandlerIsIgnored() {
    mode(Mode.ON);
    messages.handle(MessageKind.HELLO, null);
    messages.take(engine, message(new byte[] {1, 1, 1, 7}));
    assertThat(count(Counter.MESSAGES_IGNORED)).isEqualTo(1);
  }

  @Test
  void aHandlerThatThrowsIsAFault() {
    mode(Mode.ON);
    messages.handle(
        MessageKind.HELLO,
        (acting, from, node, bytes) -> {
          throw new IllegalStateException("a handler");
        });
    // The breaker of a test engine opens at the first fault, and throws.
    assertThatThrownBy(() -> messages.take(engine, message(new byte[] {1, 1, 1, 7})))
        .hasMessageContaining("opened the breaker");
    assertThat(count(Counter.FAULTS)).isEqualTo(1);
    assertThat(count(Counter.MESSAGES_RECEIVED)).isZero();
  }

  @ParameterizedTest
  @EnumSource(MessageKind.class)
  void everyKindFitsAndIsKnownByItsCode(MessageKind kind) {
    assertThat(kind.mostBytes()).isBetween(0, Envelope.MOST_BYTES);
    assertThat(kind.code()).isBetween(0, 255);
    assertThat(MessageKind.of(kind.code())).isSameAs(kind);
    mode(Mode.ON);
    engine.signs().heard(engine.nodes().id(PEER), true, now);
    byte[] most = new byte[kind.mostBytes()];
    assertThat(messages.send(PEER, kind, most)).isTrue();
    byte[] all = Envelope.open(post.sent.get(0).message());
    assertThat(Envelope.kind(all)).isSameAs(kind);
    assertThat(Envelope.bytes(all)).isEqualTo(most);
  }

  @ParameterizedTest
  @EnumSource(MessageKind.class)
  void onlyGreetingsGoToUnknownNodes(MessageKind kind) {
    mode(Mode.ON);
    assertThat(messages.send(PEER, kind, new byte[0])).isEqualTo(kind == MessageKind.HELLO);
    engine.nodes().id(PEER);
    assertThat(messages.send(PEER, kind, new byte[0])).isEqualTo(kind == MessageKind.HELLO);
  }

  @Test
  void anyBytesAreHandledWithoutAFault() {
    long seed = 20260724;
    System.out.println("NodeMessagesTest: seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (Mode mode : List.of(Mode.ON, Mode.SHADOW)) {
      mode(mode);
      for (int i = 0; i < 20_000; i++) {
        byte[] all = new byte[random.nextInt(i % 100 == 0 ? 2 * Envelope.MOST_BYTES : 40)];
        random.nextBytes(all);
        if (all.length > 2 && random.nextInt(4) > 0) {
          all[0] = Envelope.VERSION;
          all[2] = (byte) MessageKind.values()[random.nextInt(MessageKind.values().length)].code();
        }
        assertThat(messages.take(engine, message(all))).isTrue();
      }
      assertThat(count(Counter.MESSAGES_RECEIVED) + count(Counter.MESSAGES_IGNORED))
          .isEqualTo(20_000);
      assertThat(count(Counter.MESSAGES_IGNORED)).isPositive();
      assertThat(count(Counter.FAULTS)).isZero();
    }
  }
}
