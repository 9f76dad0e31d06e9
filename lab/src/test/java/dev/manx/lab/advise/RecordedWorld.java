/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.record.DecisionLog;
import dev.manx.policy.record.Executed;
import dev.manx.policy.record.LogHead;
import dev.manx.policy.record.PlanDraft;
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
import dev.manx.simulator.source.Sizes;
import dev.manx.simulator.source.Source;
import dev.manx.simulator.source.SourceSpec;
import dev.manx.simulator.source.SyntheticSpec;
import dev.manx.simulator.source.Widths;
import dev.manx.workload.Arrivals;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

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

  /** What stock does, by world: it is as long as all the rest of a test. */
  private static final Map<World, Outcome> PLAYED = new ConcurrentHashMap<>();

  private record World(double load, double speed, int contacts) {}

  /** All that decides what the logs say: worlds with the same have the same logs. */
  record Logged(World world, String mode, int requests, List<String> started) {}

  private final World world;
  private final double requestsPerSecond;
  private final ModelSpec model;
  private final SourceSpec source;
  private final int contacts;
  private final Outcome stock;
  private String mode = "shadow";
  private int requests = 6_000;
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
    world = new World(load, speed, contacts);
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
            Speeds.EVEN,
            Optional.empty(),
            new Feedback(0, 0.1),
            new Forecasts(Knowledge.MEAN, 0, 1, 0, 1),
            Cpu.FREE,
            List.of(),
            5_000_000_000L);
    source =
        new Asking(
            new SyntheticSpec(List.of(widths), new Sizes.Two(100, 1_000_000, 0), 0, 0, 0),
            contacts);
    stock = PLAYED.computeIfAbsent(world, any -> play(Stock.RECORDED.document(true)));
  }

  /** The requests of another source, with each read sent to a given number of replicas. */
  private record Asking(SourceSpec source, int contacts) implements SourceSpec {
    @Override
    public Source open(Streams streams, int nodes) {
      Source requests = source.open(streams, nodes);
      return draw -> {
        requests.next(draw);
        for (int read = 0; read < draw.reads(); read++) {
          draw.asks(read, contacts);
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
    return new Logged(world, mode, requests, started);
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
    for (int node = 0; node < NODES; node++) {
      logs.add(Files.write(folder.resolve("node" + node + ".log"), log(node)));
    }
    return logs;
  }

  private byte[] log(int node) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Map<String, String> about =
        Map.of(
            "node",
            name(node),
            "started",
            started.get(node),
            "cores",
            "8",
            "read-threads",
            Integer.toString(THREADS));
    LogHead head = new LogHead(node, 1, NODES, about);
    bytes.writeBytes(head.line().bytes());
    for (int id = 0; id < NODES; id++) {
      // Each node has different ids.
      bytes.writeBytes(DecisionLog.node(id, name((id + node) % NODES)).bytes());
    }
    SplittableRandom random = new SplittableRandom(node);
    Strategy strategy = Strategy.parse("node", "strategy: {}", Host.node(() -> 0));
    ClusterState state = new ClusterState(NODES, 8);
    Request request = new Request();
    double now = 0;
    for (int i = 0; i < requests; i++) {
      now += -Math.log(1 - random.nextDouble()) * 1e9 * NODES / requestsPerSecond;
      int reads = random.nextInt(1, WIDEST + 1);
      PlanDraft draft = new PlanDraft(i + 1, head.seed());
      request.begin(Math.round(now), draft.random(), NODES);
      for (int read = 0; read < reads; read++) {
        request.addRead(null, random.nextLong(), contacts);
        int home = random.nextInt(NODES);
        for (int copy = 0; copy < NODES; copy++) {
          request.addReplica((home + copy) % NODES, 0);
        }
        request.forecast(read, 100, SERVICE_NANOS, 0);
      }
      strategy.plan(request, draft.freeze(request, state));
      for (int read = 0; read < reads; read++) {
        request.forecast(read, 100, SERVICE_NANOS, 0);
      }
      bytes.writeBytes(draft.finish(request, 1, mode.equals("on"), reads > 1).bytes());
      long service = Math.round(-Math.log(1 - random.nextDouble()) * SERVICE_NANOS);
      bytes.writeBytes(
          new Executed(Math.round(now), 0, Math.max(1, service), SERVICE_NANOS, true)
              .line()
              .bytes());
      long latency = stock.all().nanos().getValueAtPercentile(100 * random.nextDouble());
      bytes.writeBytes(new RequestEnd(Math.round(now), reads, latency, true, 1).line().bytes());
    }
    bytes.writeBytes(DecisionLog.end("closed", 3L * requests, 0).bytes());
    return bytes.toByteArray();
  }

  private static String name(int node) {
    return "127.0.0." + (node + 1) + ":7000";
  }
}
