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
 * The coordinator's side of a read of this node's own data: the callback that waits for it and, if
 * it was planned, the ticket that its end closes and the copy that may overtake it.
 */
final class LocalRead {
  private final ReadCallback<?, ?> handler;
  private final Map<?, ?> failures;
  private final ReadCommand command;
  private final SentRead copied;
  private final long ticket;
  // Nodes.NONE if there is no ticket, or no longer.
  private int node;

  /** Creates an unplanned read, of which only the answer matters. */
  LocalRead(ReadCallback<?, ?> handler) {
    this(null, handler, null, null, 0, Nodes.NONE);
  }

  /**
   * Creates a planned read.
   *
   * @param command the executed command, which knows whether it has completed
   * @param failures the map into which Cassandra will put the reason of a failure
   * @param copied the read by which another replica may answer it while it waits, or null
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

  /** Whether another replica may answer it first. */
  boolean mayBeCopied() {
    return copied != null;
  }

  /** Whether it should run; if not, another replica has answered it. */
  boolean start() {
    return copied == null || copied.start();
  }

  /** Stops tracking it: it runs as stock, or not at all. */
  void refused(Engine engine) {
    if (copied != null) {
      engine.copier().ends().unknown(copied);
    }
    if (node != Nodes.NONE) {
      engine.closed(ticket, node, Outcome.CANCELLED, new Ticket());
      node = Nodes.NONE;
    }
  }

  /** Records that another replica serves it, so that its work here has ended. */
  void passedOver(Engine engine) {
    if (node != Nodes.NONE) {
      engine.closed(ticket, node, Outcome.CANCELLED, new Ticket());
      node = Nodes.NONE;
    }
  }

  /** This node's answer among the coordinator's answers, or null. */
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
   * The ending of a local read.
   *
   * @param seen whether its answer is among its coordinator's answers; an answer may be there but
   *     unseen while another replica's is being written before it
   * @param failure the reason of its failure; null if it did not fail, or was too old, since
   *     Cassandra drops a read that is too old without a reason
   * @param completed whether Cassandra executed it to its end
   */
  static Outcome outcome(boolean seen, Object failure, boolean completed) {
    if (seen || failure == null && completed) {
      return Outcome.ANSWERED;
    }
    return failure == null ? Outcome.TIMED_OUT : Outcome.FAILED;
  }
}
