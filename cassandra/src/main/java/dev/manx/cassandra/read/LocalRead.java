/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.copy.SentRead;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.policy.facts.Ticket;
import java.util.Map;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.ReadResponse;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.service.reads.ReadCallback;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.concurrent.Accumulator;

/**
 * What a read of this node's own data is to the coordinator, which is this node too: who waits for
 * it and, if it was planned, the ticket that its end closes and the copy that may overtake it.
 */
final class LocalRead {
  private final ReadCallback<?, ?> handler;
  private final Map<?, ?> failures;
  private final ReadCommand command;
  private final SentRead copied;
  private final long ticket;
  // Nodes.NONE if there is no ticket, or not any more.
  private int node;

  /** One that was not planned, so that only its answer matters. */
  LocalRead(ReadCallback<?, ?> handler) {
    this(null, handler, null, null, 0, Nodes.NONE);
  }

  /**
   * A planned one.
   *
   * @param command what is executed, and knows whether it was
   * @param failures where Cassandra will note why it failed
   * @param copied by which another replica may answer it while it waits, or null
   */
  LocalRead(
      ReadCommand command,
      ReadCallback<?, ?> handler,
      Map<?, ?> failures,
      SentRead copied,
      long ticket,
      int node) {
    this.command = command;
    this.handler = handler;
    this.failures = failures;
    this.copied = copied;
    this.ticket = ticket;
    this.node = node;
  }

  /** Whether it is to run; if not, another replica has answered it. */
  boolean start() {
    return copied == null || copied.start();
  }

  /** It runs as stock, or not at all: Manx follows it no more. */
  void refused(Engine engine) {
    if (copied != null) {
      engine.copier().ends().unknown(copied);
    }
    if (node != Nodes.NONE) {
      engine.closed(ticket, node, Outcome.CANCELLED, new Ticket());
      node = Nodes.NONE;
    }
  }

  /** Another replica serves it, so that its work here has ended. */
  void passedOver(Engine engine) {
    if (node != Nodes.NONE) {
      engine.closed(ticket, node, Outcome.CANCELLED, new Ticket());
      node = Nodes.NONE;
    }
  }

  /** This node's answer among those that the coordinator has, or null. */
  ReadResponse answer() {
    InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
    Accumulator<? extends Message<ReadResponse>> answers = handler.resolver.getMessages();
    for (int i = 0, n = answers.size(); i < n; i++) {
      Message<ReadResponse> answer = answers.get(i);
      if (answer != null && self.equals(answer.from())) {
        return answer.payload;
      }
    }
    return null;
  }

  /** Closes its ticket, if it has one. */
  void ended(Engine engine, boolean answered) {
    if (node == Nodes.NONE) {
      return;
    }
    Object reason = failures.get(FBUtilities.getBroadcastAddressAndPort());
    Outcome outcome = outcome(answered, reason, command.isCompleted());
    if (outcome == Outcome.FAILED) {
      RequestFailureReason known =
          reason instanceof RequestFailureReason
              ? (RequestFailureReason) reason
              : RequestFailureReason.UNKNOWN;
      engine.failed(ticket, node, known, new Ticket());
    } else {
      engine.closed(ticket, node, outcome, new Ticket());
    }
  }

  /**
   * How a local read ended.
   *
   * @param seen whether its answer is among those that its coordinator has; one may be there and
   *     not be seen, while another replica's is being written before it
   * @param failure why it failed; null if it did not, or was too old, for Cassandra drops a read
   *     that is too old without a word
   * @param completed whether Cassandra executed it to its end
   */
  static Outcome outcome(boolean seen, Object failure, boolean completed) {
    if (seen || failure == null && completed) {
      return Outcome.ANSWERED;
    }
    return failure == null ? Outcome.TIMED_OUT : Outcome.FAILED;
  }
}
