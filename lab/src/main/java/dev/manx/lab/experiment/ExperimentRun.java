/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import dev.manx.simulator.Check;
import dev.manx.workload.result.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs an experiment of any kind once, and writes its result files. */
public final class ExperimentRun<S, P> {
  /** Files of a run that ended before its first turn. */
  private static final Set<String> BEFORE_A_RUN =
      Set.of(RunLock.FILE_NAME, FailureTrace.FILE_NAME, Journal.PART_NAME);

  private final Experiment<S, P> experiment;
  private final String revision;
  private final Progress progress;
  private final RunJars.Source jars;
  private final Instant start = Instant.now();
  private final Stopwatch sinceStart = new Stopwatch();
  private final CheckVerdicts checks = new CheckVerdicts();
  private final List<Pool<S, P>> open = new ArrayList<>();
  private final FirstResults first = new FirstResults();
  private int noisy;

  /**
   * Prepares a run.
   *
   * @param revision of the project, for the result
   */
  public ExperimentRun(Experiment<S, P> experiment, String revision, Progress progress) {
    this(experiment, revision, progress, () -> RunJars.of(experiment.stage(), ManxHome.find()));
  }

  /** Prepares a run with given jars. */
  ExperimentRun(
      Experiment<S, P> experiment, String revision, Progress progress, RunJars.Source jars) {
    this.experiment = experiment;
    this.revision = revision;
    this.progress = progress;
    this.jars = jars;
  }

  /**
   * Starts the environment, plays every turn, and stops the environment; blocking. An interrupted
   * run of this experiment in the folder continues after its finished turns.
   *
   * @param out receives the result files, all except the report
   * @throws RunException if a start fails, the baseline cannot be played, a turn is aborted or a
   *     file cannot be written
   * @throws ConfigException if another run writes to the folder, or it has an interrupted run of
   *     another experiment, or of this one at another revision or under other conditions
   */
  public void run(Path out) throws InterruptedException {
    progress.step(plan(experiment.turns().size()));
    try (Journal journal = Journal.open(out, experiment, revision, start)) {
      String name = experiment.head().name();
      RunJars read = attempt("read the jars", jars::read);
      try (Closer<RuntimeException> end = new Closer<>()) {
        Player<S, P> player = attempt("start " + name, () -> experiment.stage().open(progress));
        end.add(() -> stop(player));
        checkBaseline(player);
        FailureTrace.forget(out);
        journal.keep(experiment.turns(), player::has, conditions(player, read));
        if (journal.size() > 0) {
          progress.step("resuming after " + journal.size() + " finished turns");
        }
        // A calibration may take long: a run that is interrupted in it can start here again.
        journal.begin(journal.head().calibrated());
        Map<String, Double> known = journal.head().calibrated();
        journal.begin(attempt("calibrate " + name, () -> player.calibrate(known)));
        try (ResultWriter<S, P> results = new ResultWriter<>(out, experiment)) {
          run(player, journal, read, results);
        }
      }
    } catch (RunException e) {
      throw FailureTrace.of(e).write(out);
    } catch (IOException e) {
      throw cannot("write results to " + out, e);
    }
  }

  /**
   * Refuses a baseline that cannot be played: the others would be compared with an arbitrary arm.
   */
  private void checkBaseline(Player<S, P> player) {
    List<Arm<S>> arms = experiment.turns().stream().map(Turn::arm).distinct().toList();
    for (Arm<S> arm : arms) {
      if (arm.name().equals(experiment.head().baseline()) && !player.has(arm)) {
        String others =
            arms.stream().filter(player::has).map(Arm::name).collect(Collectors.joining(","));
        throw new RunException(
            "the baseline "
                + arm.name()
                + " cannot be measured here; to compare the others with each other: --arms "
                + others);
      }
    }
  }

