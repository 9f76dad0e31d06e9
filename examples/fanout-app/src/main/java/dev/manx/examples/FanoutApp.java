/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.examples;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Sends the same requests to two equal sites, each with three backends of four connections and a
 * cache of 12 MiB. After a third of the run one backend becomes slow. The first site keeps equal
 * shares, so its requests queue for the slow backend. The other moves space to the backend that
 * blocks its slowest requests, which then recover.
 *
 * <pre>java -jar examples/fanout-app/target/fanout-app.jar [seconds]</pre>
 */
public final class FanoutApp {
  private static final int REQUESTS_PER_SECOND = 200;

  private static final String EQUAL = "{ policy: cache.static, learn: 0s, page: 16KiB }";

  /**
   * Decides ten times as often as published and considers a wider band, P91 to P99: of 200 requests
   * a second only two lie beyond P99.
   */
  private static final String MOVING =
      "{ policy: cache.robinhood, interval: 500ms, window: 2s, floor: 256KiB, page: 16KiB,"
          + " tax: 4%, goal: p95, half-band: 4%, enough: 20 }";

  /**
   * Measurements of one second.
   *
   * @param equalMillis P95 of the requests with equal shares
   * @param movingMillis P95 with moving shares
   * @param equalMisses loads of the slow backend with equal shares
   * @param movingMisses loads of the slow backend with moving shares
   * @param movingMib moving share of the slow backend
   */
  record Second(
      double equalMillis,
      double movingMillis,
      long equalMisses,
      long movingMisses,
      double movingMib) {}

  private FanoutApp() {}

  /** Runs for the given number of seconds, 60 by default. */
  public static void main(String[] args) throws InterruptedException {
    OptionalInt seconds = seconds(args);
    if (seconds.isEmpty()) {
      System.err.println("usage: java -jar fanout-app.jar [SECONDS], from 3 to 99999");
      System.exit(2);
    }
    play(seconds.getAsInt(), System.out);
  }

  /** The length of the run; empty if the arguments are invalid. */
  static OptionalInt seconds(String... args) {
    if (args.length == 0) {
      return OptionalInt.of(60);
    }
    return args.length == 1 && args[0].matches("[3-9]|[1-9][0-9]{1,4}")
        ? OptionalInt.of(Integer.parseInt(args[0]))
        : OptionalInt.empty();
  }

  /** Runs and prints a line per second. */
  static List<Second> play(int seconds, PrintStream out) throws InterruptedException {
    List<Second> timeline = new ArrayList<>();
    ScheduledExecutorService users = Executors.newScheduledThreadPool(1);
    try (Site equal = new Site(EQUAL);
        Site moving = new Site(MOVING)) {
      SplittableRandom random = new SplittableRandom(1);
      users.scheduleAtFixedRate(
          () -> {
            long seed = random.nextLong();
            equal.request(new SplittableRandom(seed));
            moving.request(new SplittableRandom(seed));
          },
          0,
          1_000_000 / REQUESTS_PER_SECOND,
          TimeUnit.MICROSECONDS);
      out.println("      P95 of requests, ms   share of " + Site.SLOW + ", MiB   and its misses/s");
      out.println("  s     equal    moving         equal    moving      equal    moving");
      for (int second = 1; second <= seconds; second++) {
        Thread.sleep(1_000);
        if (second == seconds / 3) {
          equal.slowDown();
          moving.slowDown();
          out.println("     " + Site.SLOW + " becomes slow");
        }
        timeline.add(line(second, equal, moving, out));
      }
    } finally {
      users.shutdownNow();
    }
    return timeline;
  }

  private static Second line(int second, Site equal, Site moving, PrintStream out) {
    Second now =
        new Second(
            equal.p95Millis(),
            moving.p95Millis(),
            equal.newMisses(),
            moving.newMisses(),
            moving.slowMib());
    out.println(
        String.format(
            Locale.ROOT,
            "%3d  %8.1f  %8.1f      %8.1f  %8.1f   %8d  %8d",
            second,
            now.equalMillis(),
            now.movingMillis(),
            equal.slowMib(),
            now.movingMib(),
            now.equalMisses(),
            now.movingMisses()));
    return now;
  }
}
