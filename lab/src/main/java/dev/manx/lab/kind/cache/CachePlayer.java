/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cache;

import dev.manx.lab.experiment.Arm;
import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.Player;
import dev.manx.lab.experiment.Point;
import dev.manx.lab.experiment.Pool;
import dev.manx.lab.experiment.Progress;
import dev.manx.lab.experiment.RunException;
import dev.manx.lab.experiment.Turn;
import dev.manx.lab.kind.cache.CacheKind.At;
import dev.manx.lab.kind.cache.CacheModelSettings.NamedScenario;
import dev.manx.lab.kind.cache.CacheModelSettings.Workload;
import dev.manx.lab.stats.Estimate;
import dev.manx.shares.CacheStrategy;
import dev.manx.simulator.cache.CacheModel;
import dev.manx.simulator.cache.CacheOutcome;
import dev.manx.simulator.cache.CacheOutcome.Metric;
import dev.manx.simulator.cache.CacheSimulation;
import dev.manx.simulator.cache.CacheSimulation.Tables;
import dev.manx.simulator.cache.Scenario;
import dev.manx.simulator.cache.Slo;
import dev.manx.workload.result.RowKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

/** Plays divided caches in virtual time. Any thread. */
final class CachePlayer implements Player<CacheStrategy, At> {
  private static final String SHARED = "cache.shared";
  private static final String STATIC = "cache.static";
  private static final double LEAST_BUSY = 0.8;
  private static final double MOST_BUSY = 1.2;
  private static final List<String> OVERHEADS =
      List.of("backend_load_per_s", "miss_mean_ms", "miss_p99_ms");

  private final Point<CacheStrategy, At> first;
  private final long drawnSeed;
  private final Map<String, String> files;
  private final Progress progress;
  private final Tables tables = new Tables();
  private final Map<List<Object>, FutureTask<CacheOutcome>> once = new ConcurrentHashMap<>();
  private final Map<String, String> notes = new LinkedHashMap<>();

  /**
   * @param first the experiment's first point
   * @param drawnSeed seed of the runs with a timeline of shares
   * @param files contents of the files that the experiment uses
   */
  CachePlayer(
      Point<CacheStrategy, At> first,
      long drawnSeed,
      Map<String, String> files,
      Progress progress) {
    this.first = first;
    this.drawnSeed = drawnSeed;
    this.files = files;
    this.progress = progress;
  }

  @Override
  public Map<String, String> conditions() {
    return files;
  }

  @Override
  public Measured play(Turn<CacheStrategy, At> turn, Consumer<String> now)
      throws InterruptedException {
    Arm<CacheStrategy> shared = shared(turn.point());
    boolean isShared = shared == turn.arm();
    CacheOutcome outcome = isShared ? once(turn, shared) : run(turn, turn.arm());
    double seconds = outcome.windowSeconds();
    Measured measured =
        new Measured(0, seconds)
            .latency(
                RowKey.ALL,
                new Measured.Latency(
                    outcome.requests().getTotalCount() + outcome.errors(),
                    outcome.errors(),
                    0,
                    outcome.answered() / seconds,
                    outcome.requests()));
    outcome.metrics().forEach(m -> measured.metric(m.name(), m.params(), m.value()));
    if (shared != null && !isShared) {
      over(outcome, once(turn, shared), measured);
    }
    return measured.timeline(outcome.timeline()).checks(outcome.checks());
  }

  private static Arm<CacheStrategy> shared(Point<CacheStrategy, At> point) {
    return point.arms().stream()
        .filter(arm -> arm.settings().name().equals(SHARED))
        .findFirst()
        .orElse(null);
  }

  private CacheOutcome run(Turn<CacheStrategy, At> turn, Arm<CacheStrategy> arm)
      throws InterruptedException {
    At at = turn.point().settings();
    CacheStrategy strategy = arm.settings();
    boolean learnt =
        strategy.name().equals(STATIC) && strategy.written().get("learn").startsWith("0");
    Map<String, Double> initial = learnt ? learntShares(turn, strategy) : null;
    boolean drawn = turn.seed() == drawnSeed;
    return new CacheSimulation(
            at.settings().run(at.scenario(), strategy, turn.seed(), initial, drawn), tables)
        .run();
  }

