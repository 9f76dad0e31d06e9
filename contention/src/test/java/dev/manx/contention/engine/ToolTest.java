/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolTest {
  @TempDir private Path folder;

  @Test
  void linesAreHandedOnAndLogged() throws InterruptedException {
    List<String> lines = new ArrayList<>();
    Path log = folder.resolve("log");
    new Tool(log).run(folder, List.of("sh", "-c", "echo one; echo two >&2"), lines::add);
    assertThat(lines).containsExactly("one", "two");
    assertThat(log).content().contains("$ sh -c").contains("one\n").contains("two\n");
  }

  @Test
  void aFailureShowsWhatTheProgramSaid() {
    Tool tool = new Tool(folder.resolve("log"));
    assertThatThrownBy(() -> tool.run(folder, List.of("sh", "-c", "echo alas; exit 3"), line -> {}))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("code 3")
        .hasMessageContaining("alas")
        .hasMessageContaining("log");
    assertThatThrownBy(() -> tool.run(folder, List.of("no-such-program-here"), line -> {}))
        .hasMessageContaining("cannot run no-such-program-here");
  }

  @Test
  void missingToolsAreNamedWithTheirPackages() {
    assertThatThrownBy(
            () ->
                Tool.require(
                    List.of("sh", "no-such-a", "no-such-b"), List.of("dash", "pack-a", "pack-b")))
        .hasMessageContaining("apt-get install pack-a pack-b")
        .hasMessageNotContaining("dash");
  }

  @Test
  void anInterruptEndsTheProgram() throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    CountDownLatch running = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              try {
                new Tool(folder.resolve("log"))
                    .run(
                        folder,
                        List.of("sh", "-c", "echo up; sleep 600"),
                        line -> running.countDown());
              } catch (InterruptedException | RuntimeException e) {
                thrown.set(e);
              }
            });
    thread.start();
    running.await();
    thread.interrupt();
    thread.join();
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
  }
}
