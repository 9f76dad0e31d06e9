/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import java.io.IOException;

/** A backend whose work for a value was calibrated at its start, in rounds. */
interface CalibratedBackend extends LiveBackend {
  /** The rounds for each value. */
  int work();

  /** Sets the rounds for each value, as an earlier start calibrated them. */
  void work(int rounds) throws IOException;
}
