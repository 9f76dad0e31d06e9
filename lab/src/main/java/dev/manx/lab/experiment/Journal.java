/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.manx.lab.experiment.JournalHead.Continuation;
import dev.manx.policy.config.ConfigException;
import dev.manx.workload.result.ResultFolder;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The finished turns, one line each after a line with the circumstances ({@link JournalHead}), in
 * the result folder: an interrupted run that is restarted with this folder continues after them.
 * Deleted at the end of the run. While it is open, no other run can open the folder.
 */
final class Journal implements AutoCloseable {
  /*
   * For interleaved arms only complete rounds count: arms are compared inside rounds, and the
   * machine may have changed during the interruption.
   */

  /** The file's name in a result folder. */
  static final String FILE_NAME = "turns.jsonl";

  /** The next version of the file, before it replaces the file. */
  static final String PART_NAME = FILE_NAME + ".part";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final RunLock lock;
  private final Path file;
  private final boolean sideBySide;
  private final Instant now;

  /** The head of the earlier parts; null without finished turns. */
  private JournalHead before;

  private JournalHead head;

  /**
   * The finished turns as text, which takes less memory; a line is dropped once its turn was
   * requested.
   */
  private final Map<String, JournalLine> ended = new ConcurrentHashMap<>();

  private BufferedWriter out;

  private Journal(RunLock lock, Path file, boolean sideBySide, JournalHead head, Instant now) {
    this.lock = lock;
    this.file = file;
    this.sideBySide = sideBySide;
    this.head = head;
    this.now = now;
  }

  /**
   * Reads the journal of a folder, if present, without changing it. Creates a missing folder, so
   * that a failure is known before the start.
   *
   * @param revision of the project; turns of two revisions are not mixed
   * @param now start of this part of the run
   * @throws ConfigException if turns of another experiment or revision would be lost, or another
   *     run writes there
   * @throws IOException if the folder or one of its files cannot be written
   */
  static <S, P> Journal open(Path folder, Experiment<S, P> experiment, String revision, Instant now)
      throws IOException {
    Files.createDirectories(folder);
    RunLock lock = RunLock.of(folder);
    boolean open = false;
    try {
      checkWritable(folder);
      Journal journal =
          new Journal(
              lock,
              folder.resolve(FILE_NAME),
              experiment.order() == Experiment.Order.SIDE_BY_SIDE,
              JournalHead.first(revision, now),
              now);
      journal.read(experiment.text());
      open = true;
      return journal;
    } finally {
      if (!open) {
        lock.close();
      }
    }
  }

