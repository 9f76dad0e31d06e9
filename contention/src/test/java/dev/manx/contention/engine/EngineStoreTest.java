/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineStoreTest {
  @TempDir private Path folder;

  @Test
  void aThingIsMadeOnce() throws InterruptedException {
    EngineStore store = new EngineStore(folder.resolve("cache"));
    AtomicInteger made = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      Path thing =
          store.get(
              "thing",
              part -> Files.writeString(part.resolve("file"), "x" + made.incrementAndGet()));
      assertThat(thing.resolve("file")).hasContent("x1");
    }
  }

  /** A thread that came second was refused: the JVM had the lock already. */
  @Test
  void ofTwoThreadsOneMakesTheThing() throws Exception {
    EngineStore store = new EngineStore(folder);
    AtomicInteger made = new AtomicInteger();
    FutureTask<Path> late =
        new FutureTask<>(() -> store.get("thing", part -> made.incrementAndGet()));
    Thread second = new Thread(late, "second");
    store.get(
        "thing",
        part -> {
          made.incrementAndGet();
          second.start();
          // Until it waits or has failed.
          while (second.getState() == Thread.State.RUNNABLE) {
            Thread.onSpinWait();
          }
        });
    assertThat(late.get()).isDirectory();
    assertThat(made).hasValue(1);
  }

  @Test
  void aFailedBuildIsAbsentAndIsMadeAnew() throws InterruptedException {
    EngineStore store = new EngineStore(folder);
    assertThatThrownBy(
            () ->
                store.get(
                    "thing",
                    part -> {
                      Files.writeString(part.resolve("half"), "");
                      throw new IOException("no space");
                    }))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("no space");
    assertThat(folder.resolve("thing")).doesNotExist();
    Path thing = store.get("thing", part -> Files.writeString(part.resolve("whole"), ""));
    assertThat(thing).isDirectoryContaining(file -> file.endsWith("whole"));
    assertThat(thing.resolve("half")).doesNotExist();
  }

  @Test
  void anArchiveWithAnotherSumIsRefused() throws IOException {
    Path archive = folder.resolve("wiredtiger.tar.gz");
    Files.writeString(archive, "not it");
    assertThatThrownBy(() -> EngineBuild.verify(archive))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("must have 95052d1b");
    assertThatThrownBy(() -> EngineBuild.verify(folder.resolve("none")))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("cannot read");
  }
}
