/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Counters;
import dev.manx.cassandra.control.Mode;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.record.Answer;
import dev.manx.policy.record.DecisionLog;
import dev.manx.policy.record.LogHead;
import dev.manx.policy.record.LogLine;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The log on its disk: bounded, without blocking, and with one prominent error. */
class LogFileTest {
  private static final LogHead HEAD = new LogHead(7, 1, 8, Map.of("node", "here"));
  private static final Map<Integer, String> NAMES = Map.of(3, "127.0.0.3:7000");
  private static final long SMALLEST = 64 << 10;
  private static final long CLOCK = 5_000_000_000L;

  @TempDir Path folder;
  private final Counters counters = new Counters();

  private RecordConfig config(Path file) {
    return new RecordConfig(false, file, SMALLEST, 1);
  }

  private EngineLog engine(RecordingSwitch recorder) {
    return recorder.of("strategy: {}", Mode.ON);
  }

  private RecordingSwitch recorder(Path file) {
    return new RecordingSwitch(
        config(file), counters, new LogHost("here", 8, () -> NAMES, () -> 4, () -> CLOCK));
  }

  private static LogLine line(int length) {
    return new LogLine(DecisionLog.ANSWER).put("x", "x".repeat(length));
  }

  private static DecisionLog read(Path file) throws IOException {
    return new DecisionLog("log", ByteBuffer.wrap(Files.readAllBytes(file)));
  }

  private static int count(DecisionLog log, String kind) {
    int lines = 0;
    for (LogLine line = log.next(); line != null; line = log.next()) {
      lines += line.kind().equals(kind) ? 1 : 0;
    }
    return lines;
  }

  @Test
  void recordsAreWrittenAfterTheirStrategy() throws Exception {
    Path file = folder.resolve("new/folder/log");
    LogFile log = new LogFile(config(file), HEAD, () -> NAMES, counters, null);
    log.start();
    RecordingSwitch recorder = recorder(file);
    EngineLog one = engine(recorder);
    EngineLog two = engine(recorder);
    log.offer(one, line(1));
    log.offer(two, line(1));
    log.offer(one, line(1));
    log.close(CLOCK);
    log.await();
    DecisionLog read = read(file);
    StringBuilder kinds = new StringBuilder();
    for (LogLine line = read.next(); line != null; line = read.next()) {
      kinds.append(line.kind());
    }
    assertThat(kinds.toString()).isEqualTo("NSASAAE");
    assertThat(read.end().text("why")).isEqualTo("closed");
    assertThat(read.end().number("t")).as("its rates are of this time").isEqualTo(CLOCK);
    assertThat(counters.get(Counter.DECISIONS_RECORDED)).isEqualTo(3);
    assertThat(counters.get(Counter.DECISIONS_NOT_RECORDED)).isZero();
    assertThat(log.describe()).startsWith("off: ").contains(file.toString());
  }

