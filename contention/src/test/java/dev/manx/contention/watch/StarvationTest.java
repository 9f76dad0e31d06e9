/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.contention.proc.ProcThread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule, computed by hand on invented samples of one second. */
class StarvationTest {
  private final List<ProcThread> before = new ArrayList<>();
  private final List<ProcThread> after = new ArrayList<>();
  private final Map<Integer, Double> idle = new HashMap<>(Map.of(0, 0.02, 1, 0.9));

  private void thread(String name, double ran, double waited, int left) {
    thread(name, 'S', "0", ran, waited, left);
  }

  private void on(String cpus, String name, double ran, double waited) {
    thread(name, 'S', cpus, ran, waited, 0);
  }

  private void thread(String name, char state, String cpus, double ran, double waited, int left) {
    int tid = 100 + before.size();
    before.add(new ProcThread(tid, name, state, false, 0, 1, cpus, 5_000, 6_000, 10, 10));
    after.add(
        new ProcThread(
            tid,
            name,
            state,
            false,
            0,
            1,
            cpus,
            5_000 + (long) (ran * 1e9),
            6_000 + (long) (waited * 1e9),
            10 + left,
            20));
  }

  private ProcessActivity look() {
    Map<Integer, Double> start = new HashMap<>(idle);
    start.replaceAll((core, share) -> 7.0);
    Map<Integer, Double> end = new HashMap<>(idle);
    end.replaceAll((core, share) -> 7 + share);
    return ProcessActivity.between(
        new ProcessActivity.Snapshot(0, before, start),
        new ProcessActivity.Snapshot(1_000_000_000L, after, end));
  }

  /** Reading hundreds of threads on a busy core takes long. */
  @Test
  void aThreadIsMeasuredFromItsOwnReadingToItsNext() {
    ProcThread then = new ProcThread(7, "late", 'R', false, 0, 1, "0", 0, 0, 0, 0);
    ProcThread now = new ProcThread(7, "late", 'R', false, 0, 1, "0", 500_000_000L, 0, 0, 8);
    ProcessActivity look =
        ProcessActivity.between(
            new ProcessActivity.Snapshot(
                0, List.of(then), Map.of(7, 100L), Map.of(), Optional.empty()),
            new ProcessActivity.Snapshot(
                1_000_000_000L,
                List.of(now),
                Map.of(7, 2_000_000_100L),
                Map.of(),
                Optional.empty()));
    assertThat(look.seconds()).isEqualTo(1);
    assertThat(look.threads()).singleElement().extracting(ThreadUse::ran).isEqualTo(0.25);
    assertThat(look.threads())
        .singleElement()
        .extracting(ThreadUse::involuntaryPerSecond)
        .isEqualTo(4.0);
  }

  @Test
  void everyThreadIsReadAtItsOwnTime() {
    AtomicLong clock = new AtomicLong();
    ProcessActivity.Snapshot own =
        ProcessActivity.Snapshot.of(ProcessHandle.current().pid(), clock::incrementAndGet);
    assertThat(own.threads()).hasSizeGreaterThan(1);
    assertThat(own.readNanos().values()).doesNotHaveDuplicates().hasSize(own.threads().size());
    assertThat(own.atNanos()).isEqualTo(own.threads().size() + 1);
  }

  private Starvation found() {
    return Starvation.in(look());
  }

  private static List<String> names(List<ThreadUse> threads) {
    return threads.stream().map(thread -> thread.now().name()).toList();
  }

  @Test
  void twoSpinnersAndTwoStarved() {
    thread("boosted-0", 0.49, 0.50, 1);
    thread("boosted-1", 0.48, 0.51, 0);
    thread("waiter-0", 0.01, 0.97, 5);
    thread("waiter-1", 0.002, 0.60, 3);
    thread("idle", 0, 0, 0);
    Starvation found = found();
    assertThat(found.flagged()).isTrue();
    assertThat(found.spinning())
        .extracting(t -> t.now().name())
        .containsExactly("boosted-0", "boosted-1");
    assertThat(found.starving())
        .extracting(t -> t.now().name())
        .containsExactly("waiter-0", "waiter-1");
    assertThat(found.words())
        .contains("2 threads keep")
        .contains("2 others starve")
        .contains("boosted-0 (100)");
  }

  /** The kernel has not yet recorded a wait that has not ended. */
  @Test
  void aThreadThatGetsNoCoreStarvesToo() {
    thread("spinner", 0.99, 0.01, 0);
    thread("starved", 'R', "0", 0, 0, 0);
    assertThat(found().flagged()).isTrue();
    assertThat(found().starving().get(0).waited()).isEqualTo(1);
  }

  @Test
  void computingOnEqualTermsIsFine() {
    for (int i = 0; i < 4; i++) {
      thread("compute-" + i, 0.25, 0.75, 0);
    }
    assertThat(found().atLimit()).isTrue();
    assertThat(found().flagged()).isFalse();
  }

