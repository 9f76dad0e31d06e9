/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.copy.Callbacks;
import org.apache.cassandra.locator.InetAddressAndPort;

/** A coordinator's ties for tests of other packages, without threads and notices. */
public final class TestTies {
  private TestTies() {}

  /** Starts tying reads. */
  public static void use(Engine engine, Callbacks callbacks) {
    engine.ties().use(engine, callbacks, new NoNotices());
  }

  /** Number of reads that a copy may answer. */
  public static int slots(Engine engine) {
    return engine.ties().slots().size();
  }

  private static final class NoNotices implements Notices {
    @Override
    public void started(Engine engine, InetAddressAndPort first, long copyId) {}

    @Override
    public void recalled(Engine engine, InetAddressAndPort peer, long copyId) {}
  }
}