  /** All users of the node could read it, and it contains the tokens of keys. */
  @Test
  void onlyItsOwnerCanReadIt() throws Exception {
    Path file = folder.resolve("log");
    RecordingSwitch recorder = recorder(file);
    for (int log = 0; log < 2; log++) {
      recorder.set("on");
      LogFile begun = recorder.log();
      recorder.set("off");
      begun.await();
    }
    // As a version wrote it that gave all users the right to read.
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    LogFile last = new LogFile(config(file), HEAD, () -> NAMES, counters, null);
    last.start();
    last.close(CLOCK);
    last.await();
    for (Path one : List.of(file, folder.resolve("log.1"))) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(one)))
          .as(one.toString())
          .isEqualTo("rw-------");
    }
    assertThat(counters.get(Counter.RECORD_FAILURES)).isZero();
  }

  @Test
  void theHeadRelatesTheLogsTimesToTheNodesClock() throws Exception {
    Path file = folder.resolve("log");
    RecordingSwitch recorder = recorder(file);
    recorder.set("on");
    LogFile log = recorder.log();
    recorder.set("off");
    log.await();
    Map<String, String> about = read(file).head().about();
    assertThat(Instant.ofEpochSecond(0, Long.parseLong(about.get(LogHead.EPOCH)) + CLOCK))
        .isBetween(
            Instant.parse(about.get("started")),
            Instant.parse(about.get("started")).plusSeconds(1));
  }

  @Test
  void aFullLogEndsAndCountsMissingLines() throws Exception {
    Path file = folder.resolve("log");
    LogFile log = new LogFile(config(file), HEAD, () -> NAMES, counters, null);
    EngineLog engine = engine(recorder(file));
    for (int i = 0; i < 100; i++) {
      log.offer(engine, line(1_000));
    }
    log.start();
    log.await();
    assertThat(Files.size(file)).isLessThanOrEqualTo(SMALLEST);
    DecisionLog read = read(file);
    int written = count(read, DecisionLog.ANSWER);
    assertThat(written).isBetween(50, 64);
    assertThat(read.end().text("why")).isEqualTo("full");
    assertThat(read.end().number("recorded")).isEqualTo(written);
    assertThat(counters.get(Counter.DECISIONS_RECORDED)).isEqualTo(written);
    assertThat(counters.get(Counter.DECISIONS_NOT_RECORDED)).isEqualTo(100 - written);
    assertThat(read.end().number("dropped")).as("all lie after its last line").isZero();
    log.offer(engine, line(1));
    assertThat(counters.get(Counter.DECISIONS_NOT_RECORDED)).isEqualTo(101 - written);
    assertThat(log.describe()).startsWith("full: ");
    assertThat(counters.get(Counter.RECORD_FAILURES)).isZero();
  }

  @Test
  void aFullLogCountsOnlyTheMissingLinesBeforeItsEnd() throws Exception {
    Path file = folder.resolve("log");
    LogFile log = new LogFile(config(file), HEAD, () -> NAMES, counters, null);
    EngineLog engine = engine(recorder(file));
    for (int i = 0; i < 100; i++) {
      if (i == 20 || i == 90) {
        log.drop();
      }
      log.offer(engine, line(1_000));
    }
    log.start();
    log.await();
    DecisionLog read = read(file);
    assertThat(count(read, DecisionLog.ANSWER)).isBetween(50, 64);
    assertThat(read.end().number("dropped")).isEqualTo(1);
  }

  @Test
  void aDiskThatHangsBlocksNoThreadAndTheBufferIsBounded() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    Path file = folder.resolve("log");
    LogFile log =
        new LogFile(
            new RecordConfig(false, file, 1 << 30, 1),
            HEAD,
            () -> NAMES,
            counters,
            null,
            path -> {
              try {
                hangs.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
              return Files.newOutputStream(path);
            });
    log.start();
    EngineLog engine = engine(recorder(file));
    int lines = (int) (2 * LogFile.BUFFER_BYTES / 10_000);
    for (int i = 0; i < lines; i++) {
      log.offer(engine, line(10_000));
    }
    assertThat(counters.get(Counter.DECISIONS_NOT_RECORDED)).isGreaterThan(lines / 3);
    hangs.countDown();
    log.close(CLOCK);
    log.await();
    assertThat(counters.get(Counter.DECISIONS_RECORDED))
        .isEqualTo(lines - counters.get(Counter.DECISIONS_NOT_RECORDED));
    assertThat(count(read(file), DecisionLog.ANSWER))
        .isEqualTo((int) counters.get(Counter.DECISIONS_RECORDED));
  }

  /** Each log that waits for its disk has a thread and a buffer. */
  @Test
  @Timeout(60)
  void aDiskThatHangsGetsOnlyAFewLogsToWrite() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    RecordingSwitch recorder =
        new RecordingSwitch(
            config(folder.resolve("log")),
            counters,
            new LogHost("here", 8, () -> NAMES, () -> 4, () -> CLOCK),
            path -> {
              try {
                hangs.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
              return Files.newOutputStream(path);
            });
    LogFile last = null;
    for (int log = 0; log < RecordingSwitch.MOST_LOGS; log++) {
      recorder.set("on");
      last = recorder.log();
    }
    for (int again = 0; again < 100; again++) {
      assertThatThrownBy(() -> recorder.set("50%"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("not on disk yet");
    }
    assertThat(recorder.log()).as("continues").isSameAs(last);
    recorder.take(new RecordConfig(true, folder.resolve("other"), SMALLEST, 1));
    assertThat(recorder.log()).as("a reload does not fail because of it").isNull();
    hangs.countDown();
    last.await();
    recorder.set("on");
    LogFile next = recorder.log();
    assertThat(next).isNotNull();
    recorder.set("off");
    next.await();
  }

  @Test
  void settingsTakenAgainBeginALogAfterOneThatFailedButNotAfterAFullOne() throws Exception {
    AtomicBoolean broken = new AtomicBoolean(true);
    RecordConfig on = new RecordConfig(true, folder.resolve("log"), SMALLEST, 1);
    RecordingSwitch recorder =
        new RecordingSwitch(
            on,
            counters,
            new LogHost("here", 8, () -> NAMES, () -> 4, () -> CLOCK),
            path -> {
              if (broken.get()) {
                throw new IOException("No space left on device");
              }
              return Files.newOutputStream(path);
            });
    recorder.begin();
    LogFile first = recorder.log();
    first.await();
    assertThat(recorder.config().on()).as("a reload has something to change").isFalse();
    broken.set(false);
    recorder.take(on);
    LogFile second = recorder.log();
    assertThat(second).isNotSameAs(first);
    assertThat(recorder.config()).isEqualTo(on);
    for (int i = 0; i < 100; i++) {
      second.offer(engine(recorder), line(1_000));
    }
    second.await();
    assertThat(recorder.describe()).startsWith("full: ");
    recorder.take(on);
    assertThat(recorder.log()).as("what is recorded stays").isSameAs(second);
  }

  /** As persisted, before the start. */
  @Test
  void onUsesTheSampleOfTheFileAndNotThatOfTheLastSwitch() throws Exception {
    RecordConfig file = new RecordConfig(false, folder.resolve("log"), SMALLEST, 0.01);
    RecordingSwitch recorder =
        new RecordingSwitch(
            file.switched("requests 100%").orElseThrow(),
            counters,
            new LogHost("here", 8, () -> NAMES, () -> 4, () -> CLOCK));
    recorder.begin();
    LogFile first = recorder.log();
    assertThat(first.sample()).isEqualTo(1);
    recorder.set("off");
    assertThat(recorder.config().sample()).as("what 'on' would use").isEqualTo(0.01);
    recorder.set("on");
    LogFile second = recorder.log();
    assertThat(second.sample()).isEqualTo(0.01);
    assertThat(second.requestsOnly()).isFalse();
    recorder.set("off");
    second.await();
  }

  @Test
  void anotherSampleInTheFileEndsNoLogOfASwitch() throws Exception {
    RecordConfig file = new RecordConfig(false, folder.resolve("log"), SMALLEST, 0.01);
    RecordConfig other = new RecordConfig(false, folder.resolve("log"), SMALLEST, 0.02);
    RecordingSwitch recorder = recorder(folder.resolve("log"));
    recorder.take(file.switched("requests 100%").orElseThrow());
    LogFile first = recorder.log();
    recorder.take(other.switched("requests 100%").orElseThrow());
    assertThat(recorder.log()).isSameAs(first);
    recorder.set("on");
    LogFile second = recorder.log();
    assertThat(second.sample()).isEqualTo(0.02);
    recorder.set("off");
    second.await();
  }

  /** Cassandra handles the error of the thread; the log has ended all the same. */
  @Test
  void anErrorEndsTheLogAsAFaultOfItsDiskDoes() throws Exception {
    LogFile log =
        new LogFile(
            config(folder.resolve("log")),
            HEAD,
            () -> NAMES,
            counters,
            null,
            path -> {
              throw new NoClassDefFoundError("a test");
            });
    log.start();
    log.await();
    assertThat(log.hasFailed()).isTrue();
    assertThat(log.describe()).startsWith("failed (java.lang.NoClassDefFoundError: a test)");
    assertThat(counters.get(Counter.RECORD_FAILURES)).isEqualTo(1);
  }

  @Test
  void aFullDiskEndsTheLogAndNothingElse() throws Exception {
    Path file = folder.resolve("log");
    LogFile log =
        new LogFile(
            config(file),
            HEAD,
            () -> NAMES,
            counters,
            null,
            path ->
                new OutputStream() {
                  @Override
                  public void write(int one) throws IOException {
                    throw new IOException("No space left on device");
                  }
                });
    log.start();
    log.await();
    EngineLog engine = engine(recorder(file));
    log.offer(engine, line(1));
    assertThat(log.describe()).startsWith("failed (").contains("No space left on device");
    assertThat(counters.get(Counter.RECORD_FAILURES)).isEqualTo(1);
    assertThat(counters.get(Counter.DECISIONS_NOT_RECORDED)).isEqualTo(1);
  }

  @Test
  void aFolderThatCannotBeMadeEndsTheLog() throws Exception {
    Path occupied = Files.createFile(folder.resolve("occupied"));
    LogFile log = new LogFile(config(occupied.resolve("log")), HEAD, () -> NAMES, counters, null);
    log.start();
    log.await();
    assertThat(log.describe()).startsWith("failed (");
    assertThat(counters.get(Counter.RECORD_FAILURES)).isEqualTo(1);
  }

  @Test
  void pathsThatAreNotFilesAreLeftAlone() throws Exception {
    LogFile log = new LogFile(config(folder), HEAD, () -> NAMES, counters, null);
    log.start();
    log.await();
    assertThat(log.describe()).contains("not a regular file");
    assertThat(folder).isDirectory();
  }

  /** The reason was only that the file already exists, which it does not. */
  @Test
  void aLinkWithoutATargetIsNamed() throws Exception {
    Path target = folder.resolve("unmounted/log");
    Path link = Files.createSymbolicLink(folder.resolve("log"), target);
    LogFile log = write(link);
    assertThat(log.describe())
        .startsWith("failed (")
        .contains(link + " is a link to " + target + ", which does not exist");
    assertThat(link).isSymbolicLink();
    assertThat(counters.get(Counter.RECORD_FAILURES)).isEqualTo(1);
  }

  /** As {@code file: system.log} would name one by mistake. */
  @ParameterizedTest
  @ValueSource(strings = {"log", "log.1"})
  void aFileThatManxDidNotWriteIsLeftAlone(String other) throws Exception {
    Path file = folder.resolve("log");
    write(file);
    Path foreign = folder.resolve(other);
    Files.writeString(foreign, "cluster_name: important\n");
    LogFile log = write(file);
    assertThat(log.describe())
        .startsWith("failed (")
        .contains(foreign + " was not written by Manx and is left as it is");
    assertThat(counters.get(Counter.RECORD_FAILURES)).isEqualTo(1);
    assertThat(foreign).hasContent("cluster_name: important\n");
    assertThat(folder.toFile().list()).hasSize(other.equals("log") ? 1 : 2);
    if (!other.equals("log")) {
      assertThat(read(file).head().seed()).as("of the existing log").isEqualTo(HEAD.seed());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "manx-dec"})
  void aLogCutOffByAFullDiskIsReplaced(String left) throws Exception {
    Path file = Files.writeString(folder.resolve("log"), left);
    assertThat(write(file).describe()).startsWith("off: ");
    assertThat(read(file).head().seed()).isEqualTo(HEAD.seed());
  }

  private LogFile write(Path file) throws InterruptedException {
    LogFile log = new LogFile(config(file), HEAD, () -> NAMES, counters, null);
    log.start();
    log.close(CLOCK);
    log.await();
    return log;
  }

  @Test
  void ofRequestsOnlyNeitherQueuesNorAnswersAreRecorded() throws Exception {
    Path file = folder.resolve("log");
    RecordingSwitch recorder = recorder(file);
    recorder.set("requests");
    EngineLog engine = engine(recorder);
    ClusterState state = new ClusterState(8, 8);
    assertThat(engine.before(1, 9)).isNull();
    engine.ended(Answer.Ending.ANSWERED, 3, 1, 1, 1, state);
    engine.executed(9, 1, 2, 3, true);
    engine.requestEnded(9, 4, 5, false, 32, false, true);
    LogFile log = recorder.log();
    recorder.set("off");
    log.await();
    assertThat(count(read(file), DecisionLog.ANSWER)).isZero();
    assertThat(count(read(file), DecisionLog.EXECUTED)).isEqualTo(1);
    assertThat(count(read(file), DecisionLog.REQUEST)).isEqualTo(1);
    recorder.set("requests 5%");
    assertThat(recorder.describe()).contains("5.0% of the requests sampled");
    assertThat(recorder.config().text()).isEqualTo("requests 5%");
    LogFile second = recorder.log();
    recorder.set("off");
    second.await();
  }

  @Test
  void anEarlierLogIsKeptOnce() throws Exception {
    Path file = folder.resolve("log");
    RecordingSwitch recorder = recorder(file);
    assertThat(recorder.describe()).isEqualTo("off");
    for (String value : new String[] {"on", "50%", "0.25"}) {
      recorder.set(value);
    }
    LogFile last = recorder.log();
    assertThat(last.sample()).isEqualTo(0.25);
    assertThat(recorder.describe()).startsWith("on: ").contains("25.0% sampled");
    recorder.set("off");
    last.await();
    assertThat(recorder.log()).isNull();
    assertThat(read(file).head().sample()).isEqualTo(0.25);
    assertThat(read(folder.resolve("log.1")).head().sample()).isEqualTo(0.5);
    assertThat(folder.toFile().list()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"maybe", "0", "150%", "", "-1"})
  void otherSwitchesAreRefused(String value) {
    RecordingSwitch recorder = recorder(folder.resolve("log"));
    assertThatThrownBy(() -> recorder.set(value))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("off, on, a share");
    assertThat(recorder.describe()).isEqualTo("off");
  }
}
