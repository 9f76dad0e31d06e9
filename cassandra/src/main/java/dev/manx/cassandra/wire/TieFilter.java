/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.wire;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Guard;
import dev.manx.cassandra.read.QueuedRead;
import dev.manx.cassandra.tied.Ties;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;

/**
 * A filter in Cassandra's inbound sink for tied copies. A read that another replica serves passes
 * its runnable, which gives back what its connection has lent it, and ends here. A copy is served
 * here, for its coordinator. The answer of a copy goes to its request from here, also after Manx
 * has gone off.
 */
public final class TieFilter implements Predicate<Message<?>> {
  private final Supplier<Engine> engines;
  private final Ties ties;

  /**
   * @param engines the engine of the moment; null while Manx is off
   */
  public TieFilter(Supplier<Engine> engines, Ties ties) {
    this.engines = engines;
    this.ties = ties;
  }

  @Override
  public boolean test(Message<?> message) {
    Verb verb = message.verb();
    if (verb == Verb.READ_RSP || verb == Verb.FAILURE_RSP) {
      return !take(message);
    }
    if (verb != Verb.READ_REQ) {
      return true;
    }
    QueuedRead running = QueuedRead.running();
    if (running != null && running.isPassedOver()) {
      return false;
    }
    Engine engine = engines.get();
    return engine == null || !ties.serve(engine, message);
  }

  private boolean take(Message<?> message) {
    try {
      return ties.take(message);
    } catch (Throwable t) {
      Guard.throwIfOfVm(t);
      Engine engine = engines.get();
      if (engine != null) {
        engine.guard().fault("the answer of a copy", t);
      }
      // Cassandra has no callback for a copy's, and drops it.
      return false;
    }
  }
}
