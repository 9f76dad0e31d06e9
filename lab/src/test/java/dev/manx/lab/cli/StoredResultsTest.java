/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.claims.Claims;
import dev.manx.local.cluster.ManxHome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The results in docs/claims were made with the settings that the experiment files have. */
@Timeout(60)
class StoredResultsTest {
  private static final ManxHome HOME = ManxHome.find();

  @Test
  void theirSettingsAreThoseOfTheirFiles() throws Exception {
    assertThat(Claims.of(HOME).outdated(file -> ClaimsCommand.resolved(file, HOME, new Terminal())))
        .as("run these again and store them, or mend the files")
        .isEmpty();
  }

  /** Only a new run stores the settings of these. */
  @Test
  void theSettingsOfAllOthersWereStored() throws Exception {
    assertThat(Claims.of(HOME).unchecked()).containsExactly("wiredtiger-contention");
  }
}
