/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import dev.manx.policy.strategy.Strategy;

/** The {@code manx.yaml} of a recommended strategy, for the nodes. */
public final class NodeFile {
  private NodeFile() {}

  /**
   * Its text: the mode shadow, and the strategy with all defaults, so that it does not change if a
   * later version has other defaults.
   *
   * @param name name of the strategy, for users
   */
  public static String of(String name, Strategy strategy) {
    return """
        # Strategy %s, as ./manx advise recommends it. In shadow it decides nothing:
        # docs/operate/operate.md says how to switch it on.
        plugin:
          mode: shadow
        %s
        """
        .formatted(name, strategy.document().strip());
  }
}
