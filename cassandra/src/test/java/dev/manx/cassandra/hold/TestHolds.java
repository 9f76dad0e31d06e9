/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import dev.manx.cassandra.Engine;
import java.util.List;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;

/** A coordinator's held reads for tests of other packages, without threads. */
public final class TestHolds {
  private static final long LIFE_NANOS = 1_000_000_000_000L;

  private TestHolds() {}

  /** Starts holding reads. */
  public static void use(Engine engine) {
    engine.holds().departures(new FakeDepartures());
  }

  /** The timer checks for due reads. */
  public static void release(Engine engine) {
    engine.holds().advance();
  }

  /** Creates the message of a read whose callback Cassandra has registered. */
  public static HeldMessage message(
      Engine engine,
      RequestHolds request,
      Message<?> message,
      InetAddressAndPort to,
      int node,
      long costNanos) {
    FakeDepartures departures = (FakeDepartures) engine.holds().departures();
    departures.open(message.id());
    return new HeldMessage(engine, request, departures, message, to, node, costNanos, 7);
  }

  /** Another thread begins to decide about a held read. */
  public static boolean claim(HeldRead read) {
    return read.claim();
  }

  /** It lets the read wait again. */
  public static void unclaim(HeldRead read) {
    read.unclaim();
  }

  /** The ids of the messages sent so far. */
  public static List<Long> sent(Engine engine) {
    return ((FakeDepartures) engine.holds().departures()).sent;
  }

  /** Brings a read to the gate; false if it waits there. */
  public static boolean passes(Engine engine, int node, long costNanos) {
    HeldRead read = read(engine, new RequestHolds(), () -> {});
    read.ranked(node, 1, 0, costNanos, 0, engine.clock().nanoTime());
    return engine.holds().passes(engine.gate(), read, LIFE_NANOS);
  }

  /** Creates a held read that does nothing but leave. */
  public static HeldRead read(Engine engine, RequestHolds request, Runnable go) {
    return new HeldRead(engine, request) {
      @Override
      protected boolean take(boolean over) {
        return true;
      }

      @Override
      protected int answers() {
        return 0;
      }

      @Override
      protected void count(Engine now) {}

      @Override
      protected void go(Engine now) {
        go.run();
      }
    };
  }
}
