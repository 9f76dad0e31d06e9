/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.contention.proc.ProcThread;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * When a change of priority counts as rejected; {@link SqueezerTest} covers the guard's actions.
 */
class GuardTest {
  private static final Predicate<ProcThread> CHANGED = thread -> thread.nice() == -7;

  @Test
  void aChangeIsRefusedWhenNoThreadThatLivesHasIt() {
    assertThat(GuardMain.refused(List.of(thread('S', 0), thread('R', 0)), CHANGED)).isTrue();
    assertThat(GuardMain.refused(List.of(thread('S', 0), thread('R', -7)), CHANGED)).isFalse();
  }

  @Test
  void threadsThatHaveEndedRefuseNothing() {
    assertThat(GuardMain.refused(List.of(), CHANGED)).isFalse();
    assertThat(GuardMain.refused(List.of(thread('Z', 0), thread('X', 0)), CHANGED)).isFalse();
    assertThat(GuardMain.refused(List.of(thread('Z', 0), thread('S', 0)), CHANGED)).isTrue();
  }

  private static ProcThread thread(char state, int nice) {
    return new ProcThread(7, "beta-0", state, false, nice, 1, "0-1", 0, 0, 0, 0);
  }
}
