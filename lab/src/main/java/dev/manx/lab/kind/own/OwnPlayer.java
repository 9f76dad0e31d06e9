/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.own;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.session.Session;
import dev.manx.lab.experiment.Closer;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.OwnCluster;
import dev.manx.lab.experiment.Player;
import dev.manx.lab.experiment.Progress;
import dev.manx.lab.experiment.RunException;
import dev.manx.lab.experiment.Stopwatch;
import dev.manx.lab.experiment.Turn;
import dev.manx.lab.kind.LoadMeasured;
import dev.manx.lab.kind.WindowStart;
import dev.manx.lab.kind.cluster.ClusterArm;
import dev.manx.lab.kind.cluster.ClusterArm.Mode;
import dev.manx.lab.kind.cluster.TurnMetrics;
import dev.manx.load.DriverSettings;
import dev.manx.load.LoadResult;
import dev.manx.load.LoadRun;
import dev.manx.load.LoadSettings;
import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.ConnectException;
import dev.manx.load.own.OwnTarget;
import dev.manx.operate.ctl.KeptModes;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.text.Words;
import dev.manx.workload.RequestClass;
import dev.manx.workload.WorkloadSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Plays arms on the user's own cluster, and restores its modes at the end. */
final class OwnPlayer implements Player<ClusterArm, Load> {
  private static final long SECOND = 1_000_000_000L;

  /**
   * Later requests are not sent. The stream leaves room for less late requests, so that a second
   * never has more than the rate plus one; this costs 5 % of the rate.
   */
  private static final long MOST_LATE_NANOS = SECOND / 20;

  private static final List<RequestClass> CLASSES =
      List.of(RequestClass.SINGLE, RequestClass.NARROW, RequestClass.WIDE);

  private final OwnSettings settings;
  private final OwnCluster named;
  private final Cluster cluster;
  private final CqlSession session;
  private final OwnTarget target;
  private final KeptModes modes;

  /** The driver's settings of the arms that have some. */
  private final List<DriverSettings> drivers;

  /** Number of requests of the whole run. */
  private final double requests;

  private final Stopwatch sinceStart = new Stopwatch();

  /** The classes of requests in the results. */
  static List<String> classes() {
    return Stream.concat(Stream.of(RequestClass.ALL), CLASSES.stream())
        .map(RequestClass::label)
        .toList();
  }

  private OwnPlayer(
      OwnSettings settings,
      OwnCluster named,
      Cluster cluster,
      CqlSession session,
      OwnTarget target,
      KeptModes modes,
      List<DriverSettings> drivers,
      double requests) {
    this.settings = settings;
    this.named = named;
    this.cluster = cluster;
    this.session = session;
    this.target = target;
    this.modes = modes;
    this.drivers = drivers;
    this.requests = requests;
  }

  /**
   * Connects, prepares the statements and samples their keys, without switching modes.
   *
   * @param arms arms to be played
   * @param seeds of the experiment
   * @throws ConnectException if a node does not answer, an arm needs Manx and a node has none, a
   *     statement is invalid, or an arm would switch Manx on at a node where it is not on without
   *     the option for it
   */
  static OwnPlayer start(
      OwnSettings settings,
      List<ClusterArm> arms,
      List<Long> seeds,
      OwnCluster named,
      Progress progress) {
    try (Closer<RuntimeException> undo = new Closer<>()) {
      Cluster cluster = Cluster.connect(named.settings());
      undo.add(cluster::close);
      KeptModes modes = KeptModes.of(cluster);
      undo.add(modes::close);
      refuseWithoutManx(modes.without(), modes.before().size(), arms);
      String switches = named.name() + ": " + switches(modes, arms);
      progress.step(switches);
      if (arms.stream().anyMatch(arm -> arm.mode() == Mode.ON)
          && !modes.allOn()
          && !named.switchAll()) {
        throw new ConnectException(
            switches
                + "\n"
                + "  Not every node is on. If you mean that, add --switch-all; a canary tries Manx"
                + " on a part of the requests: ./manx ctl canary set");
      }
      List<DriverSettings> drivers = arms.stream().flatMap(arm -> arm.driver().stream()).toList();
      CqlSession session =
          cluster.session(
              settings.consistency().toUpperCase(Locale.ROOT), settings.timeoutNanos(), drivers);
      undo.add(session::close);
      OwnTarget target =
          OwnTarget.prepare(
              session,
              settings.statements(),
              settings.sample(),
              seeds.get(0),
              settings.leastPerSecond(),
              settings.timeoutNanos());
      double requests = seeds.size() * arms.size() * settings.requests(MOST_LATE_NANOS);
      progress.step(named.name() + ": keys: " + String.join("; ", target.words(requests)));
      target.warnings(requests).forEach(warning -> progress.warning(named.name() + ": " + warning));
      undo.release();
      return new OwnPlayer(settings, named, cluster, session, target, modes, drivers, requests);
    }
  }

