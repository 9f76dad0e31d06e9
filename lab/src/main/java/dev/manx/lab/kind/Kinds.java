/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.kind.cache.CacheKind;
import dev.manx.lab.kind.cachelive.CacheLiveKind;
import dev.manx.lab.kind.cluster.ClusterExperimentReader;
import dev.manx.lab.kind.cluster.ClusterKind;
import dev.manx.lab.kind.contention.ContentionKind;
import dev.manx.lab.kind.idle.IdleKind;
import dev.manx.lab.kind.own.OwnKind;
import dev.manx.lab.kind.simulator.SimulatorKind;
import dev.manx.lab.settings.Section;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All kinds of experiments; a new one is one more entry of {@link #ALL}. */
public final class Kinds {
  private static final List<Kind> ALL =
      List.of(
          new Kind(
              ClusterKind.WORDS,
              "nodes of Cassandra that it starts on this machine, with and without Manx",
              ClusterExperimentReader.SECTION,
              List.of("policy", "cassandra", "workload", "load", "local"),
              ClusterKind::read),
          new Kind(
              OwnKind.WORDS,
              "a running cluster of yours, with your statements; needs --on CLUSTER",
              OwnKind.SECTION,
              List.of("policy", "cassandra", "workload", "load"),
              (source, home, work) -> OwnKind.read(source)),
          new Kind(
              SimulatorKind.WORDS,
              "any number of nodes, simulated in virtual time with the same policies",
              SimulatorKind.SECTION,
              List.of("policy", "workload", "simulator"),
              (source, home, work) -> SimulatorKind.read(source)),
          new Kind(
              CacheKind.WORDS,
              "application servers with a divided cache, simulated in virtual time",
              CacheKind.SECTION,
              List.of("policy", "shares", "workload", "simulator"),
              (source, home, work) -> CacheKind.read(source)),
          new Kind(
              CacheLiveKind.WORDS,
              "a real cache in front of real backends on this machine",
              CacheLiveKind.SECTION,
              List.of(
                  "policy",
                  "shares",
                  "client",
                  "client-memcached",
                  "client-redis",
                  "workload",
                  "load",
                  "local"),
              CacheLiveKind::read),
          new Kind(
              ContentionKind.WORDS,
              "the threads of a storage engine (WiredTiger) on too few cores",
              ContentionKind.SECTION,
              List.of("policy", "contention"),
              (source, home, work) -> ContentionKind.read(source)),
          new Kind(
              IdleKind.WORDS,
              "ways in which threads of a JVM wait for each other, on too few cores",
              IdleKind.SECTION,
              List.of("policy", "contention"),
              (source, home, work) -> IdleKind.read(source, work)));

  private Kinds() {}

  /**
   * Reads a file of the kind that it names.
   *
   * @throws ConfigException if it names an unknown kind, or a setting is invalid
   */
  public static Experiment<?, ?> read(Path file, Choices choices, ManxHome home) {
    ExperimentSource source = ExperimentSource.of(file, choices);
    String on = source.on().oneOf(names().toArray(String[]::new));
    Kind asked =
        ALL.stream().filter(kind -> kind.words().on().equals(on)).findFirst().orElseThrow();
    if (choices.cluster().isPresent() && !on.equals(OwnKind.WORDS.on())) {
      throw new ConfigException(
          file.toString(), source.on().line(), "on", on, OwnKind.WORDS.on() + " with --on CLUSTER");
    }
    try {
      return asked.reader().read(source, home, home.root().resolve(".manx/work"));
    } catch (ConfigException e) {
      throw choices.named(e);
    }
  }

  /** The valid values of {@code on:}. */
  public static List<String> names() {
    return ALL.stream().map(kind -> kind.words().on()).toList();
  }

  /** What each kind measures, by name. */
  public static Map<String, String> summaries() {
    Map<String, String> summaries = new LinkedHashMap<>();
    ALL.forEach(kind -> summaries.put(kind.words().on(), kind.summary()));
    return summaries;
  }

  /** The keys of the files of each kind, by name. */
  public static Map<String, Section> settings() {
    Map<String, Section> settings = new LinkedHashMap<>();
    ALL.forEach(kind -> settings.put(kind.words().on(), kind.settings()));
    return settings;
  }

  /**
   * The modules whose code an experiment of a kind measures or plays, apart from the lab's own;
   * empty for an unknown kind.
   */
  public static List<String> modules(String on) {
    return ALL.stream()
        .filter(kind -> kind.words().on().equals(on))
        .findFirst()
        .map(Kind::modules)
        .orElse(List.of());
  }

  /** The report's words for a kind, or for an unknown one. */
  public static KindWords words(String on) {
    return ALL.stream()
        .map(Kind::words)
        .filter(words -> words.on().equals(on))
        .findFirst()
        .orElse(KindWords.UNKNOWN);
  }
}
