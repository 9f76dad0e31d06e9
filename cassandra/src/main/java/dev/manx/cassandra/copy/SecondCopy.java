/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import dev.manx.cassandra.wire.CustomMap;
import dev.manx.policy.facts.TagCodec;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessageFlag;
import org.apache.cassandra.net.Verb;

/** Creates the message of a second copy. */
public final class SecondCopy {
  private SecondCopy() {}

  /**
   * Creates a message for the read with a new id, which no answer to another message can match. It
   * expires with the first copy, and ranks by the remainder of its request; it has no request id,
   * so it queues behind its replica's own reads of the request. Its creation time is now, so that
   * no metric of the network includes the wait for the first copy.
   *
   * @param priority of the copy, in the plan's unit
   * @return null if the read is closed
   */
  static Message<?> of(SentRead read, long priority) {
    Message<?> first = read.message();
    ReadCommand command = read.command();
    if (first == null && command == null) {
      return null;
    }
    Message<?> copy = first == null ? of(command, read.sentNanos) : of(first, first.from());
    return read.tagged
        ? CustomMap.tagged(
            copy, TagCodec.encode(read.unit, priority, read.slack, read.costNanos, 0), true)
        : copy;
  }

  /** Creates a message for the read with a new id, created now. */
  public static Message<?> of(Message<?> first, InetAddressAndPort from) {
    Message.Builder<?> builder =
        Message.builder(first.verb(), (Object) first.payload)
            .from(from)
            .withExpiresAt(first.expiresAtNanos())
            .withFlag(MessageFlag.CALL_BACK_ON_FAILURE)
            .withParams(first.header.params());
    if (first.trackRepairedData()) {
      builder.withFlag(MessageFlag.TRACK_REPAIRED_DATA);
    }
    if (first.trackWarnings()) {
      builder.withFlag(MessageFlag.TRACK_WARNINGS);
    }
    return builder.build();
  }

  /** Creates the message of a second copy for a read at home, which has no message. */
  public static Message<?> of(ReadCommand command, long sinceNanos) {
    Message.Builder<?> builder =
        Message.builder(Verb.READ_REQ, (Object) command)
            .withExpiresAt(Verb.READ_REQ.expiresAtNanos(sinceNanos))
            .withFlag(MessageFlag.CALL_BACK_ON_FAILURE);
    if (command.isTrackingWarnings()) {
      builder.withFlag(MessageFlag.TRACK_WARNINGS);
    }
    return builder.build();
  }
}
