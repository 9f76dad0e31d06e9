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
 * A filter in Cassandra's inbound sink for tied copies. If another replica serves a read, its
 * runnable still runs, to release the memory that its connection has reserved, and ends here. A
 * copy is served here, for its coordinator. The answer of a copy is passed to its request, even
 * after Manx has gone off.
 */
public final class TieFilter implements Predicate<Message<?>> {
  private final Supplier<Engine> engines;
  private final Ties ties;

  /**
   * @param engines the present engine; null while Manx is off
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
    if (QueuedRead.passesOver()) {
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
      // Cassandra has no callback for a copy's answer, and drops it.
      return false;
    }
  }
}
