/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages kept for servers that have not yet received them. */
@Timeout(60)
class MessageLogTest {
  private static final long KEEP = 1_000;

  private final MessageLog log = new MessageLog(KEEP);

  private static List<byte[]> bytes(String... texts) {
    return Stream.of(texts).map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
  }

  private static List<String> texts(MessageLog.Taken taken) {
    return taken.messages().stream()
        .map(message -> new String(message, StandardCharsets.UTF_8))
        .toList();
  }

  @Test
  void eachServerTakesEachMessageOnce() {
    log.add("shop", 0, bytes("a", "b"));
    MessageLog.Taken first = log.after("shop", 0);
    assertThat(texts(first)).containsExactly("a", "b");
    log.add("shop", 1, bytes("c"));
    assertThat(texts(log.after("shop", first.upTo()))).containsExactly("c");
    assertThat(texts(log.after("shop", 0))).containsExactly("a", "b", "c");
    MessageLog.Taken none = log.after("shop", 3);
    assertThat(none.messages()).isEmpty();
    assertThat(none.upTo()).isEqualTo(3);
    assertThat(none.lost() || none.more()).isFalse();
    assertThat(log.after("other", 0).messages()).isEmpty();
  }

  @Test
  void oldMessagesAreDroppedAndReportedAsLost() {
    log.add("shop", 0, bytes("a"));
    log.add("shop", KEEP, bytes("b"));
    assertThat(log.after("shop", 0).lost()).isFalse();
    log.add("shop", KEEP + 1, List.of());
    MessageLog.Taken late = log.after("shop", 0);
    assertThat(late.lost()).isTrue();
    assertThat(texts(late)).containsExactly("b");
    assertThat(log.after("shop", 1).lost()).isFalse();
  }

  @Test
  void tooManyBytesMakeTheOldestGo() {
    byte[] large = new byte[MessageLog.MOST_BYTES / 4 - MessageLog.OVERHEAD_BYTES];
    log.add("shop", 0, List.of(large, large, large, large));
    assertThat(log.after("shop", 0).lost()).isFalse();
    log.add("shop", 0, bytes("x"));
    assertThat(log.after("shop", 0).lost()).isTrue();
    assertThat(log.after("shop", 1).lost()).isFalse();
  }

  @Test
  void smallMessagesCountWithWhatTheyTake() {
    int most = MessageLog.MOST_BYTES / (MessageLog.OVERHEAD_BYTES + 1);
    log.add("shop", 0, Collections.nCopies(most, new byte[1]));
    assertThat(log.after("shop", 0).lost()).isFalse();
    log.add("shop", 0, bytes("x"));
    assertThat(log.after("shop", 0).lost()).isTrue();
    assertThat(log.after("shop", 1).lost()).isFalse();
  }

  @Test
  void allApplicationsTogetherHaveABoundAndTheLargestGivesWay() {
    byte[] large = new byte[MessageLog.MOST_BYTES / 4 - MessageLog.OVERHEAD_BYTES];
    log.add("small", 0, bytes("a", "b"));
    for (int i = 1; i < MessageLog.MOST_APPLICATIONS; i++) {
      assertThat(log.mayUse("a" + i, 0)).isTrue();
      log.add("a" + i, 0, List.of(large, large, large, large));
      assertThat(log.heldBytes()).isLessThanOrEqualTo(MessageLog.MOST_BYTES_TOGETHER);
    }
    assertThat(log.after("a1", 0).lost()).isTrue();
    assertThat(log.after("small", 0).lost()).isFalse();
    assertThat(texts(log.after("small", 0))).containsExactly("a", "b");
    assertThat(log.mayUse("small", KEEP + 1)).isTrue();
    assertThat(log.heldBytes()).as("all were silent").isZero();
  }

  @Test
  void anAnswerHasABoundAndTheRestFollows() {
    byte[] large = new byte[MessageLog.MOST_AT_ONCE / 2];
    log.add("shop", 0, List.of(large, large, large));
    MessageLog.Taken first = log.after("shop", 0);
    assertThat(first.messages()).hasSize(1);
    assertThat(first.more()).isTrue();
    assertThat(first.upTo()).isEqualTo(1);
    MessageLog.Taken last = log.after("shop", 2);
    assertThat(last.messages()).hasSize(1);
    assertThat(last.more()).isFalse();
  }

