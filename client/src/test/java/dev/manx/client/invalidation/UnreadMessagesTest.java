/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Undecodable messages empty a server's backend, but not too often. */
@Timeout(60)
class UnreadMessagesTest extends TwoServers {
  @Test
  void aBrokenChannelAndGarbageEmptyTheBackend() {
    two.line.breaks();
    assertThat(two.heard).containsExactly("*");
    two.line.say(new byte[] {9, 9, 9});
    two.line.say(new byte[InvalidationChannel.LONGEST_BYTES + 1]);
    assertThat(two.heard).containsExactly("*", "*", "*");
    two.peers.remove("songs");
    two.line.breaks();
    assertThat(two.heard).hasSize(3);
  }

  private static byte[] newer(InvalidationMessage.Kind kind, long number) {
    byte[] bytes =
        new InvalidationMessage(kind, 9, number, "songs", List.of("more than this one reads"))
            .encode();
    bytes[0] = 2;
    return bytes;
  }

  @Test
  void aServerOfANewerFormatEmptiesTheBackendOnlyWhenItInvalidates() {
    for (int second = 0; second < 20; second++) {
      two.line.say(newer(InvalidationMessage.Kind.BEAT, 7));
      beats(1);
    }
    assertThat(two.heard).as("it may have invalidated before").containsExactly("*");
    for (long number = 8; number < 108; number++) {
      two.line.say(newer(InvalidationMessage.Kind.KEYS, number));
    }
    for (int second = 0; second < 20; second++) {
      two.line.say(newer(InvalidationMessage.Kind.BEAT, 107));
      beats(1);
    }
    assertThat(two.heard).as("undecodable messages, at most every five seconds").hasSize(2);
    two.line.say(newer(InvalidationMessage.Kind.FAREWELL, 107));
    beats(20);
    assertThat(two.heard).hasSize(2);
    assertThat(two.peers.stats().unread()).isEqualTo(141);
  }

  @Test
  void garbageOfOneKindEmptiesTheBackendOnce() {
    for (int second = 0; second < 20; second++) {
      two.line.say(new byte[] {9, 9, 9});
      beats(1);
    }
    assertThat(two.heard).containsExactly("*");
    two.line.say(new byte[] {8});
    assertThat(two.heard).containsExactly("*", "*");
    assertThat(two.peers.stats().unread()).isEqualTo(21);
  }
}