  /** Plays a shared run once, on the first thread that needs it. */
  private CacheOutcome once(List<Object> key, Callable<CacheOutcome> play)
      throws InterruptedException {
    FutureTask<CacheOutcome> task = once.computeIfAbsent(key, k -> new FutureTask<>(play));
    task.run();
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw new RunException("a run that other arms need failed: " + e.getCause(), e.getCause());
    }
  }

  private CacheOutcome once(Turn<CacheStrategy, At> turn, Arm<CacheStrategy> shared)
      throws InterruptedException {
    return once(
        List.of(turn.point().load(), turn.point().params(), turn.seed()), () -> run(turn, shared));
  }

  /** RobinHood's mean shares in the reference scenario. */
  private Map<String, Double> learntShares(Turn<CacheStrategy, At> turn, CacheStrategy fixed)
      throws InterruptedException {
    CacheModelSettings settings = turn.point().settings().settings();
    CacheStrategy teacher = CacheModelSettings.teacher(fixed);
    return once(
            List.of(turn.point().params(), turn.seed(), teacher.written()),
            () -> new CacheSimulation(settings.referenceRun(teacher, turn.seed()), tables).run())
        .meanShares();
  }

  /** The cost of an arm to the backends, relative to one shared LRU (RobinHood section 5.6). */
  private static void over(CacheOutcome outcome, CacheOutcome shared, Measured measured) {
    for (Metric metric : outcome.metrics()) {
      double base = shared.metric(metric.name(), metric.params());
      if (OVERHEADS.contains(metric.name()) && base > 0) {
        measured.metric(
            metric.name().replaceAll("_(ms|per_s)$", "_vs_shared"),
            metric.params(),
            metric.value() / base);
      }
    }
  }

  @Override
  public void played(Pool<CacheStrategy, At> pool) {
    if (pool.arm() == shared(pool.point())) {
      hitRatios(pool);
      utilisations(pool);
    }
    StringBuilder line =
        new StringBuilder(where(pool.point()) + " " + pool.arm().name() + ": goals missed");
    for (Slo slo : pool.point().settings().settings().slos()) {
      Estimate value =
          pool.median(Slo.MISSED, params -> params.startsWith(Slo.params(slo.label(), "")));
      line.append(
          String.format(
              Locale.ROOT,
              "  %s %.2f %% (%.2f-%.2f)",
              slo.label(),
              value.value(),
              value.lo(),
              value.hi()));
    }
    progress.step(line.toString());
  }

  /** The scenario, with the params of a sweep's point. */
  private static String where(Point<CacheStrategy, At> point) {
    return point.load() + (point.params().isEmpty() ? "" : ", " + point.params());
  }

  /** The shared LRU's hit ratios next to the paper's ranges, if the workload has them. */
  private void hitRatios(Pool<CacheStrategy, At> pool) {
    new TreeMap<>(pool.point().settings().settings().workload().paperHitRatios())
        .forEach(
            (backend, range) -> {
              double ours = pool.median("hit_ratio_pct", ("backend=" + backend)::equals).value();
              String name =
                  "hit ratio of %s under %s, %s"
                      .formatted(backend, pool.arm().name(), where(pool.point()));
              String text =
                  String.format(
                      Locale.ROOT,
                      "%.1f %%, the paper's range is %.0f-%.0f %%: %s",
                      ours,
                      range[0],
                      range[1],
                      ours >= range[0] && ours <= range[1] ? "inside" : "OUTSIDE");
              notes.put(name, text);
              progress.step(name + ": " + text);
            });
  }

  /** Reports backends that are not used to their utilisation in a scenario without disturbances. */
  private void utilisations(Pool<CacheStrategy, At> pool) {
    At at = pool.point().settings();
    if (!at.scenario().of().apply(drawnSeed).isCalm()) {
      return;
    }
    CacheModel model = at.settings().workload().model();
    for (int b = 0; b < model.backends().size(); b++) {
      String backend = model.backends().get(b).name();
      double busy = pool.median("backend_busy_pct", ("backend=" + backend)::equals).value() / 100;
      double part = busy / model.utilisation();
      if (model.workers(b) > 1 && (part < LEAST_BUSY || part > MOST_BUSY)) {
        String name =
            "use of %s behind %s, %s".formatted(backend, pool.arm().name(), where(pool.point()));
        String text =
            String.format(
                Locale.ROOT,
                "%.0f %%, not its utilisation of %.0f %%: the shared cache sends it %.2f times the"
                    + " load that its misses say, so rho-peak is wrong by this factor",
                100 * busy,
                100 * model.utilisation(),
                part);
        notes.put(name, text);
        progress.step(name + ": " + text);
      }
    }
  }

  @Override
  public Map<String, String> environment() {
    Map<String, String> words = new LinkedHashMap<>(notes);
    CacheModelSettings settings = first.settings().settings();
    words.put("on", "cache: virtual time, compressed by " + settings.scale());
    if (settings.workload().trace() != null) {
      words.put("trace", settings.workload().traceWords());
      settings.scenarios().forEach(one -> words.put("trace in " + one.name(), played(one)));
    }
    return words;
  }

  /** How often a run plays the trace, from its mean number of requests. */
  private String played(NamedScenario scenario) {
    Workload workload = first.settings().settings().workload();
    Scenario course = scenario.of().apply(drawnSeed);
    CacheModel model = workload.model();
    double perSecond = model.requestsPerSecond() * model.servers();
    double requests = perSecond * (course.warmUpSeconds() + course.measuredSeconds());
    double times = requests / workload.trace().requests();
    return String.format(
        Locale.ROOT,
        times < 10
            ? "played %.2f times: %.0f requests in warm-up and measured time"
            : "played %.0f times: %.0f requests in warm-up and measured time",
        times,
        requests);
  }
}
