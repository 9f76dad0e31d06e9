/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.manx.lab.experiment.NamedFiles;
import dev.manx.lab.experiment.WorkloadReader;
import dev.manx.lab.kind.TraceLines;
import dev.manx.lab.kind.simulator.SourceReader.Described;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.simulator.recorded.ArrivalTimes;
import dev.manx.simulator.source.TraceSpec;
import dev.manx.workload.Arrivals;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads {@code workload: { kind: trace }}: requests in a file of one JSON object per line, {@code
 * {"t": 0.25, "keys": ["a", "b"], "bytes": [100, 2000]}}; plain or {@code .gz}.
 * docs/research/simulator.md describes the format for users.
 */
final class OwnTraceReader {
  private static final int MOST_READS = 50_000_000;
  private static final String ALLOWED =
      "a request such as {\"t\": 0.25, \"keys\": [\"a\", \"b\"], \"bytes\": [100, 2000]}";

  /** The keys of the mapping. */
  static final Section SECTION =
      Section.of(
          Key.required(
              Setting.anyText(
                  "file", null, "one JSON object per request, next to the experiment; may be .gz")),
          Key.of(
              Setting.choice(
                  "arrivals",
                  ArrivalTimes.class,
                  "Poisson, or with the gaps of the trace; the load scales both")),
          SourceReader.LARGE_FROM,
          WorkloadReader.NARROW_TO);

  private final boolean timed;
  private final Map<String, Integer> numbers = new HashMap<>();
  private double[] times = new double[1024];
  private int[] starts = new int[1024];
  private int[] keys = new int[4096];
  private int[] bytes = new int[4096];
  private int[] lastRequest = new int[1024];
  private int requests;
  private int reads;
  private long repeats;

  private OwnTraceReader(boolean timed) {
    this.timed = timed;
  }

  static Described read(Part part, NamedFiles files) {
    ConfigNode name = part.node("file");
    boolean timed = part.choice("arrivals", ArrivalTimes.class) == ArrivalTimes.RECORDED;
    OwnTraceReader reader = new OwnTraceReader(timed);
    TraceLines.read(name, files.path(name), ALLOWED, reader::line);
    part.put("file", files.used(name));
    try {
      TraceSpec spec = reader.spec(part.whole("large-from"));
      return new Described(
          spec,
          Arrivals.POISSON,
          0,
          part.whole("narrow-to"),
          Map.of("trace", reader.words(spec)),
          List.of());
    } catch (IllegalArgumentException e) {
      throw name.refuse("a trace with " + e.getMessage());
    }
  }

  private String words(TraceSpec spec) {
    String words =
        String.format(
            Locale.ROOT,
            "%d requests, %d reads of %d keys",
            spec.requests(),
            spec.reads(),
            spec.keys());
    return repeats == 0
        ? words
        : words + "; repeats of a key inside a request, not read: " + repeats;
  }

  private void line(JsonNode request) {
    JsonNode named = request.path("keys");
    JsonNode sizes = request.path("bytes");
    need(named.isArray() && !named.isEmpty(), "\"keys\" must be a list of at least one key");
    need(
        sizes.isArray() ? sizes.size() == named.size() : sizes.isNumber(),
        "\"bytes\" must be a number, or a list as long as \"keys\"");
    need(
        named.size() <= SourceReader.WIDEST,
        "a request has at most " + SourceReader.WIDEST + " reads");
    need(reads + named.size() <= MOST_READS, "a trace has at most " + MOST_READS + " reads");
    double at = time(request.path("t"));
    grow(named.size());
    times[requests] = at;
    starts[requests++] = reads;
    for (int i = 0; i < named.size(); i++) {
      JsonNode size = sizes.isArray() ? sizes.get(i) : sizes;
      need(
          named.get(i).isTextual() || named.get(i).isIntegralNumber(),
          "a key must be a text or a whole number");
      need(
          size.isIntegralNumber() && size.canConvertToInt() && size.asInt() >= 1,
          "a size must be a whole number of bytes, at least 1");
      int key = numbers.computeIfAbsent(named.get(i).asText(), text -> numbers.size());
      if (isRepeated(key)) {
        repeats++;
      } else {
        keys[reads] = key;
        bytes[reads++] = size.asInt();
      }
    }
  }

  /** Marks that the last request has the key; returns whether it already had it. */
  private boolean isRepeated(int key) {
    if (key >= lastRequest.length) {
      lastRequest = Arrays.copyOf(lastRequest, 2 * lastRequest.length);
    }
    boolean repeated = lastRequest[key] == requests;
    lastRequest[key] = requests;
    return repeated;
  }

  private double time(JsonNode t) {
    if (!timed) {
      return 0;
    }
    need(t.isNumber(), "\"t\" must be a time in seconds, since arrivals are recorded");
    need(
        requests == 0 || t.asDouble() >= times[requests - 1],
        "\"t\" must not be before that of the last request");
    return t.asDouble();
  }

  private void grow(int further) {
    if (requests + 1 >= starts.length) {
      times = Arrays.copyOf(times, 2 * times.length);
      starts = Arrays.copyOf(starts, 2 * starts.length);
    }
    if (reads + further > keys.length) {
      int length = Math.max(2 * keys.length, reads + further);
      keys = Arrays.copyOf(keys, length);
      bytes = Arrays.copyOf(bytes, length);
    }
  }

  private TraceSpec spec(int largeFromBytes) {
    starts[requests] = reads;
    return new TraceSpec(
        Arrays.copyOf(times, requests),
        Arrays.copyOf(starts, requests + 1),
        Arrays.copyOf(keys, reads),
        Arrays.copyOf(bytes, reads),
        largeFromBytes,
        timed);
  }

  private static void need(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