  private void run(Player<S, P> player, Journal journal, RunJars jars, ResultWriter<S, P> results)
      throws InterruptedException, IOException {
    List<Turn<S, P>> turns =
        experiment.turns().stream().filter(turn -> player.has(turn.arm())).toList();
    results.environment(environment(player, journal, jars));
    if (!isSideBySide()) {
      for (Arm<S> arm : turns.stream().map(Turn::arm).distinct().toList()) {
        progress.now("settling: " + arm.name());
        attempt(
            "settle " + arm.name(),
            () -> {
              player.settle(arm);
              return arm;
            });
      }
    }
    try (Playing<S, P> playing =
        Playing.of(turns, experiment, player, journal, jars::check, progress)) {
      play(turns, playing, player, results);
    }
    player.further(row -> results.metrics(List.of(row)));
    results.environment(environment(player, journal, jars));
    results.complete();
    journal.end();
    String words = player.words();
    progress.step(
        String.format(
            Locale.ROOT,
            "%d turns in %d s%s%s",
            turns.size(),
            seconds(),
            words.isEmpty() ? "" : ", " + words,
            noisy == 0 ? "" : ", " + noisy + " of them repeated because of noise"));
    checks.lines().forEach((name, line) -> progress.step(SettingPrefix.CHECK + name + " " + line));
  }

  private Map<String, String> conditions(Player<S, P> player, RunJars jars) {
    Map<String, String> conditions = new LinkedHashMap<>(player.conditions());
    conditions.putAll(jars.contents());
    if (!isSideBySide()) {
      Environment machine = Environment.capture(start, revision, Map.of());
      conditions.put("number of cores", Integer.toString(machine.cores()));
      conditions.put("processor", machine.cpu());
      conditions.put("Java", machine.jvm());
    }
    return conditions;
  }

  /** A step whose failure is not a failure of the result files. */
  @FunctionalInterface
  private interface Step<T> {
    T take() throws InterruptedException, IOException;
  }

  private static <T> T attempt(String what, Step<T> step) throws InterruptedException {
    try {
      return step.take();
    } catch (IOException e) {
      throw cannot(what, e);
    }
  }

  private static RunException cannot(String what, IOException e) {
    return new RunException("cannot " + what + ": " + words(e), e);
  }

  private void stop(Player<S, P> player) {
    try {
      player.close();
    } catch (IOException e) {
      throw cannot("stop " + experiment.head().name(), e);
    }
  }

  private static String words(IOException e) {
    return FileFailures.words(e).orElse(e.toString());
  }

  /** Whether the folder contains a run that has not ended, which its experiment can continue. */
  public static boolean wasInterrupted(Path folder) {
    return Files.exists(folder.resolve(Journal.FILE_NAME));
  }

