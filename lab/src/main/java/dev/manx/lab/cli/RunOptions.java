/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentRun;
import dev.manx.lab.experiment.OwnCluster;
import dev.manx.lab.experiment.Progress;
import dev.manx.lab.experiment.ReplacedFileException;
import dev.manx.lab.kind.Kinds;
import dev.manx.lab.report.Report;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.load.ShutdownHook;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import dev.manx.workload.result.GitRevision;
import dev.manx.workload.result.ResultFolder;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options and the execution of {@code run}; {@code demo} uses them with fixed files. */
final class RunOptions {
  /** The exit code of a run that returned wrong rows, or in which a check failed. */
  static final int WRONG = 1;

  // The exit codes in the help of the commands that report results.
  static final String EXIT_CODES = "%nExit codes:%n";
  static final String EXIT_0 = "0:success; no arm was shown to miss a bound of the experiment";
  static final String EXIT_1 =
      "1:something failed, an arm returned wrong rows, or a check of a simulation failed";
  static final String EXIT_2 = "2:the command line or the file was rejected";
  static final String EXIT_3 = "3:an arm missed a bound of the experiment";
  static final String EXIT_130 = "130:interrupted";

  /** The exit code of a run in which an arm missed a bound. */
  static final int BOUND_MISSED = 3;

