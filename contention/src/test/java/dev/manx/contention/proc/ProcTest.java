/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.proc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProcTest {
  private static final String STAT =
      "4711 (a) R (b) S 1 4711 4711 0 -1 4194368 99 0 0 0 250 50 0 0 0 -20 12 0 131825 3133440 372\n";
  private static final String STATUS =
      "Name:\ta) R (b\nCpus_allowed_list:\t0-3,8\nvoluntary_ctxt_switches:\t7\n"
          + "nonvoluntary_ctxt_switches:\t9\n";

  @Test
  void readsAThreadWhoseNameIsMeantToConfuse() {
    ProcThread thread = ProcThread.parse(STAT, STATUS, "123456 789 3\n");
    assertThat(thread)
        .isEqualTo(
            new ProcThread(4711, "a) R (b", 'S', false, -20, 131825, "0-3,8", 123456, 789, 7, 9));
  }

  @ParameterizedTest
  @CsvSource({
    "0 0, '', true",
    "10 1, FIFO 10, false",
    "5 2, RR 5, false",
    "0 3, BATCH, true",
    "0 5, IDLE, false",
    "0 6, DEADLINE, false"
  })
  void readsTheSchedulingClass(String fields, String scheduling, boolean niceCounts) {
    String stat = STAT.trim() + " 0 0 0 0 0 0 0 0 0 0 0 0 0 17 3 " + fields + " 0 0 0\n";
    ProcThread thread = ProcThread.parse(stat, STATUS, "");
    assertThat(thread.scheduling()).isEqualTo(scheduling);
    assertThat(thread.niceCounts()).isEqualTo(niceCounts);
  }

  /** As those of io_uring: PF_NO_SETAFFINITY. */
  @Test
  void readsWhoseCoresAreFixed() {
    assertThat(ProcThread.parse(STAT, STATUS, "").fixed()).isFalse();
    String worker = STAT.replace(" 4194368 ", " " + (4194368 | 0x0400_0000) + " ");
    assertThat(ProcThread.parse(worker, STATUS, "").fixed()).isTrue();
  }

  @Test
  void processesAreThoseStartedSinceATime() throws Exception {
    long self = ProcessHandle.current().pid();
    Process shell =
        new ProcessBuilder("sh", "-c", "sleep 600 & echo $!; wait")
            .redirectErrorStream(true)
            .start();
    try {
      long sleep = Long.parseLong(shell.inputReader().readLine());
      try {
        long since = Proc.process(shell.pid()).orElseThrow().startTicks();
        assertThat(since).isLessThanOrEqualTo(Proc.ticksSinceBoot());
        assertThat(Proc.startedBy(self, since)).contains(shell.pid(), sleep);
        assertThat(Proc.startedBy(shell.pid(), since)).containsExactly(sleep);
        assertThat(Proc.startedBy(self, since + 1_000_000)).isEmpty();
      } finally {
        ProcessHandle.of(sleep).ifPresent(ProcessHandle::destroyForcibly);
      }
    } finally {
      shell.destroyForcibly();
    }
  }

  @Test
  void aKernelWithoutSchedstatHasNoTimes() {
    ProcThread thread = ProcThread.parse(STAT, STATUS, "");
    assertThat(thread.ranNanos()).isZero();
    assertThat(thread.waitedNanos()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "4711", "4711 )x("})
  void refusesInvalidStats(String stat) {
    assertThatThrownBy(() -> ProcThread.parse(stat, STATUS, ""))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"0 | 0", "0-3 | 0,1,2,3", "0-1,4,6-7 | 0,1,4,6,7", "5,7 | 5,7"})
  void readsAndWritesListsOfCores(String list, String cores) {
    List<Integer> parsed = CpuList.parse(list);
    assertThat(String.join(",", parsed.stream().map(String::valueOf).toList())).isEqualTo(cores);
    assertThat(CpuList.format(parsed)).isEqualTo(list);
  }

  @Test
  void writtenCoresReadBackTheSame() {
    for (long seed = 1; seed <= 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      TreeSet<Integer> cores = new TreeSet<>();
      for (int i = random.nextInt(40); i >= 0; i--) {
        cores.add(random.nextInt(64));
      }
      assertThat(CpuList.parse(CpuList.format(List.copyOf(cores))))
          .as("seed %d", seed)
          .containsExactlyElementsOf(cores);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "1-2-3", "1,,2"})
  void refusesInvalidListsOfCores(String text) {
    assertThatThrownBy(() -> CpuList.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void readsCpuTimeEvenWithAHostileProgramName() {
    String stat = "42 (a ) b (c) S 1 42 42 0 -1 4194560 9 0 0 0 150 50 0 0 20 0 33 0 1 2 3";
    assertThat(Proc.cpuSeconds(stat)).isEqualTo(2.0);
    assertThat(Proc.cpuSeconds(-1)).isNaN();
  }

  @Test
  void theMachinesTimeIsThatOfOthersToo() {
    MachineTime from = MachineTime.parse("cpu  100 20 30 900 40 5 5 70 0 0\ncpu0 1 1 1\n");
    assertThat(from).isEqualTo(new MachineTime(1.6, 0.7, 1));
    MachineTime to = new MachineTime(4.6, 0.9, 1);
    assertThat(to.foreignSeconds(from, 2)).isCloseTo(1, within(1e-9));
    assertThat(to.foreignSeconds(from, 3.01)).isZero();
    assertThat(to.stealSeconds(from)).isCloseTo(0.2, within(1e-9));
  }

  /** A JVM with a limit of two cores took the time of sixteen for that of two. */
  @Test
  void sharesAreOfAllCoresOfTheMachine() {
    StringBuilder stat = new StringBuilder("cpu  1600 0 0 0 0 0 0 160 0 0\n");
    for (int core = 0; core < 16; core++) {
      stat.append("cpu").append(core).append(" 100 0 0 0 0 0 0 10 0 0\n");
    }
    MachineTime machine = MachineTime.parse(stat + "intr 1 2 3\nctxt 4\n");
    assertThat(machine).isEqualTo(new MachineTime(16, 1.6, 16));
    assertThat(machine.percent(8, 1)).isEqualTo(50);
    assertThat(machine.percent(8, 10)).isEqualTo(5);
    assertThat(new MachineTime(Double.NaN, Double.NaN, 0).percent(8, 1)).isInfinite();
    assertThat(MachineTime.now().cores()).isEqualTo(Proc.idleSeconds().size());
  }

  @Test
  void coresThatAreOfflineAreLeftOut() {
    List<Integer> online = List.copyOf(new TreeSet<>(Proc.idleSeconds().keySet()));
    assertThat(Proc.online(CpuList.parse("0-4095"))).isEqualTo(online);
  }

  /** Cores 2 to 5 of the machine are cores 0 to 3 of a container. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0-127 | 0-3 | 0-3",
        "1-2 | 0-3 | 1-2",
        "2-5 | 0-3 | 2-5",
        "4-7 | 0-3 | 4-7",
      })
  void coresThatAreNumberedOtherwiseAreKept(String usable, String known, String online) {
    assertThat(Proc.online(CpuList.parse(usable), Set.copyOf(CpuList.parse(known))))
        .isEqualTo(CpuList.parse(online));
    assertThat(Proc.online(CpuList.parse(usable), Set.of())).isEqualTo(CpuList.parse(usable));
  }

  @Test
  void seesItself() {
    long self = ProcessHandle.current().pid();
    ProcThread process = Proc.process(self).orElseThrow();
    assertThat(process.tid()).isEqualTo((int) self);
    assertThat(process.kernel()).isFalse();
    assertThat(Proc.threads(self)).extracting(ProcThread::tid).contains((int) self).isSorted();
    assertThat(Proc.isAlive(self, process.startTicks())).isTrue();
    assertThat(Proc.isAlive(self, process.startTicks() + 1)).as("another of its id").isFalse();
    assertThat(Proc.user(self)).isPresent();
    assertThat(Proc.threads(Integer.MAX_VALUE)).isEmpty();
    assertThat(Proc.process(Integer.MAX_VALUE)).isEmpty();
  }
}
