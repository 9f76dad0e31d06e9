/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
