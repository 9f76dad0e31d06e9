/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.manx.lab.experiment.Measured.Latency;
import dev.manx.policy.config.ConfigException;
import dev.manx.simulator.Check;
import dev.manx.simulator.Outcome;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.ResultFolder;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * The finished turns, one line each after a line with the revision, the environment's conditions
 * and calibrated values, in the result folder: an interrupted run that is restarted with this
 * folder continues after them. Deleted at the end of the run.
 */
final class Journal implements AutoCloseable {
  /* Of interleaved arms only complete rounds count: arms are compared inside rounds, and the
   * machine may have changed during the interruption. */

  /** The file's name in a result folder. */
  static final String FILE_NAME = "turns.jsonl";

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String REVISION = "revision";
  private static final String CONDITIONS = "conditions";
  private static final String CALIBRATED = "calibrated";
  private static final String TURN = "turn";
  private static final int MOST_NAMED = 3;
  private static final int MOST_LETTERS = 60;

  private final Path file;
  private final String revision;
  private final boolean sideBySide;
  private final JsonNode head;
  private final Map<String, JsonNode> ended;
  private final Map<String, Double> calibrated = new HashMap<>();
  private Map<String, String> conditions = Map.of();
  private BufferedWriter out;

  private Journal(
      Path file, String revision, boolean sideBySide, JsonNode head, Map<String, JsonNode> ended) {
    this.file = file;
    this.revision = revision;
    this.sideBySide = sideBySide;
    this.head = head;
    this.ended = ended;
    if (!ended.isEmpty()) {
      head.path(CALIBRATED)
          .properties()
          .forEach(one -> calibrated.put(one.getKey(), one.getValue().asDouble()));
    }
  }

  /**
   * Reads the journal of a folder, if present, without changing it. Creates a missing folder, so
   * that a failure is known before the start.
   *
   * @param revision of the project; turns of two revisions are not mixed
   * @throws ConfigException if turns of another experiment or revision would be lost
   */
  static <S, P> Journal open(Path folder, Experiment<S, P> experiment, String revision)
      throws IOException {
    Files.createDirectories(folder);
    Path file = folder.resolve(FILE_NAME);
    Map<String, JsonNode> ended = new HashMap<>();
    JsonNode head = JSON.createObjectNode();
    if (Files.exists(file)) {
      head = read(file, ended);
      if (!ended.isEmpty()) {
        refuse(folder, experiment.text(), head.path(REVISION).asText(), revision);
      }
    }
    boolean sideBySide = experiment.order() == Experiment.Order.SIDE_BY_SIDE;
    return new Journal(file, revision, sideBySide, head, ended);
  }

  /** Reads the finished turns into a map, and returns the first line. */
  private static JsonNode read(Path file, Map<String, JsonNode> lines) throws IOException {
    JsonNode head = JSON.createObjectNode();
    // A line truncated by the interruption may end inside a character.
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    for (String line : text.lines().toList()) {
      try {
        JsonNode node = JSON.readTree(line);
        head = node.has(REVISION) ? node : head;
        if (node.has(TURN)) {
          lines.put(node.get(TURN).asText(), node);
        }
      } catch (JsonProcessingException e) {
        // The last line, which the interruption truncated.
        break;
      }
    }
    return head;
  }

  private static void refuse(Path folder, String text, String before, String now)
      throws IOException {
    Path experiment = folder.resolve(ResultFolder.EXPERIMENT_FILE);
    String holds =
        !Files.exists(experiment) || !Files.readString(experiment).equals(text)
            ? "of another experiment, or of this one with other settings: run that one again"
            : before.equals(now)
                ? ""
                : "of revision " + words(before) + ", and this is " + words(now);
    if (!holds.isEmpty()) {
      throw another(folder, "are " + holds);
    }
  }

  private static ConfigException another(Path folder, String turns) {
    return new ConfigException(
        "--out",
        0,
        "out",
        folder.toString(),
        "another folder, since the finished turns in this one " + turns);
  }

  private static String words(String revision) {
    return revision.isEmpty() ? "unknown" : revision;
  }

  /**
   * Keeps the turns that need not be repeated.
   *
   * @param turns all turns of this run
   * @param now the conditions of the environment, by name
   * @throws ConfigException if the kept turns were played under others
   */
  synchronized void keep(List<? extends Turn<?, ?>> turns, Map<String, String> now) {
    if (!sideBySide) {
      onlyWhole(turns);
    }
    conditions = now;
    if (ended.isEmpty() || !head.has(CONDITIONS)) {
      return;
    }
    List<String> changes = changes(now);
    if (!changes.isEmpty()) {
      int others = changes.size() - MOST_NAMED;
      throw another(
          file.getParent(),
          "were played under other conditions: "
              + String.join("; ", changes.subList(0, Math.min(MOST_NAMED, changes.size())))
              + (others > 0 ? "; and " + others + " more" : ""));
    }
  }

  private List<String> changes(Map<String, String> now) {
    Map<String, String> before = new TreeMap<>();
    head.get(CONDITIONS)
        .properties()
        .forEach(one -> before.put(one.getKey(), one.getValue().asText()));
    Set<String> names = new TreeSet<>(before.keySet());
    names.addAll(now.keySet());
    return names.stream()
        .filter(name -> !Objects.equals(before.get(name), now.get(name)))
        .map(name -> change(name, shortened(before.get(name)), shortened(now.get(name))))
        .toList();
  }

