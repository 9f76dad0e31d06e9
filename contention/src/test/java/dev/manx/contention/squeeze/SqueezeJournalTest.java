/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.contention.proc.Proc;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqueezeJournalTest {
  @TempDir Path folder;

  private final long self = ProcessHandle.current().pid();
  private final long start = Proc.process(self).orElseThrow().startTicks();

  private SqueezeJournal journal() throws IOException {
    return SqueezeJournal.create(folder.resolve("new/one"), List.of(), self, start, "0", -20);
  }

  @Test
  void readsWhatWasWritten() throws IOException {
    Path file;
    try (SqueezeJournal journal = journal()) {
      journal.originals(
          List.of(
              new SqueezeJournal.Original(9, 900, 0, "0-1"),
              new SqueezeJournal.Original(7, 700, 5, "1")));
      journal.boosted(List.of(7));
      file = journal.file();
      assertThat(SqueezeJournal.read(file)).as("in memory").isEqualTo(journal.content());
    }
    SqueezeJournal.Content content = SqueezeJournal.read(file);
    assertThat(content.pid()).isEqualTo(self);
    assertThat(content.cpus()).isEqualTo("0");
    assertThat(content.nice()).isEqualTo(-20);
    assertThat(content.originals().values())
        .containsExactly(
            new SqueezeJournal.Original(9, 900, 0, "0-1"),
            new SqueezeJournal.Original(7, 700, 5, "1"));
    assertThat(content.boosted()).containsExactly(7);
    assertThat(content.targetLives()).isTrue();
    assertThat(content.guardLives()).isTrue();
    assertThat(SqueezeJournal.all(folder.resolve("new/one"))).containsExactly(file);
    assertThat(SqueezeJournal.all(folder.resolve("none"))).isEmpty();
  }

  @Test
  void keepsASecondSqueezeOut() throws IOException {
    try (SqueezeJournal first = journal()) {
      assertThatThrownBy(this::journal)
          .isInstanceOf(SqueezeException.class)
          .hasMessageContaining("is already being squeezed")
          .hasMessageContaining("contention restore");
      assertThat(first.file()).exists();
    }
  }

  /** A squeeze without root has its journal in the user's home. */
  @Test
  void keepsASqueezeByAnotherUserOut() throws IOException {
    try (SqueezeJournal first = journal()) {
      Path other = folder.resolve("other");
      List<Path> all = List.of(folder.resolve("none"), first.file().getParent());
      assertThatThrownBy(() -> SqueezeJournal.create(other, all, self, start, "0", -20))
          .isInstanceOf(SqueezeException.class)
          .hasMessageContaining("is already being squeezed")
          .hasMessageContaining(first.file().toString());
      assertThat(SqueezeJournal.all(other)).isEmpty();
    }
  }

  /** Its process has ended and its id was reused. */
  @Test
  void aJournalOfAnEarlierProcessKeepsNoOtherUserOut() throws IOException {
    Path earlier = folder.resolve("earlier");
    SqueezeJournal.create(earlier, List.of(), self, start - 1, "0", -20).close();
    Path other = folder.resolve("other");
    try (SqueezeJournal journal =
        SqueezeJournal.create(other, List.of(earlier), self, start, "0", -20)) {
      assertThat(journal.file()).exists();
    }
  }

  @Test
  void theUsualSettingsAreThoseOfMostThreads() throws IOException {
    Path file;
    try (SqueezeJournal journal = journal()) {
      journal.originals(
          List.of(
              new SqueezeJournal.Original(6, 600, 0, "0"),
              new SqueezeJournal.Original(7, 700, 5, "0-1"),
              new SqueezeJournal.Original(8, 800, 0, "0-1"),
              new SqueezeJournal.Original(9, 900, 0, "0-1")));
      file = journal.file();
    }
    SqueezeJournal.Original usual = SqueezeJournal.read(file).usual();
    assertThat(usual.cpus()).isEqualTo("0-1");
    assertThat(usual.nice()).isZero();
  }

  /** Root's own folder comes first, and is often empty. */
  @Test
  void everyFolderIsRestored() throws IOException {
    Path file;
    try (SqueezeJournal journal = journal()) {
      file = journal.file();
    }
    Files.writeString(file, Files.readString(file).replace(Proc.bootId(), "another"));
    List<Path> folders = List.of(folder.resolve("none"), folder.resolve("empty"), file.getParent());
    Files.createDirectory(folder.resolve("empty"));
    assertThat(Squeezer.restoreAll(folders))
        .containsExactly(
            new Squeezer.Repaired(Long.toString(self), file, false, new Restore(0, 0, true), null));
    assertThat(file).doesNotExist();
  }

  /** A process killed while writing had not yet made the recorded change. */
  @Test
  void leavesOutALastLineThatWasCutOff() throws IOException {
    Path file;
    try (SqueezeJournal journal = journal()) {
      journal.originals(
          List.of(
              new SqueezeJournal.Original(9, 900, 0, "0-1"),
              new SqueezeJournal.Original(7, 700, 5, "1")));
      file = journal.file();
    }
    String text = Files.readString(file);
    for (int cut = 1; cut <= "thread 7 700 5 1\n".length(); cut++) {
      Files.writeString(file, text.substring(0, text.length() - cut));
      assertThat(SqueezeJournal.read(file).originals().keySet())
          .as("%d cut off", cut)
          .containsExactly(9);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "manx-squeeze 2\n",
        "manx-squeeze 3\nboot b n\ntarget 1 1\nguard 1 1\nset - 0 9\n",
        "manx-squeeze 2\nboot b\ntarget 1 1\nguard 1 1\nset - 0 9\n",
        "manx-squeeze 2\nboot b n\ntarget 1 1\nguard 1 1\nset - 0\n",
        "manx-squeeze 2\nboot b n\ntarget one 1\nguard 1 1\nset - 0 9\n",
        "manx-squeeze 2\nboot b n\ntarget 1 1\nguard 1 1\nset - 0 9\nthread 1 2\n"
      })
  void refusesADamagedOne(String text) throws IOException {
    Path file = folder.resolve("1.squeeze");
    Files.writeString(file, text);
    assertThatThrownBy(() -> SqueezeJournal.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString());
  }

  /** A JVM that can create files, but not write into them, as on a full disk. */
  public static final class OnFullDisk {
    public static void main(String[] a) {
      try {
        SqueezeJournal.create(Path.of(a[0]), List.of(), 1, 1, "0", -20);
        System.out.println("created");
      } catch (IOException e) {
        System.out.println("refused");
      }
    }
  }

  @Test
  void aFullDiskLeavesNoJournalThatWouldKeepSqueezesOut() throws Exception {
    Process process =
        new ProcessBuilder(
                "sh",
                "-c",
                "ulimit -f 0; exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                OnFullDisk.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(out.readLine()).isEqualTo("refused");
    } finally {
      process.destroyForcibly();
    }
    assertThat(SqueezeJournal.all(folder)).isEmpty();
  }

  /** Its writer was killed, or an earlier version left it on a full disk. */
  @ParameterizedTest
  @ValueSource(
      strings = {"", "manx-squ", "manx-squeeze 2\n", "manx-squeeze 2\nboot b n\ntarget 1 1\ngua"})
  void aJournalWithoutItsHeadIsOfNoChange(String text) throws IOException {
    Path file = Files.writeString(SqueezeJournal.file(folder, 1), text);
    assertThat(Squeezer.restoreAll(List.of(folder))).as("it may be in the making").hasSize(1);
    assertThat(file).exists();
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60)));
    assertThat(Squeezer.restoreAll(List.of(folder)))
        .containsExactly(new Squeezer.Repaired("1", file, false, new Restore(0, 0, false), null));
    assertThat(file).doesNotExist();
  }

  /** A container may share the folder: the ids in its journal are of other processes here. */
  @Test
  void aJournalOfAnotherNamespaceIsLeftAlone() throws IOException {
    Path file;
    try (SqueezeJournal journal = journal()) {
      file = journal.file();
    }
    String there = Files.readString(file).replace(Proc.pidNamespace(), "pid:[1]");
    Files.writeString(file, there);
    assertThat(SqueezeJournal.read(file).targetLives()).isFalse();
    assertThat(Squeezer.restoreAll(List.of(file.getParent())))
        .singleElement()
        .extracting(Squeezer.Repaired::failure)
        .asString()
        .contains("another namespace of process ids");
    assertThat(file).hasContent(there);
    Files.writeString(file, there.replace(Proc.bootId(), "another"));
    assertThat(Restore.of(file).ended()).as("of an earlier boot").isTrue();
    assertThat(file).doesNotExist();
  }

  @Test
  void aJournalOfAnEarlierBootIsOfNoProcess() throws IOException {
    Path file;
    try (SqueezeJournal journal = journal()) {
      file = journal.file();
    }
    Files.writeString(file, Files.readString(file).replace(Proc.bootId(), "another"));
    assertThat(SqueezeJournal.read(file).targetLives()).isFalse();
    assertThat(SqueezeJournal.read(file).guardLives()).isFalse();
    assertThat(Restore.of(file).ended()).isTrue();
    assertThat(file).doesNotExist();
  }
}
