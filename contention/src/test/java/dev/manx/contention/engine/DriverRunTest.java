/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.contention.proc.CpuQuota;
import dev.manx.workload.result.Histograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs of a driver that is a shell script, and their results. */
@Tag("engines")
@Timeout(60)
class DriverRunTest {
  @TempDir private Path folder;

  private static Repetition repetition(long records, long valueBytes) {
    return new Repetition(
        2, 100, 500, 2_500, 0, 0, 0, -1, -1, 0, data(records, valueBytes), /* seed= */ 1);
  }

  private static Repetition.Data data(long records, long valueBytes) {
    return new Repetition.Data(records, valueBytes, 0, false, 0);
  }

  private ThrowingCallable run(String script) throws IOException {
    Path driver = Files.writeString(folder.resolve("driver"), "#!/bin/sh\n" + script + "\n");
    assertThat(driver.toFile().setExecutable(true)).isTrue();
    EngineLibrary library = new EngineLibrary(folder, folder);
    return () ->
        DriverRun.run(new Repetition.Engine(library, driver, Map.of()), repetition(1000, 100));
  }

  @Test
  void sessionsThatSpinForEverAreNamed() throws Exception {
    assertThatThrownBy(run("kill -ALRM $$"))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("still waiting for each other a minute after the window");
  }

  @Test
  void anotherFailureHasTheDriversWords() throws Exception {
    assertThatThrownBy(run("echo no memory; exit 3"))
        .isInstanceOf(EngineException.class)
        .hasMessage("the driver ended with code 3: no memory");
  }

  /** A build with an allocator or a compressor needs the user's own folders, too. */
  @Test
  void theEnginesFolderIsBeforeTheUsersLibraryPath() throws Exception {
    assertThat(DriverRun.inFront("/opt/lib:/usr/local/lib", "/engine"))
        .isEqualTo("/engine:/opt/lib:/usr/local/lib");
    assertThat(DriverRun.inFront("", "/engine")).isEqualTo("/engine");
    String inherited = System.getenv("LD_LIBRARY_PATH");
    assertThatThrownBy(run("echo \"$LD_LIBRARY_PATH\"; exit 3"))
        .hasMessageEndingWith(
            ": " + (inherited == null ? folder : DriverRun.inFront(inherited, folder.toString())));
  }

  @Test
  void manyRecordsMayTakeLongToLoad() {
    assertThat(DriverRun.patienceSeconds(repetition(20_000, 100))).isEqualTo(93);
    assertThat(DriverRun.patienceSeconds(repetition(10_000_000, 900))).isEqualTo(93 + 1_000);
  }

  /** Also a group with a larger quota may be the one that throttles. */
  @Test
  void theDriverLooksAtEveryGroupWithAQuota() {
    Path inner = Path.of("/sys/fs/cgroup/pod/container/cpu.stat");
    Path outer = Path.of("/sys/fs/cgroup/pod/cpu.stat");
    assertThat(DriverRun.cpuStatistics(new CpuQuota(1, Map.of(inner, 0.0, outer, 0.0))))
        .containsExactly("cpu-stat=" + inner, "cpu-stat=" + outer);
  }

  /** Streams of large seeds are beyond what the driver reads; those of small ones stay. */
  @Test
  void everySeedIsOneForTheDriver() {
    assertThat(seed(8_999_999_999_999_999L)).isEqualTo(8_999_999_999_999_999L);
    assertThat(seed(202_611_290_300L * 1_000_003 + 1)).isBetween(1L, (1L << 53) - 1);
    assertThat(seed(-1)).isEqualTo((1L << 53) - 1);
  }

  private static long seed(long stream) {
    return Long.parseLong(
        argument(
            new Repetition(2, 100, 500, 2_500, 0, 0, 0, -1, -1, 0, data(1_000, 100), stream),
            "seed="));
  }

  private static String argument(Repetition repetition, String name) {
    return repetition.arguments().stream()
        .filter(one -> one.startsWith(name))
        .map(one -> one.substring(name.length()))
        .findFirst()
        .orElseThrow();
  }

  /** Otherwise every arm measures how its sessions evict. */
  @Test
  void theDataFillAHundredthOfTheCacheAtMost() {
    assertThat(argument(repetition(20_000, 100), "cache-mb=")).isEqualTo("512");
    long large = data(2_000_000, 1_000).bytes();
    assertThat(large).isEqualTo(2_200_000_000L);
    assertThat(data(2_000_000, 1_000).cacheMb() << 20).isBetween(99 * large, 100 * large);
    assertThat(data(100_000_000, 1 << 20).cacheMb()).as("the engine's limit").isEqualTo(10 << 20);
  }

  /** A window of 2.5 seconds at a constant rate. */
  @Test
  void theLastSecondMayBeShorter() {
    List<RepetitionResult.Second> seconds = List.of(second(0, 200), second(1, 200), second(2, 100));
    RepetitionResult result =
        new RepetitionResult(
            500,
            500,
            0,
            0,
            0,
            2.5,
            1,
            Double.NaN,
            Double.NaN,
            Optional.empty(),
            "",
            "",
            Histograms.create(),
            seconds,
            new RepetitionResult.Noise(0, 0, Double.NaN));
    assertThat(seconds).allMatch(one -> result.throughputPerSecond(one) == 200);
  }

  @Test
  void aQuotaTakesTimeAsOtherGuestsDo() {
    assertThat(new RepetitionResult.Noise(1, 0.25, Double.NaN).taken()).isEqualTo(0.25);
    assertThat(new RepetitionResult.Noise(1, 0.25, 0.5).taken()).isEqualTo(0.75);
  }

  private static RepetitionResult.Second second(int t, long answered) {
    return new RepetitionResult.Second(t, answered, answered, 0, 0, 0, 0, 0);
  }
}
