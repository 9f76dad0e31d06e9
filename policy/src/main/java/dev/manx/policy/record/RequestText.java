/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.record;

import dev.manx.policy.Copies;
import dev.manx.policy.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A {@link Request} as text, with its input and its decisions separate. Reads are separated by
 * {@code ;}, a read's numbers by {@code :}, its replicas by {@code .} and their groups by {@code
 * |}. Default values at the end of a read are omitted.
 */
final class RequestText {
  private static final String USUAL = "-";

  private RequestText() {}

  /**
   * Hash, contacts, forecast size, forecast service time and replicas of each read.
   *
   * @param replicas in stock order, as {@link Request#replicas} was before planning
   */
  static String input(Request request, int[] replicas) {
    StringBuilder text = new StringBuilder();
    for (int read = 0; read < request.reads(); read++) {
      text.append(read == 0 ? "" : ";").append(Long.toHexString(request.keyHash(read)));
      // More contacts than replicas add no information.
      text.append(':').append(request.contacts(read));
      text.append(':').append(request.sizeBytes(read));
      text.append(':').append(request.costNanos(read)).append(':');
      replicas(text, request, read, replicas);
    }
    return text.toString();
  }

  /** Ranked replicas, priority, slack, send delay, copy, level and candidates of each read. */
  static List<String> decided(Request request) {
    List<String> reads = new ArrayList<>(request.reads());
    for (int read = 0; read < request.reads(); read++) {
      StringBuilder text = new StringBuilder();
      replicas(text, request, read, request.replicas());
      int usual = text.length();
      usual = number(text, usual, request.priority(read), 0);
      usual = number(text, usual, request.slack(read), 0);
      usual = number(text, usual, request.sendDelayNanos(read), 0);
      usual = number(text, usual, request.copyAfterNanos(read), Request.NEVER);
      usual = number(text, usual, request.level(read), Request.NO_LEVEL);
      usual = number(text, usual, request.candidates(read), Integer.MAX_VALUE);
      reads.add(text.substring(0, usual));
    }
    return reads;
  }

  /** Unit, whether tagged, whether longest first, bottleneck, copies. */
  static String whole(Request request) {
    String text =
        request.unit().name()
            + ':'
            + (request.tagged() ? 1 : 0)
            + ':'
            + (request.longestFirst() ? 1 : 0)
            + ':'
            + request.bottleneck();
    return request.copies() == Copies.NONE ? text : text + ':' + request.copies().name();
  }

  /** The order of sending; empty if it equals the order of the reads. */
  static String order(Request request) {
    StringBuilder text = new StringBuilder();
    boolean changed = false;
    for (int i = 0; i < request.reads(); i++) {
      changed |= request.order()[i] != i;
      text.append(i == 0 ? "" : ".").append(request.order()[i]);
    }
    return changed ? text.toString() : "";
  }

  /**
   * Adds the reads of an input to a request that has begun, in stock order.
   *
   * @return forecast size and service time of each read
   * @throws IllegalArgumentException if it is not valid
   */
  static long[][] fill(Request request, String input, int capacity) {
    String[] reads = input.isEmpty() ? new String[0] : input.split(";", -1);
    long[][] forecasts = new long[reads.length][];
    for (int i = 0; i < reads.length; i++) {
      String[] fields = reads[i].split(":", -1);
      request.addRead(null, Long.parseUnsignedLong(fields[0], 16), Integer.parseInt(fields[1]));
      forecasts[i] = new long[] {Long.parseLong(fields[2]), Long.parseLong(fields[3])};
      int group = 0;
      for (String nodes : fields[4].split("\\|", -1)) {
        for (int node : nodes(nodes)) {
          if (node < 0 || node >= capacity) {
            throw new IllegalArgumentException("node " + node + " of " + capacity);
          }
          request.addReplica(node, group);
        }
        group++;
      }
    }
    return forecasts;
  }

  /** The replicas of a decided read, best first. */
  static int[] ranked(String decided) {
    int end = decided.indexOf(':');
    return nodes((end < 0 ? decided : decided.substring(0, end)).replace('|', '.'));
  }

  private static int[] nodes(String text) {
    return text.isEmpty()
        ? new int[0]
        : Arrays.stream(text.split("\\.", -1)).mapToInt(Integer::parseInt).toArray();
  }

  private static void replicas(StringBuilder text, Request request, int read, int[] replicas) {
    int start = request.replicaStart(read);
    for (int i = 0; i < request.replicaCount(read); i++) {
      if (i > 0) {
        text.append(request.groups()[start + i] == request.groups()[start + i - 1] ? '.' : '|');
      }
      text.append(replicas[start + i]);
    }
  }

  /** Appends a number; returns where the text may end so that only default values are omitted. */
  private static int number(StringBuilder text, int usualFrom, long value, long usual) {
    text.append(':');
    if (value == usual) {
      text.append(USUAL);
      return usualFrom;
    }
    text.append(value);
    return text.length();
  }
}
