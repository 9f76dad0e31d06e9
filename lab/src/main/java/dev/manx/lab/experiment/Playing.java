/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Plays turns and returns their measurements in the order of the turns. Confined to one thread. */
interface Playing<S, P> extends AutoCloseable {
  /** The measurements of the next turn; blocking. */
  Measured next() throws InterruptedException, IOException;

  /** Number of repeats because of noise, those before an interruption included. */
  default int repeated() {
    return 0;
  }

  @Override
  default void close() {}

  /** Checks that a turn may be played; throws if it must not. Any thread. */
  @FunctionalInterface
  interface BeforeTurn {
    void check() throws InterruptedException;
  }

  /**
   * Starts to play.
   *
   * @param beforeTurn called before each turn that is played, by its thread
   */
  static <S, P> Playing<S, P> of(
      List<Turn<S, P>> turns,
      Experiment<S, P> experiment,
      Player<S, P> player,
      Journal journal,
      BeforeTurn beforeTurn,
      Progress progress) {
    return experiment.order() == Experiment.Order.SIDE_BY_SIDE
        ? new SideBySide<>(turns, player, journal, beforeTurn, progress)
        : new Alone<>(turns, experiment.quiet(), player, journal, beforeTurn, progress);
  }

  /**
   * Plays one turn after another; noisy turns are repeated while allowed, and the quietest counts.
   */
  final class Alone<S, P> implements Playing<S, P> {
    private final List<Turn<S, P>> turns;
    private final Quiet quiet;
    private final Player<S, P> player;
    private final Journal journal;
    private final BeforeTurn beforeTurn;
    private final Progress progress;
    private int next;
    private int repeated;
    private boolean saidUnknown;

    Alone(
        List<Turn<S, P>> turns,
        Quiet quiet,
        Player<S, P> player,
        Journal journal,
        BeforeTurn beforeTurn,
        Progress progress) {
      this.turns = turns;
      this.quiet = quiet;
      this.player = player;
      this.journal = journal;
      this.beforeTurn = beforeTurn;
      repeated = journal.repeats();
      this.progress = progress;
    }

    @Override
    public Measured next() throws InterruptedException, IOException {
      Turn<S, P> turn = turns.get(next++);
      if (journal.has(turn)) {
        return journal.get(turn);
      }
      String prefix = "[" + next + "/" + turns.size() + "] " + turn.words();
      progress.now(prefix);
      Measured best = play(turn, text -> progress.now(prefix + "  " + text));
      int again = 0;
      while (quiet.isNoisy(best) && again < quiet.repeats() && repeated < quiet.atMost()) {
        again++;
        repeated++;
        Measured other = play(turn, text -> progress.now(prefix + "  again  " + text));
        best = quiet.noise(other) < quiet.noise(best) ? other : best;
      }
      if (quiet != Quiet.ANY) {
        mark(best);
      }
      if (quiet.isNoisy(best)) {
        progress.step(
            String.format(
                Locale.ROOT,
                "noisy: %s (other programs used %.0f %% of a core, %.0f %% was stolen or throttled)",
                turn.words(),
                100 * best.foreignCores(),
                100 * best.stolenCores()));
      }
      player.counted(turn, best);
      journal.add(turn, best, again);
      return best;
    }

    private void mark(Measured measured) {
      if (quiet.isKnown(measured)) {
        measured.metric(Pooling.NOISY, quiet.isNoisy(measured) ? 1 : 0);
      } else if (!saidUnknown) {
        saidUnknown = true;
        progress.step(
            "noise unknown: /proc/stat cannot be read, or numbers the cores differently; turns are"
                + " neither repeated nor marked");
      }
    }

    private Measured play(Turn<S, P> turn, Consumer<String> now) throws InterruptedException {
      beforeTurn.check();
      try {
        return player.play(turn, now);
      } catch (IOException e) {
        throw new RunException(turn.words() + ", seed " + turn.seed() + ": " + e, e);
      }
    }

    @Override
    public int repeated() {
      return repeated;
    }
  }

  /** Plays one turn per core at a time. */
  final class SideBySide<S, P> implements Playing<S, P> {
    private static final int BAR = 24;

    private final ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    private final Stopwatch sinceStart = new Stopwatch();
    private final List<Turn<S, P>> turns;
    private final Player<S, P> player;
    private final Journal journal;
    private final BeforeTurn beforeTurn;
    private final Progress progress;
    private final List<Future<Measured>> under = new ArrayList<>();

    /** Turns that ended before an interruption. */
    private final int before;

    private int next;
    private int ended;

    SideBySide(
        List<Turn<S, P>> turns,
        Player<S, P> player,
        Journal journal,
        BeforeTurn beforeTurn,
        Progress progress) {
      this.turns = turns;
      this.player = player;
      this.journal = journal;
      this.beforeTurn = beforeTurn;
      this.progress = progress;
      before = (int) turns.stream().filter(journal::has).count();
      ended = before;
      for (Turn<S, P> turn : turns) {
        under.add(threads.submit(() -> journal.has(turn) ? journal.get(turn) : play(turn)));
      }
    }

    private Measured play(Turn<S, P> turn) throws InterruptedException, IOException {
      beforeTurn.check();
      Measured measured = player.play(turn, progress::now);
      journal.add(turn, measured, 0);
      synchronized (this) {
        ended++;
        double seconds = sinceStart.seconds();
        double left = seconds / (ended - before) * (turns.size() - ended);
        int done = ended * BAR / turns.size();
        progress.now(
            String.format(
                Locale.ROOT,
                "[%s%s] %d/%d  %s %s seed %d  %s left  %s",
                "#".repeat(done),
                ".".repeat(BAR - done),
                ended,
                turns.size(),
                turn.arm().name(),
                turn.point().load(),
                turn.seed(),
                left < 90
                    ? Math.round(left) + " s"
                    : String.format(Locale.ROOT, "%.0f min", Math.ceil(left / 60)),
                player.words()));
      }
      return measured;
    }

    @Override
    public Measured next() throws InterruptedException {
      Turn<S, P> turn = turns.get(next);
      // The turn's histograms are dropped once they have been written.
      Future<Measured> future = under.set(next++, null);
      try {
        return future.get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof ReplacedFileException replaced) {
          throw replaced;
        }
        throw new RunException(
            turn.wordsOfSeed() + ": " + FailureTrace.words(e.getCause()), e.getCause());
      }
    }

    @Override
    public void close() {
      threads.shutdownNow();
    }
  }
}
