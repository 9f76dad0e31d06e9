/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.contention.ChildJvm;
import dev.manx.contention.proc.CpuList;
import dev.manx.contention.proc.Proc;
import dev.manx.contention.proc.ProcThread;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On real processes: whichever process ends first, every thread is restored. */
@Tag("engines")
class SqueezerTest {
  static final long LONG = 120_000_000_000L;
  static final Squeeze BOTH = new Squeeze(1, Squeeze.EVERY, "beta-*", -7);

  @TempDir Path folder;

  @BeforeEach
  void mayIt() {
    assumeTrue(Proc.maySetPriorities(), "needs root or CAP_SYS_NICE");
  }

  static void eventually(String what, BooleanSupplier condition) throws Exception {
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      Thread.sleep(10);
    }
  }

  private Squeezer prepare(Crew crew, Squeeze squeeze, Schedule schedule) {
    return Squeezer.prepare(
        SqueezedProcess.check(crew.pid(), squeeze), squeeze, schedule, folder, line -> {});
  }

  static void eventuallySqueezed(Crew crew) throws Exception {
    eventually("squeezed", () -> crew.nice("beta-2") == -7);
  }

  static void assertAsBefore(Crew crew, List<ProcThread> before) {
    for (ProcThread was : before) {
      Proc.thread(crew.pid(), was.tid())
          .ifPresent(
              is -> {
                assertThat(is.nice()).as("%s", is).isEqualTo(was.nice());
                assertThat(is.cpus()).as("%s", is).isEqualTo(was.cpus());
              });
    }
  }

  @Test
  void squeezesForItsTimeAndGivesBack() throws Exception {
    try (Crew crew = new Crew()) {
      Priorities.nice(3, List.of(crew.thread("gamma").orElseThrow().tid()));
      List<ProcThread> before = crew.threads();
      try (Squeezer squeezer = prepare(crew, BOTH, Schedule.of(LONG))) {
        assertAsBefore(crew, before);
        squeezer.go();
        eventuallySqueezed(crew);
        String first = Integer.toString(CpuList.parse(before.get(0).cpus()).get(0));
        assertThat(crew.threads()).allMatch(thread -> thread.cpus().equals(first));
        assertThat(crew.nice("alpha-0")).isEqualTo(before.get(0).nice());
        assertThat(crew.nice("gamma")).isEqualTo(3);
        assertThat(crew.nice("beta-0")).isEqualTo(-7);
        squeezer.end();
        SqueezeReport report = squeezer.await();
        assertThat(report.pinned()).isGreaterThanOrEqualTo(before.size());
        assertThat(report.boosted()).isEqualTo(3);
        assertThat(report.names().split(",", -1))
            .containsExactlyInAnyOrder("beta-0", "beta-1", "beta-2");
        assertThat(report.nices()).isEqualTo(3);
        assertThat(report.ended()).isFalse();
      }
      assertAsBefore(crew, before);
      assertThat(SqueezeJournal.all(folder)).isEmpty();
    }
  }

  @Test
  void endsByItselfAndTheBoostBeforeThePinning() throws Exception {
    try (Crew crew = new Crew()) {
      List<ProcThread> before = crew.threads();
      List<String> said = new ArrayList<>();
      Schedule schedule = new Schedule(600_000_000L, 200_000_000L, 200_000_000L);
      Squeezer squeezer =
          Squeezer.prepare(
              SqueezedProcess.check(crew.pid(), BOTH), BOTH, schedule, folder, said::add);
      squeezer.go();
      SqueezeReport report = squeezer.await();
      assertThat(said)
          .extracting(line -> line.split(" ", 2)[0])
          .containsExactly("ready", "pinned", "boosted", "unboosted", "restored");
      assertThat(report.boostedNanos() - report.pinnedNanos()).isPositive();
      assertThat(report.unboostedNanos() - report.boostedNanos()).isPositive();
      assertThat(report.restoredNanos() - report.unboostedNanos()).isPositive();
      assertAsBefore(crew, before);
    }
  }

  @Test
  void givesBackToThreadsBornMeanwhileAndLeavesOthersWhatTheySetThemselves() throws Exception {
    try (Crew crew = new Crew()) {
      ProcThread first = Proc.process(crew.pid()).orElseThrow();
      try (Squeezer squeezer = prepare(crew, BOTH, Schedule.of(LONG))) {
        squeezer.go();
        eventuallySqueezed(crew);
        crew.hire("newcomer");
        assertThat(crew.cpus("newcomer")).isEqualTo(crew.cpus("gamma"));
        Priorities.nice(-7, List.of(crew.thread("newcomer").orElseThrow().tid()));
        Priorities.nice(11, List.of(crew.thread("beta-1").orElseThrow().tid()));
      }
      assertThat(crew.cpus("newcomer")).isEqualTo(first.cpus());
      assertThat(crew.nice("newcomer")).as("as if inherited").isEqualTo(first.nice());
      assertThat(crew.nice("beta-1")).as("set by another").isEqualTo(11);
      assertThat(crew.nice("beta-0")).isEqualTo(first.nice());
    }
  }

  /** A program may pin its first thread only. */
  @Test
  void threadsBornMeanwhileGetTheCoresOfMostOthers() throws Exception {
    assumeTrue(Proc.idleSeconds().size() > 1, "needs two cores");
    try (Crew crew = new Crew()) {
      String most = crew.cpus("gamma");
      String one = Integer.toString(CpuList.parse(most).get(0));
      Priorities.pin(one, List.of((int) crew.pid()));
      try (Squeezer squeezer = prepare(crew, BOTH, Schedule.of(LONG))) {
        squeezer.go();
        eventuallySqueezed(crew);
        crew.hire("newcomer");
        assertThat(crew.cpus("newcomer")).isEqualTo(one);
      }
      assertThat(crew.cpus("newcomer")).isEqualTo(most);
      assertThat(Proc.process(crew.pid()).orElseThrow().cpus()).isEqualTo(one);
    }
  }

  /** A fork inherits cores and nice level as a new thread does, and so does a fork of the fork. */
  @Test
  void processesStartedMeanwhileGetWhatMostThreadsHad() throws Exception {
    assumeTrue(Proc.idleSeconds().size() > 1, "needs two cores");
    try (Crew crew = new Crew()) {
      ProcThread first = Proc.process(crew.pid()).orElseThrow();
      List<Long> started;
      Squeeze everyThread = new Squeeze(1, Squeeze.EVERY, "*", -7);
      try (Squeezer squeezer = prepare(crew, everyThread, Schedule.of(LONG))) {
        squeezer.go();
        eventuallySqueezed(crew);
        started = crew.fork();
        assertThat(started)
            .allSatisfy(
                pid -> {
                  ProcThread squeezed = Proc.process(pid).orElseThrow();
                  assertThat(squeezed.nice()).isEqualTo(-7);
                  assertThat(squeezed.cpus()).isNotEqualTo(first.cpus());
                });
      }
      assertThat(started)
          .hasSize(2)
          .allSatisfy(
              pid -> {
                ProcThread after = Proc.process(pid).orElseThrow();
                assertThat(after.nice()).isEqualTo(first.nice());
                assertThat(after.cpus()).isEqualTo(first.cpus());
              });
    }
  }

  @Test
  void processesStartedBeforeKeepTheirCores() throws Exception {
    assumeTrue(Proc.idleSeconds().size() > 1, "needs two cores");
    try (Crew crew = new Crew()) {
      String one = Integer.toString(CpuList.parse(crew.cpus("gamma")).get(0));
      List<Long> earlier = crew.fork();
      assertThat(earlier).isNotEmpty();
      assertThat(Priorities.pin(one, earlier.stream().map(Long::intValue).toList()).done())
          .isTrue();
      try (Squeezer squeezer = prepare(crew, BOTH, Schedule.of(LONG))) {
        squeezer.go();
        eventuallySqueezed(crew);
      }
      assertThat(earlier)
          .allSatisfy(pid -> assertThat(Proc.process(pid).orElseThrow().cpus()).isEqualTo(one));
    }
  }

  @Test
  void restoresWithoutItsJournal() throws Exception {
    try (Crew crew = new Crew()) {
      List<ProcThread> before = crew.threads();
      Squeezer squeezer = prepare(crew, BOTH, Schedule.of(LONG));
      squeezer.go();
      eventuallySqueezed(crew);
      Files.delete(Squeezer.journal(folder, crew.pid()));
      squeezer.end();
      assertThat(squeezer.await().nices()).isEqualTo(3);
      assertAsBefore(crew, before);
    }
  }

  /** Its id was reused between the check and the squeeze. */
  @Test
  void aLaterProcessWithTheSameIdIsLeftAlone() throws Exception {
    try (Crew crew = new Crew()) {
      List<ProcThread> before = crew.threads();
      List<String> said = new ArrayList<>();
      SqueezedProcess checked = SqueezedProcess.check(crew.pid(), BOTH);
      SqueezedProcess earlier = new SqueezedProcess(crew.pid(), checked.startTicks() - 1);
      Squeezer squeezer = Squeezer.prepare(earlier, BOTH, Schedule.of(LONG), folder, said::add);
      squeezer.go();
      assertThat(squeezer.await().ended()).isTrue();
      assertThat(said).noneMatch(line -> line.startsWith("pinned"));
      assertAsBefore(crew, before);
      assertThat(SqueezeJournal.all(folder)).isEmpty();
    }
  }

  /** In a program whose first thread has ended, the others go on. */
  @Test
  void aProcessWithoutItsFirstThreadIsSqueezedAndRestored() throws Exception {
    assumeTrue(Proc.idleSeconds().size() > 1, "needs two cores");
    Process headless = new ProcessBuilder(headless().toString()).start();
    try {
      long pid = headless.pid();
      eventually("first thread has ended", () -> Proc.process(pid).orElseThrow().ended());
      int other = Proc.threads(pid).get(1).tid();
      String before = Proc.thread(pid, other).orElseThrow().cpus();
      Squeeze squeeze = new Squeeze(1, 0, "", 0);
      Squeezer squeezer =
          Squeezer.prepare(
              SqueezedProcess.check(pid, squeeze), squeeze, Schedule.of(LONG), folder, line -> {});
      squeezer.go();
      eventually("pinned", () -> !Proc.thread(pid, other).orElseThrow().cpus().equals(before));
      squeezer.end();
      assertThat(squeezer.await().ended()).isFalse();
      assertThat(Proc.thread(pid, other).orElseThrow().cpus()).isEqualTo(before);
    } finally {
      headless.destroyForcibly().waitFor();
    }
  }

  private Path headless() throws Exception {
    Path source =
        Files.writeString(
            folder.resolve("headless.c"),
            """
            #include <pthread.h>
            #include <unistd.h>
            static void *wait_for_ever(void *unused) {
              for (;;) pause();
              return unused;
            }
            int main(void) {
              pthread_t thread;
              pthread_create(&thread, NULL, wait_for_ever, NULL);
              pthread_exit(NULL);
            }
            """);
    Path program = folder.resolve("headless");
    try {
      Process gcc =
          new ProcessBuilder("gcc", source.toString(), "-o", program.toString(), "-lpthread")
              .inheritIO()
              .start();
      assertThat(gcc.waitFor()).isZero();
    } catch (IOException e) {
      assumeTrue(false, "gcc is not installed");
    }
    return program;
  }

  /** The command may be confined; the guard must not be, least of all to the squeezed cores. */
  @Test
  void theGuardMayUseAllCores() throws Exception {
    assumeTrue(Proc.idleSeconds().size() > 1, "needs two cores");
    try (Crew crew = new Crew()) {
      String all = crew.cpus("gamma");
      String one = Integer.toString(CpuList.parse(all).get(0));
      Process front = front(crew, List.of("taskset", "-c", one));
      eventuallySqueezed(crew);
      assertThat(Proc.process(front.pid()).orElseThrow().cpus()).isEqualTo(one);
      assertThat(Proc.process(guard(crew).pid()).orElseThrow().cpus()).isEqualTo(all);
      front.destroyForcibly().waitFor();
      eventually("no journal", () -> noJournals());
    }
  }

  @Test
  void theCoresOfAllThreadsCountAndNotThoseOfTheFirst() throws Exception {
    assumeTrue(Proc.idleSeconds().size() > 1, "needs two cores");
    try (Crew crew = new Crew()) {
      List<Integer> cores = CpuList.parse(crew.cpus("gamma"));
      Priorities.pin(Integer.toString(cores.get(0)), List.of((int) crew.pid()));
      Squeeze all = new Squeeze(cores.size(), 0, "", 0);
      assertThat(SqueezedProcess.check(crew.pid(), all).pinnedTo(all))
          .isEqualTo(CpuList.format(cores));
    }
  }

  /** A nice level has no effect on them. */
  @Test
  void realTimeThreadsAreNotBoosted() throws Exception {
    try (Crew crew = new Crew()) {
      String tid = Integer.toString(crew.thread("beta-1").orElseThrow().tid());
      Process chrt = new ProcessBuilder("chrt", "-f", "-p", "10", tid).start();
      assumeTrue(chrt.waitFor() == 0, "real-time classes are not permitted here");
      assertThat(crew.thread("beta-1").orElseThrow().scheduling()).isEqualTo("FIFO 10");
      SqueezedProcess target = SqueezedProcess.check(crew.pid(), BOTH);
      assertThat(target.chosen(BOTH, target.ran()))
          .extracting(ProcThread::name)
          .containsExactlyInAnyOrder("beta-0", "beta-2");
    }
  }

  /** A JVM that squeezes and waits until it is killed, or receives a line. */
  public static final class Front {
    public static void main(String[] a) {
      SqueezedProcess target = SqueezedProcess.check(Long.parseLong(a[0]), BOTH);
      Squeezer squeezer =
          Squeezer.prepare(target, BOTH, Schedule.of(LONG), Path.of(a[1]), System.out::println);
      Thread end = new Thread(() -> endAfterALine(squeezer));
      end.setDaemon(true);
      end.start();
      squeezer.go();
      squeezer.await();
    }

    private static void endAfterALine(Squeezer squeezer) {
      try {
        if (System.in.read() >= 0) {
          squeezer.end();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Its command line. */
    static List<String> command(Crew crew, Path folder) {
      return ChildJvm.command(Front.class, Long.toString(crew.pid()), folder.toString());
    }
  }

  @Test
  void givesBackWhenWhoAskedIsKilled() throws Exception {
    try (Crew crew = new Crew()) {
      List<ProcThread> before = crew.threads();
      Process front = front(crew);
      eventuallySqueezed(crew);
      front.destroyForcibly().waitFor();
      eventually("no journal", () -> noJournals());
      assertAsBefore(crew, before);
    }
  }

  private Process front(Crew crew) throws Exception {
    return front(crew, List.of());
  }

  private Process front(Crew crew, List<String> before) throws Exception {
    List<String> command = new ArrayList<>(before);
    command.addAll(Front.command(crew, folder));
    Process front = new ProcessBuilder(command).redirectErrorStream(true).start();
    BufferedReader said = front.inputReader();
    assertThat(said.readLine()).isEqualTo("ready");
    return front;
  }

  private boolean noJournals() {
    try {
      return SqueezeJournal.all(folder).isEmpty();
    } catch (java.io.IOException e) {
      return false;
    }
  }

  private ProcessHandle guard(Crew crew) throws Exception {
    SqueezeJournal.Content content = SqueezeJournal.read(SqueezeJournal.file(folder, crew.pid()));
    return ProcessHandle.of(content.guardPid()).orElseThrow();
  }

  @Test
  void givesBackWhenItsGuardIsKilled() throws Exception {
    try (Crew crew = new Crew()) {
      List<ProcThread> before = crew.threads();
      Squeezer squeezer = prepare(crew, BOTH, Schedule.of(LONG));
      squeezer.go();
      eventuallySqueezed(crew);
      assertThat(guard(crew).destroyForcibly()).isTrue();
      SqueezeReport report = squeezer.await();
      assertThat(report.nices()).isEqualTo(3);
      assertAsBefore(crew, before);
      assertThat(SqueezeJournal.all(folder)).isEmpty();
    }
  }

  @Test
  void givesBackWhenItsGuardIsAskedToEnd() throws Exception {
    try (Crew crew = new Crew()) {
      List<ProcThread> before = crew.threads();
      Squeezer squeezer = prepare(crew, BOTH, Schedule.of(LONG));
      squeezer.go();
      eventuallySqueezed(crew);
      assertThat(guard(crew).destroy()).isTrue();
      assertThat(squeezer.await().nices()).isEqualTo(3);
      assertAsBefore(crew, before);
    }
  }

  @Test
  void restoresByTheJournalWhenBothAreKilled() throws Exception {
    try (Crew crew = new Crew()) {
      List<ProcThread> before = crew.threads();
      Process front = front(crew);
      eventuallySqueezed(crew);
      ProcessHandle guard = guard(crew);
      assertThat(Squeezer.restoreAll(List.of(folder)))
          .singleElement()
          .matches(Squeezer.Repaired::atWork, "left alone while its guard lives");
      // The guard must not have time to notice the end of the front process.
      new ProcessBuilder("sh", "-c", "kill -9 " + guard.pid() + " " + front.pid())
          .start()
          .waitFor();
      front.waitFor();
      eventually("guard gone", () -> !guard.isAlive());
      assertThat(crew.nice("beta-0")).isEqualTo(-7);
      assertThatThrownBy(() -> prepareAndGo(crew)).hasMessageContaining("contention restore");
      assertThat(crew.nice("beta-0")).as("the refusal changed nothing").isEqualTo(-7);

      Squeezer.Repaired repaired = Squeezer.restoreAll(List.of(folder)).get(0);
      assertThat(repaired.failure()).isNull();
      assertThat(repaired.restore().nices()).isEqualTo(3);
      assertThat(repaired.restore().cores()).isGreaterThanOrEqualTo(before.size() - 2);
      assertAsBefore(crew, before);
      assertThat(Squeezer.restoreAll(List.of(folder))).isEmpty();
    }
  }

  private void prepareAndGo(Crew crew) {
    try (Squeezer squeezer = prepare(crew, BOTH, Schedule.of(LONG))) {
      squeezer.go();
      squeezer.await();
    }
  }

  @Test
  void aTargetThatEndsLeavesNothingBehind() throws Exception {
    try (Crew crew = new Crew()) {
      Squeezer squeezer = prepare(crew, BOTH, Schedule.of(LONG));
      squeezer.go();
      eventuallySqueezed(crew);
      crew.kill();
      assertThat(squeezer.await().ended()).isTrue();
      assertThat(SqueezeJournal.all(folder)).isEmpty();
    }
  }

  @Test
  void refusesAPatternThatNoThreadMatchesAndGivesTheCoresBack() throws Exception {
    try (Crew crew = new Crew()) {
      List<ProcThread> before = crew.threads();
      Squeezer squeezer = prepare(crew, new Squeeze(1, 9, "omega*", -7), Schedule.of(LONG));
      squeezer.go();
      assertThatThrownBy(squeezer::await)
          .isInstanceOf(SqueezeException.class)
          .hasMessageContaining("is called omega*");
      assertAsBefore(crew, before);
      assertThat(SqueezeJournal.all(folder)).isEmpty();
    }
  }

  /** Requests a squeeze as this user and prints the result. */
  public static final class Asking {
    public static void main(String[] a) {
      try {
        SqueezedProcess.check(Long.parseLong(a[0]), BOTH);
        System.out.println("allowed");
      } catch (SqueezeException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void refusesWithoutPermissionAndSaysHowToPermitIt() throws Exception {
    try (Crew crew = new Crew()) {
      List<String> command =
          new ArrayList<>(List.of("setpriv", "--bounding-set", "-sys_nice", "--inh-caps=-all"));
      command.addAll(ChildJvm.command(Asking.class, Long.toString(crew.pid())));
      Process asking = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(asking.getInputStream().readAllBytes());
      assertThat(said).contains("needs CAP_SYS_NICE").contains("sudo ./manx");
    }
  }

  /** There, root may raise a nice level and not lower it again. */
  @Test
  void refusesInAUserNamespaceWhatItCouldNotUndo() throws Exception {
    Process trial = new ProcessBuilder("unshare", "-Ur", "true").start();
    assumeTrue(trial.waitFor() == 0, "user namespaces are not permitted here");
    try (Crew crew = new Crew()) {
      List<String> command = new ArrayList<>(List.of("unshare", "-Ur"));
      command.addAll(ChildJvm.command(Asking.class, Long.toString(crew.pid())));
      Process asking = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(asking.getInputStream().readAllBytes());
      assertThat(said).contains("user namespace").doesNotContain("allowed");
    }
  }

  @Test
  void nothingIsSqueezedBeforeTheWord() throws Exception {
    try (Crew crew = new Crew()) {
      List<ProcThread> before = crew.threads();
      prepare(crew, BOTH, Schedule.of(LONG)).close();
      assertAsBefore(crew, before);
      assertThat(SqueezeJournal.all(folder)).isEmpty();
    }
  }
}
