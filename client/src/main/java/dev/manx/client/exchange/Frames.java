/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Non-empty messages in one body: the length of each in four bytes, then its bytes. */
final class Frames {
  private static final int HEAD_BYTES = Integer.BYTES;

  private Frames() {}

  /** The number of bytes that a message takes in a body. */
  static int bytes(byte[] message) {
    return HEAD_BYTES + message.length;
  }

  static byte[] write(List<byte[]> messages) {
    ByteBuffer body = ByteBuffer.allocate(messages.stream().mapToInt(Frames::bytes).sum());
    messages.forEach(message -> body.putInt(message.length).put(message));
    return body.array();
  }

  /**
   * Reads a body.
   *
   * @param longest maximum length of one message
   * @throws IOException if the body is malformed
   */
  static List<byte[]> read(byte[] body, int longest) throws IOException {
    List<byte[]> messages = new ArrayList<>();
    ByteBuffer left = ByteBuffer.wrap(body);
    while (left.hasRemaining()) {
      int length = left.remaining() < HEAD_BYTES ? -1 : left.getInt();
      if (length < 1 || length > longest || length > left.remaining()) {
        throw new IOException("an empty message, or lengths that do not match the body");
      }
      byte[] message = new byte[length];
      left.get(message);
      messages.add(message);
    }
    return messages;
  }
}
