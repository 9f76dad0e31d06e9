/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cache;

import dev.manx.lab.kind.cache.CacheSettings.Workload;
import dev.manx.policy.config.ConfigNode;
import dev.manx.simulator.cache.BackendModel;
import dev.manx.simulator.cache.CacheModel;
import dev.manx.simulator.cache.RequestKind;
import dev.manx.simulator.cache.TraceQueries;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code model:} of an experiment on divided caches. */
final class CacheWorkloadReader {
  private static final long MICRO = 1_000;
  private static final long SECOND = 1_000_000_000L;
  private static final double RATE = 250;
  private static final long CACHE = 34_359_738_368L;
  private static final int TOP = 10;

  /** Hit ratios under the shared LRU, RobinHood section 4.3, percent. */
  private static final Map<String, double[]> PAPER =
      Map.of(
          "b1", new double[] {81, 92},
          "b5", new double[] {51, 63},
          "b6", new double[] {37, 44},
          "b8", new double[] {96, 98});

  private final Path file;

  CacheWorkloadReader(Path file) {
    this.file = file;
  }

  Workload read(ConfigNode node) {
    int servers = (int) node.find("servers").map(n -> n.integer(1, 64)).orElse(1L).longValue();
    double rate = node.find("requests").map(n -> n.perSecond(0.1, 100_000)).orElse(RATE);
    long cache = node.find("cache").map(n -> n.bytes(1 << 20, 1L << 42)).orElse(CACHE);
    long hit = node.find("hit").map(n -> n.durationNanos(0, SECOND)).orElse(300 * MICRO);
    double cv = node.find("service-cv").map(n -> n.number(0, 10)).orElse(0.8);
    double utilisation = node.find("utilisation").map(n -> n.fraction(0.01, 0.95)).orElse(0.4);
    ConfigNode workload = node.at("workload");
    Parts parts =
        !workload.isMapping()
            ? onerf(workload, rate)
            : workload.find("trace").isPresent() ? trace(workload, rate) : drawn(workload, rate);
    node.noOtherKeys();
    CacheModel model =
        new CacheModel(
            parts.backends,
            parts.kinds,
            rate,
            servers,
            cache,
            23_000,
            1.3,
            16,
            400_000,
            hit,
            cv,
            utilisation);
    return new Workload(model, parts.trace, parts.paper);
  }

  private record Parts(
      List<BackendModel> backends,
      List<RequestKind> kinds,
      TraceQueries trace,
      Map<String, double[]> paper) {}

  /** The generator whose numbers stand in the resources beside this class. */
  private static Parts onerf(ConfigNode node, double rate) {
    node.oneOf("onerf-like");
    List<Map<String, Double>> rows = table("synth20.csv");
    List<Map<String, Double>> service = table("service.csv");
    List<BackendModel> backends = new ArrayList<>();
    for (int b = 0; b < rows.size(); b++) {
      Map<String, Double> row = rows.get(b);
      double queries = row.get("queries_per_s") * rate / RATE;
      backends.add(
          new BackendModel(
              "b" + row.get("backend").intValue(),
              row.get("batch_mean"),
              row.get("objects").intValue(),
              row.get("zipf_alpha"),
              service.get(b).get("mean_ms") * 1e6,
              queries * (1 - row.get("shared_lru_hit")),
              b < TOP ? 0 : queries / rate / row.get("batch_mean")));
    }
    List<RequestKind> kinds = new ArrayList<>();
    for (Map<String, Double> row : table("classes3.csv")) {
      List<Double> chances = new ArrayList<>();
      for (int b = 0; b < backends.size(); b++) {
        chances.add(b < TOP ? row.get("p" + (b + 1)) : backends.get(b).chance());
      }
      kinds.add(new RequestKind(row.get("weight"), chances));
    }
    return new Parts(backends, kinds, null, PAPER);
  }

  /** Backends as the file lists them: each request queries each with a probability of its own. */
  private static Parts drawn(ConfigNode node, double rate) {
    ConfigNode list = node.at("backends");
    List<BackendModel> backends = new ArrayList<>();
    for (String name : list.names()) {
      ConfigNode one = list.at(name);
      double in = one.find("in").map(n -> n.fraction(0, 1)).orElse(1.0);
      double batch = one.find("batch").map(n -> n.number(1, 300)).orElse(1.0);
      double misses = one.find("misses").map(n -> n.fraction(0.001, 1)).orElse(0.5);
      backends.add(
          new BackendModel(
              name,
              batch,
              (int) one.at("keys").integer(1, 100_000_000),
              one.find("zipf").map(n -> n.number(0, 5)).orElse(0.9),
              one.find("service").map(n -> n.durationNanos(1, SECOND)).orElse(5_000_000L),
              rate * in * batch * misses,
              in));
      one.noOtherKeys();
    }
    node.noOtherKeys();
    if (backends.isEmpty()) {
      throw list.refuse("at least one backend");
    }
    List<Double> chances = backends.stream().map(BackendModel::chance).toList();
    return new Parts(backends, List.of(new RequestKind(1, chances)), null, Map.of());
  }

  private Parts trace(ConfigNode node, double rate) {
    ConfigNode path = node.at("trace");
    double service = node.find("service").map(n -> n.durationNanos(1, SECOND)).orElse(5_000_000L);
    double misses = node.find("misses").map(n -> n.fraction(0.001, 1)).orElse(0.5);
    node.noOtherKeys();
    TraceReader.Read read =
        TraceReader.read(file.toAbsolutePath().resolveSibling(path.text()), path);
    List<BackendModel> backends = new ArrayList<>();
    for (int b = 0; b < read.backends().size(); b++) {
      double perRequest = read.queries()[b] / (double) read.requests();
      backends.add(
          new BackendModel(
              read.backends().get(b), 1, 1, 0, service, rate * perRequest * misses, 0));
    }
    return new Parts(backends, List.of(), read.trace(), Map.of());
  }

  private static List<Map<String, Double>> table(String name) {
    try (InputStream in = CacheWorkloadReader.class.getResourceAsStream("onerf/" + name)) {
      List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      String[] head = lines.get(0).split(",", -1);
      List<Map<String, Double>> rows = new ArrayList<>();
      for (String line : lines.subList(1, lines.size())) {
        String[] fields = line.split(",", -1);
        Map<String, Double> row = new LinkedHashMap<>();
        for (int i = 0; i < head.length; i++) {
          row.put(head[i], Double.parseDouble(fields[i]));
        }
        rows.add(row);
      }
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
