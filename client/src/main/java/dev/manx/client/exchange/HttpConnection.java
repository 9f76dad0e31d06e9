/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * One connection of a {@link HttpLoop}: reads a head and a body, writes the response, and repeats.
 * Each phase has one deadline, however steadily single bytes arrive. Confined to the loop's thread.
 */
final class HttpConnection {
  private static final int LONGEST_HEAD = 8 << 10;
  private static final long HEAD_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long BODY_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(75);
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private enum Phase {
    HEAD,
    BODY,
    WRITE,
    /** Closed for writing, still reading: closing with unread bytes would destroy the response. */
    DRAIN
  }

  private final SocketChannel channel;
  private final SelectionKey key;
  private final HttpLoop.Handler handler;
  private final InetAddress peer;
  private Phase phase = Phase.HEAD;
  private boolean known;
  private long deadline;
  private byte[] in = new byte[1 << 10];
  private int size;
  private HttpHead head;
  private int bodyLength;
  private ByteBuffer out;
  private boolean last;

  HttpConnection(SocketChannel channel, SelectionKey key, HttpLoop.Handler handler, long now)
      throws IOException {
    this.channel = channel;
    this.key = key;
    this.handler = handler;
    peer = channel.socket().getInetAddress();
    deadline = now + HEAD_NANOS;
  }

  InetAddress peer() {
    return peer;
  }

  /** Whether it has sent a complete head that was accepted. */
  boolean known() {
    return known;
  }

  /** Size of its buffers. */
  long heldBytes() {
    return in.length + (out == null ? 0L : out.capacity());
  }

  boolean late(long now) {
    return now - deadline > 0;
  }

  /**
   * Proceeds as far as the available bytes allow.
   *
   * @return whether the connection stays open
   */
  boolean ready(long now) throws IOException {
    if (phase == Phase.WRITE) {
      return write(now) && advance(now);
    }
    boolean idle = size == 0;
    int read = read();
    if (read < 0) {
      return false;
    }
    if (phase == Phase.DRAIN) {
      size = 0;
      return true;
    }
    if (phase == Phase.HEAD && known && idle && read > 0) {
      deadline = now + HEAD_NANOS;
    }
    return advance(now);
  }

  private int read() throws IOException {
    if (size == in.length) {
      in = Arrays.copyOf(in, 2 * size);
    }
    int read = channel.read(ByteBuffer.wrap(in, size, in.length - size));
    size += Math.max(0, read);
    handler.transferred(Math.max(0, read));
    return read;
  }

  private boolean advance(long now) throws IOException {
    boolean open = true;
    boolean more = true;
    while (open && more) {
      switch (phase) {
        case HEAD -> {
          int end = endOfHead();
          more = end > 0 || size >= LONGEST_HEAD;
          if (end > 0) {
            open = headRead(end, now);
          } else if (more) {
            open = answer(HttpAnswer.refusal(431, "the head is too long"), now);
          }
        }
        case BODY -> {
          more = size >= bodyLength;
          if (more) {
            byte[] body = Arrays.copyOf(in, bodyLength);
            drop(bodyLength);
            open = answer(handler.body(head, body), now);
          }
        }
        default -> more = false;
      }
    }
    return open;
  }

  private int endOfHead() {
    for (int i = 3; i < Math.min(size, LONGEST_HEAD); i++) {
      if (in[i] == '\n' && in[i - 1] == '\r' && in[i - 2] == '\n' && in[i - 3] == '\r') {
        return i + 1;
      }
    }
    return 0;
  }

  private boolean headRead(int length, long now) throws IOException {
    HttpAnswer early;
    try {
      head = HttpHead.parse(in, length);
      early = handler.head(head);
    } catch (IOException e) {
      head = null;
      early = HttpAnswer.refusal(400, e.getMessage());
    }
    drop(length);
    if (early != null) {
      known |= early.status == 200;
      return answer(early, now);
    }
    known = true;
    bodyLength = (int) head.bodyLength();
    phase = Phase.BODY;
    deadline = now + BODY_NANOS;
    if (head.expectsContinue() && size < bodyLength) {
      // This few bytes always fit into an empty send buffer.
      channel.write(
          ByteBuffer.wrap("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
    }
    return true;
  }

  private void drop(int bytes) {
    System.arraycopy(in, bytes, in, 0, size - bytes);
    size -= bytes;
  }

  private boolean answer(HttpAnswer answer, long now) throws IOException {
    // The unread body of a rejected request would be parsed as the next head.
    last = answer.status != 200 || head == null || !head.keepsAlive();
    out = ByteBuffer.wrap(answer.bytes(last));
    phase = Phase.WRITE;
    deadline = now + BODY_NANOS;
    return write(now);
  }

  private boolean write(long now) throws IOException {
    handler.transferred(channel.write(out));
    if (out.hasRemaining()) {
      key.interestOps(SelectionKey.OP_WRITE);
      return true;
    }
    out = null;
    key.interestOps(SelectionKey.OP_READ);
    if (last) {
      channel.shutdownOutput();
      phase = Phase.DRAIN;
      size = 0;
      deadline = now + DRAIN_NANOS;
    } else {
      phase = Phase.HEAD;
      deadline = now + (size == 0 ? IDLE_NANOS : HEAD_NANOS);
      // Frees the buffer of a large window while the connection is idle.
      in = size == 0 ? new byte[1 << 10] : in;
    }
    return true;
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // closed in either case
    }
  }
}
