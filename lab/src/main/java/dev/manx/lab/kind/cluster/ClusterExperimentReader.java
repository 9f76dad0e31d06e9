/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.contention.squeeze.Schedule;
import dev.manx.lab.experiment.Arm;
import dev.manx.lab.experiment.ArmBound.Measures;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.Head;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.TurnWindow;
import dev.manx.lab.experiment.WorkloadReader;
import dev.manx.lab.settings.Items;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Quantity;
import dev.manx.lab.settings.Section;
import dev.manx.lab.settings.YamlText;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.load.Background;
import dev.manx.load.CassandraSettings;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.workload.RequestClass;
import dev.manx.workload.WorkloadSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads experiment files; {@code examples/reference.yaml} shows every key. */
public final class ClusterExperimentReader {
  public static final Setting CONSISTENCY =
      Setting.word(
          "consistency",
          "consistency level of requests",
          "one",
          "local_one",
          "quorum",
          "local_quorum",
          "all");

  private static final String ROUND_ROBIN = "round-robin";
  private static final int QUICK_ROUNDS = 3;

  private static final Section CLIENT =
      Section.of(
          Key.of(CONSISTENCY),
          Key.optional(
                  Setting.word(
                      "coordinators",
                      "the choice of a request's node; only round-robin with "
                          + "cluster.coordinators-only",
                      "driver-default",
                      ROUND_ROBIN))
              .otherwise("driver-default, or round-robin with cluster.coordinators-only"),
          Key.of(Setting.duration("timeout", "10s", "100ms", "10min", "timeout of a request")),
          Key.of(
              Setting.whole(
                  "max-outstanding",
                  20_000,
                  1,
                  1_000_000,
                  "safety limit of requests in flight; further ones are counted as not_sent")));

  public static final Key WARM_UP =
      Key.of(
          Setting.duration(
              "warm-up", "2s", "0", "10min", "discarded after each switch to another arm"));

  private static final Quantity LOAD =
      new Quantity(
          List.of(
              Setting.rate("rate", 1, 0.1, 1e6, "of requests"),
              Setting.share("share", 1, 0.001, 2, "of the modelled capacity"),
              Load.CLIENTS),
          "a share of the modelled capacity (70%), a rate (120/s) or a closed loop (16 clients)");

  public static final Section SECTION =
      CommonSettings.top(
          ClusterKind.WORDS.on(),
          ArmReader.ARM,
          Key.of("cluster", ClusterReader.CLUSTER, "the nodes"),
          Key.optional(
              "service-model",
              ServiceModelReader.SECTION,
              "a model of slow storage: each read holds its read thread, asleep, for"
                  + " base + per-kib * KiB; without it reads are as fast as the node is"),
          Key.optional(
              "storage",
              ClusterReader.STORAGE,
              "real storage instead of a model: data is in files, and each node that holds data is"
                  + " limited by control groups (Linux, root)"),
          Key.required("workload", WorkloadReader.SECTION, "the requests"),
          Key.of("client", CLIENT, "the driver's side"),
          Key.optional(
              "background",
              BackgroundReader.SECTION,
              "other work of the nodes during the run, reported as separate classes"),
          CommonSettings.CLASSES,
          Key.required("loads", new Items(LOAD), "each is measured separately"),
          CommonSettings.SEEDS,
          CommonSettings.rounds("turns of each arm, per load and seed", "only with quick: true"),
          Key.of(
              Setting.duration(
                  "settle",
                  "12s",
                  "0",
                  "10min",
                  "load before the first round, divided among the arms and discarded")),
          Key.optional("settle-load", LOAD, "the load during `settle`").otherwise("the first load"),
          WARM_UP,
          TurnWindow.lengthKey("100ms", "24h"),
          TurnWindow.requestsKey(10),
          Key.optional(
              "events",
              new Items(EventReader.SECTION),
              "disturbances in every turn, equal for all arms and at a fixed time of the window, "
                  + "which must be given as `window`"),
          Key.optional(
              "saturation",
              SaturationGoal.SECTION,
              "after the rounds: search, for each arm, the highest rate of requests that holds a"
                  + " latency goal"));

  private ClusterExperimentReader() {}

