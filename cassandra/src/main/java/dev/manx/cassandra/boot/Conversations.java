/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.credit.CreditRounds;
import dev.manx.cassandra.exchange.ExchangeRounds;
import dev.manx.cassandra.message.Greetings;
import dev.manx.cassandra.message.NodeMessages;
import org.apache.cassandra.concurrent.Stage;

/** The messages that this node sends to others on its own schedule. Called by the timer. */
final class Conversations {
  private final Greetings greetings;
  private final ExchangeRounds exchange;
  private final CreditRounds credits;

  Conversations(NodeMessages messages) {
    greetings = new Greetings(messages);
    exchange = new ExchangeRounds(messages);
    credits =
        new CreditRounds(
            messages,
            (engine, node) -> PeerEvents.isNear(engine.stockSnitch(), node),
            () -> Stage.READ.executor().getMaximumPoolSize());
  }

  /** Runs at each tick. */
  void tick(Engine engine, long nowNanos) {
    exchange.tick(engine, nowNanos);
    credits.tick(engine, nowNanos);
  }

  /** The credits of {@code fanout.brb-credits}, as this node sees them. */
  CreditRounds credits() {
    return credits;
  }

  /** Runs once a second. */
  void second(Engine engine) {
    greetings.greet(engine);
  }
}
