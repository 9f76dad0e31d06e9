/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import dev.manx.policy.strategy.Strategy;

/** The {@code manx.yaml} of a recommended strategy, for the nodes. */
public final class NodeFile {
  /** How to use the file, in one sentence. */
  public static final String USE =
      "Replace only the key `strategy` of your manx.yaml: its other settings, such as unpage-up-to,"
          + " matter for the prediction.";

  private NodeFile() {}

  /**
   * Its text: the mode shadow, and the strategy with all defaults, so that it does not change if a
   * later version has other defaults.
   *
   * @param name name of the strategy, for users
   */
  public static String of(String name, Strategy strategy) {
    return """
        # Strategy %s, as ./manx advise recommends it. %s
        # In shadow it decides nothing: docs/operate/operate.md says how to switch it on.
        plugin:
          mode: shadow
        %s
        """
        .formatted(name, USE.replace(": ", ":\n# "), strategy.document().strip());
  }
}
