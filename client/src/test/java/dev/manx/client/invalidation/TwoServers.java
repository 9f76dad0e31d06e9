/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import dev.manx.client.ManualClock;
import dev.manx.client.timer.Alarm;
import dev.manx.client.timer.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** Two application servers that send each other invalidations. */
abstract class TwoServers {
  private static final Timer NEVER =
      new Timer() {
        @Override
        public Alarm after(long nanos, Runnable task) {
          return () -> {};
        }
      };

  final ManualClock clock = new ManualClock();
  final Bus bus = new Bus();
  final Server one = new Server(1);
  final Server two = new Server(2);

  final class Server implements Invalidations.Target {
    final Bus.Line line = bus.line();
    final Invalidations peers;
    final List<String> heard = new ArrayList<>();

    Server(long id) {
      peers = new Invalidations(line, NEVER, clock, id);
      peers.add("songs", this);
    }

    @Override
    public void forget(List<String> keys) {
      heard.addAll(keys);
    }

    @Override
    public void forgetAll() {
      heard.add("*");
    }

    boolean announce(String... keys) {
      return !peers.announce("songs", List.of(keys)).isCompletedExceptionally();
    }
  }

  @BeforeEach
  void start() {
    one.peers.start();
    two.peers.start();
    beats(1);
    one.heard.clear();
    two.heard.clear();
  }

  void beats(int seconds) {
    for (int i = 0; i < seconds; i++) {
      clock.pass(Duration.ofSeconds(1));
      one.peers.beat();
      two.peers.beat();
    }
  }
}