  @Test
  void aBusyServerWhoseThreadsWaitForRequestsIsFine() {
    thread("worker-0", 0.45, 0.40, 900);
    thread("worker-1", 0.45, 0.40, 900);
    thread("worker-2", 0.02, 0.35, 100);
    assertThat(found().flagged()).isFalse();
  }

  @Test
  void aSpinnerOnASpareCoreIsHarmless() {
    idle.put(0, 0.2);
    thread("spinner", 0.70, 0.25, 0);
    thread("other", 0.01, 0.35, 3);
    assertThat(found().atLimit()).isFalse();
    assertThat(found().flagged()).isFalse();
  }

  @Test
  void aThreadThatIsNewOrHasARecycledIdIsNotCompared() {
    thread("spinner", 0.99, 0, 0);
    ProcThread now = after.get(0);
    after.set(0, new ProcThread(now.tid(), "new", 'R', false, 0, 2, "0", now.ranNanos(), 0, 0, 0));
    ProcessActivity look = look();
    assertThat(look.threads()).isEmpty();
    assertThat(Starvation.in(look).flagged()).isFalse();
  }

  /** The main thread of a program that pins its workers may use all cores. */
  @Test
  void onlyTheCoresOfTheStarvedThreadCount() {
    for (int core = 1; core < 64; core++) {
      idle.put(core, 1.0);
    }
    on("0", "spinner", 0.98, 0.02);
    on("0", "starved", 0.01, 0.95);
    on("0-63", "main", 0, 0);
    assertThat(found().flagged()).isTrue();
    assertThat(found().atLimit()).isTrue();
    assertThat(names(found().starving())).containsExactly("starved");
  }

  /** Another process uses the core of the starved thread. */
  @Test
  void aSpinnerOnAnotherCoreIsNotBlamed() {
    idle.put(1, 0.0);
    on("0", "spinner", 0.98, 0.02);
    on("1", "starved", 0.01, 0.95);
    assertThat(found().flagged()).isFalse();
  }

  @Test
  void onlySpinnersOnTheSameCoreAreNamed() {
    idle.put(1, 0.0);
    on("0", "innocent", 0.99, 0.01);
    on("0-1", "culprit", 0.90, 0.05);
    on("1", "starved", 0.01, 0.95);
    assertThat(found().flagged()).isTrue();
    assertThat(names(found().spinning())).containsExactly("innocent", "culprit");
    assertThat(found().words()).contains("1 thread keeps").contains("culprit (101)");
  }

  /** A thread that may use an idle core waits only for the scheduler's next turn. */
  @Test
  void aThreadWithAnIdleCoreDoesNotStarve() {
    on("0", "spinner", 0.98, 0.02);
    on("0-1", "other", 0.01, 0.95);
    assertThat(found().flagged()).isFalse();
  }

  /** Each gets a thirty-second of the core. */
  @Test
  void manySpinnersOnOneCoreAreFound() {
    for (int i = 0; i < 32; i++) {
      thread("spinner-" + i, 0.031, 0.969, 0);
    }
    thread("starved", 0.0003, 0.9, 0);
    assertThat(found().flagged()).isTrue();
    assertThat(found().spinning()).hasSize(32);
    assertThat(names(found().starving())).containsExactly("starved");
  }

  @Test
  void manyThreadsThatComputeOnEqualTermsAreFine() {
    for (int i = 0; i < 32; i++) {
      thread("compute-" + i, i % 2 == 0 ? 0.035 : 0.027, 0.96, 0);
    }
    assertThat(found().flagged()).isFalse();
  }

