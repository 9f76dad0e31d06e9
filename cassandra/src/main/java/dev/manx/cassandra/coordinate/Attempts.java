/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.policy.Request;
import java.util.Arrays;

/**
 * The replicas to which the reads of a planned request have gone so far, and their messages. Reused
 * for later requests; confined to its plan's thread.
 */
final class Attempts {
  private Request request;
  private int[] attempts = new int[16];
  // Of the attempts that a read's consistency level requires, at the places of its replicas: the
  // ids of their messages, 0 for none, and their nodes, if attempted.
  private long[] sentIds = new long[48];
  private int[] sentTo = new int[48];
  // When the first message of each read was sent.
  private long[] sentNanos = new long[16];

  /**
   * Begins a request.
   *
   * @param mostReads room for at least its reads
   * @param mostReplicas room for at least the replicas of all its reads
   */
  void begin(Request planned, int mostReads, int mostReplicas) {
    request = planned;
    int reads = planned.reads();
    if (attempts.length < reads) {
      attempts = new int[mostReads];
      sentNanos = new long[mostReads];
    }
    Arrays.fill(attempts, 0, reads, 0);
    Arrays.fill(sentNanos, 0, reads, planned.nowNanos());
    int replicas = reads == 0 ? 0 : planned.replicaStart(reads);
    if (sentIds.length < replicas) {
      sentIds = new long[mostReplicas];
      sentTo = new int[mostReplicas];
    }
    Arrays.fill(sentIds, 0, replicas, 0);
  }

  /** Records that a planned read is about to go to one more replica. */
  void attempted(int read, int node) {
    int attempt = attempts[read]++;
    if (isRequired(read, attempt)) {
      sentTo[request.replicaStart(read) + attempt] = node;
    }
  }

  /**
   * Records that the message of the attempt just recorded is being sent, or the own read begins.
   */
  void sent(int read, long messageId, long nowNanos) {
    int attempt = attempts[read] - 1;
    if (attempt == 0) {
      sentNanos[read] = nowNanos;
    }
    if (isRequired(read, attempt)) {
      sentIds[request.replicaStart(read) + attempt] = messageId;
    }
  }

  private boolean isRequired(int read, int attempt) {
    return attempt >= 0 && attempt < Math.min(request.contacts(read), request.replicaCount(read));
  }

  /**
   * Whether its consistency level requires the attempt just recorded; if not, it is a retry of
   * stock or a repair.
   */
  boolean isFirst(int read) {
    return attempts[read] <= request.contacts(read);
  }

  /** Whether the attempt just recorded is the first that its consistency level does not require. */
  boolean isNext(int read) {
    return attempts[read] == request.contacts(read) + 1;
  }

  /**
   * The message of one of the attempts that a read's consistency level requires.
   *
   * @return 0 if it was not sent, or its id is unknown
   */
  long sentId(int read, int attempt) {
    return sentIds[request.replicaStart(read) + attempt];
  }

  /** The node of that attempt, if it was made, with or without a message. */
  int sentTo(int read, int attempt) {
    return sentTo[request.replicaStart(read) + attempt];
  }

  /** When the first of these messages was sent; if that is unknown, when the request began. */
  long sentNanos(int read) {
    return sentNanos[read];
  }
}
