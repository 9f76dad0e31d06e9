/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.CASWriteUnknownException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import dev.manx.local.cluster.Node;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Conditional writes, batches and counters are applied and answered as by stock: several clients at
 * once send each twice, to one half of the partitions with Manx off, to the other with it on.
 * {@code MANX_FULL} makes them send fifteen times as many, {@code MANX_SEED} repeats a run.
 */
@SharedNodes
@Timeout(600)
class WritesEndToEndTest {
  private static final int CLIENTS = 6;
  private static final int WRITES = "1".equals(System.getenv("MANX_FULL")) ? 600 : 40;
  private static final int ATTEMPTS = 10;
  private static final int KEYS_OF_A_CLIENT = 100;
  private static final int OTHER_HALF = 1_000_000;
  private static final Pattern NUMBER = Pattern.compile("\\b1\\d{6}\\b");

  private ThreeNodes nodes;
  private CqlSession session;

  @BeforeEach
  void schema(ThreeNodes fixture) {
    nodes = fixture;
    session = nodes.session().driver();
    DrawnWrites.schema(session);
    nodes.set(
        "document",
        "strategy: { select: select.random, order: order.bottleneck, fanout: fanout.brb-equalmax }");
  }

  @AfterEach
  void off() {
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  @Test
  void conditionalWritesBatchesAndCountersAreAppliedAsByStock() {
    String given = System.getenv("MANX_SEED");
    long seed = given == null ? System.nanoTime() : Long.parseLong(given);
    System.out.printf("MANX_SEED=%d%n", seed);
    ConcurrentHashMap<String, PreparedStatement> prepared = new ConcurrentHashMap<>();
    nodes.set("mode", "off");
    List<List<String>> stock = atOnce(client -> run(prepared, seed + client, client, 0));
    nodes.set("mode", "on");
    Acted acted = new Acted(nodes, "writes of several clients with reads between them");
    acted.begin();
    List<List<String>> manx = atOnce(client -> run(prepared, seed + client, client, OTHER_HALF));
    acted.end();
    for (int client = 0; client < CLIENTS; client++) {
      for (int i = 0; i < WRITES; i++) {
        assertThat(manx.get(client).get(i))
            .as("MANX_SEED=%d, client %d, write %d", seed, client, i)
            .isEqualTo(stock.get(client).get(i));
      }
    }
    List<String> answers = stock.stream().flatMap(List::stream).toList();
    for (String kind : List.of("applied true", "applied false", "error", "warning")) {
      long of = answers.stream().filter(line -> line.contains(kind)).count();
      System.out.printf("%d of %d answers with %s%n", of, answers.size(), kind);
      assertThat(of).as(kind).isPositive();
    }
    assertThat(rows(OTHER_HALF)).as("MANX_SEED=" + seed).isEqualTo(rows(0));
    acted.check(List.of("requests_planned", "select_changed", "multigets_unpaged"));
  }

  /** The outcome of many conditional writes. */
  private record Race(long applied, long refused, long unknown) {
    Race plus(Race other) {
      return new Race(applied + other.applied, refused + other.refused, unknown + other.unknown);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "on"})
  void conditionalWritesOfManyClientsToOneRowExcludeEachOther(String mode) {
    nodes.set("mode", mode);
    int key = mode.equals("off") ? -1 : -2;
    SimpleStatement reset =
        SimpleStatement.newInstance(
            "INSERT INTO x.l (k, c, v) VALUES (?, 0, 0) IF NOT EXISTS", key);
    assertThat(session.execute(reset).wasApplied()).isTrue();
    Race race;
    int value;
    try (CqlSession clients = protocolV4()) {
      race = atOnce(client -> race(clients, key)).stream().reduce(new Race(0, 0, 0), Race::plus);
      value = value(clients, key);
    }
    System.out.printf("one row with Manx %s: %s, and its value is %d%n", mode, race, value);
    assertThat(race.applied).isPositive();
    assertThat(race.refused).as("clients were in each other's way").isPositive();
    assertThat((long) value).isBetween(race.applied, race.applied + race.unknown);
  }

  /**
   * In version 5 the time-out of a conditional write has one more field, which Cassandra leaves out
   * if it waited in vain for an answer or a lock (AbstractPaxosCallback, PaxosState). The driver
   * cannot read that answer and closes the connection.
   */
  private static CqlSession protocolV4() {
    return CqlSession.builder()
        .addContactPoint(new InetSocketAddress(ThreeNodes.address(0), Node.NATIVE_PORT))
        .withLocalDatacenter("datacenter1")
        .withConfigLoader(
            DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.PROTOCOL_VERSION, "V4")
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(60))
                .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
                .build())
        .build();
  }

  private static int value(CqlSession session, int key) {
    return session
        .execute(
            SimpleStatement.newInstance("SELECT v FROM x.l WHERE k = ? AND c = 0", key)
                .setConsistencyLevel(DefaultConsistencyLevel.SERIAL))
        .one()
        .getInt("v");
  }

  /** Adds one if the value is unchanged, as often as possible. */
  private static Race race(CqlSession session, int key) {
    Race race = new Race(0, 0, 0);
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        int value = value(session, key);
        boolean applied =
            session
                .execute(
                    SimpleStatement.newInstance(
                            "UPDATE x.l SET v = ? WHERE k = ? AND c = 0 IF v = ?",
                            value + 1,
                            key,
                            value)
                        .setConsistencyLevel(DefaultConsistencyLevel.QUORUM))
                .wasApplied();
        race = race.plus(applied ? new Race(1, 0, 0) : new Race(0, 1, 0));
      } catch (WriteTimeoutException | CASWriteUnknownException | ReadTimeoutException e) {
        // It may still have been applied.
        race = race.plus(new Race(0, 0, 1));
      }
    }
    return race;
  }

  private static <T> List<T> atOnce(IntFunction<T> client) {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<CompletableFuture<T>> running = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int number = i;
        running.add(CompletableFuture.supplyAsync(() -> client.apply(number), threads));
      }
      return running.stream().map(CompletableFuture::join).toList();
    } finally {
      threads.shutdown();
    }
  }

  /** The answer to each write, as if its half were the first. */
  private List<String> run(
      ConcurrentHashMap<String, PreparedStatement> prepared, long seed, int client, int half) {
    DrawnWrites writes =
        new DrawnWrites(
            session, prepared, new SplittableRandom(seed), half + client * KEYS_OF_A_CLIENT);
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < WRITES; i++) {
      answers.add(inFirstHalf(answer(writes)));
    }
    return answers;
  }

  private String answer(DrawnWrites writes) {
    try {
      ResultSet result = session.execute(writes.next());
      StringBuilder text = new StringBuilder("applied ").append(result.wasApplied());
      result
          .getColumnDefinitions()
          .forEach(
              column ->
                  text.append(", ").append(column.getName()).append(' ').append(column.getType()));
      for (Row row : result) {
        text.append("\n").append(Answers.text(row));
      }
      for (String warning : result.getExecutionInfo().getWarnings()) {
        text.append("\nwarning ").append(warning);
      }
      return text.toString();
    } catch (DriverException e) {
      return "error " + e.getClass().getSimpleName() + ": " + e.getMessage();
    }
  }

  private static String inFirstHalf(String text) {
    return NUMBER
        .matcher(text)
        .replaceAll((MatchResult number) -> "" + (Integer.parseInt(number.group()) - OTHER_HALF));
  }

  /** All rows of one half, as if it were the first, with the times that clients gave them. */
  private List<String> rows(int half) {
    List<String> lines = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      List<CompletionStage<AsyncResultSet>> answers = new ArrayList<>();
      for (int i = 0; i < KEYS_OF_A_CLIENT; i++) {
        int k = half + client * KEYS_OF_A_CLIENT + i;
        for (String cql :
            List.of(
                "SELECT k, c, v, w, s FROM x.t WHERE k = ?",
                "SELECT k, c, v, w, s FROM x.l WHERE k = ?",
                "SELECT k, n FROM x.n WHERE k = ?")) {
          answers.add(
              session.executeAsync(
                  SimpleStatement.newInstance(cql, k)
                      .setConsistencyLevel(DefaultConsistencyLevel.ALL)));
        }
      }
      for (CompletionStage<AsyncResultSet> answer : answers) {
        AsyncResultSet rows = answer.toCompletableFuture().join();
        rows.currentPage().forEach(row -> lines.add(inFirstHalf(Answers.text(row))));
        assertThat(rows.hasMorePages()).isFalse();
      }
    }
    assertThat(lines).isNotEmpty();
    return lines;
  }
}
