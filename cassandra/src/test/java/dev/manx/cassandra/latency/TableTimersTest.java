/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.latency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.latency.TableTimers.Installed;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;

/** The number of tables that get a timer. */
class TableTimersTest {
  private final List<TableId> placed = new ArrayList<>();
  private final TableTimers timers =
      new TableTimers(
          table -> {
            placed.add(table);
            return new Installed(null, null);
          });

  private static TableId table(int number) {
    return TableId.fromUUID(new UUID(number, 0));
  }

  @Test
  void beyondTheBoundNoTableGetsATimerUntilOneIsDropped() throws ReflectiveOperationException {
    timers.install();
    for (int number = 0; number < TableTimers.MOST; number++) {
      assertThat(timers.inFrontOf(table(number))).isTrue();
    }
    assertThat(timers.inFrontOf(table(TableTimers.MOST))).as("its multigets are paged").isFalse();
    assertThat(timers.inFrontOf(table(7))).as("one of the first").isTrue();
    assertThat(timers.size()).isEqualTo(TableTimers.MOST);
    assertThat(placed).as("once each").hasSize(TableTimers.MOST);

    timers.sweep(id -> !id.equals(table(7)));
    assertThat(timers.inFrontOf(table(TableTimers.MOST))).isTrue();
    assertThat(timers.inFrontOf(table(7))).isFalse();
  }

  @Test
  void whileTheHookIsOutOfThePathNoTableGetsOne() {
    assertThat(timers.inFrontOf(table(1))).isFalse();
    assertThat(placed).isEmpty();
  }
}
