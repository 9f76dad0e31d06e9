/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Parts of composite keys, elements of lists, limits and paging states that are garbage are refused
 * as by stock, and are no fault of Manx. {@code MANX_FULL} makes it send ten times as many, {@code
 * MANX_SEED} repeats a run.
 */
@SharedNodes
@Timeout(600)
class MalformedEndToEndTest {
  private static final int EACH = "1".equals(System.getenv("MANX_FULL")) ? 300 : 30;
  private static final int ROWS = 6;

  private ThreeNodes nodes;
  private CqlSession session;
  private SplittableRandom random;

  @BeforeEach
  void fill(ThreeNodes fixture) {
    nodes = fixture;
    session = nodes.session().driver();
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS f"
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
    session.execute(
        "CREATE TABLE IF NOT EXISTS f.pair (a int, b text, c int, v int, PRIMARY KEY ((a, b), c))");
    session.execute(
        "CREATE TABLE IF NOT EXISTS f.trio (a decimal, b frozen<tuple<int, text>>, c uuid, v int,"
            + " PRIMARY KEY ((a, b, c)))");
    session.execute("CREATE TABLE IF NOT EXISTS f.one (k int PRIMARY KEY, v int)");
    for (int i = 0; i < ROWS; i++) {
      nodes.write("INSERT INTO f.one (k, v) VALUES (?, 1)", i);
      for (int c = 0; c < ROWS; c++) {
        nodes.write("INSERT INTO f.pair (a, b, c, v) VALUES (?, ?, ?, 1)", i, "b" + i % 2, c);
      }
    }
    nodes.set("document", "strategy: manx");
  }

  @AfterEach
  void off() {
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  @Test
  void garbageIsRefusedAsByStockAndIsNoFaultOfManx() {
    String given = System.getenv("MANX_SEED");
    long seed = given == null ? System.nanoTime() : Long.parseLong(given);
    System.out.printf("MANX_SEED=%d%n", seed);
    random = new SplittableRandom(seed);
    nodes.set("mode", "off");
    List<Garbled> drawn = new ArrayList<>();
    drawn.addAll(values());
    drawn.addAll(pagingStates());
    List<String> stock = drawn.stream().map(each -> each.outcome(session)).toList();
    for (String mode : List.of("shadow", "on")) {
      nodes.set("mode", mode);
      Acted acted = new Acted(nodes, "garbage in mode " + mode);
      acted.begin();
      for (int i = 0; i < drawn.size(); i++) {
        assertThat(drawn.get(i).outcome(session))
            .as("MANX_SEED=%d, mode %s: %s", seed, mode, drawn.get(i))
            .isEqualTo(stock.get(i));
      }
      acted.end();
      acted.check(List.of("requests_malformed", "requests_planned"));
      for (int node = 0; node < 3; node++) {
        assertThat(nodes.table(node, "manx.strategy", "value"))
            .containsEntry("mode", mode)
            .containsEntry("breaker", "closed");
      }
    }
    System.out.printf(
        "%d statements alike, %d of them refused%n",
        drawn.size(), stock.stream().filter(outcome -> !outcome.startsWith("rows")).count());
  }

  private List<Garbled> values() {
    Supplier<ByteBuffer> any = () -> Garbled.value(random);
    Supplier<ByteBuffer> a = () -> mostly(Garbled.number(random.nextInt(ROWS)));
    Supplier<ByteBuffer> b = () -> mostly(text("b" + random.nextInt(2)));
    Supplier<ByteBuffer> as = () -> list(a);
    Supplier<ByteBuffer> bs = () -> list(b);
    List<Garbled> drawn = new ArrayList<>();
    add(drawn, "SELECT v FROM f.pair WHERE a = ? AND b = ?", a, b);
    add(drawn, "SELECT v FROM f.pair WHERE a = ? AND b = ? AND c = ?", a, b, a);
    add(drawn, "SELECT v FROM f.pair WHERE a IN (?, ?) AND b IN (?, ?) AND c = ?", a, a, b, b, a);
    add(drawn, "SELECT v FROM f.pair WHERE a IN ? AND b IN ?", as, bs);
    add(drawn, "SELECT v FROM f.pair WHERE a IN ? AND b IN ? AND c IN ?", as, bs, as);
    add(drawn, "SELECT v FROM f.pair WHERE a IN ? AND b = ? AND c >= ? LIMIT ?", as, b, a, a);
    add(drawn, "SELECT v FROM f.pair WHERE a IN ? AND b IN ? PER PARTITION LIMIT ?", as, bs, a);
    add(drawn, "SELECT v FROM f.trio WHERE a = ? AND b = ? AND c = ?", any, any, any);
    add(drawn, "SELECT v FROM f.trio WHERE a IN ? AND b = ? AND c IN (?, ?)", any, any, any, any);
    add(drawn, "SELECT v FROM f.one WHERE k IN ?", as);
    add(
        drawn,
        "SELECT v FROM f.one WHERE k IN (?, ?, ?) PER PARTITION LIMIT ? LIMIT ?",
        a,
        a,
        a,
        a,
        a);
    return drawn;
  }

  @SafeVarargs
  private void add(List<Garbled> drawn, String cql, Supplier<ByteBuffer>... values) {
    PreparedStatement statement = session.prepare(cql);
    for (int i = 0; i < EACH; i++) {
      List<ByteBuffer> bound = Stream.of(values).map(Supplier::get).toList();
      drawn.add(new Garbled(statement, bound, random.nextBoolean() ? 100 : 2, null));
    }
  }

  private List<Garbled> pagingStates() {
    List<Garbled> drawn = new ArrayList<>();
    for (String cql :
        List.of(
            "SELECT v FROM f.one WHERE k IN ?",
            "SELECT a, c, v FROM f.pair WHERE b = 'b0' AND a IN ?",
            "SELECT a, c, v FROM f.pair WHERE b = 'b0' AND c = 2 AND a IN ?")) {
      PreparedStatement statement = session.prepare(cql);
      ByteBuffer right =
          session
              .execute(statement.bind(List.of(0, 2, 4)).setPageSize(2))
              .getExecutionInfo()
              .getPagingState();
      assertThat(right).isNotNull();
      ByteBuffer keys =
          Garbled.list(
              new SplittableRandom(0),
              List.of(Garbled.number(0), Garbled.number(2), Garbled.number(4)));
      drawn.add(new Garbled(statement, List.of(keys), 2, right));
      // One of another statement is not refused where it fits.
      drawn.add(
          new Garbled(
              session.prepare("SELECT v FROM f.one WHERE k IN ?"), List.of(keys), 2, right));
      for (int i = 0; i < 2 * EACH; i++) {
        int page = random.nextBoolean() ? 100 : 2;
        drawn.add(new Garbled(statement, List.of(keys), page, Garbled.spoilt(random, right)));
      }
    }
    return drawn;
  }

  private ByteBuffer list(Supplier<ByteBuffer> element) {
    return random.nextInt(8) == 0
        ? Garbled.value(random)
        : Garbled.list(random, Stream.generate(element).limit(random.nextInt(6)).toList());
  }

  /** The right value, three times in four. */
  private ByteBuffer mostly(ByteBuffer right) {
    return random.nextInt(4) == 0 ? Garbled.value(random) : right;
  }

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
