/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.live;

import static dev.manx.lab.experiment.ExperimentWriter.nanos;

import dev.manx.client.measure.Measures;
import dev.manx.client.store.server.CacheServer;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.YamlText;
import dev.manx.lab.live.LiveExperiment.BackendPlan;
import dev.manx.lab.live.LiveExperiment.Kind;
import dev.manx.lab.live.LiveExperiment.LiveArm;
import dev.manx.lab.live.LiveExperiment.Means;
import dev.manx.lab.live.LiveExperiment.Squeeze;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import dev.manx.policy.strategy.CacheStrategy;
import dev.manx.workload.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads experiment files with {@code on: cache-live}; docs/cache-live.md explains every key. */
final class LiveReader {
  private static final long SECOND = 1_000_000_000L;
  private static final long HOUR = 3_600 * SECOND;
  private static final long MIB = 1L << 20;
  private static final int QUICK_ROUNDS = 2;

  private final Path file;
  private final Choices choices;

  private LiveReader(Path file, Choices choices) {
    this.file = file;
    this.choices = choices;
  }

  /**
   * Reads a file and applies what the command line chose.
   *
   * @throws ConfigException if it cannot be read or anything in it is refused
   */
  static LiveExperiment read(Path file, Choices choices) {
    try {
      Map<String, String> overrides = overrides(choices);
      String text = Files.readString(file);
      // Read apart: what is copied counts as known, and the other must tell what is not.
      ConfigNode copied = ConfigNode.parse(file.toString(), text, overrides);
      ConfigNode top = ConfigNode.parse(file.toString(), text, overrides);
      return new LiveReader(file, choices).read(top, YamlText.mapping(copied));
    } catch (IOException e) {
      throw new ConfigException(file.toString(), 0, "", null, "a readable experiment file");
    }
  }

  /** {@code --loads} is the rate here, and {@code --requests} the length of the window. */
  private static Map<String, String> overrides(Choices choices) {
    Map<String, String> overrides = new LinkedHashMap<>(choices.settings());
    choices
        .option("loads")
        .ifPresent(
            loads -> {
              String rate = loads.substring(1, loads.length() - 1);
              if (Units.perSecond(rate).isEmpty()) {
                choices.refuse("loads", "one rate, a rate such as 60/s");
              }
              overrides.remove("loads");
              overrides.put("rate", rate);
            });
    if (choices.option("requests").isPresent()) {
      overrides.remove("window");
    }
    return overrides;
  }

  /** As long as the file says, or as the requests that were asked for take. */
  private static long window(ConfigNode top, double perSecond, Choices choices) {
    if (choices.option("requests").isEmpty()) {
      return top.at("window").durationNanos(SECOND, HOUR);
    }
    top.find("window");
    long window = Math.round(top.at("requests").integer(1, 1_000_000_000) / perSecond * SECOND);
    if (window < SECOND || window > HOUR) {
      choices.refuse(
          "requests", "as many as take 1 s to 1 h at " + Math.round(perSecond) + " requests/s");
    }
    return window;
  }

  private LiveExperiment read(ConfigNode top, Map<String, Object> all) {
    Map<String, Object> written = new LinkedHashMap<>(all);
    top.at("on").oneOf("cache-live");
    String name = CommonSettings.name(top);
    top.find("description").ifPresent(ConfigNode::text);
    ConfigNode cache = top.at("cache");
    long capacity = cache.at("capacity").bytes(4 * MIB, 64L << 30);
    String store =
        cache.find("store").map(n -> n.oneOf("caffeine", "memcached", "redis")).orElse("caffeine");
    cache.noOtherKeys();
    List<BackendPlan> backends = new ArrayList<>();
    for (String backend : top.at("backends").names()) {
      backends.add(backend(backend, top.at("backends").at(backend)));
    }
    if (backends.isEmpty()) {
      throw top.at("backends").refuse("at least one backend");
    }
    List<LiveArm> arms = arms(top.at("arms"), !store.equals("caffeine"));
    String baseline =
        CommonSettings.baseline(
            top, top.at("arms").names(), arms.stream().map(LiveArm::name).toList());
    int rounds = (int) top.at("rounds").integer(1, 1_000);
    if (choices.quick() && !choices.settings().containsKey("rounds")) {
      rounds = Math.min(rounds, QUICK_ROUNDS);
    }
    double rate = top.at("rate").perSecond(0.1, 100_000);
    long window = window(top, rate, choices);
    Optional<ConfigNode> squeezeNode = top.find("squeeze");
    Squeeze squeeze = squeezeNode.map(node -> squeeze(node, backends, window)).orElse(null);
    List<Long> seeds = CommonSettings.seeds(top);
    if (seeds.size() != 1) {
      throw top.at("seeds").refuse("one seed; every round draws its own requests from it");
    }
    LiveExperiment read =
        new LiveExperiment(
            name,
            baseline,
            capacity,
            store.equals("caffeine")
                ? Optional.empty()
                : Optional.of(CacheServer.Kind.valueOf(store.toUpperCase(Locale.ROOT))),
            backends,
            rate,
            time(top, "request-time-out", 5 * SECOND, SECOND / 100),
            squeeze,
            time(top, "goal", SECOND / 10, 1_000),
            seeds.get(0),
            rounds,
            time(top, "settle", 0, 0),
            time(top, "warm-up", 0, 0),
            window,
            arms,
            written);
    boolean quick = top.find("quick").map(ConfigNode::flag).orElse(false);
    top.noOtherKeys();
    written.remove("requests");
    written.put("window", nanos(window));
    written.put("baseline", baseline);
    written.put("rounds", rounds);
    written.put("quick", quick || choices.quick() || rounds < PairedComparison.MIN_ROUNDS);
    written.put("arms", writtenArms(arms));
    return read;
  }