  /** Arms that switch Manx need it on every node; the others run on stock nodes too. */
  private static void refuseWithoutManx(List<String> without, int nodes, List<ClusterArm> arms) {
    List<ClusterArm> acting = arms.stream().filter(ClusterArm::acts).toList();
    if (without.isEmpty() || acting.isEmpty()) {
      return;
    }
    String others =
        arms.stream()
            .filter(arm -> !arm.acts())
            .map(ClusterArm::name)
            .collect(Collectors.joining(","));
    throw new ConnectException(
        "Manx is not on "
            + Words.of(without, nodes)
            + ". These arms need it on every node: "
            + acting.stream()
                .map(arm -> arm.name() + " (mode " + arm.mode().label() + ")")
                .collect(Collectors.joining(", "))
            + "\n  Install Manx first: docs/operate/install.md"
            + (others.isEmpty() ? "" : "; or run only the arms without it: --arms " + others));
  }

  /** Describes the run's effects on the cluster for users. */
  private static String switches(KeptModes modes, List<ClusterArm> arms) {
    int all = modes.before().size();
    List<String> without = modes.without();
    if (without.size() == all) {
      return "Manx is not installed on "
          + Words.of(without, all)
          + ", so no turn switches anything";
    }
    return "each turn switches Manx on all "
        + Words.nodes(all - without.size())
        + (without.isEmpty() ? "" : " that have it (" + Words.of(without, all) + ": stock)")
        + ", for all requests of all clients: "
        + arms.stream()
            .map(arm -> arm.mode().label() + " for " + arm.name())
            .collect(Collectors.joining(", "))
        + "; restored at the end: "
        + modes.formerModes();
  }

  @Override
  public Measured play(Turn<ClusterArm, Load> turn, Consumer<String> now)
      throws InterruptedException {
    ClusterArm arm = turn.arm().settings();
    modes.set(arm.mode().label(), arm.document());
    WindowStart<Map<String, Map<String, Long>>> before =
        new WindowStart<>(settings.warmUpNanos(), () -> counters(modes.stillAsSet()));
    double start = sinceStart.seconds() + settings.warmUpNanos() / 1e9;
    double perSecond = turn.point().settings().requestsPerSecond();
    LoadResult result =
        new LoadRun(
                target.stream(
                    perSecond,
                    MOST_LATE_NANOS,
                    turn.streamSeed(),
                    keySeed(turn.streamSeed(), arm.name())),
                arm.driver().map(target::with).orElse(target),
                new LoadSettings(
                    settings.warmUpNanos(),
                    settings.windowNanos(),
                    settings.timeoutNanos(),
                    settings.maxOutstanding(),
                    LoadSettings.progressEveryNanos(settings.windowNanos(), SECOND),
                    CLASSES,
                    WorkloadSpec.NARROW_MAX_READS),
                before)
            .atMostLate(MOST_LATE_NANOS)
            .run();
    List<NodeState> after = modes.stillAsSet();
    if (result.answersNothing()) {
      throw new RunException("arm " + arm.name() + " answers nothing: " + result.failures());
    }
    Measured measured = LoadMeasured.of(start, result, Double.NaN);
    return arm.acts()
        ? measured.metrics(TurnMetrics.countersByNode(before.value(), counters(after)))
        : measured;
  }

  /**
   * The seed of an arm's keys: with the keys of another arm of the round, it would find their rows
   * in caches.
   */
  static long keySeed(long streamSeed, String arm) {
    return 31 * streamSeed + arm.hashCode();
  }

  private static Map<String, Map<String, Long>> counters(List<NodeState> nodes) {
    Map<String, Map<String, Long>> byNode = new TreeMap<>();
    nodes.forEach(node -> byNode.put(node.node(), node.counters()));
    return byNode;
  }

  @Override
  public Map<String, String> conditions() {
    return OwnConditions.of(modes.before());
  }

  @Override
  public Map<String, String> environment() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("cluster", named.name() + ", run by others");
    named.settings().localDatacenter().ifPresent(near -> settings.put("local datacenter", near));
    settings.put(
        "driver",
        Session.OSS_DRIVER_COORDINATES
            + ", its own defaults unless an arm says otherwise; reads are idempotent");
    DriverSettings.timerWords(drivers).ifPresent(words -> settings.put("driver timer", words));
    settings.put("consistency", this.settings.consistency());
    settings.put(
        "nodes",
        modes.before().stream()
            .collect(
                Collectors.groupingBy(NodeState::datacenter, TreeMap::new, Collectors.counting()))
            .entrySet()
            .stream()
            .map(one -> one.getValue() + " in " + one.getKey())
            .collect(Collectors.joining(", ")));
    if (!modes.without().isEmpty()) {
      settings.put(
          "without Manx",
          Words.of(modes.without(), modes.before().size())
              + ": stock Cassandra, of which no counters and no CPU times are known");
    }
    settings.put("keys", String.join("; ", target.words(requests)));
    return settings;
  }

  @Override
  public void close() {
    try (Closer<RuntimeException> all = new Closer<>()) {
      all.add(cluster::close);
      all.add(session::close);
      all.add(modes::close);
    }
  }
}
