/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A statement with values that may be invalid for any type, and a paging state that may be invalid.
 *
 * @param values as they go over the wire; null for no value
 * @param pagingState null to begin at the start
 */
record Garbled(
    PreparedStatement statement, List<ByteBuffer> values, int pageSize, ByteBuffer pagingState) {
  private static final int[] LENGTHS = {0, 1, 2, 4, 8, 12, 16, 20, 33};

  /** The result for a client: the rows, or the error with its message. */
  String outcome(CqlSession session) {
    BoundStatement bound = statement.bind();
    for (int i = 0; i < values.size(); i++) {
      ByteBuffer value = values.get(i);
      bound = bound.setBytesUnsafe(i, value == null ? null : value.duplicate());
    }
    try {
      bound = bound.setPageSize(pageSize);
      if (pagingState != null) {
        bound = bound.setPagingState(pagingState.duplicate());
      }
      return "rows "
          + session.execute(bound).all().stream().map(Row::getFormattedContents).toList();
    } catch (DriverException e) {
      return e.getClass().getSimpleName() + ": " + e.getMessage();
    }
  }

  @Override
  public String toString() {
    return "%s with %s, page %d from %s"
        .formatted(
            statement.getQuery(),
            values.stream().map(Garbled::hex).toList(),
            pageSize,
            hex(pagingState));
  }

  private static String hex(ByteBuffer value) {
    if (value == null) {
      return "null";
    }
    byte[] bytes = new byte[value.remaining()];
    value.duplicate().get(bytes);
    return new BigInteger(1, bytes).toString(16);
  }

  /** Noise, excessive lengths, or no bytes; sometimes bytes that some type accepts. */
  static ByteBuffer value(SplittableRandom random) {
    byte[] bytes = new byte[LENGTHS[random.nextInt(LENGTHS.length)]];
    random.nextBytes(bytes);
    switch (random.nextInt(4)) {
      case 0 -> Arrays.fill(bytes, (byte) (random.nextBoolean() ? 0 : -1));
      case 1 -> {
        // A count or a length that is far too large.
        for (int i = 0; i < Math.min(4, bytes.length); i++) {
          bytes[i] = (byte) (i == 0 ? 0x7f : 0xff);
        }
      }
      case 2 -> {
        // A small one.
        for (int i = 0; i < Math.min(4, bytes.length); i++) {
          bytes[i] = (byte) (i == 3 ? 1 : 0);
        }
      }
      default -> {}
    }
    return ByteBuffer.wrap(bytes);
  }

  /** An int as it goes over the wire. */
  static ByteBuffer number(int value) {
    return ByteBuffer.allocate(4).putInt(0, value);
  }

  /**
   * A list whose frame is right and whose elements may be garbage, or whose lengths are wrong.
   *
   * @param elements null for one without a value
   */
  static ByteBuffer list(SplittableRandom random, List<ByteBuffer> elements) {
    int bytes = elements.stream().mapToInt(each -> each == null ? 0 : each.remaining()).sum();
    ByteBuffer list = ByteBuffer.allocate(4 + 4 * elements.size() + bytes);
    boolean off = random.nextInt(6) == 0;
    list.putInt(elements.size() + (off ? 1 - random.nextInt(3) : 0));
    for (ByteBuffer each : elements) {
      if (each == null) {
        list.putInt(-1 - random.nextInt(2));
      } else {
        list.putInt(each.remaining() + (random.nextInt(12) == 0 ? 1 - random.nextInt(3) : 0));
        list.put(each.duplicate());
      }
    }
    return list.flip();
  }

  /** These bytes with a few changes, truncated, or with additional bytes. */
  static ByteBuffer spoilt(SplittableRandom random, ByteBuffer right) {
    byte[] bytes = new byte[right.remaining()];
    right.duplicate().get(bytes);
    return switch (random.nextInt(4)) {
      case 0 -> ByteBuffer.wrap(bytes, 0, random.nextInt(bytes.length)).slice();
      case 1 -> ByteBuffer.wrap(Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(8)));
      case 2 -> value(random);
      default -> {
        for (int i = 0; i <= random.nextInt(3); i++) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        yield ByteBuffer.wrap(bytes);
      }
    };
  }
}