  private static final String STOPPING = "interrupted: stopping";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Result folder, new or empty (default: manx-out/<experiment>-<time>). With the folder of an"
              + " interrupted run, the same experiment continues after its finished turns.")
  private Path out;

  private boolean madeFolder;

  @Option(
      names = "--arms",
      split = ",",
      paramLabel = "A",
      description = "Only these arms of the file.")
  private List<String> arms = List.of();

  @Option(
      names = "--loads",
      paramLabel = "X,Y",
      description =
          "Instead of the file's loads: shares of the modelled capacity (70%%), rates (120/s) or"
              + " closed loops (\"16 clients\").")
  private String loads;

  @Option(names = "--seeds", paramLabel = "X,Y", description = "Instead of the file's seeds.")
  private String seeds;

  @Option(
      names = "--requests",
      paramLabel = "N",
      description = "Expected requests in each measured window, instead of its length in time.")
  private String requests;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "Turns of each arm; fewer than "
              + PairedComparison.MIN_ROUNDS
              + " mark the result as quick. A simulation plays this number of seeds, and its result"
              + " is not marked.")
  private String rounds;

  @Option(
      names = "--quick",
      description =
          "Few rounds and short windows, for a first check. The result is marked as quick.")
  private boolean quick;

  @Option(
      names = "--set",
      paramLabel = "key=value",
      description =
          "Sets any setting of the file by its dotted path, for example --set"
              + " cluster.heap=1GiB; may be repeated.")
  private Map<String, String> set = new LinkedHashMap<>();

  // Other commands run an experiment as a part of their work, and may have no --out.
  private boolean isTheCommand;

  // The folder of the whole command, if this is one of its further experiments; null otherwise.
  private Path whole;

  Choices choices() {
    Map<String, String> options = new LinkedHashMap<>();
    put(options, "loads", loads == null ? null : "[" + loads + "]");
    put(options, "seeds", seeds == null ? null : "[" + seeds + "]");
    put(options, "rounds", rounds);
    put(options, "requests", requests);
    Map<String, String> settings = new LinkedHashMap<>(set);
    settings.putAll(options);
    if (requests != null) {
      settings.put("window", "null");
    }
    return new Choices(settings, options.keySet(), arms, quick);
  }

  /** Whether an option applies to one experiment file only. */
  boolean choose() {
    return loads != null || seeds != null || requests != null || !arms.isEmpty() || !set.isEmpty();
  }

  /** Options for a further experiment, with results in a subfolder of the first's. */
  RunOptions part(String folder) {
    RunOptions part = new RunOptions();
    part.out = out == null ? null : out.resolve(folder);
    part.whole = out;
    part.isTheCommand = isTheCommand;
    part.rounds = rounds;
    part.quick = quick;
    return part;
  }

  /** These options, of the command itself: an interruption names their folder. */
  RunOptions asCommand() {
    isTheCommand = true;
    return this;
  }

  /** Whether the result folder has a finished run of a file with these options. */
  boolean isFinished(Path file) throws IOException {
    Path ran = out == null ? null : out.resolve(ResultFolder.EXPERIMENT_FILE);
    return ran != null
        && Files.exists(ran)
        && !ExperimentRun.wasInterrupted(out)
        && Files.readString(ran).equals(Kinds.read(file, choices(), ManxHome.find()).text());
  }

  /** Whether a run may begin or continue in the result folder. */
  boolean isOpen() throws IOException {
    try {
      checkFolder();
      return true;
    } catch (ConfigException e) {
      return false;
    }
  }

  /** Prints the results in the named folder again; returns the exit code. */
  int reportAgain(Terminal terminal) throws IOException {
    return report(out, terminal);
  }

  /** Options with the result folder alone; null for a new one. */
  static RunOptions to(Path folder) {
    RunOptions options = new RunOptions();
    options.out = folder;
    return options;
  }

  private static void put(Map<String, String> options, String key, String value) {
    if (value != null) {
      options.put(key, value);
    }
  }

  /** Runs a file and reports; returns the exit code. */
  int run(Path file) throws InterruptedException, IOException {
    return asCommand().runTo(file, new Terminal()).exitCode();
  }

  /** Runs the file on a cluster of the user. */
  int run(Path file, OwnCluster cluster) throws InterruptedException, IOException {
    return asCommand().runTo(file, choices().on(cluster), new Terminal()).exitCode();
  }

  /**
   * The result of a run.
   *
   * @param folder with the results
   * @param exitCode {@link #WRONG} if results are wrong, else {@link #BOUND_MISSED} if an arm
   *     missed a bound
   */
  record Ran(Path folder, int exitCode) {}

  /** The exit code of two runs together: wrong results are worse than a missed bound. */
  static int worse(int one, int other) {
    return one == WRONG || other == WRONG ? WRONG : Math.max(one, other);
  }

  /** Runs a file and reports. */
  Ran runTo(Path file, Terminal terminal) throws InterruptedException, IOException {
    return runTo(file, choices(), terminal);
  }

  private Ran runTo(Path file, Choices choices, Terminal terminal)
      throws InterruptedException, IOException {
    Path folder = play(file, choices, terminal, terminal);
    return new Ran(folder, report(folder, terminal));
  }

  /** Runs a file without printing results, for another command; leaves the report in the folder. */
  Path playTo(Path file, Terminal terminal) throws InterruptedException, IOException {
    Path folder = play(file, choices(), terminal, terminal.brief());
    Report.of(folder).write();
    return folder;
  }

  private Path play(Path file, Choices choices, Terminal terminal, Progress progress)
      throws InterruptedException, IOException {
    ManxHome home = ManxHome.find();
    Experiment<?, ?> experiment = Kinds.read(file, choices, home);
    Path folder = resultFolder(experiment.head().name());
    play(folder, terminal, () -> experiment.run(GitRevision.of(home.root()), progress, folder));
    return folder;
  }

  /** A run of an experiment. */
  @FunctionalInterface
  interface Run {
    void play() throws InterruptedException;
  }

  /** Plays, and prints how to continue if the run ends early. */
  void play(Path folder, Terminal terminal, Run run) throws InterruptedException {
    ShutdownHook silence =
        new ShutdownHook("manx-interrupted", () -> terminal.silence(lastLine(folder)));
    silence.add();
    try {
      run.play();
    } catch (ConfigException | ReplacedFileException e) {
      // The run has not begun, and may have refused the folder or would be refused again.
      throw e;
    } catch (RuntimeException | InterruptedException | Error e) {
      toContinue(folder).ifPresent(how -> terminal.line("the run has failed; " + how));
      throw e;
    } finally {
      silence.remove();
    }
  }

  /** The last line of a run of these options that is interrupted now. */
  String lastLine(Path folder) {
    return toContinue(folder).map(how -> STOPPING + "; " + how).orElse(STOPPING);
  }

  /** How to continue the command, if there is a run to continue. */
  private Optional<String> toContinue(Path folder) {
    // An earlier experiment of the command may have ended in the folder of the whole command.
    boolean begun = isTheCommand && (whole != null || ExperimentRun.wasInterrupted(folder));
    return begun ? Optional.of(toContinueIn(whole == null ? folder : whole)) : Optional.empty();
  }

  private static String toContinueIn(Path folder) {
    String name = folder.toString().contains(" ") ? "'" + folder + "'" : folder.toString();
    return "the same command with --out " + name + " continues";
  }

  /** Prints the table and the verdict, and writes the report; returns the exit code. */
  static int report(Path folder, Terminal terminal) throws IOException {
    Report report = Report.of(folder);
    terminal.line("");
    terminal.line(report.text());
    report.missedBounds().forEach(missed -> terminal.line("bound missed: " + missed));
    report.wrong().forEach(reason -> terminal.line("WRONG: " + reason));
    // The results may belong to another user: the table is printed even if the page cannot be
    // written.
    terminal.line("report: " + report.write().toAbsolutePath());
    if (!report.wrong().isEmpty()) {
      return WRONG;
    }
    return report.missedBounds().isEmpty() ? 0 : BOUND_MISSED;
  }

  /** The named folder, checked; without one a new folder, which is named from then on. */
  Path resultFolder(String experiment) throws IOException {
    if (out == null) {
      out = NewFolder.of(experiment);
    } else {
      checkFolder();
    }
    return out;
  }

  /**
   * Creates a named result folder, for a command with much to do before it writes there.
   *
   * @throws ConfigException if it cannot be used
   */
  void makeFolder() throws IOException {
    checkFolder();
    if (out == null) {
      return;
    }
    madeFolder = !Files.exists(out);
    Files.createDirectories(out);
    if (!Files.isWritable(out)) {
      throw new AccessDeniedException(out.toString());
    }
  }

  /** Deletes the folder if {@link #makeFolder} has created it, and it is empty. */
  void dropFolder() throws IOException {
    if (madeFolder) {
      try {
        Files.deleteIfExists(out);
      } catch (DirectoryNotEmptyException e) {
        // Logs were fetched into the folder.
      }
    }
  }

  /**
   * Refuses a named result folder that cannot be used.
   *
   * @throws ConfigException if it is a file, or contains anything other than an interrupted run
   */
  void checkFolder() throws IOException {
    if (out == null) {
      return;
    }
    if (Files.isDirectory(out)) {
      if (!ExperimentRun.mayRun(out)) {
        throw new ConfigException(
            "--out",
            0,
            "out",
            out.toString(),
            "a new or empty folder, or one in which a run was interrupted");
      }
    } else if (Files.exists(out)) {
      throw new ConfigException("--out", 0, "out", out.toString(), "a folder, but this is a file");
    }
  }
}
