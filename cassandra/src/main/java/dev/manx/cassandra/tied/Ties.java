/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.copy.AbortedRead;
import dev.manx.cassandra.copy.Callbacks;
import dev.manx.cassandra.message.MessageKind;
import dev.manx.cassandra.message.NodeMessages;
import dev.manx.cassandra.wire.CustomMap;
import dev.manx.policy.NanoClock;
import dev.manx.policy.facts.Tag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Tied copies at this node in its three roles: as the coordinator that names a read's second
 * replica, as the first replica that passes the read on, and as the second replica. Lives as long
 * as the node. Any thread.
 */
public final class Ties {
  private final NanoClock clock;
  private final Slots slots;
  private final PassedOn passedOn;
  private final CopiesHere copies;
  private final Offers offers;
  // The parts last used, for reads that were tied before Manx went off.
  private volatile Callbacks callbacks;
  private volatile Notices notices;

  /**
   * @param engines the present engine; null while Manx is off
   */
  public Ties(Supplier<Engine> engines, NanoClock clock) {
    this(engines, clock, Ties::serve, Ties::owns);
  }

  /**
   * @param reads serves a read and answers the sender in its message
   * @param owns whether this node is a replica of a read's partition
   */
  Ties(
      Supplier<Engine> engines,
      NanoClock clock,
      Consumer<Message<?>> reads,
      Predicate<Message<?>> owns) {
    this.clock = clock;
    slots = new Slots(engines, clock);
    passedOn = new PassedOn(engines, clock, slots);
    copies = new CopiesHere(clock, reads, owns);
    offers = new Offers(clock, slots, passedOn);
  }