  private static String change(String name, String before, String now) {
    return before.equals(now) ? name + " has changed" : name + " was " + before + " and is " + now;
  }

  private static String shortened(String value) {
    if (value == null) {
      return "missing";
    }
    String line = value.replaceAll("\\s+", " ").strip();
    return line.length() > MOST_LETTERS ? line.substring(0, MOST_LETTERS) + "..." : line;
  }

  /**
   * Opens the journal for further turns.
   *
   * @param values calibrated for all turns
   */
  synchronized void begin(Map<String, Double> values) throws IOException {
    // The old file is kept until the new one is complete.
    Path part = file.resolveSibling(FILE_NAME + ".part");
    try (BufferedWriter kept = Files.newBufferedWriter(part)) {
      ObjectNode first = JSON.createObjectNode().put(REVISION, revision);
      first.set(CONDITIONS, JSON.valueToTree(conditions));
      write(kept, first.set(CALIBRATED, JSON.valueToTree(values)));
      for (JsonNode line : ended.values()) {
        write(kept, line);
      }
    }
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    out = Files.newBufferedWriter(file, StandardOpenOption.APPEND);
  }

  private void onlyWhole(List<? extends Turn<?, ?>> turns) {
    Set<String> broken = new HashSet<>();
    for (Turn<?, ?> turn : turns) {
      if (!ended.containsKey(name(turn))) {
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

  /** The values calibrated for the finished turns; empty without finished turns. */
  Map<String, Double> calibrated() {
    return calibrated;
  }

  /** Number of turns that need not be repeated. */
  int size() {
    return ended.size();
  }

  boolean has(Turn<?, ?> turn) {
    return ended.containsKey(name(turn));
  }

  /** The result of a turn for which {@link #has} is true. */
  Measured get(Turn<?, ?> turn) throws IOException {
    JsonNode line = ended.get(name(turn));
    Measured measured = new Measured(line.get("start").asDouble(), line.get("window").asDouble());
    for (JsonNode one : line.get("classes")) {
      measured.latency(
          one.get("class").asText(),
          new Latency(
              one.get("count").asLong(),
              one.get("errors").asLong(),
              one.get("wrong").asLong(),
              one.get("perSecond").asDouble(),
              one.get("meanNanos").asDouble(),
              histogram(one.get("nanos").binaryValue())));
    }
    list(line, "metrics", Measured.Metric.class)
        .forEach(one -> measured.metric(one.name(), one.params(), one.value()));
    measured.timeline(list(line, "timeline", Outcome.Point.class));
    list(line, "marks", Measured.Mark.class)
        .forEach(one -> measured.mark(one.fromSeconds(), one.toSeconds(), one.label()));
    measured.checks(list(line, "checks", Check.class));
    measured.noise(line.get("foreign").asDouble(), line.get("stolen").asDouble());
    return line.has("growing")
        ? measured.queues(line.get("growing").asBoolean(), line.get("used").asDouble())
        : measured;
  }

  private static <T> List<T> list(JsonNode line, String name, Class<T> of) throws IOException {
    return JSON.readerForListOf(of).readValue(line.get(name));
  }

  /** Records a turn as soon as it has ended; any thread. */
  synchronized void add(Turn<?, ?> turn, Measured measured) throws IOException {
    ObjectNode line = JSON.createObjectNode();
    line.put(TURN, name(turn));
    line.put("start", measured.startSeconds()).put("window", measured.windowSeconds());
    for (Map.Entry<String, Latency> one : measured.classes().entrySet()) {
      Latency latency = one.getValue();
      line.withArray("classes")
          .addObject()
          .put("class", one.getKey())
          .put("count", latency.count())
          .put("errors", latency.errors())
          .put("wrong", latency.wrong())
          .put("perSecond", latency.perSecond())
          .put("meanNanos", latency.meanNanos())
          .put("nanos", bytes(latency.nanos()));
    }
    line.set("metrics", JSON.valueToTree(measured.metrics()));
    line.set("timeline", JSON.valueToTree(measured.timeline()));
    line.set("marks", JSON.valueToTree(measured.marks()));
    line.set("checks", JSON.valueToTree(measured.checks()));
    line.put("foreign", measured.foreignCores()).put("stolen", measured.stolenCores());
    if (measured.knowsQueues()) {
      line.put("growing", measured.isGrowing()).put("used", measured.utilisationPct());
    }
    write(out, line);
  }

  private static void write(BufferedWriter out, JsonNode line) throws IOException {
    out.write(JSON.writeValueAsString(line));
    out.newLine();
    out.flush();
  }

  private static byte[] bytes(Histogram nanos) {
    ByteBuffer buffer = ByteBuffer.allocate(nanos.getNeededByteBufferCapacity());
    return Arrays.copyOf(buffer.array(), nanos.encodeIntoCompressedByteBuffer(buffer));
  }

  private static Histogram histogram(byte[] bytes) throws IOException {
    try {
      return Histogram.decodeFromCompressedByteBuffer(
          ByteBuffer.wrap(bytes), Histograms.HIGHEST_NANOS);
    } catch (DataFormatException e) {
      throw new IOException("a damaged histogram in " + FILE_NAME, e);
    }
  }

  /** The run has ended: the journal is no longer needed. */
  synchronized void end() throws IOException {
    out.close();
    Files.delete(file);
  }

  @Override
  public synchronized void close() throws IOException {
    if (out != null) {
      out.close();
    }
  }
}
