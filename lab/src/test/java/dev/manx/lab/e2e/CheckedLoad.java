/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import dev.manx.load.Paging;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Clients in a closed loop that send multigets and check every row, until it is closed. */
final class CheckedLoad implements AutoCloseable {
  static final int CLIENTS = 8;
  private static final int WRITES_AT_ONCE = 20;

  private final CqlSession session;
  private final PreparedStatement multiget;
  private final int keys;
  private final AtomicLong answered = new AtomicLong();
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<DriverException> errors = new ConcurrentLinkedQueue<>();
  private final Set<String> profiles;
  private final List<Thread> clients = new ArrayList<>();
  private volatile boolean ended;

  /**
   * Begins.
   *
   * @param session leaves every second multiget unpaged if it has a profile for that
   * @param multiget asks for {@code k} and {@code v} of a list of keys
   * @param keys keys are below this, each with its {@link #value}
   */
  CheckedLoad(CqlSession session, PreparedStatement multiget, int keys) {
    this.session = session;
    this.multiget = multiget;
    this.keys = keys;
    profiles = session.getContext().getConfig().getProfiles().keySet();
    for (int i = 0; i < CLIENTS; i++) {
      SplittableRandom random = new SplittableRandom(i);
      clients.add(new Thread(() -> run(random), "client-" + i));
    }
    clients.forEach(Thread::start);
  }

  /** The value in a key's row. */
  static int value(int key) {
    return key * 31 + 7;
  }

  /**
   * Writes the rows to all replicas.
   *
   * @param insert takes a key and its value
   * @param keys those below this
   */
  static void fill(CqlSession session, PreparedStatement insert, int keys) {
    for (int from = 0; from < keys; from += WRITES_AT_ONCE) {
      IntStream.range(from, Math.min(from + WRITES_AT_ONCE, keys))
          .mapToObj(
              key ->
                  session.executeAsync(
                      insert
                          .bind(key, value(key))
                          .setConsistencyLevel(DefaultConsistencyLevel.ALL)))
          .toList()
          .forEach(written -> written.toCompletableFuture().join());
    }
  }

  private void run(SplittableRandom random) {
    while (!ended) {
      List<Integer> asked = random.ints(1 + random.nextInt(12), 0, keys).boxed().toList();
      try {
        // Next to nodes without Manx, a node leaves paged multigets to stock.
        Paging paging = asked.size() % 2 == 0 ? Paging.OFF : Paging.DRIVER_DEFAULT;
        BoundStatement bound = multiget.bind(asked).setIdempotent(true);
        if (profiles.contains(paging.profile())) {
          bound = bound.setExecutionProfileName(paging.profile());
        }
        List<String> found = found(session.execute(bound));
        if (!found.equals(right(asked))) {
          wrong.add(asked + " gave " + found);
        }
        answered.incrementAndGet();
      } catch (DriverException e) {
        errors.add(e);
      } catch (RuntimeException | Error e) {
        // An answer, but without such a column, or with a value that is not an int's.
        wrong.add(asked + " gave " + e);
        answered.incrementAndGet();
      }
    }
  }

  /** The rows of an answer, {@code k=v}, in the order of these texts; each as often as it came. */
  static List<String> found(Iterable<Row> rows) {
    List<String> found = new ArrayList<>();
    for (Row row : rows) {
      found.add(row.getInt("k") + "=" + row.getInt("v"));
    }
    Collections.sort(found);
    return found;
  }

  /** What {@link #found} gives if each of these keys has its row once. */
  static List<String> right(Collection<Integer> keys) {
    return keys.stream().distinct().map(key -> key + "=" + value(key)).sorted().toList();
  }

  /** Waits for the given number of further answers. */
  void go(int requests) {
    long until = answered.get() + requests;
    Waiting.until("requests are answered", () -> answered.get() >= until);
  }

  long answered() {
    return answered.get();
  }

  /** Answers with wrong rows. */
  Collection<String> wrong() {
    return wrong;
  }

  Collection<DriverException> errors() {
    return errors;
  }

  @Override
  public void close() {
    ended = true;
    for (Thread client : clients) {
      try {
        client.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }
}
