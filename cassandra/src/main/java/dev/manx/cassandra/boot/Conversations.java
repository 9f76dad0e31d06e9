/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.exchange.ExchangeRounds;
import dev.manx.cassandra.message.Greetings;
import dev.manx.cassandra.message.NodeMessages;

/** All that this node tells others by messages of its own. The timer's calls. */
final class Conversations {
  private final Greetings greetings;
  private final ExchangeRounds exchange;

  Conversations(NodeMessages messages) {
    greetings = new Greetings(messages);
    exchange = new ExchangeRounds(messages);
  }

  /** At each tick. */
  void tick(Engine engine, long nowNanos) {
    exchange.tick(engine, nowNanos);
  }

  /** Once a second. */
  void second(Engine engine) {
    greetings.greet(engine);
  }
}
