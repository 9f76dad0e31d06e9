/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CalendarTest {
  /** An event of the model. */
  private record Event(long time, long sequence, int kind, int payload) {}

  @Test
  void happensInTheOrderOfTimeThenMaking() {
    for (int seed = 0; seed < 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Calendar calendar = new Calendar(5);
      PriorityQueue<Event> model =
          new PriorityQueue<>(
              Comparator.comparingLong(Event::time).thenComparingLong(Event::sequence));
      long sequence = 0;
      List<Event> happened = new ArrayList<>();
      List<Event> expected = new ArrayList<>();
      for (int step = 0; step < 5_000; step++) {
        if (random.nextInt(100) < 52) {
          int kind = random.nextInt(16);
          int payload = random.nextInt(Calendar.PAYLOADS);
          long time = calendar.now() + 5;
          if (random.nextBoolean()) {
            calendar.afterDelay(kind, payload);
          } else {
            time = calendar.now() + random.nextInt(12);
            calendar.at(time, kind, payload);
          }
          model.add(new Event(time, sequence++, kind, payload));
        } else if (calendar.advance()) {
          Event next = model.poll();
          expected.add(next);
          happened.add(
              new Event(calendar.now(), next.sequence(), calendar.kind(), calendar.payload()));
        }
      }
      assertThat(happened).as("seed %d", seed).isEqualTo(expected);
      while (calendar.advance()) {
        assertThat(calendar.now()).as("seed %d", seed).isEqualTo(model.poll().time());
      }
      assertThat(model).as("seed %d", seed).isEmpty();
    }
  }
}
