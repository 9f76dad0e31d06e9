/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.cassandra.control.Mode;
import dev.manx.policy.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Off is an operator's last word, however late a disk answers. */
@Timeout(60)
class PersistingTest {
  @TempDir private Path folder;
  private Path kept;
  private Persisted persisted;
  private Persisting persisting;
  private String mode = "on";

  @BeforeAll
  static void settings() {
    WithoutNode.settings();
  }

  @BeforeEach
  void begin() throws IOException {
    kept = folder.resolve("manx.persisted.yaml");
    Start start =
        Start.of(Files.writeString(folder.resolve("manx.yaml"), "plugin: { mode: shadow }\n"));
    Parts parts = new Parts(start.plugin(), start.record(), () -> {});
    Switches switches = new Switches(parts, start.strategy(), "");
    KillFile killFile = new KillFile(() -> parts.config().killFile());
    Reload reload =
        new Reload(parts, switches, new Builds(switches), killFile, () -> Mode.OFF, start);
    persisted = start.persisted();
    persisting =
        new Persisting(reload, () -> new TreeMap<>(Map.of("mode", mode, "calm-after", "3s")), 1, 1);
  }

  private void off() {
    mode = "off";
    persisting.endMode();
  }

  /** Waits until the disk has answered all calls. */
  private void settle() {
    while (true) {
      assertThat(Thread.interrupted()).as("the time is up").isFalse();
      try {
        persisting.persist("reset record");
        return;
      } catch (IllegalStateException e) {
        Thread.onSpinWait();
      }
    }
  }

  private Map<String, String> onDisk() {
    return new Persisted(kept).read().values();
  }

  @Test
  void offEndsAModeWhoseWriteTheDiskHasNotAnswered() {
    synchronized (persisted) {
      assertThatThrownBy(() -> persisting.persist("mode, calm-after"))
          .hasMessageContaining("not persisted yet");
      off();
    }
    settle();
    assertThat(onDisk()).isEqualTo(Map.of("calm-after", "3s"));
    assertThat(persisted.maySwitchOn()).isFalse();
  }

  /** The first thread that ends the mode waits when the second mode is persisted. */
  @Test
  void offEndsAModePersistedWhileAnEarlierOffWaitsForTheDisk() {
    persisted.add(Map.of("mode", "shadow"));
    synchronized (persisted) {
      off();
      mode = "on";
      assertThatThrownBy(() -> persisting.persist("mode")).hasMessageContaining("not persisted");
      off();
    }
    settle();
    assertThat(onDisk()).isEmpty();
  }

  /** The disk answers after the switch to off. */
  @Test
  void aModeIsEndedIfTheNodeWasSwitchedOffDuringItsWrite() {
    Iterator<Boolean> ended = List.of(false, true).iterator();
    persisted.add(
        Map.of("mode", "on", "calm-after", "3s"),
        () -> {
          assertThat(persisted.maySwitchOn()).as("off must wait for the disk").isTrue();
          return ended.next();
        });
    assertThat(onDisk()).isEqualTo(Map.of("calm-after", "3s"));
    assertThat(persisted.value("mode")).isEmpty();
    assertThat(persisted.maySwitchOn()).isFalse();
  }

  @Test
  void aPersistedOffIsNotEnded() {
    mode = "off";
    persisted.add(Map.of("mode", mode), () -> true);
    assertThat(persisted.value("mode")).contains("off");
    persisting.endMode();
    assertThat(persisted.endMode()).isFalse();
    assertThat(onDisk()).isEqualTo(Map.of("mode", "off"));
  }

  @Test
  void aModeThatCannotBeWrittenIsNotWaitedFor() {
    assertThatThrownBy(() -> persisted.add(Map.of("mode", "loud"), () -> false))
        .isInstanceOf(ConfigException.class);
    assertThat(persisted.maySwitchOn()).isFalse();
  }
}
