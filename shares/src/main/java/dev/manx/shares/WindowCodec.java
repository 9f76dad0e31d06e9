/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;

/**
 * A window of statistics as bytes: a version, the names, then only the non-zero values, as varints.
 * Version 1, of servers that are not yet upgraded, lacks the requests that belong to no backend and
 * the numbers of queries: each key is read as a query of its own. One second of 1,000 requests and
 * 50,000 queries to 20 backends takes less than 8 KB.
 *
 * <p>The reader does not trust its input: it accepts only the exact format of the writer, and its
 * memory is bounded by the given number of backends.
 */
public final class WindowCodec {
  /* version | names | timeOuts | cells of (bin, backend) by gap | per backend: hits, hit
   * microseconds, misses, miss microseconds, shadow hits, queries, queries with a miss, miss bins
   * by gap. Means are sent in microseconds: they are displayed, not summed further. Version 1 has
   * no queries, and no column of no backend, which is the last of each bin. */

  /** Longest name of a backend, in bytes of UTF-8. */
  public static final int MAX_NAME_BYTES = 128;

  /** The oldest format that can be read and written. */
  public static final int OLDEST_VERSION = 1;

  /** The format that {@link #write(WindowStatistics)} writes. */
  public static final int VERSION = 2;

  private static final long MAX_COUNT = WindowStatistics.MAX_COUNT;
  private static final long MICRO = 1_000;
  private static final long MAX_SUM = WindowStatistics.MAX_NANOS / MICRO;

  private WindowCodec() {}

  /** Encodes a window. */
  public static byte[] write(WindowStatistics window) {
    return write(window, VERSION);
  }

  /**
   * Encodes a window in an older format too; values that the format lacks are left out.
   *
   * @param version {@link #OLDEST_VERSION} to {@link #VERSION}
   */
  public static byte[] write(WindowStatistics window, int version) {
    Writer out = new Writer();
    out.number(version);
    List<String> names = window.backends();
    out.number(names.size());
    for (String name : names) {
      byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
      if (utf8.length > MAX_NAME_BYTES) {
        throw new IllegalArgumentException("a backend's name is too long: " + name);
      }
      out.number(utf8.length);
      out.raw(utf8);
    }
    out.number(window.timeOuts());
    int n = names.size();
    int columns = columns(version, n);
    int[] cells = new int[LatencyBins.REQUEST_BINS * columns];
    for (int bin = 0; bin < LatencyBins.REQUEST_BINS; bin++) {
      if (window.blocked[bin] != null) {
        System.arraycopy(window.blocked[bin], 0, cells, bin * columns, columns);
      }
    }
    out.sparse(cells);
    for (int b = 0; b < n; b++) {
      out.number(window.hits[b]);
      out.number(window.hitNanos[b] / MICRO);
      out.number(window.misses[b]);
      out.number(window.missNanos[b] / MICRO);
      out.number(window.shadowHits[b]);
      if (version > OLDEST_VERSION) {
        out.number(window.queries[b]);
        out.number(window.missQueries[b]);
      }
      out.sparse(window.missBins[b] == null ? new int[0] : window.missBins[b]);
    }
    return out.bytes();
  }

  private static int columns(int version, int backends) {
    return version == OLDEST_VERSION ? backends : backends + 1;
  }

  /** The version in which to answer a window that {@link #read} accepts. */
  public static int version(byte[] window) {
    return window[0] == OLDEST_VERSION ? OLDEST_VERSION : VERSION;
  }

