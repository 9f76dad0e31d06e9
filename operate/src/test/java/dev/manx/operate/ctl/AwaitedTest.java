/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The nodes that a command waits for; the test triggers the looks. */
class AwaitedTest {
  @Test
  void nodesThatHaveNotAnsweredAreNamedOnce() {
    List<String> printed = new ArrayList<>();
    try (Awaited awaited = new Awaited(printed::add)) {
      List.of("10.0.0.1", "10.0.0.2", "10.0.0.3").forEach(awaited::add);
      awaited.remove("10.0.0.1");
      awaited.look();
      awaited.look();
      assertThat(printed).containsExactly("waiting for 10.0.0.2, 10.0.0.3");
      awaited.remove("10.0.0.3");
      awaited.look();
      awaited.remove("10.0.0.2");
      awaited.look();
    }
    assertThat(printed).containsExactly("waiting for 10.0.0.2, 10.0.0.3", "waiting for 10.0.0.2");
  }
}
