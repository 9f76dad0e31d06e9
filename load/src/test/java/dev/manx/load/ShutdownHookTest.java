/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ShutdownHookTest {
  @Test
  void itIsSetOnlyWhileTheWorkRuns() {
    ShutdownHook hook = new ShutdownHook("manx-test", () -> {});
    assertThat(hook.<Boolean>during(hook::isAdded)).isTrue();
    assertThat(hook.isAdded()).isFalse();
    assertThatThrownBy(
            () ->
                hook.during(
                    () -> {
                      throw new IllegalStateException("failed");
                    }))
        .hasMessage("failed");
    assertThat(hook.isAdded()).isFalse();
  }
}