  /**
   * Reads a file and applies the choices of the command line.
   *
   * @throws ConfigException if the file or a choice is invalid
   */
  public static ClusterExperiment read(ExperimentSource source) {
    Choices choices = source.choices();
    Part top = SECTION.read(source.top(List.of(), Map.of()));
    Background background =
        top.find("background").map(BackgroundReader::read).orElse(Background.NONE);
    List<String> classes =
        Stream.concat(
                CommonSettings.reported(top).stream(),
                background.rates().keySet().stream().map(RequestClass::label))
            .toList();
    Head read = source.head(top, Measures.ofNodes(classes));
    Head head = read.measuredIn(top.whole("rounds"));
    if (head.quick() && !read.quick() && !choices.gives("rounds")) {
      throw top.node("rounds")
          .refuse(
              PairedComparison.MIN_ROUNDS
                  + " to 1000 (fewer only with quick: true, which marks the result)");
    }
    WorkloadSpec workload = WorkloadReader.read(top.part("workload"));
    int replicationFactor = ClusterReader.replicationFactor(top.part("cluster"));
    ClusterSettings cluster = ClusterReader.read(top, workload.keySpace());
    ClusterExperiment.ClientSettings client =
        client(top.part("client"), cluster.coordinatorsOnly() > 0);
    List<ClusterArm> arms =
        head.arms(top, new ArmReader(source.beside(""))::read).stream().map(Arm::settings).toList();
    TurnWindow window = TurnWindow.read(top);
    List<Load> loads = loads(top, cluster);
    Load settleLoad =
        top.has("settle-load") ? load(top.node("settle-load"), cluster) : loads.get(0);
    List<NodeEvent> events =
        EventReader.read(top, cluster.nodes(), window.nanos(), cluster.model() != null);
    check(top, cluster, client, arms, loads, settleLoad, events);
    check(source, cluster, arms);
    if (TurnWindow.isShortened(choices, "events")) {
      double share = quickShare(window.nanos(), events);
      // A load that is a share of the capacity has no rate here, so a number of requests gives no
      // time.
      window =
          window.requests() > 0 ? new TurnWindow(TurnWindow.QUICK_NANOS, 0) : window.times(share);
      events = EventReader.scaled(top, events, share);
      window.resolve(top);
    }
    shorten(top, choices);
    top.part("cluster").put("replication-factor", (long) replicationFactor);
    top.part("client").put("coordinators", client.coordinators());
    top.put("settle-load", settleLoad.label());
    return new ClusterExperiment(
        head,
        cluster,
        replicationFactor,
        workload,
        client,
        background,
        CommonSettings.classes(top),
        loads,
        top.whole("rounds"),
        top.number("settle"),
        settleLoad,
        top.number("warm-up"),
        window,
        events,
        arms,
        top.find("saturation").map(SaturationGoal::read).orElse(null),
        YamlText.of(head.written(top)));
  }

  /** Events keep their minimum length. */
  private static double quickShare(long windowNanos, List<NodeEvent> events) {
    double share = TurnWindow.quickShare(windowNanos, windowNanos);
    for (NodeEvent event : events) {
      // Slightly more, because nanoseconds are truncated.
      share = Math.max(share, (Schedule.LEAST_NANOS + 1.0) / event.forNanos());
    }
    return Math.min(1, share);
  }

  private static void shorten(Part top, Choices choices) {
    choices.shorten(top, "rounds", QUICK_ROUNDS);
    choices.shorten(top, "settle", TurnWindow.QUICK_NANOS);
    choices.shorten(top, "warm-up", TurnWindow.QUICK_WARM_UP_NANOS);
    top.find("saturation").ifPresent(goal -> SaturationGoal.shorten(goal, choices));
  }

