/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.contention;

import static dev.manx.lab.experiment.ExperimentWriter.nanos;
import static dev.manx.lab.experiment.ExperimentWriter.ordered;

import dev.manx.contention.engine.Repetition;
import dev.manx.lab.contention.ContentionExperiment.Case;
import dev.manx.lab.contention.ContentionExperiment.EngineArm;
import dev.manx.lab.contention.ContentionExperiment.Quiet;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.YamlText;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads experiment files with {@code on: contention}; docs/contention.md explains every key. */
final class ContentionReader {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;
  private static final int MOST_THREADS = 512;

  private final ConfigNode top;
  private final ConfigNode nothing = ConfigNode.parse("none", "none: {}").at("none");
  private final Choices choices;

  private ContentionReader(ConfigNode top, Choices choices) {
    this.top = top;
    this.choices = choices;
  }

  /**
   * Reads a file and applies what the command line chose.
   *
   * @throws ConfigException if it cannot be read or anything in it is refused
   */
  static ContentionExperiment read(Path file, Choices choices) {
    try {
      return parse(file.toString(), Files.readString(file), choices);
    } catch (IOException e) {
      throw new ConfigException(file.toString(), 0, "", null, "a readable experiment file");
    }
  }

  /** As {@link #read}, from text. */
  static ContentionExperiment parse(String file, String text, Choices choices) {
    choices.refuse(
        "requests", "no requests on: contention; use --set window=5s, the length of a repetition");
    return new ContentionReader(ConfigNode.parse(file, text, choices.settings()), choices).read();
  }

  private ContentionExperiment read() {
    top.at("on").oneOf("contention");
    String name = CommonSettings.name(top);
    String description = top.find("description").map(ConfigNode::text).orElse("");
    boolean quick = choices.quick() || top.find("quick").map(ConfigNode::flag).orElse(false);
    List<EngineArm> arms = new EngineArms(top.at("arms"), choices.arms()).read();
    List<String> names = arms.stream().map(EngineArm::name).toList();
    String baseline = CommonSettings.baseline(top, top.at("arms").names(), names);
    Repetition.Data data = data(top.find("data").orElse(nothing));
    boolean open =
        top.find("loop").map(n -> n.oneOf("open", "closed")).orElse("open").equals("open");
    List<Load> loads = open ? loads(top.at("loads")) : closed();
    List<Long> seeds = CommonSettings.seeds(top);
    int threads = (int) integer("threads", 1, MOST_THREADS, 8);
    int cores = (int) integer("cores", 1, 1024, 1);
    double boost = boost(top.find("boost"));
    int nice = (int) integer("nice", -20, 19, -20);
    long warmUp =
        top.find("warm-up").map(n -> n.durationNanos(0, 600 * SECOND)).orElse(SECOND / 2) / MILLI;
    Quiet quiet = quiet(top.find("quiet").orElse(nothing));
    List<Case> cases =
        new CaseReader(top, names, threads, quick, choices.settings().containsKey("rounds")).read();
    Optional<ConfigNode> published = top.find("published");
    top.noOtherKeys();
    long fewestKeys =
        cases.stream().flatMap(c -> c.threads().stream()).mapToInt(t -> t).max().orElse(1);
    if (!data.sharedKeys() && data.records() < fewestKeys) {
      throw top.at("data").refuse("at least " + fewestKeys + " records: one for each session");
    }
    Map<String, Object> written = new LinkedHashMap<>();
    written.put("experiment", name);
    written.put("description", description);
    written.put("on", "contention");
    written.put("quick", quick || choices.marksQuick());
    written.put("baseline", baseline);
    written.put("data", written(data));
    written.put("loop", open ? "open" : "closed");
    written.put("loads", loads.stream().map(Load::label).toList());
    written.put("seeds", seeds);
    written.put("threads", threads);
    written.put("cores", cores);
    written.put("boost", boost < 1 ? boost * 100 + "%" : Integer.toString((int) boost));
    written.put("nice", nice);
    written.put("warm-up", nanos(warmUp * MILLI));
    written.put(
        "quiet",
        ordered(
            "foreign", quiet.foreign(),
            "steal", quiet.steal(),
            "repeats", quiet.repeats(),
            "at-most", quiet.atMost()));
    written.put("cases", CaseReader.written(cases));
    published.ifPresent(n -> written.put("published", YamlText.tree(n)));
    written.put("arms", EngineArms.written(arms));
    return new ContentionExperiment(
        name,
        baseline,
        data,
        open,
        loads,
        seeds,
        threads,
        cores,
        boost,
        nice,
        warmUp,
        quiet,
        cases,
        arms,
        YamlText.of(written));
  }

  private long integer(String key, long min, long max, long standard) {
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

  private List<Load> loads(ConfigNode node) {
    List<Load> loads = node.items().stream().map(ContentionReader::load).toList();
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
    throw item.refuse("a share of what one core can do (35%) or a rate (20k/s)");
  }

  /** A closed loop has no rate; what the file says of loads does not apply. */
  private List<Load> closed() {
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

  private static Map<String, Object> written(Repetition.Data data) {
    return ordered(
        "records",
        data.records(),
        "value",
        data.valueBytes() + "B",
        "mix",
        data.readShare() == 0 ? "update" : data.readShare() == 0.5 ? "ycsb-a" : "ycsb-b",
        "keys",
        data.sharedKeys() ? "shared" : "disjoint",
        "popularity",
        data.zipf() > 0 ? ordered("zipf", data.zipf()) : "uniform");
  }

  private static Quiet quiet(ConfigNode node) {
    Quiet quiet =
        new Quiet(
            node.find("foreign").map(n -> n.fraction(0, 100)).orElse(0.1),
            node.find("steal").map(n -> n.fraction(0, 100)).orElse(0.05),
            node.find("repeats").map(n -> (int) n.integer(0, 100)).orElse(1),
            node.find("at-most").map(n -> (int) n.integer(0, 10_000)).orElse(10));
    node.noOtherKeys();
    return quiet;
  }
}
