/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import dev.manx.lab.claims.FigureSpec.Case;
import dev.manx.lab.claims.Paper.Run;
import dev.manx.lab.experiment.ExperimentRun;
import dev.manx.lab.experiment.RunException;
import dev.manx.lab.experiment.WrongResults;
import dev.manx.policy.config.ConfigNode;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.SummaryRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/** Extracts the rows needed by claims from a result folder. */
final class ResultImport {
  private final List<Paper> papers;
  private final Path root;
  private final ResultStore store;

  /**
   * Creates an import for a checkout.
   *
   * @param root base of the paths of the runs' files
   */
  ResultImport(List<Paper> papers, Path root, ResultStore store) {
    this.papers = papers;
    this.root = root;
    this.store = store;
  }

  /**
   * Stores the rows of a result folder.
   *
   * @param resolved resolved text of an experiment file as of now, if the file exists
   * @return the experiment's name
   * @throws RunException if it is not a result folder, was a quick or interrupted run, has wrong
   *     rows or failed checks, belongs to an experiment without claims, was made with other
   *     settings than the file has now, or has fewer seeds or rounds or a shorter window
   */
  String from(Path folder, Function<Path, Optional<String>> resolved) throws IOException {
    Path file = folder.resolve(ResultStore.SETTINGS);
    if (!Files.isRegularFile(file)) {
      throw new RunException(folder + " is not a result folder: it has no " + ResultStore.SETTINGS);
    }
    String settings = Files.readString(file);
    ConfigNode experiment = ConfigNode.parse(file.toString(), settings);
    String name = experiment.at("experiment").text();
    Run run =
        papers.stream()
            .flatMap(paper -> paper.runs().stream())
            .filter(one -> one.experiment().equals(name))
            .findFirst()
            .orElseThrow(
                () -> new RunException(folder + ": no claim uses the experiment '" + name + "'"));
    if (experiment.find("quick").map(ConfigNode::text).orElse("").equals("true")) {
      throw new RunException(
          folder + " is of a quick run, which shows that the experiment works but proves nothing");
    }
    if (ExperimentRun.wasInterrupted(folder)) {
      throw new RunException(folder + " is of an interrupted run; continue it first");
    }
    List<String> wrong =
        WrongResults.of(
            RowReader.readIfPresent(folder, SummaryRow.FORMAT), Environment.readIfPresent(folder));
    if (!wrong.isEmpty()) {
      throw new RunException(folder + " has wrong results: " + String.join("; ", wrong));
    }
    List<Operand> sides = sides(papers, name);
    Optional<String> now = resolved.apply(root.resolve(run.file()));
    List<String> others = SettingsDifference.differing(experiment, now, namesLoads(sides));
    if (!others.isEmpty()) {
      throw new RunException(
          folder
              + " was made with other settings than "
              + run.file()
              + " has: "
              + String.join("; ", others));
    }
    List<String> fewer = SettingsDifference.fewer(experiment, now);
    if (!fewer.isEmpty()) {
      throw new RunException(
          folder + " has less than " + run.file() + " asks for; " + String.join("; ", fewer));
    }
    ResultRows rows = ResultRows.read(folder).only(sides);
    for (Operand side : sides) {
      List<String> loads = rows.loads(side);
      if (side.load().isEmpty() && loads.size() > 1) {
        throw new RunException(
            "%s has %s of %s at the loads %s, but a claim names none"
                .formatted(folder, side.quantity(), side.arm(), String.join(", ", loads)));
      }
    }
    if (rows.summary().isEmpty() && rows.metrics().isEmpty()) {
      throw new RunException(folder + " has none of the arms and loads that the claims need");
    }
    store.write(name, rows, settings, provenance(folder, run, experiment, now, rows));
    return name;
  }

  /** Whether every figure names its load; without a name, the only load of the file is meant. */
  static boolean namesLoads(List<Operand> sides) {
    return sides.stream().noneMatch(side -> side.load().isEmpty());
  }

  /** All rows of a run needed by any claim. */
  static List<Operand> sides(List<Paper> papers, String experiment) {
    return papers.stream()
        .flatMap(paper -> paper.claims().stream())
        .flatMap(claim -> claim.figures().values().stream())
        .filter(figure -> figure.run().equals(experiment))
        .flatMap(figure -> figure.cases().stream())
        .flatMap(ResultImport::sides)
        .distinct()
        .toList();
  }

  private static Stream<Operand> sides(Case one) {
    return Stream.concat(Stream.of(one.side()), one.over().stream());
  }

  private Provenance provenance(
      Path folder, Run run, ConfigNode experiment, Optional<String> now, ResultRows rows)
      throws IOException {
    Optional<Environment> environment = Environment.readIfPresent(folder);
    TreeSet<String> rounds = new TreeSet<>();
    Stream.concat(
            rows.summary().stream().map(row -> row.key()),
            rows.metrics().stream().map(row -> row.key()))
        .filter(RowKey::isRound)
        .forEach(key -> rounds.add(key.seed() + "/" + key.round()));
    List<String> amount = new ArrayList<>();
    amount.add(rounds.size() + (rounds.size() == 1 ? " round" : " rounds"));
    experiment.find("seeds").ifPresent(n -> amount.add("seeds " + SettingsDifference.words(n)));
    experiment
        .find("requests")
        .filter(n -> !n.text().equals("0"))
        .ifPresent(n -> amount.add(n.text() + " requests each"));
    return new Provenance(
        SettingsDifference.command(run.file(), now, experiment),
        environment.map(Environment::revision).orElse(""),
        environment.map(e -> e.cores() + " cores, " + e.cpu() + ", " + e.jvm()).orElse("unknown"),
        String.join(", ", amount),
        "");
  }
}
