/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.manx.lab.experiment.Measured.Latency;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.ResultFolder;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * The finished turns, one line each, in the result folder: an interrupted run that is restarted
 * with this folder continues after them. Deleted at the end of the run.
 */
final class Journal implements AutoCloseable {
  /* Of interleaved arms only complete rounds count: arms are compared inside rounds, and the
   * machine may have changed during the interruption. */

  /** The file's name in a result folder. */
  static final String FILE_NAME = "turns.jsonl";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final BufferedWriter out;
  private final Map<String, JsonNode> ended;

  private Journal(Path file, Map<String, JsonNode> ended) throws IOException {
    this.file = file;
    this.ended = ended;
    Files.createDirectories(file.getParent());
    out = Files.newBufferedWriter(file);
    for (JsonNode line : ended.values()) {
      write(line);
    }
  }

  /** Opens the journal of a folder; that of another experiment is replaced. */
  static <S, P> Journal open(Path folder, Experiment<S, P> experiment) throws IOException {
    Path file = folder.resolve(FILE_NAME);
    Path text = folder.resolve(ResultFolder.EXPERIMENT_FILE);
    boolean goesOn =
        Files.exists(file)
            && Files.exists(text)
            && Files.readString(text).equals(experiment.text());
    return new Journal(file, goesOn ? whole(read(file), experiment) : Map.of());
  }

  private static Map<String, JsonNode> read(Path file) throws IOException {
    Map<String, JsonNode> lines = new HashMap<>();
    for (String line : Files.readAllLines(file)) {
      try {
        JsonNode node = JSON.readTree(line);
        lines.put(node.get("turn").asText(), node);
      } catch (JsonProcessingException e) {
        // The last line, which the interruption truncated.
        break;
      }
    }
    return lines;
  }

  private static <S, P> Map<String, JsonNode> whole(
      Map<String, JsonNode> lines, Experiment<S, P> experiment) {
    if (experiment.order() == Experiment.Order.SIDE_BY_SIDE) {
      return lines;
    }
    Set<String> broken = new HashSet<>();
    for (Turn<S, P> turn : experiment.turns()) {
      if (!lines.containsKey(name(turn))) {
        broken.add(round(turn));
      }
    }
    for (Turn<S, P> turn : experiment.turns()) {
      if (broken.contains(round(turn))) {
        lines.remove(name(turn));
      }
    }
    return lines;
  }

  private static String name(Turn<?, ?> turn) {
    return turn.words() + "  seed " + turn.seed();
  }

  private static String round(Turn<?, ?> turn) {
    return turn.point().load() + " " + turn.seed() + " " + turn.round();
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
    list(line, "timeline", Measured.Moment.class)
        .forEach(one -> measured.moment(one.seconds(), one.entity(), one.metric(), one.value()));
    list(line, "marks", Measured.Mark.class)
        .forEach(one -> measured.mark(one.fromSeconds(), one.toSeconds(), one.label()));
    list(line, "checks", Measured.Check.class)
        .forEach(one -> measured.check(one.name(), one.holds(), one.detail()));
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
    line.put("turn", name(turn));
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
    write(line);
  }

  private void write(JsonNode line) throws IOException {
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
    out.close();
  }
}
