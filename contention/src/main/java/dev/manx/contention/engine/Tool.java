/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs programs to their end, with their output in a log file. */
final class Tool {
  private static final int SHOWN_LINES = 15;

  private final Path log;

  /** Creates a runner that appends to a log file, whose folder must exist. */
  Tool(Path log) {
    this.log = log;
  }

  /**
   * Runs a program and waits for it; an interrupt, or the end of this JVM, ends it and its
   * children.
   *
   * @param line receives each line of output
   * @throws EngineException if it cannot be started, or ends with an exit code other than 0
   */
  void run(Path folder, List<String> command, Consumer<String> line) throws InterruptedException {
    List<String> last = new ArrayList<>();
    Process process = start(folder, command);
    Thread atExit = atExit(process);
    int code;
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        Writer file =
            Files.newBufferedWriter(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      file.write("$ " + String.join(" ", command) + '\n');
      for (String next = read(out, process); next != null; next = read(out, process)) {
        file.write(next + '\n');
        line.accept(next);
        last.add(next);
        if (last.size() > SHOWN_LINES) {
          last.remove(0);
        }
      }
      code = process.waitFor();
    } catch (IOException e) {
      throw new EngineException(command.get(0) + ": " + e.getMessage(), e);
    } finally {
      end(process);
      remove(atExit);
    }
    if (code != 0) {
      throw new EngineException(
          String.join(" ", command)
              + " ended with code "
              + code
              + ":\n  "
              + String.join("\n  ", last)
              + "\nFull output: "
              + log);
    }
  }

  private static Process start(Path folder, List<String> command) {
    try {
      return new ProcessBuilder(command)
          .directory(folder.toFile())
          .redirectErrorStream(true)
          .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
          .start();
    } catch (IOException e) {
      throw new EngineException("cannot run " + command.get(0) + ": " + e.getMessage(), e);
    }
  }

  private static Thread atExit(Process process) {
    Thread hook = new Thread(() -> end(process), "manx-end-tool");
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      end(process);
      throw new EngineException("this JVM is ending", e);
    }
    return hook;
  }

  private static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending, and the hook finds nothing left to do.
    }
  }

  /** Reading a pipe is not interruptible, so interrupts are checked between reads. */
  private static String read(BufferedReader out, Process process)
      throws IOException, InterruptedException {
    while (!out.ready()) {
      if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
        break;
      }
    }
    return out.readLine();
  }

  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /** Whether a program of that name is on the path. */
  static boolean exists(String name) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(java.io.File.pathSeparator, -1))
        .filter(folder -> !folder.isEmpty())
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
  }

  /** Whether a program runs and ends with exit code 0; what it prints is dropped. */
  static boolean succeeds(String... command) throws InterruptedException {
    Process process = null;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    } finally {
      if (process != null) {
        end(process);
      }
    }
  }

  /**
   * What must be installed.
   *
   * @param packages Debian packages that contain it, separated by spaces
   */
  record Need(boolean there, String packages) {
    static Need program(String name, String packages) {
      return new Need(exists(name), packages);
    }
  }

  /**
   * Checks that programs are installed.
   *
   * @throws EngineException if some are missing; names all of them
   */
  static void require(List<Need> needs) {
    String missing =
        needs.stream()
            .filter(need -> !need.there())
            .map(Need::packages)
            .collect(Collectors.joining(" "));
    if (!missing.isEmpty()) {
      throw new EngineException(
          "needs programs that are not installed; on Debian or Ubuntu:\n  sudo apt-get install "
              + missing);
    }
  }
}
