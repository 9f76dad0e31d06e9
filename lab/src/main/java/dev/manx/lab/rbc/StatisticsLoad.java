/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.rbc;

import dev.manx.client.control.StatisticsExchange.Merged;
import dev.manx.client.exchange.ExchangeSettings;
import dev.manx.client.exchange.StatisticsClient;
import dev.manx.client.exchange.StatisticsServer;
import dev.manx.shares.WindowRecorder;
import dev.manx.workload.result.Histograms;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Loads a statistics server with many application servers. Each records requests to twenty backends
 * at a given rate and exchanges its window once per tick, with real sockets and windows and
 * generated requests. Latencies are lognormal, blockers and batches skewed, as in the public
 * generator's shape.
 *
 * @param servers application servers
 * @param requestsPerSecond of each
 * @param interval between two exchanges of each
 * @param length of the measurement
 */
public record StatisticsLoad(
    int servers, int requestsPerSecond, Duration interval, Duration length) {
  private static final int BACKENDS = 20;
  private static final double QUERIED = 4.7;
  private static final int KEYS_A_QUERY = 9;
  private static final String SECRET = "self-test-secret-of-this-process";

  /**
   * The result.
   *
   * @param exchanges done by all
   * @param failures failed exchanges
   * @param requestsSent requests recorded and sent
   * @param leastSeen smallest number of requests received by a client; an exact exchange sends all
   *     requests to every client
   * @param bytesPerSecondOfOne bytes of bodies from and to one application server
   * @param exchangeNanos latency of an exchange at its application server
   * @param cpuShare of one core that the process used, clients and generator included
   */
  public record Result(
      long exchanges,
      long failures,
      long requestsSent,
      long leastSeen,
      double bytesPerSecondOfOne,
      Histogram exchangeNanos,
      double cpuShare) {}

  private record One(
      long exchanges, long failures, long sent, long seen, long bytes, Histogram nanos) {}

  /** Runs it; blocking. */
  public Result run() throws IOException, InterruptedException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (StatisticsServer server = StatisticsServer.start(ExchangeSettings.of(address, SECRET))) {
      URI uri = URI.create("http://127.0.0.1:" + server.address().getPort());
      ExecutorService threads = Executors.newFixedThreadPool(servers);
      try {
        long cpu = cpuNanos();
        long begin = System.nanoTime();
        List<Callable<One>> all =
            IntStream.range(0, servers)
                .mapToObj(number -> (Callable<One>) () -> drive(number, uri, begin))
                .toList();
        List<One> ones = new ArrayList<>();
        for (Future<One> one : threads.invokeAll(all)) {
          ones.add(one.get());
        }
        return result(ones, (cpuNanos() - cpu) / (double) (System.nanoTime() - begin));
      } catch (ExecutionException e) {
        throw new IOException("an application server of the test failed", e.getCause());
      } finally {
        threads.shutdownNow();
      }
    }
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private Result result(List<One> ones, double cpuShare) {
    Histogram nanos = Histograms.create();
    ones.forEach(one -> nanos.add(one.nanos));
    long bytes = ones.stream().mapToLong(One::bytes).sum();
    return new Result(
        ones.stream().mapToLong(One::exchanges).sum(),
        ones.stream().mapToLong(One::failures).sum(),
        ones.stream().mapToLong(One::sent).sum(),
        ones.stream().mapToLong(One::seen).min().orElse(0),
        bytes / (double) servers / (length.toNanos() / 1e9),
        nanos,
        cpuShare);
  }

  private One drive(int number, URI uri, long begin) throws InterruptedException {
    List<String> names =
        IntStream.rangeClosed(1, BACKENDS).mapToObj(backend -> "backend-" + backend).toList();
    WindowRecorder recorder = new WindowRecorder(names);
    SplittableRandom random = new SplittableRandom(number);
    StatisticsClient client = new StatisticsClient(uri, SECRET, Duration.ofSeconds(5));
    Histogram nanos = Histograms.create();
    int ticks = (int) Math.max(1, length.toNanos() / interval.toNanos());
    long each = Math.round(requestsPerSecond * (interval.toNanos() / 1e9));
    long seen = 0;
    // Servers tick at different times, and once more at the end to receive the others' last
    // windows.
    long offset = interval.toNanos() * number / servers;
    for (int tick = 1; tick <= ticks + 1; tick++) {
      sleepUntil(begin + offset + tick * interval.toNanos());
      if (tick <= ticks) {
        record(recorder, random, each);
      }
      long asked = System.nanoTime();
      Optional<Merged> merged = client.exchange(asked, recorder.cut());
      Histograms.record(nanos, System.nanoTime() - asked);
      seen += merged.map(all -> all.window().requests()).orElse(0L);
    }
    return new One(
        client.exchanges(), client.failures(), ticks * each, seen, client.bodyBytes(), nanos);
  }

  private static void sleepUntil(long nanoTime) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(nanoTime - System.nanoTime());
  }

  private static void record(WindowRecorder recorder, SplittableRandom random, long requests) {
    for (long i = 0; i < requests; i++) {
      recorder.request(lognormal(random, 60e6, 0.8), backend(random));
      for (int query = 0; query < QUERIED; query++) {
        int backend = backend(random);
        int misses = random.nextInt(KEYS_A_QUERY);
        long nanos = lognormal(random, 8e6, 0.8);
        recorder.query(backend, KEYS_A_QUERY - misses, 300_000, misses, nanos);
      }
    }
  }

  private static long lognormal(SplittableRandom random, double median, double sigma) {
    return (long) (median * Math.exp(sigma * random.nextGaussian()));
  }

  /** Few backends get most of the queries. */
  private static int backend(SplittableRandom random) {
    return (int) (BACKENDS * Math.pow(random.nextDouble(), 2));
  }
}
