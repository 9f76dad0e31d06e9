/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.manx.policy.FakeView;
import dev.manx.policy.NanoClock;
import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.Requests;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;
import dev.manx.policy.facts.Fact;
import dev.manx.policy.select.Selector;
import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyInfo.Place;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StrategyTest {
  private static final NanoClock CLOCK = () -> 0;
  static final String DESIGN =
      """
      strategy:
        select: { policy: select.low }
        order:  { policy: order.bottleneck, max-wait: 500ms }
        fanout: { policy: fanout.brb-equalmax, cost: forecast, longest-first: true }
        oracles: { size: { policy: oracle.size-bloom, large-above: 64KiB, memory: 4MiB } }
        facts:  [ pending-reads, service-time, work-ahead ]
      """;

  @Test
  void readsTheDesignsDocument() {
    Strategy strategy = parse(DESIGN);
    assertThat(strategy.names())
        .containsEntry("select", "select.low")
        .containsEntry("order", "order.bottleneck")
        .containsEntry("fanout", "fanout.brb-equalmax")
        .containsEntry("oracles.size", "oracle.size-bloom")
        .containsEntry("facts", "pending-reads,service-time,work-ahead");
    assertThat(strategy.newOrder()).isNotSameAs(strategy.newOrder());
    assertThat(strategy.unit()).isEqualTo(Unit.NANOS);
    assertThat(strategy.sizes().memoryBytes()).isEqualTo(4 << 20);
  }

  /** Rankings that a bad selector may leave behind; node 7 exists, but in another range. */
  enum Nonsense {
    UNKNOWN_ID(-5),
    HUGE_ID(1 << 30),
    FOREIGN_NODE(7),
    DUPLICATE(2),
    OTHER_GROUP(4);

    final int first;

    Nonsense(int first) {
      this.first = first;
    }
  }

  @ParameterizedTest
  @EnumSource(Nonsense.class)
  void aNonsenseRankingIsMendedCountedAndForgotten(Nonsense nonsense) {
    Strategy strategy = parse("strategy: { fanout: fanout.brb-equalmax }");
    Request request = new Request();
    Selector bad =
        (ranked, read, from, to, view) -> {
          if (read == 1 && from == ranked.replicaStart(1)) {
            ranked.replicas()[from] = nonsense.first;
          }
        };
    fillThreeReads(request);
    strategy.planner().plan(request, bad, new FakeView(8));
    assertThat(request.mended()).isEqualTo(1);
    for (int read = 0; read < 3; read++) {
      assertThat(Requests.ranking(request, read)).containsExactly(1, 2, 3, 4);
    }
    // The next request of the thread starts clean.
    fillThreeReads(request);
    assertThat(request.mended()).isZero();
    for (int node = 0; node < 8; node++) {
      assertThat(request.plannedReads(node)).isZero();
    }
    strategy.plan(request, new FakeView(8));
    assertThat(request.mended()).isZero();
  }

  @Test
  void aSelectorThatWritesIntoAnotherReadsReplicasIsMended() {
    Strategy strategy = parse("strategy: {}");
    Request request = new Request();
    fillThreeReads(request);
    strategy.plan(request, new FakeView(8));
    request.replicas()[0] = 99;
    request.verify(0);
    request.verify(1);
    assertThat(request.mended()).isEqualTo(1);
    assertThat(Requests.ranking(request, 0)).containsExactly(1, 2, 3, 4);
  }

  private static void fillThreeReads(Request request) {
    request.begin(0, new SplittableRandom(1), 8);
    for (int read = 0; read < 3; read++) {
      request.addRead(null, read, 1);
      for (int node = 1; node <= 4; node++) {
        request.addReplica(node, node < 4 ? 0 : 1);
      }
    }
  }

  @Test
  void everyPartIsOptionalAndThenStock() {
    Strategy strategy = parse("strategy: {}");
    assertThat(strategy.names().values())
        .containsExactly("select.stock", "order.fifo", "fanout.none", "none", "");
    assertThat(strategy.sizes()).isNull();
    assertThat(strategy.facts().isEmpty()).isTrue();
    assertThat(strategy.isLarge(null, 1)).isFalse();
  }

  @Test
  void theShortFormIsTheLongForm() {
    assertThat(parse("strategy: { select: select.low, facts: work-ahead }").document())
        .isEqualTo(
            parse("strategy: { select: { policy: select.low }, facts: [work-ahead] }").document());
  }

  @Test
  void theResolvedDocumentParsesToItself() {
    for (String yaml :
        new String[] {
          DESIGN,
          "strategy: {}",
          "strategy: { order: { policy: order.bottleneck, max-wait: 1234567ns } }",
          "strategy: { oracles: { size: { policy: oracle.size-bloom, large-above: 65537B,"
              + " false-positives: 0.000001 }, forecast: { small-default: 333us } } }"
        }) {
      String document = parse(yaml).document();
      assertThat(parse(document).document()).isEqualTo(document);
    }
    assertThat(
            parse("strategy: { order: { policy: order.bottleneck, max-wait: 1234567ns } }")
                .document())
        .contains("max-wait: 1234567ns");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "strategy: { selekt: select.low } | strategy.selekt: unknown key | select, order, fanout",
        "strategy: { select: select.nope } | strategy.select = 'select.nope' | select.low",
        "strategy: { select: order.fifo } | strategy.select = 'order.fifo' | one of select.stock",
        "strategy: { order: { max-wait: 1s } } | strategy.order.policy is missing | a value",
        "strategy: { order: { policy: order.bottleneck, max-wait: 5 } } | '5' | a duration",
        "strategy: { order: { policy: order.fifo, max-wait: 5ms } } | max-wait | unknown key",
        "strategy: { order: { policy: order.fifo, capacity: 0 } } | capacity = '0' | from 1",
        "strategy: { facts: [nope] } | strategy.facts[0] = 'nope' | pending-reads",
        "strategy: { facts: [work-ahead, work-ahead] } | facts[1] | each fact once",
        "strategy: { oracles: { size: { policy: oracle.size-bloom, memory: 4ms } } } | 4ms | a size",
        "strategy: { oracles: { taste: x } } | strategy.oracles.taste | size, popularity, forecast",
        "strategy: { fanout: { policy: fanout.brb-equalmax, cost: bytes } } | cost | oracles.size",
        "strategy: { select: select.c3, facts: [pending-reads] } | strategy.select | service-time",
        "strategy: { select: { policy: select.c3, service: completions },"
            + " facts: [pending-reads, service-time] } | select.service | completed-reads",
        "strategy: {}\\nmore: 1 | more: unknown key | strategy"
      })
  void refusesWithFileLineKeyAndWhatIsAllowed(String yaml, String place, String allowed) {
    assertThatThrownBy(() -> parse(yaml.replace("\\n", "\n")))
        .isInstanceOf(ConfigException.class)
        .hasMessageMatching("(?s)test.yaml:[12]: .*")
        .hasMessageContaining(place)
        .hasMessageContaining(allowed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fanout: { policy: fanout.tied } | fanout.tied with sender: coordinator",
        "bound: bound.ideal-equalmax | sees the state of all nodes at once",
        "oracles: { size: oracle.size-file } | reads a file"
      })
  void aNodeRefusesWhatCannotActThereAndSaysWhy(String part, String why) {
    String yaml = "strategy: { %s, facts: [pending-reads, service-time] }".formatted(part);
    assertThatThrownBy(() -> parse(yaml))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(why)
        .hasMessageContaining("only in the simulator");
    assertThat(simulated(yaml).document())
        .isEqualTo(simulated(simulated(yaml).document()).document());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bound: bound.ideal-equalmax, select: select.low | strategy.select | bound replaces it",
        "select: select.c3-rate-control, fanout: fanout.brb-credits | fanout | holds reads back already",
        "select: select.c3-rate-control, fanout: fanout.tailx-hold | fanout | holds reads back already",
        "select: select.popularity-aware | strategy.select | strategy.oracles.popularity",
        "select: select.popularity-aware, oracles: { popularity: oracle.popularity-space-saving },"
            + " fanout: { policy: fanout.rein-sbf, choose: opset } | fanout.choose | each read",
        "select: { policy: select.popularity-aware, theta: 0.0000001 }, oracles: { popularity:"
            + " oracle.popularity-space-saving } | strategy.select | exceeds the oracle's half-life",
        "select: { policy: select.p2c, signal: pending-reads }, facts: [] | signal | strategy.facts",
        "order: order.slack-edf, fanout: fanout.rein-sbf | strategy.order | ranks by durations",
        "order: order.lottery, fanout: { policy: fanout.brb-equalmax, cost: keys } | order | durations",
        "order: order.boost, fanout: { policy: fanout.tied, rank: rein-sbf } | strategy.order | durations",
        "order: order.slack-edf, fanout: { policy: fanout.tailx-hold, rank: rein-sbf } | order | durations",
        "order: { policy: order.multilevel, levels-by: keys } | levels-by | cost: keys",
        "order: { policy: order.lottery, levels-by: keys, inside: slack }, fanout: fanout.rein-sbf | inside | a duration",
        "fanout: { policy: fanout.speculative-retry, threshold: 101p } | 101p | a percentile",
        "oracles: { size: oracle.popularity-space-saving } | size | oracle.size-bloom",
        "exchange: {}, oracles: { size: oracle.size-ewma }, facts: [] | exchange | an exchange needs",
        "exchange: { peers: 0 } | strategy.exchange.peers | from 1",
        "oracles: { popularity: oracle.size-bloom } | popularity | oracle.popularity-space-saving"
      })
  void contradictionsAreRefused(String parts, String place, String allowed) {
    String facts = parts.contains("facts") ? "" : ", facts: [pending-reads, service-time]";
    assertThatThrownBy(() -> simulated("strategy: { " + parts + facts + " }"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(place)
        .hasMessageContaining(allowed);
  }

  /** Otherwise {@code most-cores}, which bounds by default, would silently bound nothing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "'' | none | cores",
        "'' | [work-ahead] | work-ahead,cores",
        "'' | [cores, work-ahead] | cores,work-ahead",
        "', most-cores: 50%' | work-ahead | work-ahead,cores",
        "', most-cores: 100%' | none | ''",
        "', most-cores: 100%' | [work-ahead] | work-ahead"
      })
  void copiesBoundedByBusyCoresExchangeThem(String bound, String listed, String exchanged) {
    Strategy strategy =
        parse(
            "strategy: { fanout: { policy: fanout.tied, sender: replica%s }%s }"
                .formatted(bound, listed == null ? "" : ", facts: " + listed));
    assertThat(strategy.names()).containsEntry("facts", exchanged);
    assertThat(strategy.facts().wired().stream().map(Fact::name))
        .containsExactlyElementsOf(
            exchanged.isEmpty() ? List.of() : List.of(exchanged.split(",", -1)));
    assertThat(parse(strategy.document()).document()).isEqualTo(strategy.document());
  }

  @Test
  void onlyCopiesBoundedByBusyCoresAddTheirFact() {
    assertThat(parse("strategy: { fanout: fanout.hedged }").names()).containsEntry("facts", "");
    assertThat(parse("strategy: manx-tied").names())
        .containsEntry("facts", "pending-reads,service-time,work-ahead,slowness,cores");
  }

  @Test
  void textsWithSignsSurviveTheDocument() {
    Strategy strategy =
        simulated(
            "strategy: { fanout: { policy: fanout.speculative-retry,"
                + " threshold: 'min(99p,50ms)' } }");
    assertThat(strategy.document()).contains("threshold: \"min(99p,50ms)\"");
    assertThat(simulated(strategy.document()).document()).isEqualTo(strategy.document());
  }

  /** A policy of a third party may have any text as a setting. */
  @ParameterizedTest
  @ValueSource(strings = {"", "-", "~", "null", "- x", "99%", "% of", "a: b", "\"a\\b\"", "a\nb"})
  void anyTextSurvivesTheDocument(String text) {
    Setting note = Setting.anyText("note", text, "a note");
    PolicyInfo info =
        PolicyInfo.named("order.noted", "a third party's").settings(note).make(settings -> "");
    String written =
        new StrategySpec.Choice(info, Host.node(CLOCK).settings(List.of(note), null)).written();
    ConfigNode read = ConfigNode.parse("written", "order: " + written).at("order");
    assertThat(read.at("note").text()).isEqualTo(text);
  }

  @Test
  void gatesAndTicksComeFromTheParts() {
    assertThat(parse("strategy: {}").newGate()).isNull();
    assertThat(simulated("strategy: { fanout: fanout.brb-credits }").newGate()).isNotNull();
    assertThat(
            parse(
                    "strategy: { select: select.c3-rate-control,"
                        + " facts: [pending-reads, service-time] }")
                .newGate())
        .isNotNull();
    Strategy quick =
        parse("strategy: { select: { policy: select.dynamic-snitch, update-interval: 5ms } }");
    assertThat(quick.tickIntervalNanos()).isEqualTo(5_000_000);
    assertThat(parse("strategy: {}").tickIntervalNanos()).isEqualTo(100_000_000);
  }

  @Test
  void aPolicyThatNeedsMoreThanANodeOffersActsOnNoNode() {
    assertThat(Policies.all())
        .filteredOn(info -> !info.places().equals(Set.of(Place.APPLICATION)))
        .filteredOn(info -> !info.places().equals(Set.of(Place.APPLICATION, Place.SIMULATOR)))
        .allSatisfy(
            info ->
                assertThat(
                        info.places().contains(Place.COORDINATOR)
                            || info.places().contains(Place.REPLICA))
                    .as(info.name())
                    .isEqualTo(Ability.OF_NODES.containsAll(info.needs())));
  }

  @Test
  void plansWithForecastsBySize() {
    Strategy strategy =
        parse(
            """
            strategy:
              fanout: fanout.brb-equalmax
              oracles:
                size: oracle.size-key-encoded
                forecast: { small-default: 2us, large-default: 7us }
            """);
    Request request = new Request();
    request.begin(0, new SplittableRandom(1), 2);
    for (String key : new String[] {"100_a", "70000_b", "100_c"}) {
      request.addRead(key(key), 1, 1);
      request.addReplica(request.reads() == 3 ? 1 : 0, 0);
    }
    strategy.plan(request, new FakeView(2));
    assertThat(request.bottleneck()).isEqualTo(9_000);
    assertThat(request.slack(2)).isEqualTo(7_000);
    assertThat(request.sizeBytes(1)).isEqualTo(70_000);
    assertThat(strategy.forecastNanos(key("70000_b"), 1)).isEqualTo(7_000);
    assertThat(strategy.isLarge(key("70000_b"), 1)).isTrue();
    assertThat(strategy.ownPriority(key("100_a"), 1)).isEqualTo(2_000);
  }

  @ParameterizedTest
  @CsvSource({"forecast, NANOS, 4000000", "keys, KEYS, 1", "bytes, BYTES, 70000"})
  void costsAreInThePlannersUnit(String cost, Unit unit, long expected) {
    Strategy strategy =
        parse(
            "strategy: { fanout: { policy: fanout.brb-equalmax, cost: %s }, ".formatted(cost)
                + "oracles: { size: oracle.size-key-encoded } }");
    assertThat(strategy.unit()).isEqualTo(unit);
    assertThat(strategy.ownPriority(key("70000_b"), 1)).isEqualTo(expected);
  }

  @Test
  void everyDefaultIsAnAllowedValue() {
    for (PolicyInfo info : Policies.all()) {
      for (Setting setting : info.settings()) {
        String written = setting.write(setting.standard());
        ConfigNode node = ConfigNode.parse("test", "{ " + setting.name() + ": '" + written + "' }");
        assertThat(Values.read(List.of(setting), node).written())
            .as("%s.%s", info.name(), setting.name())
            .containsExactly(entry(setting.name(), written));
      }
    }
  }

  private static ByteBuffer key(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Strategy simulated(String yaml) {
    return Strategy.parse("test.yaml", yaml, Host.simulator(CLOCK, () -> 42));
  }

  private static Strategy parse(String yaml) {
    return Strategy.parse("test.yaml", yaml, CLOCK);
  }
}
