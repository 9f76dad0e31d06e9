/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import dev.manx.contention.proc.CpuQuota;
import dev.manx.contention.proc.Scratch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs the driver, one process for each repetition, so that each starts with the same fresh data.
 * The engine's files are on {@code /dev/shm} if available, so that no disk is measured.
 */
public final class DriverRun {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final String LIBRARY_PATH = "LD_LIBRARY_PATH";
  private static final int NOT_PERMITTED = 77;
  // 128 and the number of SIGALRM.
  private static final int OUT_OF_TIME = 142;
  // The driver stops itself one minute after its planned end.
  private static final long PATIENCE_SECONDS = 90;
  private static final long LOADED_BYTES_PER_SECOND = 10_000_000;

  private DriverRun() {}

  /**
   * Runs one repetition; an interrupt ends it.
   *
   * @throws EngineException if the driver fails, lacks permission, or does not end
   */
  public static RepetitionResult run(Repetition.Engine engine, Repetition repetition)
      throws InterruptedException {
    try {
      try (Scratch scratch = Scratch.create(files(), "manx-contention-")) {
        return run(engine, repetition, scratch);
      }
    } catch (IOException e) {
      throw new EngineException("cannot run the driver: " + e.getMessage(), e);
    }
  }

  /** The folder of the engine's files. */
  public static Path files() {
    return Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
  }

  private static RepetitionResult run(
      Repetition.Engine engine, Repetition repetition, Scratch scratch)
      throws IOException, InterruptedException {
    Path folder = scratch.folder();
    Path home = Files.createDirectory(folder.resolve("home"));
    Path out = Files.createDirectory(folder.resolve("out"));
    List<String> command = new ArrayList<>(List.of(engine.driver().toString()));
    command.add("home=" + home);
    command.add("out=" + out);
    // The driver is in the control groups of this process.
    CpuQuota.of(ProcessHandle.current().pid())
        .ifPresent(quota -> command.addAll(cpuStatistics(quota)));
    command.addAll(repetition.arguments());
    Path said = folder.resolve("said.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
    builder
        .environment()
        .merge(LIBRARY_PATH, engine.library().library().toString(), DriverRun::inFront);
    builder.environment().putAll(engine.env());
    Process driver = scratch.start(builder);
    long seconds = patienceSeconds(repetition);
    if (!driver.waitFor(seconds, TimeUnit.SECONDS)) {
      throw new EngineException(
          "the driver did not end within "
              + seconds
              + " s and was stopped; it may need fewer records");
    }
    if (driver.exitValue() != 0) {
      throw failed(driver.exitValue(), Files.readString(said, StandardCharsets.UTF_8).strip());
    }
    RepetitionResult result = DriverOutput.read(out);
    if (result.failed() > 0) {
      throw new EngineException(
          result.failed() + " operations failed in the engine: " + result.error());
    }
    return result;
  }

  /** Of every group with a quota: any of them may throttle the driver. */
  static List<String> cpuStatistics(CpuQuota quota) {
    return quota.throttledSeconds().keySet().stream().sorted().map(f -> "cpu-stat=" + f).toList();
  }

  /** The engine's folder before the user's, where other libraries of the engine may be. */
  static String inFront(String inherited, String folder) {
    // An empty entry would be the current folder.
    return inherited.isEmpty() ? folder : folder + ":" + inherited;
  }

  /** With time to load the records. */
  static long patienceSeconds(Repetition repetition) {
    Repetition.Data data = repetition.data();
    return (repetition.warmUpMillis() + repetition.windowMillis()) / 1000
        + data.bytes() / LOADED_BYTES_PER_SECOND
        + PATIENCE_SECONDS;
  }

  private static EngineException failed(int code, String said) {
    if (code == OUT_OF_TIME) {
      return new EngineException(
          "sessions were still waiting for each other a minute after the window, and the driver"
              + " ended itself; use a weaker squeeze or a shorter window");
    }
    String words = said.isEmpty() ? "it printed nothing" : said;
    return new EngineException(
        code == NOT_PERMITTED ? words : "the driver ended with code " + code + ": " + words);
  }
}
