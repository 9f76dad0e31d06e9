/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.shares.LatencyBins;
import dev.manx.shares.WindowRecorder;
import dev.manx.shares.WindowStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WindowLogTest {
  private static final long LARGE = 100_000_000;

  @Test
  void everyServerTakesEveryWindowOnce() {
    WindowLog log = new WindowLog(1_000, LARGE, 10);
    log.add("", 0, Windows.of("a", 1));
    WindowLog.Taken first = log.after("", 0, 0);
    assertThat(first.window().requests()).isEqualTo(1);
    log.add("", 1, Windows.of("b", 2));
    log.add("", 2, Windows.of("a", 4));
    WindowLog.Taken second = log.after("", 2, first.upTo());
    assertThat(second.window().requests()).isEqualTo(6);
    assertThat(second.window().backends()).containsExactlyInAnyOrder("a", "b");
    assertThat(log.after("", 2, second.upTo()).window().requests()).isZero();
    assertThat(log.after("", 2, 0).window().requests()).isEqualTo(7);
  }

  @Test
  void takenWindowsAddUpInAnyOrder() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    WindowLog log = new WindowLog(Long.MAX_VALUE, LARGE, 100);
    long[] taken = new long[5];
    long[] upTo = new long[5];
    long given = 0;
    for (int step = 0; step < 500; step++) {
      int requests = random.nextInt(20);
      given += requests;
      log.add("", step, Windows.of("b" + random.nextInt(7), requests));
      int server = random.nextInt(5);
      WindowLog.Taken some = log.after("", step, upTo[server]);
      taken[server] += some.window().requests();
      upTo[server] = some.upTo();
    }
    for (int server = 0; server < 5; server++) {
      taken[server] += log.after("", 500, upTo[server]).window().requests();
      assertThat(taken[server]).as("server %d, seed %d", server, seed).isEqualTo(given);
    }
  }

  @Test
  void oldWindowsGo() {
    WindowLog log = new WindowLog(10, LARGE, 10);
    log.add("", 0, Windows.of("a", 1));
    log.add("", 8, Windows.of("b", 2));
    assertThat(log.after("", 11, 0).window().requests()).isEqualTo(2);
    assertThat(log.backends()).isEqualTo(1);
    assertThat(log.after("", 100, 0).window().requests()).isZero();
    assertThat(log.size()).isZero();
  }

  @Test
  void memoryIsBounded() {
    long bytes = WindowLog.ENTRY_BYTES + Windows.of("c", 1).heldBytes();
    WindowLog log = new WindowLog(Long.MAX_VALUE, 5 * bytes, 3);
    List<Boolean> taken = new ArrayList<>();
    for (String name : List.of("a", "b", "c", "d")) {
      taken.add(log.add("", 0, Windows.of(name, 1)));
    }
    assertThat(taken).containsExactly(true, true, true, false);
    for (int i = 0; i < 10; i++) {
      assertThat(log.add("", 0, Windows.of("c", 1))).isTrue();
    }
    assertThat(log.size()).isEqualTo(5);
    assertThat(log.backends()).as("a and b have gone with their windows").isEqualTo(1);
    assertThat(log.add("", 0, Windows.of("d", 1))).isTrue();
  }

  @Test
  void emptyWindowsTakeMemoryToo() {
    WindowStatistics none = WindowStatistics.empty(List.of());
    WindowLog log = new WindowLog(Long.MAX_VALUE, 100_000, 3);
    for (int i = 0; i < 1_000; i++) {
      assertThat(log.add("", 0, none)).isTrue();
    }
    assertThat(log.size()).isLessThan(30);
  }

  @Test
  void windowsOfOneBackendCountWithTheirBins() {
    WindowRecorder recorder = new WindowRecorder(List.of("a"));
    for (int bin = 0; bin < LatencyBins.REQUEST_BINS; bin++) {
      recorder.request(LatencyBins.requestEdge(bin), 0);
    }
    WindowStatistics full = recorder.cut();
    WindowLog log = new WindowLog(Long.MAX_VALUE, 1_000_000, 3);
    for (int i = 0; i < 100; i++) {
      assertThat(log.add("", 0, full)).isTrue();
    }
    assertThat(log.size()).as("24 KB each").isBetween(35, 45);
  }

  @Test
  void anApplicationGetsItsOwnWindows() {
    WindowLog log = new WindowLog(1_000, LARGE, 3);
    log.add("shop", 0, Windows.of("users", 1));
    log.add("news", 0, Windows.of("users", 2));
    log.add("", 0, Windows.of("users", 4));
    assertThat(log.after("shop", 0, 0).window().requests()).isEqualTo(1);
    assertThat(log.after("news", 0, 0).window().requests()).isEqualTo(2);
    assertThat(log.after("", 0, 0).window().requests()).isEqualTo(4);
    assertThat(log.after("other", 0, 0).window().requests()).isZero();
    assertThat(log.backends()).as("of all applications").isEqualTo(3);
    assertThat(log.add("other", 0, Windows.of("users", 1))).as("one backend too many").isFalse();
  }
}
