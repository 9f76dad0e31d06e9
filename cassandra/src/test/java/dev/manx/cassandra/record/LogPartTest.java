/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.control.Counters;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts of a log's file, as read by clients. */
class LogPartTest {
  @TempDir Path folder;

  private static byte[] log(int bytes) {
    byte[] log = new byte[bytes];
    Arrays.fill(log, (byte) 'x');
    byte[] head = "manx-decisions version=1 ".getBytes(StandardCharsets.UTF_8);
    System.arraycopy(head, 0, log, 0, head.length);
    return log;
  }

  @Test
  void partsTogetherAreTheFileAndNoneIsLarger() throws Exception {
    byte[] log = log(2 * LogPart.BYTES + 17);
    log[LogPart.BYTES] = 'y';
    Path file = Files.write(folder.resolve("log"), log);
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (int part = 0; part < 3; part++) {
      LogPart read = LogPart.read(file, part).orElseThrow();
      assertThat(read.bytes().remaining()).isEqualTo(part < 2 ? LogPart.BYTES : 17);
      assertThat(read.fileBytes()).isEqualTo(log.length);
      joined.write(read.bytes().array());
    }
    assertThat(joined.toByteArray()).isEqualTo(log);
    assertThat(LogPart.read(file, 3)).isEmpty();
    assertThat(LogPart.read(file, Integer.MAX_VALUE)).isEmpty();
    assertThat(LogPart.read(file, -1)).isEmpty();
  }

  @Test
  void aFileThatIsNotADecisionLogIsNotRead() throws Exception {
    Path other = Files.writeString(folder.resolve("passwords"), "root:x:0:0:and so on");
    assertThat(LogPart.read(other, 0)).isEmpty();
    assertThat(LogPart.read(folder.resolve("none"), 0)).isEmpty();
    assertThat(LogPart.read(folder, 0)).isEmpty();
    assertThat(LogPart.read(Files.writeString(folder.resolve("short"), "manx"), 0)).isEmpty();
  }

  @Test
  void aLogThatAnEarlierStartLeftCanBeRead() throws Exception {
    Path file = Files.write(folder.resolve("log"), log(100));
    RecordingSwitch recorder =
        new RecordingSwitch(
            new RecordConfig(false, file, LogPart.BYTES, 1),
            new Counters(),
            new LogHost("here", 8, Map::of, () -> 4, () -> 0));
    assertThat(recorder.part(0).map(LogPart::fileBytes)).isEqualTo(Optional.of(100L));
    assertThat(recorder.part(1)).isEmpty();
  }

  /** The file is that of another recording, or not of Manx at all. */
  @Test
  void ofARecordingThatCouldNotBeginNothingIsRead() throws Exception {
    Path file = Files.write(folder.resolve("log"), log(100));
    Path kept = Files.writeString(folder.resolve("log.1"), "not of Manx\n");
    RecordingSwitch recorder =
        new RecordingSwitch(
            new RecordConfig(false, file, LogPart.BYTES, 1),
            new Counters(),
            new LogHost("here", 8, Map::of, () -> 4, () -> 0));
    recorder.set("requests");
    LogFile failed = recorder.log();
    failed.await();
    assertThat(recorder.describe()).startsWith("failed (").contains(kept.toString());
    assertThat(file).exists();
    assertThat(recorder.part(0)).isEmpty();
    Files.delete(kept);
    recorder.set("requests");
    LogFile next = recorder.log();
    recorder.set("off");
    next.await();
    assertThat(recorder.part(0)).isPresent();
  }

  @Test
  void aLinkIsFollowed() throws Exception {
    Path file = Files.write(folder.resolve("log"), log(100));
    Path link = folder.resolve("loop");
    Files.createSymbolicLink(link, file);
    assertThat(LogPart.read(link, 0)).isPresent();
    Files.delete(file);
    assertThat(LogPart.read(link, 0)).as("a link to nothing").isEmpty();
  }
}
