/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.facts.Exchange;
import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.kernel.Streams.Purpose;
import java.util.ArrayDeque;
import java.util.SplittableRandom;

/**
 * Carries messages between coordinators: at every interval each sends to a few others, drawn
 * uniformly, with the network's mean one-way delay. All send at the same time.
 */
final class Gossip {
  /** A message in flight. */
  private record Letter(int to, byte[] message) {}

  private final World world;
  private final SplittableRandom random;
  // All have the same delay, so they arrive in the order in which they were sent.
  private final ArrayDeque<Letter> underWay = new ArrayDeque<>();
  private final int[] offsets;
  private final int peers;
  final long intervalNanos;
  long messages;
  long bytes;

  Gossip(World world, Streams streams) {
    this.world = world;
    random = streams.generator(Purpose.EXCHANGE, 0);
    Exchange any = world.coordinators[0].strategy.exchange();
    intervalNanos = any.intervalNanos();
    offsets = new int[world.coordinators.length - 1];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = i + 1;
    }
    peers = Math.min(any.peers(), offsets.length);
  }

  /** Messages in flight. */
  int underWay() {
    return underWay.size();
  }

  /** Sends every coordinator's messages. */
  void exchange() {
    long now = world.calendar.now();
    for (int self = 0; self < world.coordinators.length; self++) {
      Coordinator sender = world.coordinators[self];
      byte[] message = sender.strategy.exchange().message(sender.view, world.model.nodes(), now);
      if (message.length > 0) {
        deliver(self, message, now + world.model.network().oneWayNanos());
      }
    }
  }

  private void deliver(int self, byte[] message, long due) {
    for (int i = 0; i < peers; i++) {
      int drawn = i + random.nextInt(offsets.length - i);
      int offset = offsets[drawn];
      offsets[drawn] = offsets[i];
      offsets[i] = offset;
      underWay.add(new Letter((self + offset) % (offsets.length + 1), message));
      world.calendar.at(due, World.GOSSIP, 0);
      messages++;
      bytes += message.length;
    }
  }

  /** Delivers the next message to its coordinator. */
  void arrived() {
    Letter letter = underWay.remove();
    Coordinator hearer = world.coordinators[letter.to];
    long now = world.calendar.now();
    if (!hearer.strategy.exchange().take(letter.message, hearer.view, hearer.view, now)) {
      throw new IllegalStateException("a coordinator cannot decode another's message");
    }
  }
}
