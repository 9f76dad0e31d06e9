/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.contention.proc.Proc;
import dev.manx.contention.watch.ProcessActivity;
import dev.manx.contention.watch.Starvation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The defect in a real storage engine, seen from outside. */
@Tag("engines")
@Timeout(180)
class WatchedDriverTest {
  /** Interval of a look, as in docs/operate/safe-waiting.md: stalls are often below a second. */
  private static final long LOOK_MILLIS = 200;

  @TempDir Path folder;

  @BeforeEach
  void needs() {
    Gcc.require();
    Gcc.needed(EngineBuild.debian().isPresent(), "libwiredtiger-dev");
    assumeTrue(Proc.maySetPriorities(), "needs root or CAP_SYS_NICE");
  }

  private ProcessBuilder driver() throws Exception {
    EngineLibrary debian = EngineBuild.debian().orElseThrow();
    Path program = new DriverBuild(new EngineStore(folder.resolve("store"))).get("debian", debian);
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.add("home=" + Files.createDirectory(folder.resolve("home")));
    command.add("out=" + Files.createDirectory(folder.resolve("out")));
    // All the time: half of the sessions at nice -20, all of them on one core.
    command.addAll(List.of("threads=8", "rate=0", "run-ms=60000", "warm-ms=0"));
    command.addAll(List.of("cores=1", "boost=4", "nice=-20"));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("said.txt").toFile());
  }

  /** Its controller may use all cores, which are idle; its sessions may not. */
  @Test
  void wiredTigerWithUnequalPrioritiesIsFlagged() throws Exception {
    Process driver = driver().start();
    List<Starvation> looks = new ArrayList<>();
    try {
      ProcessActivity.Snapshot before = ProcessActivity.Snapshot.of(driver.pid(), System::nanoTime);
      while (driver.isAlive() && looks.stream().noneMatch(Starvation::flagged)) {
        Thread.sleep(LOOK_MILLIS);
        ProcessActivity.Snapshot after =
            ProcessActivity.Snapshot.of(driver.pid(), System::nanoTime);
        looks.add(Starvation.in(ProcessActivity.between(before, after)));
        before = after;
      }
      assertThat(looks).as("the window ended").anyMatch(Starvation::flagged);
    } finally {
      driver.destroyForcibly().waitFor();
    }
  }
}