  private static long time(ConfigNode top, String key, long standard, long least) {
    return top.find(key).map(node -> node.durationNanos(least, HOUR)).orElse(standard);
  }

  private static BackendPlan backend(String name, ConfigNode node) {
    if (!name.matches("[A-Za-z0-9._-]{1,40}")) {
      throw node.refuse("names of backends: letters, digits and . _ -, at most 40");
    }
    Kind kind =
        Kind.valueOf(
            node.at("kind")
                .oneOf("cassandra", "sql", "http", "matrix", "file")
                .toUpperCase(Locale.ROOT));
    boolean computes = kind == Kind.HTTP || kind == Kind.MATRIX;
    BackendPlan plan =
        new BackendPlan(
            name,
            kind,
            (int) node.at("keys").integer(2, 10_000_000),
            (int) node.at("value").bytes(Values.MIN_BYTES, MIB),
            node.at("in").fraction(0, 1),
            node.at("batch").number(1, 300),
            node.find("zipf").map(n -> n.number(0, 5)).orElse(0.9),
            (int) node.find("threads").map(n -> n.integer(1, 256)).orElse(8L).longValue(),
            computes ? node.at("work").durationNanos(1_000, SECOND) : 0);
    node.noOtherKeys();
    return plan;
  }

  private static Squeeze squeeze(ConfigNode node, List<BackendPlan> backends, long window) {
    String[] able =
        backends.stream()
            .filter(b -> b.kind() == Kind.HTTP)
            .map(BackendPlan::name)
            .toArray(String[]::new);
    if (able.length == 0) {
      throw node.refuse("nothing: only backends of kind http can be squeezed, and there is none");
    }
    Squeeze squeeze =
        new Squeeze(
            node.at("backend").oneOf(able),
            Means.valueOf(
                node.find("by")
                    .map(n -> n.oneOf("auto", "cgroup", "limit"))
                    .orElse("auto")
                    .toUpperCase(Locale.ROOT)),
            node.at("cores").number(0.05, 64),
            node.at("from").durationNanos(0, HOUR),
            node.at("for").durationNanos(1, HOUR));
    if (squeeze.fromNanos() + squeeze.forNanos() > window) {
      throw node.at("for").refuse("a squeeze that ends within the window");
    }
    node.noOtherKeys();
    return squeeze;
  }

  private List<LiveArm> arms(ConfigNode node, boolean remote) {
    List<String> names = CommonSettings.arms(node);
    List<String> running = CommonSettings.chosen(choices.arms(), names, file.toString());
    List<LiveArm> arms = new ArrayList<>();
    for (String name : names) {
      ConfigNode arm = node.at(name);
      String description = arm.find("description").map(ConfigNode::text).orElse("");
      CacheStrategy strategy = CacheStrategy.of(arm.at("cache"), () -> 1);
      arm.noOtherKeys();
      if (running.contains(name)) {
        Measures.instead(strategy.newPolicy(), !remote)
            .ifPresent(
                instead -> {
                  throw arm.at("cache").refuse(instead);
                });
        arms.add(new LiveArm(name, description, strategy));
      }
    }
    return arms;
  }

  private static Map<String, Object> writtenArms(List<LiveArm> arms) {
    Map<String, Object> all = new LinkedHashMap<>();
    for (LiveArm arm : arms) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("description", arm.description());
      one.put("cache", arm.strategy().written());
      all.put(arm.name(), one);
    }
    return all;
  }
}
