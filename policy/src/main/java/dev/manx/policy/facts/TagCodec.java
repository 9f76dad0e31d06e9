/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import java.util.Arrays;

/**
 * Wire form of a {@link Tag}: version byte, unit byte, then priority, slack, cost and request id as
 * varints.
 *
 * <p>Durations travel in microseconds, relative and never as clock times: coordinators and replicas
 * share no clock, and a queue needs no finer resolution. Any thread may call every method.
 */
public final class TagCodec {
  /** First byte of the wire form. */
  public static final byte VERSION = 1;

  private static final int MAX_BYTES = 2 + 4 * Varints.MAX_BYTES;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long MAX_MICROS = Long.MAX_VALUE / NANOS_PER_MICRO;

  private TagCodec() {}

  /**
   * Writes the tag of a planned read.
   *
   * @param requestId positive id that the reads of the request share; written only if the request
   *     wants longest-first
   * @return null if the request carries no tags
   */
  public static byte[] encode(Request request, int read, long requestId) {
    if (!request.tagged()) {
      return null;
    }
    return encode(
        request.unit(),
        request.priority(read),
        request.slack(read),
        request.costNanos(read),
        request.longestFirst() ? requestId & Long.MAX_VALUE : 0);
  }

  /**
   * Writes a tag.
   *
   * @param unit of priority and slack
   * @param requestId 0 for none
   */
  public static byte[] encode(
      Unit unit, long priority, long slack, long costNanos, long requestId) {
    byte[] bytes = new byte[MAX_BYTES];
    bytes[0] = VERSION;
    bytes[1] = code(unit);
    int at = Varints.put(bytes, 2, toWire(unit, priority));
    at = Varints.put(bytes, at, toWire(unit, slack));
    at = Varints.put(bytes, at, toWire(Unit.NANOS, costNanos));
    at = Varints.put(bytes, at, requestId);
    return Arrays.copyOf(bytes, at);
  }

  /**
   * Reads a tag that may be garbage.
   *
   * @param expected the unit of this node's own strategy
   * @param into receives the tag; untouched when the result is false
   * @return false if there is no tag of this version and unit, so that the default applies
   */
  public static boolean decode(byte[] bytes, Unit expected, Tag into) {
    if (bytes == null || bytes.length > MAX_BYTES) {
      return false;
    }
    Varints.Reader reader = new Varints.Reader(bytes);
    if (reader.octet() != VERSION || reader.octet() != code(expected)) {
      return false;
    }
    long priority = reader.number();
    long slack = reader.number();
    long costMicros = reader.number();
    long requestId = reader.number();
    long most = expected == Unit.NANOS ? MAX_MICROS : Long.MAX_VALUE;
    if (!reader.ok()
        || reader.at() != bytes.length
        || priority > most
        || slack > most
        || costMicros > MAX_MICROS) {
      return false;
    }
    long scale = expected == Unit.NANOS ? NANOS_PER_MICRO : 1;
    into.unit = expected;
    into.priority = priority * scale;
    into.slack = slack * scale;
    into.costNanos = costMicros * NANOS_PER_MICRO;
    into.requestId = requestId;
    return true;
  }

  // Wire codes are separate from ordinals, which may change.
  private static byte code(Unit unit) {
    return switch (unit) {
      case KEYS -> 1;
      case NANOS -> 2;
      case BYTES -> 3;
    };
  }

  private static long toWire(Unit unit, long value) {
    long positive = Math.max(0, value);
    return unit == Unit.NANOS ? Math.round(positive / (double) NANOS_PER_MICRO) : positive;
  }
}
