/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.manx.lab.experiment.Measured.Latency;
import dev.manx.simulator.Check;
import dev.manx.simulator.Outcome;
import dev.manx.workload.result.Histograms;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * A finished turn as a line of the {@link Journal}.
 *
 * @param turn its name
 * @param repeats because of noise
 * @param text the whole line
 */
record JournalLine(String turn, int repeats, String text) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TURN = "turn";
  private static final String REPEATS = "repeats";

  static boolean isTurn(JsonNode line) {
    return line.has(TURN);
  }

  static JournalLine of(JsonNode line, String text) {
    return new JournalLine(line.get(TURN).asText(), line.path(REPEATS).asInt(), text);
  }

  static JournalLine of(String turn, Measured measured, int repeats) throws IOException {
    ObjectNode line = JSON.createObjectNode();
    line.put(TURN, turn).put(REPEATS, repeats);
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
    return new JournalLine(turn, repeats, JSON.writeValueAsString(line));
  }

  Measured measured() throws IOException {
    JsonNode line = JSON.readTree(text);
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

  private static byte[] bytes(Histogram nanos) {
    ByteBuffer buffer = ByteBuffer.allocate(nanos.getNeededByteBufferCapacity());
    return Arrays.copyOf(buffer.array(), nanos.encodeIntoCompressedByteBuffer(buffer));
  }

  private static Histogram histogram(byte[] bytes) throws IOException {
    try {
      return Histogram.decodeFromCompressedByteBuffer(
          ByteBuffer.wrap(bytes), Histograms.HIGHEST_NANOS);
    } catch (DataFormatException e) {
      throw new IOException("a damaged histogram in " + Journal.FILE_NAME, e);
    }
  }
}