  private static void check(
      Part top,
      ClusterSettings cluster,
      ClusterExperiment.ClientSettings client,
      List<ClusterArm> arms,
      List<Load> loads,
      Load settleLoad,
      List<NodeEvent> events) {
    if (top.has("requests") && loads.stream().anyMatch(Load::isClosed)) {
      throw top.node("requests")
          .refuseBecause("a closed loop has no rate that gives the window's length; set window");
    }
    if (top.has("saturation") && loads.get(0).isClosed()) {
      throw top.node("saturation")
          .refuse("a rate or a share as the first of loads, from which the search begins");
    }
    int clients =
        Stream.concat(loads.stream(), Stream.of(settleLoad))
            .mapToInt(Load::clients)
            .max()
            .orElse(0);
    if (clients > top.part("client").whole("max-outstanding")) {
      throw top.part("client")
          .node("max-outstanding")
          .refuse("at least " + clients + ", the requests under way of a closed loop");
    }
    int most = mostClients(cluster, client, arms);
    for (ConfigNode item : top.node("loads").items()) {
      checkClients(item, most);
    }
    if (top.has("settle-load")) {
      checkClients(top.node("settle-load"), most);
    }
    if (cluster.coordinatorsOnly() > 0) {
      top.named("arms", Part.class).values().stream()
          .filter(arm -> arm.has("driver"))
          .findFirst()
          .ifPresent(
              arm -> {
                throw arm.node("driver")
                    .refuseBecause(
                        "with cluster.coordinators-only the driver has no choice of nodes");
              });
    }
    if (cluster.storage() != null && events.stream().anyMatch(Disturbance::isRestart)) {
      throw top.node("events")
          .refuseBecause("a restart does not work with storage: the new process has no limits");
    }
  }

  private static void checkClients(ConfigNode load, int most) {
    if (Load.of(load.text()).clients() > most) {
      throw load.refuse(
          "at most "
              + most
              + " clients; the driver sends no more than "
              + CassandraSettings.REQUESTS_PER_COORDINATOR
              + " requests at a time to a coordinator, copies included");
    }
  }

  /**
   * The most clients of a closed loop whose requests the driver always sends. A slow coordinator
   * may hold all requests: the driver's own balancing then turns to the others, round robin does
   * not. With speculative execution each request may be in progress twice.
   */
  private static int mostClients(
      ClusterSettings cluster, ClusterExperiment.ClientSettings client, List<ClusterArm> arms) {
    boolean fixed =
        client.coordinators().equals(ROUND_ROBIN)
            && arms.stream().anyMatch(arm -> arm.driver().isEmpty());
    boolean twice =
        arms.stream()
            .flatMap(arm -> arm.driver().stream())
            .anyMatch(driver -> driver.speculativeNanos() > 0);
    int datacenters = cluster.topology().datacenters();
    int coordinators = fixed ? 1 : (cluster.nodes() + datacenters - 1) / datacenters;
    return coordinators * CassandraSettings.REQUESTS_PER_COORDINATOR / (twice ? 2 : 1);
  }

  private static void check(
      ExperimentSource source, ClusterSettings cluster, List<ClusterArm> arms) {
    if (!cluster.plugin() && arms.stream().anyMatch(ClusterArm::acts)) {
      throw new ConfigException(
          source.file().toString(),
          0,
          "cluster.plugin",
          "false",
          "true, since an arm is in mode on or shadow");
    }
  }

  /** The driver's policy would also send requests to nodes that hold data. */
  private static ClusterExperiment.ClientSettings client(Part client, boolean someOnly) {
    if (someOnly && client.has("coordinators")) {
      client.node("coordinators").oneOf(ROUND_ROBIN);
    }
    return new ClusterExperiment.ClientSettings(
        client.word("consistency"),
        client.has("coordinators")
            ? client.word("coordinators")
            : someOnly ? ROUND_ROBIN : "driver-default",
        client.number("timeout"),
        client.whole("max-outstanding"));
  }

  private static List<Load> loads(Part top, ClusterSettings cluster) {
    List<Load> loads = new ArrayList<>();
    for (ConfigNode item : top.node("loads").items()) {
      loads.add(load(item, cluster));
    }
    CommonSettings.checkLoads(top, top.words("loads"), "load");
    return loads;
  }

  private static Load load(ConfigNode item, ClusterSettings cluster) {
    Load load = Load.of(item.text());
    if (!Double.isNaN(load.fraction()) && cluster.model() == null) {
      throw item.refuse(
          "a rate such as 120/s: without service-model there is no modelled capacity to take a"
              + " share of");
    }
    return load;
  }
}
