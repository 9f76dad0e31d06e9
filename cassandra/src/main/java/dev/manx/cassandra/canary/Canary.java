/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.canary;

import java.util.random.RandomGenerator;

/** Draws the requests that Manx acts on; can be reconfigured at run time. Any thread. */
public final class Canary {
  private volatile CanaryConfig config;

  /** Creates a canary with the settings of the file. */
  public Canary(CanaryConfig config) {
    this.config = config;
  }

  /** The settings in force. */
  public CanaryConfig config() {
    return config;
  }

  /** Sets other settings. */
  public void set(CanaryConfig next) {
    config = next;
  }

  /** Whether Manx acts on any requests of a table. */
  public boolean mayTake(String keyspace, String table) {
    CanaryConfig now = config;
    return now.share() > 0 && now.includes(keyspace, table);
  }

  /**
   * Whether Manx should act on a request of a table.
   *
   * @param random the calling thread's source of randomness
   */
  public boolean takes(String keyspace, String table, RandomGenerator random) {
    CanaryConfig now = config;
    return now.includes(keyspace, table)
        && (now.share() >= 1 || now.share() > 0 && random.nextDouble() < now.share());
  }
}
