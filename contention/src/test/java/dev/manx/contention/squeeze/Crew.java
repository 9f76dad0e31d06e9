/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import dev.manx.contention.ChildJvm;
import dev.manx.contention.proc.Proc;
import dev.manx.contention.proc.ProcThread;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** A process of named threads to squeeze in tests. */
public final class Crew implements AutoCloseable {
  private final Process process;
  private final PrintStream in;
  private final BufferedReader out;
  private final List<Long> forked = new ArrayList<>();

  private static final String FORK = "fork";

  /**
   * Six sleeping threads; each line on standard input names another one, or starts a shell that
   * starts a process.
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    for (String name : List.of("alpha-0", "alpha-1", "beta-0", "beta-1", "beta-2", "gamma")) {
      start(name);
    }
    System.out.println("up");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.equals(FORK)) {
        Process shell =
            new ProcessBuilder("sh", "-c", "sleep 600 & echo $!; wait")
                .redirectErrorStream(true)
                .start();
        System.out.println(shell.pid() + " " + shell.inputReader().readLine());
      } else {
        start(line);
        System.out.println("up");
      }
    }
  }

  /** Returns when it is running: only then does Linux know its name. */
  private static void start(String name) throws InterruptedException {
    CountDownLatch runs = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              runs.countDown();
              try {
                Thread.sleep(600_000);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
    runs.await();
  }

  Crew() throws IOException {
    process = new ProcessBuilder(ChildJvm.command(Crew.class)).redirectErrorStream(true).start();
    in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    out = process.inputReader();
    out.readLine();
  }

  long pid() {
    return process.pid();
  }

  /** Starts another thread; returns when it is running. */
  void hire(String name) throws IOException {
    in.println(name);
    out.readLine();
  }

  /** Starts a shell, which starts a sleep; returns their ids. */
  List<Long> fork() throws IOException {
    in.println(FORK);
    List<Long> started = Stream.of(out.readLine().split(" ", -1)).map(Long::parseLong).toList();
    forked.addAll(started);
    return started;
  }

  void kill() {
    process.destroyForcibly().onExit().join();
  }

  List<ProcThread> threads() {
    return Proc.threads(pid());
  }

  Optional<ProcThread> thread(String name) {
    return threads().stream().filter(thread -> thread.name().equals(name)).findFirst();
  }

  int nice(String name) {
    return thread(name).orElseThrow().nice();
  }

  String cpus(String name) {
    return thread(name).orElseThrow().cpus();
  }

  @Override
  public void close() {
    kill();
    forked.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
  }
}
