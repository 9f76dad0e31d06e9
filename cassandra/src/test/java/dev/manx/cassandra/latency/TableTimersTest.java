/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.latency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.latency.TableTimers.Installed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;

/** The number of tables that get a timer. */
class TableTimersTest {
  private final List<TableId> placed = new ArrayList<>();
  private final Map<TableId, Object> stores = new HashMap<>();
  private final TableTimers timers =
      new TableTimers(
          table -> {
            placed.add(table);
            return new Installed(stores.computeIfAbsent(table, id -> new Object()), null);
          },
          stores::get);

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

    timers.sweep();
    assertThat(timers.size()).as("none was dropped").isEqualTo(TableTimers.MOST);
    stores.remove(table(7));
    timers.sweep();
    assertThat(timers.inFrontOf(table(TableTimers.MOST))).isTrue();
    assertThat(timers.inFrontOf(table(7))).isFalse();
  }

  /** As a script that restores a table does: {@code CREATE TABLE ... WITH ID}. */
  @Test
  void aTableMadeAgainWithTheSameIdGetsANewTimer() throws ReflectiveOperationException {
    timers.install();
    assertThat(timers.inFrontOf(table(1))).isTrue();
    stores.put(table(1), new Object());
    timers.sweep();
    assertThat(timers.inFrontOf(table(1))).isTrue();
    assertThat(placed).containsExactly(table(1), table(1));
    timers.sweep();
    assertThat(timers.size()).isEqualTo(1);
  }

  @Test
  void whileTheHookIsOutOfThePathNoTableGetsOne() {
    assertThat(timers.inFrontOf(table(1))).isFalse();
    assertThat(placed).isEmpty();
  }
}