  /**
   * Reads a window of any version.
   *
   * @param maxBackends largest accepted number; the result takes up to about 4.5 KB for each
   * @throws StatisticsFormatException if the bytes do not encode a window
   */
  public static WindowStatistics read(byte[] bytes, int maxBackends)
      throws StatisticsFormatException {
    Reader in = new Reader(bytes);
    long version = in.number(Long.MAX_VALUE);
    if (version < OLDEST_VERSION || version > VERSION) {
      throw new StatisticsFormatException(
          "not a window of statistics of versions " + OLDEST_VERSION + " to " + VERSION);
    }
    int n = (int) in.number(Math.min(maxBackends, WindowStatistics.MAX_BACKENDS));
    List<String> names = new ArrayList<>();
    for (int b = 0; b < n; b++) {
      names.add(in.name());
    }
    if (new HashSet<>(names).size() != n) {
      throw new StatisticsFormatException("a backend is listed twice");
    }
    long timeOuts = in.number(MAX_COUNT);
    int columns = columns((int) version, n);
    int[] cells = in.sparse(LatencyBins.REQUEST_BINS * columns);
    int[][] blocked = new int[LatencyBins.REQUEST_BINS][];
    for (int at = 0; at < cells.length; at++) {
      if (cells[at] != 0) {
        int bin = at / columns;
        if (blocked[bin] == null) {
          blocked[bin] = new int[n + 1];
        }
        blocked[bin][at % columns] = cells[at];
      }
    }
    long[][] sums = new long[7][n];
    int[][] missBins = new int[n][];
    for (int b = 0; b < n; b++) {
      sums[0][b] = in.number(MAX_COUNT);
      sums[1][b] = in.number(MAX_SUM) * MICRO;
      sums[2][b] = in.number(MAX_COUNT);
      sums[3][b] = in.number(MAX_SUM) * MICRO;
      sums[4][b] = in.number(MAX_COUNT);
      boolean counted = version > OLDEST_VERSION;
      sums[5][b] = counted ? in.number(MAX_COUNT) : Math.min(MAX_COUNT, sums[0][b] + sums[2][b]);
      sums[6][b] = counted ? in.number(sums[5][b]) : sums[2][b];
      missBins[b] = in.sparse(LatencyBins.QUERY_BINS);
      long inBins = Arrays.stream(missBins[b]).asLongStream().sum();
      if (inBins != sums[2][b]) {
        throw new StatisticsFormatException(
            inBins + " misses in the bins of " + names.get(b) + ", " + sums[2][b] + " counted");
      }
    }
    in.end();
    return new WindowStatistics(
        List.copyOf(names),
        blocked,
        missBins,
        sums[0],
        sums[1],
        sums[2],
        sums[3],
        sums[4],
        sums[5],
        sums[6],
        timeOuts);
  }

  private static final class Writer {
    private byte[] bytes = new byte[1 << 12];
    private int size;

    void number(long value) {
      room(10);
      long rest = value;
      while (rest >= 0x80) {
        bytes[size++] = (byte) (rest | 0x80);
        rest >>>= 7;
      }
      bytes[size++] = (byte) rest;
    }

    void raw(byte[] more) {
      room(more.length);
      System.arraycopy(more, 0, bytes, size, more.length);
      size += more.length;
    }

    /** The number of non-zero values, then each as the zeros before it and its value. */
    void sparse(int[] values) {
      number(Arrays.stream(values).filter(value -> value != 0).count());
      int next = 0;
      for (int at = 0; at < values.length; at++) {
        if (values[at] != 0) {
          number(at - next);
          number(values[at]);
          next = at + 1;
        }
      }
    }

    private void room(int more) {
      if (size + more > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length * 2));
      }
    }

    byte[] bytes() {
      return Arrays.copyOf(bytes, size);
    }
  }

  private static final class Reader {
    private final byte[] bytes;
    private int at;

    Reader(byte[] bytes) {
      this.bytes = bytes;
    }

    long number(long max) throws StatisticsFormatException {
      long value = 0;
      for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
        if (at >= bytes.length) {
          throw new StatisticsFormatException("ends in the middle");
        }
        int octet = bytes[at++] & 0xff;
        value |= (long) (octet & 0x7f) << shift;
        if (octet < 0x80) {
          if (value > max) {
            throw new StatisticsFormatException(value + " is more than " + max);
          }
          return value;
        }
      }
      throw new StatisticsFormatException("a number is too long");
    }

    String name() throws StatisticsFormatException {
      int length = (int) number(MAX_NAME_BYTES);
      if (length == 0 || length > bytes.length - at) {
        throw new StatisticsFormatException("a backend's name is empty or cut off");
      }
      try {
        String name =
            StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes, at, length))
                .toString();
        at += length;
        return name;
      } catch (CharacterCodingException e) {
        throw new StatisticsFormatException("a backend's name is not UTF-8");
      }
    }

    int[] sparse(int length) throws StatisticsFormatException {
      int[] values = new int[length];
      long filled = number(length);
      long next = 0;
      for (long i = 0; i < filled; i++) {
        next += number(length);
        if (next >= length) {
          throw new StatisticsFormatException("a bin lies beyond the last");
        }
        int value = (int) number(MAX_COUNT);
        if (value == 0) {
          throw new StatisticsFormatException("an empty bin is written");
        }
        values[(int) next++] = value;
      }
      return values;
    }

    void end() throws StatisticsFormatException {
      if (at != bytes.length) {
        throw new StatisticsFormatException((bytes.length - at) + " bytes too many");
      }
    }
  }
}
