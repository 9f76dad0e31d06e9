/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.wire;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.copy.SentRead;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.facts.Facts;
import dev.manx.policy.facts.Ticket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;

/**
 * A filter in Cassandra's inbound sink that passes everything except Manx's own messages and the
 * answers of second copies. It applies the facts of an answer, closes the ticket of its read, and
 * updates the size oracle from answers and writes.
 */
public final class InboundFilter implements Predicate<Message<?>> {
  private static final ThreadLocal<Ticket> TICKET = ThreadLocal.withInitial(Ticket::new);

  // Of mutations, one in this many; a power of two. Their sizes require a walk through all their
  // cells.
  private static final int SAMPLE = 8;

  private final Supplier<Engine> engines;

  /**
   * @param engines the present engine; null while Manx is off
   */
  public InboundFilter(Supplier<Engine> engines) {
    this.engines = engines;
  }

  @Override
  public boolean test(Message<?> message) {
    Engine engine = engines.get();
    if (engine == null) {
      return true;
    }
    if (engine.messages().take(engine, message)) {
      return false;
    }
    SentRead copied = null;
    try {
      copied = engine.copier().ends().take(message);
      look(engine, message);
    } catch (Throwable t) {
      engine.guard().fault("an incoming " + message.verb(), t);
    }
    if (copied == null) {
      return true;
    }
    answered(engine, copied, message);
    return false;
  }

  /** Delivers the answer of a second copy, which Cassandra does not know. */
  private static void answered(Engine engine, SentRead copied, Message<?> message) {
    try {
      engine.copier().ends().answered(engine, copied, message);
    } catch (Throwable t) {
      engine.guard().fault("the answer of a second copy", t);
    }
  }

  private static void look(Engine engine, Message<?> message) {
    switch (message.verb()) {
      case READ_RSP -> answer(engine, message);
      case FAILURE_RSP -> {
        int node = engine.nodes().find(message.from());
        if (node != Nodes.NONE) {
          RequestFailureReason reason = (RequestFailureReason) message.payload;
          engine.failed(message.id(), node, reason, TICKET.get());
        }
      }
      case MUTATION_REQ -> {
        if (engine.config().learnFromWrites()
            && (ThreadLocalRandom.current().nextInt() & SAMPLE - 1) == 0
            && message.payload instanceof Mutation) {
          SizeLearner.learn(engine, (Mutation) message.payload);
        }
      }
      default -> {}
    }
  }

  private static void answer(Engine engine, Message<?> message) {
    int node = engine.nodes().find(message.from());
    if (node == Nodes.NONE) {
      return;
    }
    byte[] facts = CustomMap.facts(message.header);
    long now = engine.clock().nanoTime();
    engine.signs().answered(node, now);
    boolean acts = facts != null && CustomMap.isFor(message.header, engine.acting());
    if (facts != null) {
      engine.signs().heard(node, acts, now);
    }
    if (!acts) {
      engine.signs().silent(node, now);
    }
    if (facts != null) {
      facts(engine, facts, node, now);
    } else if (engine.state().tickets().size() == 0) {
      return;
    }
    Ticket ticket = TICKET.get();
    if (engine.closed(message.id(), node, Outcome.ANSWERED, ticket)) {
      SizeLearner.learn(engine, ticket.keyHash, message);
    }
  }

  private static void facts(Engine engine, byte[] facts, int node, long now) {
    if (!engine.strategy().facts().decode(facts, engine.state(), node, now)) {
      engine.counters().count(Counter.FACTS_IGNORED);
      return;
    }
    engine.counters().count(Counter.FACTS_RECEIVED);
    // Only the facts in this message: an older value may remain stored forever.
    if (engine.state().ageNanos(FactColumn.WORK_AHEAD, node, now) == 0
        && !Facts.waitsForCores(facts)) {
      long service =
          Math.max(
              engine.load().serviceNanos(), engine.state().value(FactColumn.SERVICE_TIME, node));
      engine.queues().reported(engine.state().value(FactColumn.WORK_AHEAD, node), service, now);
    }
  }

  /** The verbs that this filter handles, for {@code manx.hooks}. */
  public static String verbs() {
    return Verb.READ_RSP + ", " + Verb.FAILURE_RSP + ", " + Verb.MUTATION_REQ + ", own messages";
  }
}
