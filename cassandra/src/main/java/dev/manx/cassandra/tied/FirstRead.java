/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.copy.CopyTimer;
import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.facts.Tag;
import dev.manx.policy.facts.TagCodec;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.service.reads.ReadCallback;

/**
 * A read that waits at its first replica and may be passed on. Its coordinator is another node or
 * this node.
 */
final class FirstRead extends TiedRead implements CopyTimer.Timed {
  /** The rank passed on with its copy, if its request is ranked. */
  record Rank(Unit unit, long priority, long slack, long costNanos) {
    /** The rank of a read of a planned request; null if the request is not ranked. */
    static Rank of(Request request, int read) {
      return request.tagged()
          ? new Rank(
              request.unit(), request.priority(read), request.slack(read), request.costNanos(read))
          : null;
    }

    /**
     * The rank of a received read.
     *
     * @param tag its tag; null for none
     */
    static Rank of(Tag tag) {
      return tag == null ? null : new Rank(tag.unit, tag.priority, tag.slack, tag.costNanos);
    }

    /**
     * Without the request's id, so that the copy queues behind its peer's own reads of the request.
     */
    byte[] tag() {
      return TagCodec.encode(unit, priority, slack, costNanos, 0);
    }
  }

  /**
   * Creates a read of this node's own coordinator.
   *
   * @param handler the callback that waits for it
   * @param ticket its ticket's id
   * @param rank its rank
   * @param task Cassandra's own runnable of the read stage
   */
  record Home(
      ReadCommand command, ReadCallback<?, ?> handler, long ticket, long rank, Runnable task) {}

  private static final long UNSENT = 0;
  // Ids of messages are ints.
  private static final long STARTED = Long.MIN_VALUE;

  final InetAddressAndPort peer;
  final long sinceNanos;
  final long staggerNanos;
  final long expiresNanos;
  final Rank rank;
  private final PassedOn passedOn;
  // One of the two is set; null once it has started, for the timer and the other replica's notice.
  private volatile Message<?> message;
  private volatile Home home;
  private final boolean atHome;
  // UNSENT until it is passed on, and STARTED once it has started here.
  private final AtomicLong copyId = new AtomicLong();
  private volatile RequestFailureReason copyFailure;
  private volatile long dueNanos;

  private FirstRead(
      Engine engine,
      PassedOn passedOn,
      TieForm.Tie tie,
      Message<?> message,
      Home home,
      Rank rank,
      long costNanos,
      long nowNanos) {
    super(engine, costNanos);
    this.passedOn = passedOn;
    this.peer = tie.peer();
    this.staggerNanos = tie.staggerNanos();
    this.message = message;
    this.home = home;
    this.atHome = home != null;
    this.rank = rank;
    this.sinceNanos = nowNanos;
    this.expiresNanos =
        message == null ? nowNanos + Verb.READ_REQ.expiresAfterNanos() : message.expiresAtNanos();
  }

  /** Creates a read that another node coordinates. */
  static FirstRead sent(
      Engine engine,
      PassedOn passedOn,
      TieForm.Tie tie,
      Message<?> message,
      Rank rank,
      long costNanos,
      long nowNanos) {
    return new FirstRead(engine, passedOn, tie, message, null, rank, costNanos, nowNanos);
  }

  /** Creates a read that this node coordinates. */
  static FirstRead atHome(
      Engine engine,
      PassedOn passedOn,
      TieForm.Tie tie,
      Home home,
      Rank rank,
      long costNanos,
      long nowNanos) {
    return new FirstRead(engine, passedOn, tie, null, home, rank, costNanos, nowNanos);
  }

  @Override
  public void queued() {
    passedOn.arm(this);
  }

  @Override
  public boolean start() {
    boolean runs = claim.start();
    if (runs) {
      message = null;
      home = null;
      long sent = copyId.getAndSet(STARTED);
      if (sent != UNSENT) {
        passedOn.recall(this, sent);
      }
    } else if (!atHome) {
      passedOn.skipped(this);
    }
    return runs;
  }

  /**
   * Its turn was skipped: from now on, at most its copy's failure can be answered. It is kept until
   * it expires, with tens of thousands of others at a node that passes most of its reads on.
   */
  void releaseCommand() {
    Message<?> skipped = message;
    if (skipped != null) {
      message = skipped.withPayload(NoPayload.noPayload);
    }
  }

  /** Whether this node coordinates it. */
  boolean isAtHome() {
    return atHome;
  }

  /**
   * The read's message; null if this node coordinates it, or once it has started. Without its
   * command some time after its turn was skipped.
   */
  Message<?> message() {
    return message;
  }

  /** The own read; null if another node coordinates it, or once it has started. */
  Home home() {
    return home;
  }

  /**
   * Records that a copy is about to be sent, so that its start recalls the copy; false if it has
   * started.
   */
  boolean sends(long id) {
    return copyId.compareAndSet(UNSENT, id);
  }

  /** Records that the copy failed: there is nothing to recall. */
  void copyFailed(long id, RequestFailureReason reason) {
    copyFailure = reason;
    copyId.compareAndSet(id, UNSENT);
  }

  /** The reason why its copy failed; null if it has not. */
  RequestFailureReason copyFailure() {
    return copyFailure;
  }

  @Override
  public long dueNanos() {
    return dueNanos;
  }

  @Override
  public void dueNanos(long nanos) {
    dueNanos = nanos;
  }
}
