/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import dev.manx.load.Paging;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Requests of four kinds, drawn by their shares: multigets, range scans and index reads by way of
 * the first nodes in turn, and multigets by way of the last one, whose reads carry no tag if it is
 * without Manx.
 */
final class MixedLoad {
  private static final int MOST_IN_FLIGHT = 4_000;

  /** The kinds of requests. */
  enum Kind {
    /** 1 to 12 keys. */
    MULTIGET(50),
    /**
     * Ten rows from a token on; the model of storage makes only reads of single partitions slow.
     */
    SCAN(15),
    /** The row of one value of an indexed column. */
    INDEX(15),
    /** Four keys, by way of the last node. */
    UNTAGGED(20);

    private final int percent;

    Kind(int percent) {
      this.percent = percent;
    }

    static Kind draw(SplittableRandom random) {
      int at = random.nextInt(100);
      for (Kind kind : values()) {
        at -= kind.percent;
        if (at < 0) {
          return kind;
        }
      }
      throw new IllegalStateException("the shares are not all there is");
    }
  }

  /**
   * The clients' results for a kind.
   *
   * @param micros latencies from the intended start; a failed request counts with the time until it
   *     failed
   * @param timedOut how many timed out
   * @param failed how many failed otherwise
   */
  record Seen(Histogram micros, AtomicLong timedOut, AtomicLong failed) {
    private Seen() {
      this(
          new ConcurrentHistogram(TimeUnit.MINUTES.toMicros(1), 3),
          new AtomicLong(),
          new AtomicLong());
    }

    private void end(long nanos, Throwable failure) {
      long most = micros.getHighestTrackableValue();
      micros.recordValue(Math.min(most, TimeUnit.NANOSECONDS.toMicros(nanos)));
      if (failure instanceof ReadTimeoutException || failure instanceof DriverTimeoutException) {
        timedOut.incrementAndGet();
      } else if (failure != null) {
        failed.incrementAndGet();
      }
    }
  }

  private final CqlSession session;
  private final List<Node> nodes;
  private final int keys;
  private final PreparedStatement multiget;
  private final PreparedStatement scan;
  private final PreparedStatement index;

  /**
   * @param table with integer columns {@code k}, the keys from 0, and {@code v}, indexed and equal
   *     to it
   */
  MixedLoad(CqlSession session, String table, List<Node> nodes, int keys) {
    this.session = session;
    this.nodes = nodes;
    this.keys = keys;
    multiget = session.prepare("SELECT k, v FROM " + table + " WHERE k IN ?");
    scan = session.prepare("SELECT k, v FROM " + table + " WHERE token(k) >= ? LIMIT 10");
    index = session.prepare("SELECT k, v FROM " + table + " WHERE v = ? LIMIT 1");
  }

  private BoundStatement statement(Kind kind, SplittableRandom random, int number) {
    int last = nodes.size() - 1;
    Node coordinator = nodes.get(kind == Kind.UNTAGGED ? last : number % last);
    BoundStatement drawn =
        switch (kind) {
          case MULTIGET -> multiget.bind(asked(random, 1 + random.nextInt(12)));
          case SCAN -> scan.bind(random.nextLong());
          case INDEX -> index.bind(random.nextInt(keys));
          case UNTAGGED -> multiget.bind(asked(random, 4));
        };
    return drawn
        .setNode(coordinator)
        .setIdempotent(false)
        .setExecutionProfileName(Paging.OFF.profile());
  }

  private List<Integer> asked(SplittableRandom random, int width) {
    return random.ints(width, 0, keys).boxed().toList();
  }

  /**
   * Sends at a rate, at random times, independent of the outcome of requests.
   *
   * @param seed the same seed sends the same requests at the same times
   */
  Map<Kind, Seen> run(double perSecond, double seconds, long seed) throws InterruptedException {
    Map<Kind, Seen> seen = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      seen.put(kind, new Seen());
    }
    SplittableRandom random = new SplittableRandom(seed);
    Semaphore inFlight = new Semaphore(MOST_IN_FLIGHT);
    long begin = System.nanoTime();
    double at = 0;
    for (int i = 0; at < seconds; i++) {
      at -= Math.log(1 - random.nextDouble()) / perSecond;
      long intended = begin + Math.round(at * TimeUnit.SECONDS.toNanos(1));
      Kind kind = Kind.draw(random);
      BoundStatement statement = statement(kind, random, i);
      while (System.nanoTime() - intended < 0) {
        LockSupport.parkNanos(intended - System.nanoTime());
      }
      inFlight.acquire();
      session
          .executeAsync(statement)
          .whenComplete(
              (rows, failure) -> {
                seen.get(kind).end(System.nanoTime() - intended, failure);
                inFlight.release();
              });
    }
    inFlight.acquire(MOST_IN_FLIGHT);
    return seen;
  }

  /** Requests a second that clients in a closed loop get answered. */
  double saturation(int clients, double seconds, long seed) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(seed);
    AtomicLong answered = new AtomicLong();
    Semaphore inFlight = new Semaphore(clients);
    long begin = System.nanoTime();
    long end = begin + Math.round(seconds * TimeUnit.SECONDS.toNanos(1));
    for (int i = 0; System.nanoTime() - end < 0; i++) {
      BoundStatement statement = statement(Kind.draw(random), random, i);
      inFlight.acquire();
      session
          .executeAsync(statement)
          .whenComplete(
              (rows, failure) -> {
                answered.addAndGet(failure == null ? 1 : 0);
                inFlight.release();
              });
    }
    long inTime = answered.get();
    double elapsed = (System.nanoTime() - begin) / 1e9;
    inFlight.acquire(clients);
    return inTime / elapsed;
  }
}
