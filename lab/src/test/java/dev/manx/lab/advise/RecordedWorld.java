/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.record.DecisionLog;
import dev.manx.policy.record.Executed;
import dev.manx.policy.record.LogHead;
import dev.manx.policy.record.PlanDraft;
import dev.manx.policy.record.PlanPaging;
import dev.manx.policy.record.RequestEnd;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Strategy;
import dev.manx.simulator.ModelSpec;
import dev.manx.simulator.ModelSpec.Cpu;
import dev.manx.simulator.ModelSpec.Feedback;
import dev.manx.simulator.ModelSpec.Forecasts;
import dev.manx.simulator.ModelSpec.Knowledge;
import dev.manx.simulator.ModelSpec.Network;
import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.ModelSpec.Service;
import dev.manx.simulator.ModelSpec.Speeds;
import dev.manx.simulator.Outcome;
import dev.manx.simulator.RunSpec;
import dev.manx.simulator.Simulation;
import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.source.Draw;
import dev.manx.simulator.source.Sizes;
import dev.manx.simulator.source.Source;
import dev.manx.simulator.source.SourceSpec;
import dev.manx.simulator.source.SyntheticSpec;
import dev.manx.simulator.source.TimedSource;
import dev.manx.simulator.source.Widths;
import dev.manx.workload.Arrivals;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Three nodes of four read threads that serve reads of a millisecond, exponentially distributed,
 * and the logs that they would have written. Latencies come from the simulator, whose world may
 * differ from the logs.
 */
final class RecordedWorld {
  static final int NODES = 3;
  static final int THREADS = 4;
  static final int WIDEST = 8;
  static final long SERVICE_NANOS = 1_000_000;
  static final long ONE_WAY_NANOS = 250_000;
  private static final long BURSTS_SEED = 4;

  /** What stock does, by world: it is as long as all the rest of a test. */
  private static final Map<World, Outcome> PLAYED = new ConcurrentHashMap<>();

  /** Logs, by what they say: many tests read the same. A full heap drops them. */
  private static final Map<Logged, SoftReference<List<byte[]>>> LOGS = new ConcurrentHashMap<>();

  private record World(
      double load, double speed, int contacts, boolean bursts, boolean halfSpeed) {}

  /** All that decides what the logs say: worlds with the same have the same logs. */
  record Logged(
      World world,
      String mode,
      int requests,
      List<String> started,
      double sample,
      double failed,
      int remote,
      boolean dated,
      String strategy,
      long longestWait,
      boolean blind) {}

  private final World world;
  private final double requestsPerSecond;
  private final ModelSpec model;
  private final SourceSpec source;
  private final int contacts;
  private final Outcome stock;
  private String mode = "shadow";
  private int requests = 6_000;
  private double sample = 1;
  private double failed;
  private int remote;
  private boolean dated;
  private String strategy = "";
  private long longestWait;
  private boolean blind;
  private List<String> started = Collections.nCopies(NODES, "2026-11-23T02:47:35Z");

  /**
   * @param load of the read threads
   * @param speed of the nodes behind the latencies; the logs assume 1
   */
  RecordedWorld(double load, double speed) {
    this(load, speed, 1);
  }

  /**
   * @param contacts replicas that each read asks
   */
  RecordedWorld(double load, double speed, int contacts) {
    this(load, speed, contacts, false, false);
  }

  /** A world whose requests arrive in {@link Bursts}. */
  static RecordedWorld bursty(double load) {
    return new RecordedWorld(load, 1, 1, true, false);
  }

  /** A world whose last node takes twice as long for a read, and executes as many as the others. */
  static RecordedWorld uneven(double load) {
    return new RecordedWorld(load, 1, 1, false, true);
  }

  private RecordedWorld(
      double load, double speed, int contacts, boolean bursts, boolean halfSpeed) {
    world = new World(load, speed, contacts, bursts, halfSpeed);
    this.contacts = contacts;
    Widths widths = uniform();
    requestsPerSecond = load * NODES * THREADS / (SERVICE_NANOS / 1e9) / widths.mean() / contacts;
    model =
        new ModelSpec(
            NODES,
            THREADS,
            THREADS,
            NODES,
            NODES,
            new Network(ONE_WAY_NANOS, 0, 0),
            new Service(SERVICE_NANOS / speed, 0, Scatter.EXPONENTIAL, 1),
            halfSpeed ? new Speeds(List.of(1.0, 1.0, 0.5), 0, 1, 0) : Speeds.EVEN,
            Optional.empty(),
            new Feedback(0, 0.1),
            new Forecasts(Knowledge.MEAN, 0, 1, 0, 1),
            Cpu.FREE,
            List.of(),
            5_000_000_000L);
    source =
        new Asking(
            new SyntheticSpec(List.of(widths), new Sizes.Two(100, 1_000_000, 0), 0, 0, 0),
            contacts,
            bursts ? requestsPerSecond : 0);
    stock = PLAYED.computeIfAbsent(world, any -> play(Stock.RECORDED.document(true)));
  }

