/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cache;

import dev.manx.lab.experiment.NamedFiles;
import dev.manx.lab.experiment.Resources;
import dev.manx.lab.kind.cache.CacheModelSettings.Workload;
import dev.manx.lab.settings.Forms;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Named;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.simulator.cache.BackendModel;
import dev.manx.simulator.cache.CacheModel;
import dev.manx.simulator.cache.RequestKind;
import dev.manx.simulator.cache.TraceQueries;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code model:} of an experiment on divided caches. */
final class CacheWorkloadReader {
  private static final double RATE = 250;
  private static final int TOP = 10;

  private static final Key SERVICE =
      Key.of(Setting.duration("service", "5ms", "1ns", "1s", "mean time of a load"));
  private static final Key MISSES =
      Key.of(
          Setting.share(
              "misses",
              0.5,
              0.001,
              1,
              "share of queries that miss behind one shared LRU of this size and scale, as measured;"
                  + " the backend's capacity follows from it"));

  private static final Section BACKEND =
      Section.of(
          Key.of(Setting.share("in", 1, 0, 1, "share of requests that query it")),
          Key.of(Setting.number("batch", 1, 1, 300, "mean keys of a query, geometric")),
          MISSES,
          Key.required(Setting.whole("keys", 1, 1, 100_000_000, "number of keys")),
          Key.of(Setting.number("zipf", 0.9, 0, 5, "Zipf's exponent of their popularity")),
          SERVICE);

  private static final Forms WORKLOAD =
      Forms.of(
          Forms.single(
              Setting.word(
                  "workload", "the generator of RobinHood's public testbed", "onerf-like")),
          Forms.having(
              "trace",
              Section.of(
                  Key.required(
                      Setting.anyText("trace", null, "a file of its format, next to this one")),
                  SERVICE,
                  Key.of(
                      Setting.share(
                          "misses",
                          0.5,
                          0.001,
                          1,
                          "share of cacheable queries that miss; others always do")))),
          Forms.otherwise(
              "with backends",
              Section.of(
                  Key.required(
                      "backends",
                      new Named(".+", "names of backends", BACKEND),
                      "by name; each request queries each with a separate probability"))));

  static final Section SECTION =
      Section.of(
          Key.of(
              Setting.whole(
                  "servers", 1, 1, 64, "application servers, each with a separate cache")),
          Key.of(Setting.rate("requests", RATE, 0.1, 100_000, "rate of requests at each server")),
          Key.of(Setting.size("cache", "32GiB", "1MiB", "4TiB", "size of each server's cache")),
          Key.of(Setting.duration("hit", "300us", "0", "1s", "time of a hit")),
          Key.of(
              Setting.number(
                  "service-cv", 0.8, 0, 10, "coefficient of variation of a load's time")),
          Key.of(
              Setting.share(
                  "utilisation",
                  0.4,
                  0.01,
                  0.95,
                  "of each backend at full capacity behind a shared LRU")),
          Key.required("workload", WORKLOAD, "backends and requests"));

  /** Hit ratios under the shared LRU, RobinHood section 4.3, percent. */
  private static final Map<String, double[]> PAPER =
      Map.of(
          "b1", new double[] {81, 92},
          "b5", new double[] {51, 63},
          "b6", new double[] {37, 44},
          "b8", new double[] {96, 98});

  private final NamedFiles files;

  CacheWorkloadReader(NamedFiles files) {
    this.files = files;
  }

  Workload read(Part part) {
    double rate = part.real("requests");
    Parts parts =
        !(part.value("workload") instanceof Part workload)
            ? onerf(rate)
            : workload.isKey("trace") ? trace(workload, rate) : drawn(workload, rate);
    CacheModel model =
        new CacheModel(
            parts.backends,
            parts.kinds,
            rate,
            part.whole("servers"),
            part.number("cache"),
            23_000,
            1.3,
            16,
            400_000,
            part.number("hit"),
            part.real("service-cv"),
            part.real("utilisation"));
    return new Workload(model, parts.trace, parts.paper, parts.words);
  }

  private record Parts(
      List<BackendModel> backends,
      List<RequestKind> kinds,
      TraceQueries trace,
      Map<String, double[]> paper,
      String words) {}

  /** The generator whose numbers are in resources next to this class. */
  private static Parts onerf(double rate) {
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
    return new Parts(backends, kinds, null, PAPER, "");
  }

  /** Backends listed in the file: each request queries each with a separate probability. */
  private static Parts drawn(Part part, double rate) {
    Map<String, Part> parts = part.named("backends", Part.class);
    if (parts.isEmpty()) {
      throw part.node("backends").refuse("at least one backend");
    }
    List<Double> chances = parts.values().stream().map(one -> one.real("in")).toList();
    if (chances.stream().allMatch(chance -> chance == 0)) {
      throw part.node("backends").refuse("at least one backend with in above 0");
    }
    double empty = chances.stream().reduce(1.0, (product, chance) -> product * (1 - chance));
    // Requests without queries are drawn again, so that the others have more.
    double drawn = rate / (1 - empty);
    List<BackendModel> backends = new ArrayList<>();
    parts.forEach(
        (name, one) ->
            backends.add(
                new BackendModel(
                    name,
                    one.real("batch"),
                    one.whole("keys"),
                    one.real("zipf"),
                    one.number("service"),
                    drawn * one.real("in") * one.real("batch") * one.real("misses"),
                    one.real("in"))));
    return new Parts(backends, List.of(new RequestKind(1, chances)), null, Map.of(), "");
  }

  private Parts trace(Part part, double rate) {
    ConfigNode path = part.node("trace");
    double service = part.number("service");
    double misses = part.real("misses");
    TraceReader.Read read = TraceReader.read(files.path(path), path);
    part.put("trace", files.used(path));
    List<BackendModel> backends = new ArrayList<>();
    for (int b = 0; b < read.backends().size(); b++) {
      long never = read.uncacheable()[b];
      double missing = never + misses * (read.queries()[b] - never);
      double perSecond = rate * missing / read.requests();
      backends.add(new BackendModel(read.backends().get(b), 1, 1, 0, service, perSecond, 0));
    }
    return new Parts(backends, List.of(), read.trace(), Map.of(), read.words());
  }

  private static List<Map<String, Double>> table(String name) {
    List<String> lines =
        Resources.text(CacheWorkloadReader.class, "onerf/" + name).lines().toList();
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
  }
}