  @SuppressWarnings("unchecked")
  private static void serve(Message<?> read) {
    try {
      Verb.READ_REQ.handler().doVerb((Message) read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As Cassandra does, any error counts as owned. */
  private static boolean owns(Message<?> read) {
    if (!(read.payload instanceof SinglePartitionReadCommand)) {
      return true;
    }
    try {
      SinglePartitionReadCommand command = (SinglePartitionReadCommand) read.payload;
      return Keyspace.open(command.metadata().keyspace)
              .getReplicationStrategy()
              .getNaturalReplicasForToken(command.partitionKey().getToken())
              .selfIfPresent()
          != null;
    } catch (RuntimeException | AssertionError e) {
      return true;
    }
  }

  /** Starts tying reads, if the engine's planner requests it. */
  public void use(Engine engine, Callbacks known) {
    use(engine, known, new MessageNotices());
    passedOn.ensure();
  }

  /** As {@link #use(Engine, Callbacks)}, without a thread, for tests that control their clock. */
  void use(Engine engine, Callbacks known, Notices sender) {
    callbacks = known;
    notices = sender;
    passedOn.use(known, sender, PassedOn.budget(engine));
    offers.use(known);
  }

  /** Stops tying reads. */
  public void leave() {
    offers.leave();
    passedOn.use(callbacks, notices, null);
    sweep();
  }

  /** Restarts the timer if its thread has died or hangs. */
  public void ensure() {
    if (offers.isUsed()) {
      passedOn.ensure();
    }
  }

  /** Whether the node supports tied copies. */
  public boolean isUsed() {
    return offers.isUsed();
  }

  /** Whether no answer or failure of a copy is awaited. */
  public boolean isDone() {
    return slots.size() == 0 && passedOn.size() == 0;
  }

  /** The reads of this coordinator that two replicas may answer. */
  public Offers offers() {
    return offers;
  }

  /** The parts, for tests. */
  PassedOn passedOn() {
    return passedOn;
  }

  Slots slots() {
    return slots;
  }

  CopiesHere copies() {
    return copies;
  }

  /** Number of reads that this node coordinates and a copy may answer. */
  public int offered() {
    return slots.size();
  }

  /** Limit of these reads. */
  public static int mostOffered() {
    return Slots.MOST;
  }

  /** Number of reads passed on by this node whose copies may still start or fail. */
  public int passed() {
    return passedOn.size();
  }

  /** Limit of these reads. */
  public static int mostPassed() {
    return PassedOn.MOST;
  }

  /** Number of copies that wait at this node. */
  public int waiting() {
    return copies.size();
  }

  /** Limit of these copies. */
  public static int mostWaiting() {
    return CopiesHere.MOST;
  }

  /**
   * Called when a received read must wait.
   *
   * @param tag its tag; null if it has none that this node can read
   * @param costNanos its cost in the queue's work
   * @return null if only this node can serve it
   */
  public TiedRead came(Engine engine, Message<?> message, Tag tag, long costNanos) {
    byte[] copied = CustomMap.copied(message.header);
    if (copied != null) {
      return engine.acting() ? copy(engine, message, TieForm.copied(copied), costNanos) : null;
    }
    byte[] bytes = passedOn.isUsed() ? CustomMap.tie(message.header, engine.acting()) : null;
    TieForm.Tie tie = bytes == null ? null : TieForm.tie(bytes);
    if (tie == null || tie.peer().equals(FBUtilities.getBroadcastAddressAndPort())) {
      return null;
    }
    return FirstRead.sent(
        engine, passedOn, tie, message, FirstRead.Rank.of(tag), costNanos, clock.nanoTime());
  }

  private TiedRead copy(Engine engine, Message<?> message, TieForm.Copied copied, long costNanos) {
    if (copied == null) {
      return null;
    }
    return new CopyRead(
        engine,
        copies,
        new CopyRead.Key(message.from(), message.id()),
        costNanos,
        // No read waits longer.
        Math.min(copied.ageNanos(), Verb.READ_REQ.expiresAfterNanos()),
        message.expiresAtNanos());
  }

  /** Records that a read that had waited here was served. */
  public void served() {
    passedOn.served();
  }

  /** Handles a closed ticket. */
  public void ended(Engine engine, long messageId, int node, Outcome outcome, long sentNanos) {
    slots.ended(engine, messageId, node, outcome, sentNanos);
  }

  /**
   * Serves a read that is a copy.
   *
   * @return false if stock must serve it
   */
  public boolean serve(Engine engine, Message<?> message) {
    Callbacks known = callbacks;
    Notices sender = notices;
    return offers.isUsed()
        && engine.acting()
        && known != null
        && CustomMap.copied(message.header) != null
        && copies.serve(engine, sender, known::isAlive, message);
  }

  /**
   * Handles an answer that is about to be sent: if it is that of a copy that this node aborted, the
   * first replica gets a failure instead, and may still serve the read.
   *
   * @return false if the answer must be sent
   */
  public boolean aborted(Message<?> answer, InetAddressAndPort to) {
    Callbacks known = callbacks;
    return known != null && AbortedRead.isIn(answer) && copies.aborted(known, answer, to);
  }

  /**
   * Handles the answer or the failure of a copy, also when Manx is off.
   *
   * @return false if the message is neither of them
   */
  public boolean take(Message<?> message) {
    Callbacks known = callbacks;
    if (known == null || isDone()) {
      return false;
    }
    if (!message.isFailureResponse() && slots.take(known, message)) {
      passedOn.answered(message.id());
      return true;
    }
    return passedOn.take(known, message);
  }

  /** Starts receiving the notices of other replicas. */
  public void listen(NodeMessages messages) {
    messages.handle(MessageKind.COPY_STARTED, (engine, from, node, bytes) -> started(from, bytes));
    messages.handle(
        MessageKind.COPY_RECALLED, (engine, from, node, bytes) -> recalled(from, bytes));
  }

  /** Handles a notice that another replica has started a copy passed on by this node. */
  boolean started(InetAddressAndPort peer, byte[] bytes) {
    return TieForm.read(bytes, id -> passedOn.started(peer, id));
  }

  /** Handles a notice that another replica has started a read whose copy is here, or under way. */
  boolean recalled(InetAddressAndPort first, byte[] bytes) {
    return TieForm.read(bytes, id -> copies.recall(first, id));
  }

  /** Forgets expired reads. */
  public void sweep() {
    long now = clock.nanoTime();
    slots.sweep(now);
    passedOn.sweep(now);
    copies.sweep(now);
  }
}