  /** Whether a run may begin or continue in an existing folder. */
  public static boolean mayRun(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return wasInterrupted(folder)
          || files.allMatch(file -> BEFORE_A_RUN.contains(file.getFileName().toString()));
    }
  }

  private String plan(int turns) {
    Head head = experiment.head();
    int rounds = experiment.points().stream().mapToInt(Point::rounds).max().orElse(0);
    int swept = experiment.points().size() - experiment.summarised().size();
    List<String> words = new ArrayList<>();
    words.add(head.arms().size() + (head.arms().size() == 1 ? " arm" : " arms"));
    words.add("loads " + String.join(" ", experiment.loads()));
    words.add(head.seeds().size() + (head.seeds().size() == 1 ? " seed" : " seeds"));
    if (rounds > 1) {
      words.add(rounds + " rounds");
    }
    if (swept > 0) {
      words.add(swept + " points of a sweep");
    }
    return "%s: %s: %d turns%s%s"
        .formatted(
            head.name(),
            String.join(", ", words),
            turns,
            experiment.effort().isEmpty() ? "" : ", " + experiment.effort(),
            head.quick() ? " (quick: too short to be trusted)" : "");
  }

  private long seconds() {
    return (long) sinceStart.seconds();
  }

  private Environment environment(Player<S, P> player, Journal journal, RunJars jars) {
    Map<String, String> settings = new LinkedHashMap<>(player.environment());
    settings.putAll(jars.policies());
    checks.lines().forEach((name, line) -> settings.put(SettingPrefix.CHECK + name, line));
    if (experiment.quiet() != Quiet.ANY) {
      settings.put("repeated because of noise", Integer.toString(noisy));
    }
    String interruptions = journal.head().interruptions();
    if (!interruptions.isEmpty()) {
      String forgotten = player.forgotten();
      settings.put(
          "interrupted", interruptions + (forgotten.isEmpty() ? "" : "; each time " + forgotten));
    }
    return Environment.capture(Instant.parse(journal.head().start()), revision, settings);
  }

  private void play(
      List<Turn<S, P>> turns,
      Playing<S, P> playing,
      Player<S, P> player,
      ResultWriter<S, P> results)
      throws InterruptedException, IOException {
    for (int i = 0; i < turns.size(); i++) {
      Turn<S, P> turn = turns.get(i);
      ended(turn, playing.next(), results);
      noisy = playing.repeated();
      Turn<S, P> next = i + 1 < turns.size() ? turns.get(i + 1) : null;
      if (!isSideBySide() && (next == null || !next.isBeside(turn))) {
        progress.step(first.line(turn.point(), turn.round(), seconds()));
      }
      if (next == null || !sameGroup(next, turn)) {
        finish(next, player, results);
      }
    }
  }

  private boolean isSideBySide() {
    return experiment.order() == Experiment.Order.SIDE_BY_SIDE;
  }

  /** Pools are written together if arms share rounds, otherwise arm by arm. */
  private boolean sameGroup(Turn<S, P> one, Turn<S, P> other) {
    return isSideBySide()
        ? one.point() == other.point() && one.arm() == other.arm()
        : one.point().load().equals(other.point().load());
  }

  private void ended(Turn<S, P> turn, Measured measured, ResultWriter<S, P> results)
      throws IOException {
    for (Check check : measured.checks()) {
      checks.add(check);
      if (!check.holds()) {
        progress.warning(
            "CHECK FAILED: %s: %s (%s)"
                .formatted(
                    check.name(),
                    check.detail(),
                    isSideBySide() ? turn.wordsOfSeed() : turn.words()));
      }
    }
    String failures = measured.failureWords();
    if (!failures.isEmpty()) {
      progress.step("failed requests, warm-up included: " + turn.words() + ": " + failures);
    }
    if (!turn.point().params().isEmpty()) {
      measured.latenciesAsMetrics();
    }
    Pool<S, P> pool = pool(turn);
    pool.add(turn, measured);
    results.turn(pool, turn, measured);
    first.add(turn.arm().name(), measured);
    if (pool.turns(turn.seed()) == turn.point().rounds()) {
      results.seed(pool, turn.seed());
    }
  }

  private Pool<S, P> pool(Turn<S, P> turn) {
    for (Pool<S, P> pool : open) {
      if (pool.point() == turn.point() && pool.arm() == turn.arm()) {
        return pool;
      }
    }
    Pool<S, P> pool = new Pool<>(experiment.head().name(), turn.arm(), turn.point());
    open.add(pool);
    return pool;
  }

  /** Writes the pooled results of a group of turns. */
  private void finish(Turn<S, P> next, Player<S, P> player, ResultWriter<S, P> results)
      throws IOException {
    for (Pool<S, P> pool : open) {
      results.all(pool);
      for (Pool<S, P> base : open) {
        if (base != pool
            && base.point() == pool.point()
            && base.arm().name().equals(experiment.head().baseline())) {
          results.metrics(pool.overBaseline(base, player));
        }
      }
      if (!isSideBySide() && pool.saturated()) {
        progress.step(
            pool.arm().name() + " is saturated at " + pool.point().load() + " and not compared");
      }
      player.played(pool);
    }
    for (Point<S, P> point : open.stream().map(Pool::point).distinct().toList()) {
      if (next == null || next.point() != point) {
        results.marks(point);
      }
    }
    open.clear();
  }
}
