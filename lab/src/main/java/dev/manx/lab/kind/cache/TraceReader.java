/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.manx.lab.kind.TraceLines;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.simulator.cache.TraceQueries;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Reads traces in the format of RobinHood's public testbed: one JSON object per line, {@code {"t":
 * 0, "d": [{"backend": {"S": [sizes], "U": [object ids], "C": [1 if it may be cached]}}]}}; plain
 * or {@code .gz}. Times are request numbers in this format, and are not used. Blank lines are
 * skipped. docs/research/cache-simulation.md describes the format for users.
 */
final class TraceReader {
  private static final int MAX_QUERIES = 50_000_000;

  private final Map<String, Integer> backends = new LinkedHashMap<>();
  private final List<Map<String, Integer>> objects = new ArrayList<>();
  private final List<List<Integer>> bytes = new ArrayList<>();
  private final List<int[]> requests = new ArrayList<>();
  private final List<Long> perBackend = new ArrayList<>();
  private final List<Long> uncacheable = new ArrayList<>();
  private final List<Set<Integer>> resized = new ArrayList<>();
  private long queries;

  /**
   * A trace.
   *
   * @param backends in order of appearance
   * @param queries of each
   * @param uncacheable of these, queries for objects that must not be cached
   * @param requests with at least one query
   * @param resized objects with several sizes, of which the first counts
   */
  record Read(
      TraceQueries trace,
      List<String> backends,
      long[] queries,
      long[] uncacheable,
      int requests,
      int resized) {
    /** A description for users. */
    String words() {
      return String.format(
          Locale.ROOT,
          "%d requests, %d queries to %d backends%s",
          requests,
          LongStream.of(queries).sum(),
          backends.size(),
          resized == 0
              ? ""
              : "; " + resized + " objects have several sizes, of which the first counts");
    }
  }

  /**
   * Reads a file.
   *
   * @param node place of its name, for errors
   * @throws ConfigException naming the line that is not a request of this format
   */
  static Read read(Path file, ConfigNode node) {
    TraceReader reader = new TraceReader();
    TraceLines.read(node, file, "a request of a trace", reader::line);
    if (reader.requests.isEmpty()) {
      throw node.refuse("a trace with at least one query");
    }
    return reader.result();
  }

  private void line(JsonNode request) {
    List<Integer> out = new ArrayList<>();
    for (JsonNode part : need(request.path("d").isArray(), request.path("d"), "d is not a list")) {
      for (Map.Entry<String, JsonNode> entry : part.properties()) {
        queries(entry.getKey(), entry.getValue(), out);
      }
    }
    if (!out.isEmpty()) {
      requests.add(out.stream().mapToInt(i -> i).toArray());
    }
  }

  private void queries(String name, JsonNode part, List<Integer> out) {
    JsonNode sizes = part.path("S");
    JsonNode ids = part.path("U");
    JsonNode cacheable = part.path("C");
    int count = ids.size();
    need(
        sizes.isArray() && cacheable.size() == count && sizes.size() == count,
        part,
        "S, U and C of " + name + " must be lists of one length");
    if (count == 0) {
      return;
    }
    queries += count;
    need(queries <= MAX_QUERIES, part, "more than " + MAX_QUERIES + " queries");
    int backend = backends.computeIfAbsent(name, k -> backends.size());
    if (backend == objects.size()) {
      objects.add(new HashMap<>());
      bytes.add(new ArrayList<>());
      perBackend.add(0L);
      uncacheable.add(0L);
      resized.add(new HashSet<>());
    }
    perBackend.set(backend, perBackend.get(backend) + count);
    out.add(backend);
    out.add(count);
    for (int i = 0; i < count; i++) {
      int size = sizes.get(i).asInt(-1);
      need(size >= 0, part, "a size of " + sizes.get(i));
      int object =
          objects.get(backend).computeIfAbsent(ids.get(i).asText(), k -> bytes.get(backend).size());
      if (object == bytes.get(backend).size()) {
        bytes.get(backend).add(size);
      } else if (bytes.get(backend).get(object) != size) {
        resized.get(backend).add(object);
      }
      boolean never = cacheable.get(i).asInt() == 0;
      uncacheable.set(backend, uncacheable.get(backend) + (never ? 1 : 0));
      out.add(never ? ~object : object);
    }
  }

  private static JsonNode need(boolean holds, JsonNode node, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
    return node;
  }

  private Read result() {
    int[][] sizes =
        bytes.stream().map(list -> list.stream().mapToInt(i -> i).toArray()).toArray(int[][]::new);
    return new Read(
        new TraceQueries(requests.toArray(int[][]::new), sizes),
        List.copyOf(backends.keySet()),
        perBackend.stream().mapToLong(l -> l).toArray(),
        uncacheable.stream().mapToLong(l -> l).toArray(),
        requests.size(),
        resized.stream().mapToInt(Set::size).sum());
  }
}
