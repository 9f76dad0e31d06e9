/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import dev.manx.lab.e2e.Answers.Answer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Statement by statement, Manx's nodes answer as stock's: rows and their order, columns, warnings
 * and errors. Pagings begun in one mode continue in the other, on another coordinator. Half of the
 * statements come one after another, half several times from many clients at once.
 *
 * <p>The environment variable {@code MANX_FULL} makes it run some forty times as many statements,
 * {@code MANX_SEED} repeats an earlier run.
 */
@SharedNodes
@Timeout(1800)
class DifferentialEndToEndTest {
  private static final boolean FULL = "1".equals(System.getenv("MANX_FULL"));
  private static final int ROUNDS = FULL ? 200 : 14;
  // If by chance the statements so far did not use a part of Manx.
  private static final int MORE_ROUNDS = 10;
  private static final int STATEMENTS = FULL ? 40 : 14;
  // So many at once that reads wait, and there is an order to change.
  private static final int CLIENTS = 24;
  private static final int COPIES = 3;
  private static final String MANX =
      """
      strategy:
        select: { policy: select.low }
        order: { policy: order.bottleneck }
        fanout: { policy: fanout.brb-equalmax, longest-first: true }
        oracles: { size: { policy: oracle.size-bloom, large-above: 1KiB } }
        facts: [pending-reads, service-time, work-ahead]
      """;
  // Differs from stock's choice as often as possible, with a random order of each queue.
  private static final String RANDOM =
      """
      strategy:
        select: select.random
        order: { policy: order.lottery, level-zero: 1us, growth: 1.3, levels: 64 }
        fanout: fanout.brb-equalmax
      """;
  // A separate forecast, so that no read is as expensive as the bottleneck's.
  private static final String HOLDS =
      """
      strategy:
        select: select.random
        fanout: { policy: fanout.tailx-hold, rank: brb-equalmax, longest-first: true }
        oracles: { forecast: { small-default: 5ms } }
      """;
  private static final List<String> ACTS =
      List.of(
          "requests_planned",
          "multigets_unpaged",
          "select_changed",
          "select_applied",
          "order_queued",
          "tags_received",
          "tickets_answered");
  private static final List<String> ACTS_ON_FACTS =
      Stream.concat(ACTS.stream(), Stream.of("facts_received", "sizes_learned_from_reads"))
          .toList();
  private static final List<String> ACTS_AND_HOLDS =
      Stream.concat(ACTS.stream(), Stream.of("reads_held")).toList();
  private static final List<Preset> PRESETS =
      List.of(
          new Preset("select.low, order.bottleneck", MANX, ACTS_ON_FACTS),
          new Preset("select.random, order.lottery", RANDOM, ACTS),
          new Preset("manx", "strategy: manx", ACTS_ON_FACTS),
          new Preset("manx-hedged", "strategy: manx-hedged", ACTS_ON_FACTS),
          new Preset(
              "manx-tied",
              TiedOnBusyCores.DOCUMENT,
              Stream.concat(ACTS_ON_FACTS.stream(), Stream.of("copies_offered")).toList()),
          new Preset("brb-credits", "strategy: brb-credits", ACTS_ON_FACTS),
          new Preset("holds", HOLDS, ACTS_AND_HOLDS));

  /**
   * A strategy.
   *
   * @param acts the counters that rise while it is in use
   */
  private record Preset(String name, String document, List<String> acts) {}

  @Test
  void everyStatementIsAnsweredAsByStock(ThreeNodes nodes) {
    String given = System.getenv("MANX_SEED");
    long seed = given == null ? System.nanoTime() : Long.parseLong(given);
    System.out.printf("MANX_SEED=%d%n", seed);
    CqlSession session = nodes.session().driver();
    Statements.schema(session);
    Statements statements = new Statements(seed);
    statements.fill(session);
    Answers answers = new Answers(nodes, text -> text);
    SplittableRandom random = new SplittableRandom(seed);
    List<Acted> acted = new ArrayList<>();
    PRESETS.forEach(preset -> acted.add(new Acted(nodes, preset.name)));
    int compared = 0;
    int continued = 0;
    int failing = 0;
    for (int round = 0; round < ROUNDS + MORE_ROUNDS; round++) {
      int which = round < ROUNDS ? round % PRESETS.size() : idle(acted);
      if (which < 0) {
        break;
      }
      nodes.set("document", PRESETS.get(which).document);
      List<Statements.Drawn> drawn = new ArrayList<>();
      for (int i = 0; i < STATEMENTS; i++) {
        drawn.add(statements.next());
      }
      int at = random.nextInt(3);
      nodes.set("mode", "off");
      List<Answer> stock = answers.all(drawn, at);
      List<Answer> begunByStock = answers.firstPages(drawn, at);
      nodes.set("mode", "on");
      Acted watched = acted.get(which);
      watched.begin();
      boolean atOnce = round >= ROUNDS || round / PRESETS.size() % 2 == 1;
      List<Answer> manx =
          atOnce ? answers.allAtOnce(copies(drawn), CLIENTS) : answers.all(drawn, at);
      List<Answer> begunByManx = answers.firstPages(drawn, at);
      List<Answer> endedByManx = answers.rest(drawn, begunByStock, (at + 1) % 3);
      watched.end();
      nodes.set("mode", "off");
      List<Answer> endedByStock = answers.rest(drawn, begunByManx, (at + 2) % 3);
      for (int i = 0; i < STATEMENTS; i++) {
        String what =
            "MANX_SEED=%d, round %d%s: %s"
                .formatted(seed, round, atOnce ? ", many at once" : "", drawn.get(i));
        List<String> right = stock.get(i).lines();
        for (int copy = i; copy < manx.size(); copy += STATEMENTS) {
          assertThat(manx.get(copy).lines()).as(what).isEqualTo(right);
        }
        assertThat(endedByManx.get(i).lines()).as("begun by stock, " + what).isEqualTo(right);
        assertThat(endedByStock.get(i).lines()).as("begun by Manx, " + what).isEqualTo(right);
        compared++;
        continued += begunByManx.get(i).next() == null ? 0 : 1;
        failing += right.get(0).startsWith("error") ? 1 : 0;
      }
    }
    System.out.printf(
        "%d statements alike, %d of them refused by both, %d pagings of each continued in the other"
            + " mode%n",
        compared, failing, continued);
    // It would prove little if Manx had been inactive.
    for (int i = 0; i < PRESETS.size(); i++) {
      acted.get(i).check(PRESETS.get(i).acts);
    }
    assertThat(sum(acted, "requests_planned")).isGreaterThan(compared / 2);
    assertThat(sum(acted, "order_changed")).isPositive();
    assertThat(continued).isPositive();
    nodes.set("document", "strategy: {}");
  }

  private static List<Statements.Drawn> copies(List<Statements.Drawn> drawn) {
    return Collections.nCopies(COPIES, drawn).stream().flatMap(List::stream).toList();
  }

  /**
   * A strategy with a part that has not acted yet, or the first if no order was changed yet; -1 if
   * there is none.
   */
  private static int idle(List<Acted> acted) {
    if (sum(acted, "order_changed") == 0) {
      return 0;
    }
    return IntStream.range(0, PRESETS.size())
        .filter(i -> !acted.get(i).saw(PRESETS.get(i).acts))
        .findFirst()
        .orElse(-1);
  }

  private static long sum(List<Acted> acted, String counter) {
    return acted.stream().mapToLong(each -> each.of(counter)).sum();
  }
}