  /**
   * The requests of another source, with each read sent to a given number of replicas, in bursts
   * unless the rate is 0.
   */
  private record Asking(SourceSpec source, int contacts, double burstsRate) implements SourceSpec {
    @Override
    public Source open(Streams streams, int nodes, long run) {
      Source requests = source.open(streams, nodes, run);
      Source asking =
          draw -> {
            requests.next(draw);
            for (int read = 0; read < draw.reads(); read++) {
              draw.asks(read, contacts);
            }
          };
      Bursts bursts = burstsRate == 0 ? null : new Bursts(burstsRate, BURSTS_SEED);
      return bursts == null
          ? asking
          : new TimedSource() {
            @Override
            public double gap() {
              return bursts.gapNanos() * burstsRate / 1e9;
            }

            @Override
            public void next(Draw draw) {
              asking.next(draw);
            }
          };
    }

    @Override
    public double meanReads() {
      return contacts * source.meanReads();
    }

    @Override
    public double meanBytes() {
      return source.meanBytes();
    }

    @Override
    public int largeFromBytes() {
      return source.largeFromBytes();
    }
  }

  /**
   * Arrivals of a cluster whose load is three times as high for a fifth of the time: during 20 ms,
   * about every 100 ms.
   */
  private static final class Bursts {
    private static final double HIGH = 3 / 1.4;
    private static final double LOW = 1 / 1.4;
    private final SplittableRandom random;
    private final double requestsPerNano;
    private boolean high;
    private double leftNanos;

    Bursts(double requestsPerSecond, long seed) {
      random = new SplittableRandom(seed);
      requestsPerNano = requestsPerSecond / 1e9;
    }

    double gapNanos() {
      double gap = 0;
      double work = exponential(1);
      while (true) {
        double rate = requestsPerNano * (high ? HIGH : LOW);
        if (work <= leftNanos * rate) {
          leftNanos -= work / rate;
          return gap + work / rate;
        }
        gap += leftNanos;
        work -= leftNanos * rate;
        high = !high;
        leftNanos = exponential(high ? 2e7 : 8e7);
      }
    }

    private double exponential(double mean) {
      return -mean * Math.log(1 - random.nextDouble());
    }
  }

  private Outcome play(String strategy) {
    RunSpec run =
        new RunSpec(requestsPerSecond, Arrivals.POISSON, 80_000, 0.1, 99, List.of(), 1, 0, 0);
    return new Simulation(model, source, strategy, run).run();
  }

  private static Widths uniform() {
    Map<Integer, Double> weights = new HashMap<>();
    for (int reads = 1; reads <= WIDEST; reads++) {
      weights.put(reads, 1.0);
    }
    return Widths.listed(weights);
  }

  /** Each log has this number of requests. */
  RecordedWorld requests(int number) {
    requests = number;
    return this;
  }

  /** Part of the requests in the logs. */
  RecordedWorld sample(double part) {
    sample = part;
    return this;
  }

  /** Part of the requests that fail. */
  RecordedWorld failed(double part) {
    failed = part;
    return this;
  }

  /** The first plans in each log have a replica in another datacenter, on a node without a log. */
  RecordedWorld remote(int plans) {
    remote = plans;
    return this;
  }

  /** The logs relate their times to their nodes' clocks, which agree. */
  RecordedWorld dated() {
    dated = true;
    return this;
  }

  /**
   * The logs name the strategy that they were recorded with.
   *
   * @param preset its name
   * @param limitNanos the longest wait that the nodes allow its order
   */
  RecordedWorld recordedWith(String preset, long limitNanos) {
    strategy = preset;
    longestWait = limitNanos;
    return this;
  }

  /** The coordinators forecast no sizes. */
  RecordedWorld blind() {
    blind = true;
    return this;
  }

  /** When each log began. */
  RecordedWorld started(String... times) {
    started = List.of(times);
    return this;
  }

  /** The logs are of nodes on which Manx acts. */
  RecordedWorld acting() {
    mode = "on";
    return this;
  }

  /** What its logs depend on. */
  Logged logged() {
    return new Logged(
        world,
        mode,
        requests,
        started,
        sample,
        failed,
        remote,
        dated,
        strategy,
        longestWait,
        blind);
  }

  LatencyPercentiles latencies() {
    return LatencyPercentiles.played(stock);
  }

  /** Results of another strategy in the world itself. */
  LatencyPercentiles latencies(String strategy) {
    return LatencyPercentiles.played(play("strategy: " + strategy));
  }

  /** Writes the log of each node. */
  List<Path> logs(Path folder) throws IOException {
    List<Path> logs = new ArrayList<>();
    for (byte[] log : logs()) {
      logs.add(Files.write(folder.resolve("node" + logs.size() + ".log"), log));
    }
    return logs;
  }

