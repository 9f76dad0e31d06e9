/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.canary;

import java.util.random.RandomGenerator;

/** Draws the requests that Manx acts on; can be changed while it works. Any thread. */
public final class Canary {
  private volatile CanaryConfig config;

  /** With what the file says. */
  public Canary(CanaryConfig config) {
    this.config = config;
  }

  /** The settings in force. */
  public CanaryConfig config() {
    return config;
  }

  /** From now on another. */
  public void set(CanaryConfig next) {
    config = next;
  }

  /**
   * Whether Manx is to act on a request of a table.
   *
   * @param random the calling thread's
   */
  public boolean takes(String keyspace, String table, RandomGenerator random) {
    CanaryConfig now = config;
    return now.includes(keyspace, table)
        && (now.share() >= 1 || now.share() > 0 && random.nextDouble() < now.share());
  }
}