  /**
   * Threads of equal share on one core, each for a turn of 4 ms in its order, as with 250 ticks a
   * second. The kernel records a wait when it ends.
   */
  private static ProcessActivity inTurn(int threads, long intervalMillis, int niceOfTheFirst) {
    long turn = 4_000_000;
    long start = 1_000_000_000L;
    List<List<ProcThread>> looks = new ArrayList<>();
    for (long now : new long[] {start, start + intervalMillis * 1_000_000}) {
      List<ProcThread> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        long ran = 0;
        long waited = 0;
        long since = 0;
        for (long from = i * turn; from < now; from += threads * turn) {
          waited += from - since;
          ran += Math.min(turn, now - from);
          since = from + turn;
        }
        int nice = i < threads / 2 ? niceOfTheFirst : 0;
        all.add(
            new ProcThread(
                i, "compute-" + i, 'R', false, nice, 1, "0", ran, waited, 3, ran / turn));
      }
      looks.add(all);
    }
    return ProcessActivity.between(
        new ProcessActivity.Snapshot(0, looks.get(0), Map.of(0, 5.0)),
        new ProcessActivity.Snapshot(intervalMillis * 1_000_000, looks.get(1), Map.of(0, 5.0)));
  }

  /** Their cycle is longer than the interval, so that some did not run in it. */
  @ParameterizedTest
  @CsvSource({"60, 200, 1200", "16, 50, 400", "300, 1000, 6000"})
  void aTurnThatDidNotComeIsNoStarvation(int threads, long intervalMillis, String enough) {
    Starvation found = Starvation.in(inTurn(threads, intervalMillis, 0));
    assertThat(found.spinning()).isNotEmpty();
    assertThat(found.flagged()).isFalse();
    assertThat(found.measured()).isFalse();
    assertThat(found.words())
        .startsWith("cannot be measured: ")
        .contains("the interval is too short")
        .contains("use --interval " + enough + "ms or more");
    assertThat(found.starving()).isEmpty();
    Starvation longer = Starvation.in(inTurn(threads, Long.parseLong(enough), 0));
    assertThat(longer.measured()).isTrue();
    assertThat(longer.flagged()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"60, 1000", "40, 200", "8, 200"})
  void whereEveryThreadHadATurnNoneStarves(int threads, long intervalMillis) {
    Starvation found = Starvation.in(inTurn(threads, intervalMillis, 0));
    assertThat(found.measured()).isTrue();
    assertThat(found.flagged()).isFalse();
  }

  /** Among as many threads: those that ran have a higher priority. */
  @Test
  void aShortIntervalShowsStarvationBehindAHigherPriority() {
    for (String scheduling : List.of("", "FIFO 10")) {
      before.clear();
      after.clear();
      for (int i = 0; i < 30; i++) {
        spinner(scheduling, scheduling.isEmpty() ? -20 : 0);
      }
      for (int i = 0; i < 30; i++) {
        thread("starved-" + i, 'R', "0", 0, 0, 0);
      }
      Starvation found = found();
      assertThat(found.flagged()).as(scheduling).isTrue();
      assertThat(found.starving()).hasSize(30);
    }
  }

  private void spinner(String scheduling, int nice) {
    int tid = 100 + before.size();
    for (boolean end : new boolean[] {false, true}) {
      long ran = end ? 33_000_000 : 0;
      long waited = end ? 967_000_000 : 0;
      (end ? after : before)
          .add(
              new ProcThread(
                  tid, "spinner", 'R', false, nice, 1, "0", ran, waited, 0, 0, scheduling, false));
    }
  }

  /** A virtual machine may announce cores that are not there. */
  @Test
  void coresThatAreOfflineAreNotBusy() {
    idle.put(0, 0.5);
    on("0-127", "spinner", 0.98, 0.02);
    on("0-127", "other", 0.01, 0.95);
    assertThat(look().cores()).isEqualTo(2);
    assertThat(look().idle()).isCloseTo(0.7, within(1e-9));
    assertThat(found().atLimit()).isFalse();
    assertThat(found().flagged()).isFalse();
  }

  @Test
  void withoutIdleTimesNothingIsFlagged() {
    idle.clear();
    on("0", "spinner", 0.98, 0.02);
    on("0", "starved", 0.01, 0.95);
    assertThat(look().idle()).isNaN();
    assertThat(found().flagged()).isFalse();
    assertThat(found().measured()).isFalse();
    assertThat(found().words()).startsWith("cannot be measured: the idle time of its cores");
  }

  /** A container that may use cores 1 to 2 of the machine has cores 0 and 1 in its /proc/stat. */
  @Test
  void coresOfAnotherNumberingAreUnknown() {
    idle.put(1, 0.02);
    on("1-2", "main", 0, 0);
    on("1", "spinner", 0.98, 0.02);
    on("1", "starved", 0.01, 0.95);
    assertThat(look().idle()).isNaN();
    assertThat(found().flagged()).isFalse();
    assertThat(found().measured()).isFalse();
  }

  /** All its cores are idle most of the time, but its threads may not use them. */
  @Test
  void anExhaustedQuotaIsALimit() {
    idle.put(0, 0.6);
    on("0-1", "spinner", 0.98, 0.02);
    on("0-1", "starved", 0.01, 0.95);
    assertThat(found().flagged()).isFalse();
    ProcessActivity idleCores = look();
    for (double throttled : new double[] {0.05, 0.4}) {
      Starvation found =
          Starvation.in(
              new ProcessActivity(1, idleCores.threads(), idleCores.idleByCore(), 0.5, throttled));
      assertThat(found.atLimit()).isEqualTo(throttled > 0.1);
      assertThat(found.flagged()).isEqualTo(throttled > 0.1);
    }
  }

  /** Forty spinners share one core's time, though they may run on sixteen. */
  @Test
  void manySpinnersUnderAQuotaAreFound() {
    for (int core = 0; core < 16; core++) {
      idle.put(core, 0.9);
    }
    for (int spinner = 0; spinner < 40; spinner++) {
      on("0-15", "spinner-" + spinner, 0.025, 0.97);
    }
    on("0-15", "starved", 0.002, 0.9);
    ProcessActivity look = look();
    Starvation found =
        Starvation.in(new ProcessActivity(1, look.threads(), look.idleByCore(), 1, 0.8));
    assertThat(names(found.starving())).containsExactly("starved");
    assertThat(found.flagged()).isTrue();
  }
}
