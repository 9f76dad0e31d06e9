/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

/** Why Manx is off although configured to be on. Any thread. */
final class Trouble {
  private volatile String now;
  // Why the file was refused; the strategy is then empty and must not be switched on.
  private volatile String refused;

  /**
   * @param refused why the file was refused; empty if it was not
   */
  Trouble(String refused) {
    this.now = refused;
    this.refused = refused;
  }

  /** The present reason; empty if there is no trouble. */
  String now() {
    return now;
  }

  /** Why the file was refused; empty if it was not, or if another strategy was set since. */
  String refused() {
    return refused;
  }

  void is(String why) {
    now = why;
  }

  /** Records that there is a strategy, even if the file was refused at start-up. */
  void strategyTaken() {
    if (!refused.isEmpty()) {
      refused = "";
      now = "";
    }
  }

  /**
   * Checks that there is a strategy.
   *
   * @throws IllegalStateException if there is none
   */
  void mustHaveStrategy() {
    if (!refused.isEmpty()) {
      throw new IllegalStateException(
          "there is no strategy to switch on: the configuration was rejected at start-up ("
              + refused
              + "); correct the file and reload it (./manx ctl reload), or set a document");
    }
  }
}
