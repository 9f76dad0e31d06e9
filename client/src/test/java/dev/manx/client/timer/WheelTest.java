/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.ManualClock;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each task runs once, when due, in any turn; cancelled ones never. */
@Timeout(60)
class WheelTest {
  private static final long MILLI = 1_000_000;

  private final ManualClock clock = new ManualClock();
  private final Wheel wheel = new Wheel(clock, 2);
  private final List<Integer> ran = new ArrayList<>();

  private Alarm add(long millis, int id) {
    long now = wheel.now();
    return wheel.add(now + millis * MILLI, now, () -> ran.add(id));
  }

  private long look() {
    return wheel.takeDue(Runnable::run);
  }

  private void pass(long millis) {
    clock.pass(Duration.ofMillis(millis));
  }

  @Test
  void tasksRunWhenTheyAreDue() {
    add(100, 1);
    add(0, 0);
    add(40, 2);
    Alarm cancelled = add(50, 3);
    // Many turns later.
    add(3_600_000, 4);
    assertThat(look()).isEqualTo(40 * MILLI);
    assertThat(ran).containsExactly(0);
    cancelled.cancel();
    cancelled.cancel();
    pass(99);
    assertThat(look()).isEqualTo(100 * MILLI);
    assertThat(ran).containsExactly(0, 2);
    pass(1);
    assertThat(look()).isEqualTo(3_600_000 * MILLI);
    pass(3_600_000 - 101);
    look();
    assertThat(ran).containsExactly(0, 2, 1);
    pass(1);
    assertThat(look()).isEqualTo(Wheel.NEVER);
    assertThat(ran).containsExactly(0, 2, 1, 4);
  }

  /** As memory runs out when the second task is taken. */
  private static final class NoRoomForTwo extends ArrayList<Runnable> {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean add(Runnable task) {
      if (size() == 1) {
        throw new OutOfMemoryError("test");
      }
      return super.add(task);
    }
  }

  @Test
  void tasksAreNotLateThoughMemoryRanOut() {
    add(10, 0);
    add(100, 1);
    add(101, 2);
    add(300, 3);
    pass(400);
    assertThatThrownBy(() -> wheel.takeDue(Runnable::run, new NoRoomForTwo()))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(ran).containsExactly(0);
    look();
    assertThat(ran).containsExactlyInAnyOrder(0, 1, 2, 3);
  }

  /** A load that has ended may be referenced for long, and its time-out with it. */
  @Test
  void aCancelledTaskThatIsStillHeldHoldsNoOther() {
    Alarm held = add(100, 1);
    List<WeakReference<Alarm>> others = new ArrayList<>();
    for (int id = 2; id < 5; id++) {
      others.add(new WeakReference<>(add(100, id)));
    }
    held.cancel();
    pass(100);
    look();
    assertThat(ran).containsExactlyInAnyOrder(2, 3, 4);
    while (others.stream().anyMatch(other -> other.get() != null)) {
      System.gc();
    }
    held.cancel();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void itDoesAsAMapDoes(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<Integer, Long> model = new TreeMap<>();
    List<Alarm> alarms = new ArrayList<>();
    for (int step = 0; step < 3_000; step++) {
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          int id = alarms.size();
          // From due tasks to some turns ahead.
          long millis = random.nextInt(1 << random.nextInt(1, 15));
          model.put(id, wheel.now() + millis * MILLI);
          alarms.add(add(millis, id));
        }
        case 2 -> {
          if (!alarms.isEmpty()) {
            int id = random.nextInt(alarms.size());
            alarms.get(id).cancel();
            model.remove(id);
          }
        }
        default -> {
          pass(random.nextInt(1 << random.nextInt(1, 14)));
          long next = look();
          List<Integer> due =
              model.entrySet().stream()
                  .filter(entry -> entry.getValue() <= wheel.now())
                  .map(Map.Entry::getKey)
                  .toList();
          due.forEach(model::remove);
          assertThat(ran)
              .as("seed %d, step %d", seed, step)
              .containsExactlyInAnyOrderElementsOf(due);
          assertThat(next)
              .as("seed %d, step %d", seed, step)
              .isEqualTo(model.values().stream().min(Long::compare).orElse(Wheel.NEVER));
          ran.clear();
        }
      }
    }
    wheel.takeAll(Runnable::run);
    assertThat(ran).containsExactlyInAnyOrderElementsOf(model.keySet());
  }

  /** Threads add and cancel while another takes tasks: each task runs once or was cancelled. */
  @Test
  void noTaskIsLostOrRunsTwice() throws Exception {
    int threads = 4;
    int each = 20_000;
    Wheel shared = new Wheel(System::nanoTime, 4);
    AtomicIntegerArray runs = new AtomicIntegerArray(threads * each);
    CountDownLatch left = new CountDownLatch(threads * each / 2);
    List<Thread> adding =
        IntStream.range(0, threads)
            .mapToObj(
                thread ->
                    new Thread(
                        () -> {
                          for (int i = 0; i < each; i++) {
                            int id = thread * each + i;
                            boolean stays = i % 2 == 0;
                            long now = shared.now();
                            long due = now + (stays ? i % 7 * MILLI : 3_600_000 * MILLI);
                            Alarm alarm =
                                shared.add(
                                    due,
                                    now,
                                    () -> {
                                      runs.incrementAndGet(id);
                                      left.countDown();
                                    });
                            if (!stays) {
                              alarm.cancel();
                            }
                          }
                        }))
            .collect(Collectors.toList());
    adding.forEach(Thread::start);
    while (left.getCount() > 0) {
      shared.takeDue(Runnable::run);
    }
    for (Thread thread : adding) {
      thread.join();
    }
    for (int id = 0; id < threads * each; id++) {
      assertThat(runs.get(id)).isEqualTo(id % 2 == 0 ? 1 : 0);
    }
    assertThat(shared.takeDue(Runnable::run)).isEqualTo(Wheel.NEVER);
  }
}
