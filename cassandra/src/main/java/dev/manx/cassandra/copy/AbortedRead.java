/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.service.reads.thresholds.WarningContext;

/**
 * Recognizes a read that its replica aborted, because of too many tombstones, bytes or indexes. Its
 * answer is empty and of the usual verb; to the request it is a failure.
 */
public final class AbortedRead {
  private AbortedRead() {}

  /** Whether a message is the answer of an aborted read. */
  public static boolean isIn(Message<?> answer) {
    if (answer.header.params().isEmpty()) {
      return false;
    }
    for (ParamType param : answer.header.params().keySet()) {
      if (param.name().endsWith("_FAIL")) {
        return true;
      }
    }
    return false;
  }

  /** The reason why a read was aborted, as Cassandra's coordinator sees it. */
  public static RequestFailureReason reason(Message<?> answer) {
    RequestFailureReason reason =
        new WarningContext().updateCounters(answer.header.params(), answer.from());
    return reason == null ? RequestFailureReason.UNKNOWN : reason;
  }
}