  @Test
  void applicationsThatAreSilentGiveTheirPlaceToOthers() {
    for (int i = 0; i < MessageLog.MOST_APPLICATIONS; i++) {
      assertThat(log.mayUse("a" + i, 0)).isTrue();
      log.add("a" + i, i == 0 ? 500 : 0, bytes("m"));
    }
    assertThat(log.mayUse("one more", KEEP)).isFalse();
    assertThat(log.mayUse("a1", KEEP)).isTrue();
    assertThat(log.mayUse("one more", KEEP + 1)).isTrue();
    assertThat(log.after("a0", 1).lost()).isFalse();
    assertThat(log.after("a1", 1).lost()).as("it is not known any more").isTrue();
  }

  @Test
  void framesHoldAnyMessages() throws Exception {
    List<byte[]> messages = List.of(new byte[] {0}, new byte[] {1, 2}, new byte[100]);
    List<byte[]> read = Frames.read(Frames.write(messages), 100);
    assertThat(read).hasSize(3);
    assertThat(read.get(1)).containsExactly(1, 2);
    assertThat(Frames.read(new byte[0], 100)).isEmpty();
  }

  @Test
  void impossibleFramesAreRefused() {
    byte[] good = Frames.write(List.of(new byte[10]));
    for (byte[] bad :
        List.of(
            new byte[3],
            new byte[] {0, 0, 0, 1},
            new byte[] {0, 0, 0, 0},
            new byte[] {0, 0, 0, 1, 5, 0, 0, 0, 0},
            new byte[] {-1, 0, 0, 0, 0},
            new byte[] {127, -1, -1, -1, 0})) {
      assertThatThrownBy(() -> Frames.read(bad, 100)).isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> Frames.read(good, 9)).isInstanceOf(IOException.class);
  }

  /** A message as the log of a test keeps it. */
  private record Kept(long number, long atNanos, byte[] bytes) {
    int heldBytes() {
      return bytes.length + MessageLog.OVERHEAD_BYTES;
    }
  }

  /** Reads all messages from the first one for each answer. */
  private static final class Simple {
    private final List<Kept> kept = new ArrayList<>();
    private long last;
    private long gone;

    void add(long now, List<byte[]> messages) {
      messages.forEach(bytes -> kept.add(new Kept(++last, now, bytes)));
      while (kept.stream().mapToLong(Kept::heldBytes).sum() > MessageLog.MOST_BYTES
          || (!kept.isEmpty() && now - kept.get(0).atNanos > KEEP)) {
        gone = kept.remove(0).number;
      }
    }

    MessageLog.Taken after(long number) {
      List<byte[]> taken = new ArrayList<>();
      long upTo = Math.max(number, gone);
      int bytes = 0;
      for (Kept message : kept) {
        if (message.number > number) {
          bytes += Frames.bytes(message.bytes);
          if (bytes > MessageLog.MOST_AT_ONCE && !taken.isEmpty()) {
            break;
          }
          taken.add(message.bytes);
          upTo = message.number;
        }
      }
      boolean lost = number < gone || number > last;
      return new MessageLog.Taken(taken, Math.min(upTo, last), lost, upTo < last);
    }
  }

  /** Also for numbers that no message ever had. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void answersAreThoseOfASimpleLog(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Simple simple = new Simple();
    long now = 0;
    for (int step = 0; step < 2_000; step++) {
      now += random.nextInt(40);
      List<byte[]> messages = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        messages.add(new byte[1 + random.nextInt(random.nextInt(8) == 0 ? 600_000 : 100)]);
      }
      log.add("shop", now, messages);
      simple.add(now, messages);
      long[] numbers = {
        simple.last - random.nextInt(5),
        random.nextLong(simple.last + 3),
        Long.MIN_VALUE + random.nextInt(2),
        Long.MAX_VALUE
      };
      long number = numbers[random.nextInt(numbers.length)];
      String when = "seed " + seed + ", step " + step + ", after " + number;
      MessageLog.Taken taken = log.after("shop", number);
      MessageLog.Taken wanted = simple.after(number);
      assertThat(taken.messages()).as(when).containsExactlyElementsOf(wanted.messages());
      assertThat(taken.upTo()).as(when).isEqualTo(wanted.upTo());
      assertThat(taken.lost()).as(when).isEqualTo(wanted.lost());
      assertThat(taken.more()).as(when).isEqualTo(wanted.more());
    }
  }
}
