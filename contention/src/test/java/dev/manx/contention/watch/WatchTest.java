/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.contention.ChildJvm;
import dev.manx.contention.proc.Proc;
import dev.manx.contention.squeeze.Schedule;
import dev.manx.contention.squeeze.Squeeze;
import dev.manx.contention.squeeze.SqueezedProcess;
import dev.manx.contention.squeeze.Squeezer;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.idle.IdleStrategy;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.IdleSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real process that spins under starvation is flagged; with safe waiting it is not. */
@Tag("engines")
class WatchTest {
  private static final long LOOK_MILLIS = 500;
  private static final int LOOKS = 40;

  @TempDir Path folder;

  /** Two threads wait for ever with the given strategy; two others have work. */
  public static final class Waiting {
    private static volatile boolean published;

    public static void main(String[] a) throws IOException {
      IdleSpec idle =
          IdleSpec.read(
              ConfigNode.parse("arguments", "idle: " + a[0]).at("idle"), Host.harness(() -> 0));
      for (int i = 0; i < 2; i++) {
        IdleStrategy own = idle.newStrategy();
        start("spinner-" + i, () -> own.await(() -> published, System::nanoTime, Long.MAX_VALUE));
        start("worker-" + i, Waiting::work);
      }
      System.out.println("up");
      System.in.read();
      Runtime.getRuntime().halt(0);
    }

    private static void start(String name, Runnable task) {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      thread.start();
    }

    private static void work() {
      long sum = 0;
      try {
        while (sum != 1) {
          for (int i = 0; i < 100_000; i++) {
            sum = sum * 31 + 7;
          }
          Thread.sleep(1);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Squeezes such a process and samples it until it is flagged, or a limit is reached. */
  private List<Starvation> looks(String idle) throws Exception {
    Process process =
        new ProcessBuilder(ChildJvm.command(Waiting.class, idle)).redirectErrorStream(true).start();
    try {
      assertThat(process.inputReader().readLine()).isEqualTo("up");
      Squeeze squeeze = new Squeeze(1, 2, "spinner-*", -20);
      List<Starvation> looks = new ArrayList<>();
      try (Squeezer squeezer =
          Squeezer.prepare(
              SqueezedProcess.check(process.pid(), squeeze),
              squeeze,
              Schedule.of(Schedule.MOST_NANOS),
              folder,
              line -> {})) {
        squeezer.go();
        ProcessActivity.Snapshot before =
            ProcessActivity.Snapshot.of(process.pid(), System::nanoTime);
        int most = idle.equals("idle.spin") ? LOOKS : 4;
        while (looks.size() < most && looks.stream().noneMatch(Starvation::flagged)) {
          Thread.sleep(LOOK_MILLIS);
          ProcessActivity.Snapshot after =
              ProcessActivity.Snapshot.of(process.pid(), System::nanoTime);
          looks.add(Starvation.in(ProcessActivity.between(before, after)));
          before = after;
        }
      }
      return looks;
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void aProcessThatSpinsIsFlagged() throws Exception {
    assumeTrue(Proc.maySetPriorities(), "needs root or CAP_SYS_NICE");
    List<Starvation> looks = looks("idle.spin");
    Starvation last = looks.get(looks.size() - 1);
    assertThat(last.flagged()).as("%s", looks).isTrue();
    assertThat(last.spinning())
        .extracting(thread -> thread.now().name())
        .allMatch(name -> name.startsWith("spinner-"));
    assertThat(last.starving())
        .extracting(thread -> thread.now().name())
        .anyMatch(name -> name.startsWith("worker-"));
  }

  @Test
  void aProcessThatWaitsSafelyIsNot() throws Exception {
    assumeTrue(Proc.maySetPriorities(), "needs root or CAP_SYS_NICE");
    assertThat(looks("idle.adaptive")).noneMatch(Starvation::flagged);
  }
}
