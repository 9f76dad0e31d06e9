/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import static dev.manx.lab.experiment.YamlText.nanos;
import static dev.manx.lab.experiment.YamlText.ordered;

import dev.manx.contention.engine.Repetition;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Head;
import dev.manx.lab.experiment.Load;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The sessions of an experiment on a storage engine.
 *
 * @param data what the sessions work on
 * @param openLoop whether operations have intended starts; else sessions work without pause
 * @param loads rates, or shares of what one core can do; one that is not used for a closed loop
 * @param threads sessions, but where a case sweeps them
 * @param cores that sessions of a restricted case may use
 * @param boost sessions whose priority is raised: a share if below 1, else a number
 * @param nice the level that these get
 * @param warmUpMillis of load before each window
 */
record ContentionSettings(
    Repetition.Data data,
    boolean openLoop,
    List<Load> loads,
    int threads,
    int cores,
    double boost,
    int nice,
    long warmUpMillis) {
  static final int MOST_THREADS = 512;
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;

  static ContentionSettings read(ConfigNode top, Choices choices) {
    ConfigNode nothing = ConfigNode.parse("none", "none: {}").at("none");
    boolean open =
        top.find("loop").map(n -> n.oneOf("open", "closed")).orElse("open").equals("open");
    return new ContentionSettings(
        data(top.find("data").orElse(nothing)),
        open,
        open ? loads(top.at("loads")) : closed(top, choices),
        (int) integer(top, "threads", 1, MOST_THREADS, 8),
        (int) integer(top, "cores", 1, 1024, 1),
        boost(top.find("boost")),
        (int) integer(top, "nice", -20, 19, -20),
        top.find("warm-up").map(n -> n.durationNanos(0, 600 * SECOND)).orElse(SECOND / 2) / MILLI);
  }

  private static long integer(ConfigNode top, String key, long min, long max, long standard) {
    return top.find(key).map(n -> n.integer(min, max)).orElse(standard);
  }

  private static double boost(Optional<ConfigNode> node) {
    if (node.isEmpty()) {
      return 0.5;
    }
    String text = node.get().text();
    return text.endsWith("%")
        ? node.get().fraction(0.001, 0.999)
        : node.get().integer(1, MOST_THREADS);
  }

  private static List<Load> loads(ConfigNode node) {
    List<Load> loads = node.items().stream().map(ContentionSettings::load).toList();
    if (loads.isEmpty()) {
      throw node.refuse("at least one load");
    }
    return loads;
  }

  private static Load load(ConfigNode item) {
    String label = item.text();
    if (Units.perSecond(label).isPresent()) {
      return new Load(label, Double.NaN, item.perSecond(1, 1e7));
    }
    if (Units.fraction(label).isPresent()) {
      return new Load(label, item.fraction(0.01, 4), Double.NaN);
    }
    throw item.refuse("a share of the capacity of one core (35%) or a rate (20k/s)");
  }

  /** A closed loop has no rate; what the file says of loads does not apply. */
  private static List<Load> closed(ConfigNode top, Choices choices) {
    choices.refuse(
        "loads", "no loads in a closed loop, which has no rate; use it with --set loop=open");
    top.find("loads");
    return List.of(new Load("closed", Double.NaN, 0));
  }

  private static Repetition.Data data(ConfigNode node) {
    double reads =
        switch (node.find("mix").map(n -> n.oneOf("update", "ycsb-a", "ycsb-b")).orElse("update")) {
          case "ycsb-a" -> 0.5;
          case "ycsb-b" -> 0.95;
          default -> 0;
        };
    double zipf =
        node.find("popularity")
            .map(n -> n.isMapping() ? zipf(n) : n.oneOf("uniform").isEmpty() ? 0 : 0.0)
            .orElse(0.0);
    Repetition.Data data =
        new Repetition.Data(
            node.find("records").map(n -> n.integer(1, 100_000_000)).orElse(20_000L),
            node.find("value").map(n -> n.bytes(8, 1 << 20)).orElse(100L),
            reads,
            node.find("keys")
                .map(n -> n.oneOf("disjoint", "shared"))
                .orElse("disjoint")
                .equals("shared"),
            zipf);
    node.noOtherKeys();
    return data;
  }

  private static double zipf(ConfigNode node) {
    double exponent = node.at("zipf").number(0.01, 0.999);
    node.noOtherKeys();
    return exponent;
  }

  /** The first keys of {@code experiment.yaml}. */
  Map<String, Object> written(Head head) {
    Map<String, Object> written = head.written();
    written.put(
        "data",
        ordered(
            "records",
            data.records(),
            "value",
            data.valueBytes() + "B",
            "mix",
            data.readShare() == 0 ? "update" : data.readShare() == 0.5 ? "ycsb-a" : "ycsb-b",
            "keys",
            data.sharedKeys() ? "shared" : "disjoint",
            "popularity",
            data.zipf() > 0 ? ordered("zipf", data.zipf()) : "uniform"));
    written.put("loop", openLoop ? "open" : "closed");
    written.put("loads", loads.stream().map(Load::label).toList());
    written.put("seeds", head.seeds());
    written.put("threads", threads);
    written.put("cores", cores);
    written.put("boost", boost < 1 ? boost * 100 + "%" : Integer.toString((int) boost));
    written.put("nice", nice);
    written.put("warm-up", nanos(warmUpMillis * MILLI));
    return written;
  }

  /** How many sessions of some get their priority raised: at least one. */
  int boosted(int ofThreads) {
    return boost < 1
        ? Math.max(1, (int) Math.round(boost * ofThreads))
        : Math.min(ofThreads, (int) boost);
  }
}
