/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.operate.text.Words;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The nodes whose answers a command waits for. After two seconds it prints their names, and again
 * when they have become fewer. Thread-safe.
 */
final class Awaited implements AutoCloseable {
  private static final long PERIOD_MILLIS = 2_000;

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "manx-names-awaited-nodes");
            thread.setDaemon(true);
            return thread;
          });
  private final Consumer<String> print;
  private final Set<String> nodes = new LinkedHashSet<>();
  private String printed = "";

  /**
   * Prints nothing before {@link #begin}.
   *
   * @param print prints a line
   */
  Awaited(Consumer<String> print) {
    this.print = print;
  }

  void begin() {
    timer.scheduleWithFixedDelay(this::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  synchronized void add(String node) {
    nodes.add(node);
  }

  synchronized void remove(String node) {
    nodes.remove(node);
  }

  synchronized void look() {
    String words = nodes.isEmpty() ? "" : "waiting for " + Words.of(List.copyOf(nodes), 0);
    if (!words.isEmpty() && !words.equals(printed)) {
      print.accept(words);
    }
    printed = words;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