  private List<byte[]> logs() {
    SoftReference<List<byte[]>> kept = LOGS.get(logged());
    List<byte[]> logs = kept == null ? null : kept.get();
    if (logs == null) {
      logs = IntStream.range(0, NODES).mapToObj(this::log).toList();
      LOGS.put(logged(), new SoftReference<>(logs));
    }
    return logs;
  }

  private byte[] log(int node) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Map<String, String> about = new HashMap<>();
    about.put("node", name(node));
    about.put("started", started.get(node));
    about.put("cores", "8");
    about.put("read-threads", Integer.toString(THREADS));
    long zero = dated ? node * 1_000_000_000_000L : 0;
    if (dated) {
      long began = TimeUnit.SECONDS.toNanos(Instant.parse(started.get(node)).getEpochSecond());
      about.put(LogHead.EPOCH, Long.toString(began - zero));
    }
    int ids = NODES + (remote > 0 ? 1 : 0);
    LogHead head = new LogHead(node, sample, ids, about);
    bytes.writeBytes(head.line().bytes());
    for (int id = 0; id < NODES; id++) {
      // Each node has different ids.
      bytes.writeBytes(DecisionLog.node(id, name((id + node) % NODES)).bytes());
    }
    if (ids > NODES) {
      bytes.writeBytes(DecisionLog.node(NODES, name(NODES)).bytes());
    }
    if (!strategy.isEmpty()) {
      String document = parsed("strategy: " + strategy).document();
      bytes.writeBytes(DecisionLog.strategy(1, document, longestWait).bytes());
    }
    int valueBytes = blind ? 0 : 100;
    SplittableRandom random = new SplittableRandom(node);
    Strategy planning = parsed("strategy: {}");
    ClusterState state = new ClusterState(ids, 8);
    Request request = new Request();
    SplittableRandom kept = new SplittableRandom(-node);
    SplittableRandom services = new SplittableRandom(100 + node);
    SplittableRandom keptReads = new SplittableRandom(300 + node);
    SplittableRandom failures = new SplittableRandom(200 + node);
    Bursts bursts = new Bursts(requestsPerSecond, BURSTS_SEED);
    SplittableRandom coordinators = new SplittableRandom(7);
    double now = zero;
    for (int i = 0; i < requests; i++) {
      if (world.bursts) {
        // All nodes have the same bursts.
        do {
          now += bursts.gapNanos();
        } while (coordinators.nextInt(NODES) != node);
      } else {
        now += -Math.log(1 - random.nextDouble()) * 1e9 * NODES / requestsPerSecond;
      }
      int reads = random.nextInt(1, WIDEST + 1);
      PlanDraft draft = new PlanDraft(i + 1, head.seed());
      request.begin(Math.round(now), draft.random(), ids);
      for (int read = 0; read < reads; read++) {
        request.addRead(null, random.nextLong(), contacts);
        int home = random.nextInt(NODES);
        for (int copy = 0; copy < NODES; copy++) {
          request.addReplica((home + copy) % NODES, 0);
        }
        if (i < remote) {
          request.addReplica(NODES, 1);
        }
        request.forecast(read, valueBytes, SERVICE_NANOS, 0);
      }
      planning.plan(request, draft.freeze(request, state));
      for (int read = 0; read < reads; read++) {
        request.forecast(read, valueBytes, SERVICE_NANOS, 0);
      }
      PlanPaging paging = reads > 1 ? PlanPaging.STOCKS : PlanPaging.NONE;
      byte[] plan = draft.finish(request, 1, mode.equals("on"), paging).bytes();
      bytes.writeBytes(kept.nextDouble() < sample ? plan : new byte[0]);
      // As many as it executes for all coordinators.
      for (int read = 0; read < reads * contacts; read++) {
        long service =
            Math.round(-Math.log(1 - services.nextDouble()) * SERVICE_NANOS * slowness(node));
        byte[] executed =
            new Executed(Math.round(now), 0, Math.max(1, service), SERVICE_NANOS, true)
                .line()
                .bytes();
        bytes.writeBytes(keptReads.nextDouble() < sample ? executed : new byte[0]);
      }
      long latency = stock.all().nanos().getValueAtPercentile(100 * random.nextDouble());
      boolean fails = failures.nextDouble() < failed;
      byte[] end =
          new RequestEnd(Math.round(now), reads, latency, true, 1, fails, true).line().bytes();
      bytes.writeBytes(kept.nextDouble() < sample ? end : new byte[0]);
    }
    bytes.writeBytes(DecisionLog.end("closed", 3L * requests, 0).put("t", Math.round(now)).bytes());
    return bytes.toByteArray();
  }

  private int slowness(int node) {
    return world.halfSpeed && node == NODES - 1 ? 2 : 1;
  }

  private static Strategy parsed(String document) {
    return Strategy.parse("node", document, Host.node(() -> 0));
  }

  private static String name(int node) {
    return "127.0.0." + (node + 1) + ":7000";
  }
}
