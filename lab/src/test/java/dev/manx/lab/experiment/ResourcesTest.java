/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ResourcesTest {
  @Test
  void aMissingFileIsNamed() {
    assertThatThrownBy(() -> Resources.text(ResourcesTest.class, "none.csv"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("none.csv is not on the class path; build the lab again");
  }
}
