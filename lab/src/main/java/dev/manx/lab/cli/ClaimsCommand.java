/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.lab.claims.Claims;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.RunException;
import dev.manx.lab.kind.Kinds;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code manx claims}: tests the published claims. */
@Command(
    name = "claims",
    mixinStandardHelpOptions = true,
    description = {
      "Writes docs/research/claims.md: one row per published claim with our figure and a verdict.",
      "Without options it takes the figures from the stored rows (docs/research/claims/results).",
      "Verdicts are computed; figures come only from result folders."
    },
    footer = {
      "",
      "Examples:",
      "  ./manx claims --run BRB              the paper's experiments; may take long",
      "  ./manx run examples/brb.yaml --loads 70%% --out r && ./manx claims --from r",
      "  ./manx claims --check                code 1 if the page is not up to date"
    })
final class ClaimsCommand implements Callable<Integer> {
  @Option(
      names = "--run",
      paramLabel = "PAPER",
      description =
          "Runs the experiments of a paper (or one by its name, or all), and stores their rows.")
  private List<String> runs = List.of();

  @Option(
      names = "--from",
      paramLabel = "DIR",
      description = "Stores the rows of a result folder that the claims need; may be repeated.")
  private List<Path> folders = List.of();

  @Option(
      names = "--check",
      description =
          "Writes nothing; exit code 1 if docs/research/claims.md differs from the stored rows, or if"
              + " the settings of a stored run differ from its file. Like the other forms, it also"
              + " prints how many commits have changed the code of each stored run's kind since.")
  private boolean check;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    if (check && !(runs.isEmpty() && folders.isEmpty())) {
      throw new ParameterException(
          spec.commandLine(), "--check cannot be combined with --run or --from");
    }
    ManxHome home = ManxHome.find();
    Terminal terminal = new Terminal();
    Claims claims = Claims.of(home);
    if (check) {
      Optional<String> stale = claims.stale();
      stale.ifPresent(
          line -> terminal.line(claims.file() + " is not up to date; run ./manx claims\n" + line));
      boolean outdated = sayOutdated(claims, home, terminal);
      boolean oldRemarks = sayOldRemarks(claims, terminal);
      sayAge(claims, terminal);
      return stale.isPresent() || outdated || oldRemarks ? 1 : 0;
    }
    for (Path folder : folders) {
      store(claims, folder, home, terminal);
    }
    for (String name : runs) {
      for (Map.Entry<String, Path> run : claims.files(name).entrySet()) {
        if (!Files.exists(run.getValue())) {
          throw new RunException(run.getValue() + " is missing, so it cannot be run");
        }
        terminal.line("claims: running " + run.getValue());
        Path folder = new RunOptions().runTo(run.getValue(), terminal).folder();
        store(claims, folder, home, terminal);
      }
    }
    claims.write();
    sayOutdated(claims, home, terminal);
    sayOldRemarks(claims, terminal);
    sayAge(claims, terminal);
    terminal.line(claims.overview() + claims.file());
    return 0;
  }

  private static void store(Claims claims, Path folder, ManxHome home, Terminal terminal)
      throws IOException {
    String name = claims.from(folder, file -> resolved(file, home, terminal));
    terminal.line("claims: stored " + name + " from " + folder);
  }

  private static boolean sayOldRemarks(Claims claims, Terminal terminal) throws IOException {
    List<String> old = claims.oldRemarks();
    old.forEach(line -> terminal.line("claims: " + line));
    return !old.isEmpty();
  }

  private static boolean sayOutdated(Claims claims, ManxHome home, Terminal terminal)
      throws IOException {
    Map<String, List<String>> outdated = claims.outdated(file -> resolved(file, home, terminal));
    outdated.forEach(
        (run, differing) ->
            terminal.line(
                "claims: "
                    + run
                    + " was stored with other settings than its file has now: "
                    + String.join("; ", differing)));
    return !outdated.isEmpty();
  }

  /** Information alone: stored runs whose settings or code may have changed since. */
  private static void sayAge(Claims claims, Terminal terminal) throws IOException {
    for (String run : claims.unchecked()) {
      terminal.line("claims: " + run + ": its settings were not stored; not checked");
    }
    claims.changedCode(Kinds::modules).forEach(line -> terminal.line("claims: " + line));
  }

  static Optional<String> resolved(Path file, ManxHome home, Terminal terminal) {
    return Files.exists(file)
        ? Optional.of(Kinds.read(file, Choices.none(), home).text())
        : Optional.empty();
  }
}
