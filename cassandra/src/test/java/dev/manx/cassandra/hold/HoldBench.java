/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;

/** A coordinator that holds reads of node 1, without a node and on a simulated clock. */
final class HoldBench {
  static final long MILLI = 1_000_000;
  static final long LIFE = 400 * MILLI;
  static final int NODE = 1;

  final AtomicLong now = new AtomicLong();
  final AtomicBoolean off = new AtomicBoolean();
  // The present engine instead of this bench's, after a switch.
  final AtomicReference<Engine> switched = new AtomicReference<>();
  final FakeDepartures departures = new FakeDepartures();
  final RequestHolds request = new RequestHolds();
  final Engine engine;
  final Holds holds;
  private final InetAddressAndPort to;

  HoldBench() {
    this("strategy: { fanout: fanout.tailx-hold }");
  }

  HoldBench(String strategy) {
    TestSchema.load();
    engine = TestEngines.of(strategy, now::get, Mode.ON, this::present);
    holds = engine.holds();
    holds.departures(departures);
    try {
      to = InetAddressAndPort.getByName("127.0.0.2");
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
    engine.nodes().id(to);
  }

  private Engine present(Engine self) {
    Engine other = switched.get();
    return off.get() ? null : other == null ? self : other;
  }

  /** A read whose callback Cassandra has registered. */
  HeldMessage read() {
    return read(engine);
  }

  HeldMessage read(Engine planned) {
    return read(planned, request);
  }

  HeldMessage read(Engine planned, RequestHolds of) {
    Message<?> message =
        Message.builder(
                Verb.READ_REQ, (Object) TestSchema.command("SELECT * FROM ks.plain WHERE k = 1"))
            .from(to)
            .withExpiresAt(now.get() + LIFE)
            .build();
    departures.open(message.id());
    return new HeldMessage(planned, of, departures, message, to, NODE, MILLI, 7);
  }

  /** Advances the clock, and the timer checks. */
  void pass(long nanos) {
    now.addAndGet(nanos);
    holds.advance();
  }

  long count(Counter counter) {
    return engine.counters().get(counter);
  }
}