  /** An earlier part may have been another user's. */
  private static void checkWritable(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!Files.isWritable(file)) {
          throw new AccessDeniedException(file.toString());
        }
      }
    }
  }

  /** Reads the finished turns and their head. */
  private void read(String experiment) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    // A line truncated by the interruption may end inside a character, which this replaces.
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode node = JSON.readTree(line);
        if (JournalLine.isTurn(node)) {
          JournalLine turn = JournalLine.of(node, line);
          ended.put(turn.turn(), turn);
        } else if (before == null) {
          before = JournalHead.of(node);
        }
      }
    } catch (JsonProcessingException e) {
      // The last line, which the interruption truncated.
    }
    if (!ended.isEmpty()) {
      refuse(experiment);
    }
  }

  private void refuse(String text) throws IOException {
    Path experiment = file.resolveSibling(ResultFolder.EXPERIMENT_FILE);
    if (before == null || !Files.exists(experiment) || !Files.readString(experiment).equals(text)) {
      throw another(
          "are of another experiment, or of this one with other settings: run that one again");
    }
    if (!before.revision().equals(head.revision())) {
      throw another(
          "are of revision "
              + words(before.revision())
              + ", and this is "
              + words(head.revision()));
    }
  }

  private ConfigException another(String turns) {
    return new ConfigException(
        "--out",
        0,
        "out",
        file.getParent().toString(),
        "another folder, since the finished turns in this one " + turns);
  }

  private static String words(String revision) {
    return revision.isEmpty() ? "unknown" : revision;
  }

  /**
   * Keeps the turns that need not be repeated.
   *
   * @param turns all turns of the experiment
   * @param has whether an arm can be played now
   * @param conditions of the environment, by name
   * @throws ConfigException if the kept turns were played under others, or with other arms
   */
  synchronized <S, P> void keep(
      List<Turn<S, P>> turns, Predicate<Arm<S>> has, Map<String, String> conditions) {
    List<Turn<S, P>> playable = turns.stream().filter(turn -> has.test(turn.arm())).toList();
    head =
        head.under(
            playable.stream().map(turn -> turn.arm().name()).distinct().sorted().toList(),
            conditions);
    if (!ended.isEmpty() && !sideBySide) {
      onlyWhole(turns.stream().filter(turn -> before.arms().contains(turn.arm().name())).toList());
    }
    if (ended.isEmpty()) {
      return;
    }
    String changes = before.changes(head);
    if (!changes.isEmpty()) {
      throw another("were played under other conditions: " + changes);
    }
    int round =
        playable.stream()
            .filter(turn -> !sideBySide && !has(turn))
            .mapToInt(Turn::round)
            .findFirst()
            .orElse(0);
    head = before.continued(new Continuation(ended.size(), round, now.toString()));
  }

  /**
   * Opens the journal for further turns; once more if the calibrated values were not yet known.
   *
   * @param values calibrated for all turns
   */
  synchronized void begin(Map<String, Double> values) throws IOException {
    closeFile();
    head = head.with(values);
    // The old file is kept until the new one is complete.
    Path part = file.resolveSibling(PART_NAME);
    try (BufferedWriter kept = Files.newBufferedWriter(part)) {
      write(kept, JSON.writeValueAsString(head));
      for (JournalLine line : ended.values()) {
        write(kept, line.text());
      }
    }
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    out = Files.newBufferedWriter(file, StandardOpenOption.APPEND);
  }

  private void onlyWhole(List<? extends Turn<?, ?>> turns) {
    Set<String> broken = new HashSet<>();
    for (Turn<?, ?> turn : turns) {
      if (!has(turn)) {
        broken.add(round(turn));
      }
    }
    for (Turn<?, ?> turn : turns) {
      if (broken.contains(round(turn))) {
        ended.remove(name(turn));
      }
    }
  }

  private static String name(Turn<?, ?> turn) {
    return turn.words() + "  seed " + turn.seed();
  }

  private static String round(Turn<?, ?> turn) {
    return turn.point().load() + " " + turn.seed() + " " + turn.round();
  }

  /** The circumstances of the whole run. */
  synchronized JournalHead head() {
    return head;
  }

  /** Number of turns that need not be repeated, before any of them is requested. */
  int size() {
    return ended.size();
  }

  /** Number of repeats because of noise in these turns. */
  int repeats() {
    return ended.values().stream().mapToInt(JournalLine::repeats).sum();
  }

  boolean has(Turn<?, ?> turn) {
    return ended.containsKey(name(turn));
  }

  /** The result of a turn for which {@link #has} is true; once. */
  Measured get(Turn<?, ?> turn) throws IOException {
    return ended.remove(name(turn)).measured();
  }

  /**
   * Records a turn as soon as it has ended; any thread.
   *
   * @param repeats of it because of noise
   */
  void add(Turn<?, ?> turn, Measured measured, int repeats) throws IOException {
    String line = JournalLine.of(name(turn), measured, repeats).text();
    synchronized (this) {
      write(out, line);
    }
  }

  private static void write(BufferedWriter out, String line) throws IOException {
    out.write(line);
    out.newLine();
    out.flush();
  }

  /** The run has ended: the journal is no longer needed. */
  synchronized void end() throws IOException {
    closeFile();
    Files.delete(file);
  }

  private void closeFile() throws IOException {
    if (out != null) {
      out.close();
    }
  }

  @Override
  public synchronized void close() throws IOException {
    try (lock) {
      closeFile();
    }
  }
}
