/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.ConnectSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Applications of a shop, which read the carts of a dozen customers at a time. */
final class ShopLoad implements AutoCloseable {
  static final int CARTS = 400;

  private static final int THREADS = 4;
  private static final int WIDTH = 12;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(15);

  private final Cluster cluster;
  private final CqlSession session;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  ShopLoad(ConnectSettings settings) {
    cluster = Cluster.connect(settings);
    session = cluster.session("LOCAL_ONE", TimeUnit.SECONDS.toNanos(20));
    PreparedStatement carts = session.prepare("SELECT * FROM shop.carts WHERE id IN ?");
    for (int thread = 0; thread < THREADS; thread++) {
      SplittableRandom random = new SplittableRandom(thread);
      threads.add(new Thread(() -> ask(carts, random), "shop"));
    }
    threads.forEach(Thread::start);
  }

  /** Creates the table and fills it. */
  static void fill(CqlSession session) {
    session.execute(
        "CREATE KEYSPACE shop WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'dc1': 3, 'dc2': 3}");
    session.execute("CREATE TABLE shop.carts (id int PRIMARY KEY, items text)");
    PreparedStatement insert = session.prepare("INSERT INTO shop.carts (id, items) VALUES (?, ?)");
    SplittableRandom random = new SplittableRandom(1);
    for (int id = 0; id < CARTS; id++) {
      session.execute(
          insert.bind(id, "item ".repeat(1 + random.nextInt(id % 20 == 0 ? 4_000 : 40))));
    }
  }

  private void ask(PreparedStatement carts, SplittableRandom random) {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        List<Integer> ids = random.ints(0, CARTS).distinct().limit(WIDTH).boxed().toList();
        assertThat(session.execute(carts.bind(ids)).all()).hasSize(WIDTH);
        answered.incrementAndGet();
        LockSupport.parkNanos(random.nextLong(2 * PAUSE_NANOS));
      }
    } catch (Throwable t) {
      failure.compareAndSet(null, t);
    }
  }

  /** Waits for the given number of further answers. */
  void await(long more) {
    long wanted = answered.get() + more;
    Waiting.until(more + " answers", () -> answered.get() >= wanted || failure.get() != null);
    assertThat(failure.get()).isNull();
  }

  @Override
  public void close() throws InterruptedException {
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      thread.join();
    }
    session.close();
    cluster.close();
    Throwable failed = failure.get();
    // A request that is interrupted fails, and says so.
    assertThat(failed == null || String.valueOf(failed).contains("nterrupted"))
        .as(() -> "every request was answered: " + failed)
        .isTrue();
  }
}
