/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.message;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.Verb;

/**
 * The form of Manx's messages: a Cassandra message with Manx's bytes in its custom map, the verb of
 * an answer without content, and an id that no request has. A stock peer looks up the request,
 * finds none, and ignores the message. The verb's stage has many threads, and its connection is
 * that of the reads.
 *
 * <p>Bytes: version; flags, the lowest of which is set if the sender is on; code of the kind; the
 * kind's own bytes.
 */
final class Envelope {
  /** The first byte. */
  static final byte VERSION = 1;

  /**
   * Most bytes of a kind's own content; from 64 KiB on, Cassandra uses the connection for large
   * messages.
   */
  static final int MOST_BYTES = 60 << 10;

  static final Verb VERB = Verb.READ_REPAIR_RSP;

  private static final String KEY = "manx.message";
  private static final long NO_REQUEST = 0;
  private static final int HEAD = 3;
  private static final int ACTING = 1;

  private Envelope() {}

  /** Creates a message of this node. */
  static Message<NoPayload> seal(
      InetAddressAndPort self, MessageKind kind, boolean acting, byte[] bytes) {
    byte[] all = new byte[HEAD + bytes.length];
    all[0] = VERSION;
    all[1] = (byte) (acting ? ACTING : 0);
    all[2] = (byte) kind.code();
    System.arraycopy(bytes, 0, all, HEAD, bytes.length);
    return Message.builder(VERB, NoPayload.noPayload)
        .from(self)
        .withId(NO_REQUEST)
        .withParam(ParamType.CUSTOM_MAP, Collections.singletonMap(KEY, all))
        .build();
  }

  /** The contents of one of Manx's messages; null for other messages. */
  static byte[] open(Message<?> message) {
    if (message.verb() != VERB || message.id() != NO_REQUEST) {
      return null;
    }
    Map<String, byte[]> map = message.header.customParams();
    return map == null ? null : map.get(KEY);
  }

  /** Whether this node can read the bytes after the head. */
  static boolean isKnown(byte[] all) {
    return all.length >= HEAD && all[0] == VERSION;
  }

  static boolean isOfActing(byte[] all) {
    return (all[1] & ACTING) != 0;
  }

  /** The kind, or null if this node does not know it. */
  static MessageKind kind(byte[] all) {
    return MessageKind.of(all[2] & 0xff);
  }

  /** The kind's own bytes. */
  static byte[] bytes(byte[] all) {
    return Arrays.copyOfRange(all, HEAD, all.length);
  }
}
