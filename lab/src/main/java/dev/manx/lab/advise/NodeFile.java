/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import dev.manx.policy.strategy.Strategy;

/** The {@code manx.yaml} of an advised strategy, for the nodes. */
public final class NodeFile {
  private NodeFile() {}

  /**
   * Its text: the mode in which advice is asked for, and the strategy with every default, so that
   * it stays the same where a later version changes one.
   *
   * @param name of the strategy, for people
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
