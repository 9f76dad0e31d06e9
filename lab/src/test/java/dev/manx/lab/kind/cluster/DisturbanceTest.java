/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.RunException;
import dev.manx.lab.kind.cluster.Disturbance.Kind;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class DisturbanceTest {
  private static final long MILLI = 1_000_000;
  private static final Path EXAMPLE = ManxHome.find().root().resolve("examples/squeezed-node.yaml");

  /** Records its calls. */
  private static class Notes implements EventHost {
    final List<String> done = new CopyOnWriteArrayList<>();
    private RuntimeException failure;

    @Override
    public long pid(int node) {
      return -1;
    }

    @Override
    public void signal(int node, boolean stopped) {
      note((stopped ? "stop " : "continue ") + node);
    }

    @Override
    public void slow(int node, double times) {
      note("times " + times + " " + node);
    }

    @Override
    public void kill(int node) {
      note("kill " + node);
    }

    @Override
    public void restart(int node) {
      note("restart " + node);
    }

    @Override
    public void compact(int node) {
      note("compact " + node);
    }

    void note(String what) {
      done.add(what);
      if (failure != null) {
        throw failure;
      }
    }
  }

  private static Disturbance of(Kind kind) {
    return new Disturbance(0, 1, 2, kind, kind == Kind.SLOW ? 4 : 1);
  }

  private static ClusterExperiment with(String events) {
    return ClusterFiles.read(EXAMPLE, Map.of("events", events));
  }

  @Test
  void eventsOfAllKindsAreReadAndWritten() {
    ClusterExperiment all =
        with(
            "[{ at: 1s, for: 1s, slow: { node: 1, times: 4 } },"
                + " { at: 1s, for: 500ms, pause: { node: 2 } },"
                + " { at: 3s, for: 2s, restart: { node: 2 } },"
                + " { at: 1s, for: 2s, compaction: { node: 3 } },"
                + " { at: 6s, for: 1s, squeeze: { node: 3, cores: 1 } }]");
    assertThat(all.events().stream().map(NodeEvent::words))
        .containsExactly(
            "node1: storage takes 4.0 times as long",
            "node2: stopped",
            "node2: killed and restarted",
            "node3: compacts",
            "node3: 1 core");
    String text = all.text();
    assertThat(ClusterFiles.parse(EXAMPLE.resolveSibling("resolved"), text, Map.of()))
        .isEqualTo(all);
    assertThat(of(Kind.SLOW).scaled(0.5)).isEqualTo(new Disturbance(0, 0, 2, Kind.SLOW, 4));
  }

  /** Ten seconds of 10 min would be 50 ms of 3 s, which no file may have. */
  @Test
  void eventsOfAQuickRunAreAsLongAsEventsMustBe(@TempDir Path folder) throws Exception {
    Path long10 =
        Files.writeString(
            folder.resolve("long.yaml"),
            Files.readString(EXAMPLE)
                .replace("window: 9s", "window: 10min")
                .replace("at: 3s", "at: 5min")
                .replace("for: 3s", "for: 10s")
                .replaceAll("squeeze: .*", "pause: { node: 2 }"));
    ClusterExperiment quick = ClusterFiles.read(long10, new Choices(Map.of(), List.of(), true));
    NodeEvent event = quick.events().get(0);
    assertThat(event.forNanos()).isBetween(100 * MILLI, 101 * MILLI);
    assertThat(quick.window().nanos()).isBetween(6_000 * MILLI, 6_001 * MILLI);
    assertThat(event.atNanos()).isBetween(3_000 * MILLI, 3_001 * MILLI);
    String text = quick.text();
    assertThat(ClusterFiles.parse(EXAMPLE.resolveSibling("resolved"), text, Map.of()))
        .isEqualTo(quick);
  }

  /** They were played at a third of their times. */
  @Test
  void aQuickRunKeepsTheEventsThatAreGiven() {
    ClusterExperiment quick = quick(Map.of("events", "[{ at: 1s, for: 4s, pause: { node: 1 } }]"));
    assertThat(quick.window().nanos()).isEqualTo(9_000 * MILLI);
    assertThat(quick.events())
        .containsExactly(new Disturbance(1_000 * MILLI, 4_000 * MILLI, 1, Kind.PAUSE, 1));
    ClusterExperiment without = quick(Map.of("events", "null"));
    assertThat(without.window().nanos()).isEqualTo(3_000 * MILLI);
    assertThat(without.events()).isEmpty();
  }

  private static ClusterExperiment quick(Map<String, String> settings) {
    return ClusterFiles.read(EXAMPLE, new Choices(settings, List.of(), true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{ at: 3s, for: 1s, slow: { node: 2 } } | events[0].slow.times is missing",
        "{ at: 3s, for: 1s, slow: { node: 2, times: 0.5 } } | events[0].slow.times = '0.5'",
        "{ at: 3s, for: 1s, pause: { node: 4 } } | from 1 to 3",
        "{ at: 3s, for: 1s, pause: { node: 2, times: 2 } } | unknown key",
        "{ at: 3s, for: 1s, pause: { node: 2 }, restart: { node: 2 } } | one of slow, pause,"
            + " restart",
        "{ at: 3s, for: 2s, pause: { node: 2 } }, { at: 4s, for: 1s, restart: { node: 2 } }"
            + " | one event of a node at a time"
      })
  void refusesImpossibleEvents(String events, String why) {
    assertThatThrownBy(() -> with("[" + events + "]"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(why);
  }

  /** The error is in the file's events, but its reason is on the command line. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "window | 2s | events[0].at = '3s' is invalid; allowed: a duration from 0 to 1.9s, within"
            + " the window of 2s (of the command line)",
        "window | 3500ms | events[0].for = '1s' is invalid; allowed: a duration from 100ms to"
            + " 500ms, within the window of 3500ms (of the command line)",
        "requests | 1000 | allowed: events only with window, in which their times lie; the command"
            + " line replaces it by requests"
      })
  void aWindowOfTheCommandLineMustHoldTheEvents(String option, String value, String why) {
    Map<String, String> settings = new HashMap<>(Map.of("window", "null"));
    settings.put(option, value);
    settings.put("events", "[{ at: 3s, for: 1s, pause: { node: 2 } }]");
    assertThatThrownBy(() -> ClusterFiles.read(EXAMPLE, settings))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(why);
  }

  @Test
  void onlyModelledStorageBecomesSlow() {
    assertThatThrownBy(
            () ->
                ClusterFiles.read(
                    EXAMPLE,
                    Map.of(
                        "events", "[{ at: 1s, for: 1s, slow: { node: 1, times: 4 } }]",
                        "service-model", "null",
                        "loads", "[10/s]")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("slow only with service-model");
  }

  @ParameterizedTest
  @CsvSource({
    "SLOW, times 4.0 2, times 1.0 2",
    "PAUSE, stop 2, continue 2",
    "RESTART, kill 2, restart 2",
    "COMPACTION, compact 2, ''"
  })
  void everyDisturbanceThatBeginsEnds(Kind kind, String first, String second) {
    Notes host = new Notes();
    NodeEvent.Running running = of(kind).prepare(host);
    running.begin();
    assertThat(host.done).containsExactly(first);
    running.end();
    running.close();
    assertThat(String.join(";", host.done))
        .isEqualTo(first + (second.isEmpty() ? "" : ";" + second));
    NodeEvent.Span span = running.span();
    assertThat(span.toNanos()).isGreaterThanOrEqualTo(span.fromNanos());
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void closingUndoesWhatHasBegunAndBeginsNothing(Kind kind) {
    Notes host = new Notes();
    NodeEvent.Running begun = of(kind).prepare(host);
    begun.begin();
    begun.close();
    int done = host.done.size();
    NodeEvent.Running late = of(kind).prepare(host);
    late.close();
    late.begin();
    late.end();
    assertThat(host.done).hasSize(done);
  }

  /** Both are at their times, on two threads; one that is held up must not come to nothing. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatEndsBeforeItBeginsTakesPlaceAllTheSame(Kind kind) {
    Notes host = new Notes();
    NodeEvent.Running held = of(kind).prepare(host);
    held.end();
    assertThat(host.done).isEmpty();
    held.begin();
    assertThat(host.done).hasSize(kind == Kind.COMPACTION ? 1 : 2);
    assertThat(held.span().toNanos()).isGreaterThanOrEqualTo(held.span().fromNanos());
  }

  @Test
  void failuresAreReported() {
    Notes host = new Notes();
    host.failure = new IllegalStateException("no such node");
    NodeEvent.Running running = of(Kind.PAUSE).prepare(host);
    running.begin();
    assertThatThrownBy(running::span)
        .isInstanceOf(RunException.class)
        .hasMessage("node2: stopped: no such node");
  }

  /** A compaction that outlasts its time delays only its own end. */
  @Test
  void anEventThatBlocksDelaysNoOther() throws Exception {
    CountDownLatch paused = new CountDownLatch(1);
    Notes host =
        new Notes() {
          @Override
          public void compact(int node) {
            try {
              note(paused.await(20, TimeUnit.SECONDS) ? "compact" : "waited in vain");
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }

          @Override
          public void signal(int node, boolean stopped) {
            note(stopped ? "stop" : "continue");
            paused.countDown();
          }
        };
    List<NodeEvent> events =
        List.of(
            new Disturbance(0, 1, 1, Kind.COMPACTION, 1),
            new Disturbance(100 * MILLI, 100 * MILLI, 2, Kind.PAUSE, 1));
    try (TurnEvents turn = TurnEvents.prepare(events, 0, host)) {
      turn.begin(System.nanoTime());
      turn.marks(new Measured(0, 1));
    }
    assertThat(host.done).contains("compact").doesNotContain("waited in vain");
  }

  /** After a squeeze that cannot be undone, other nodes are still resumed. */
  @Test
  void anEventThatCannotBeUndoneKeepsNoOtherFromBeingUndone() {
    Notes host = new Notes();
    NodeEvent stubborn =
        new Stubborn(
            new NodeEvent.Running() {
              @Override
              public void begin() {}

              @Override
              public void end() {}

              @Override
              public NodeEvent.Span span() {
                return new NodeEvent.Span(0, 0);
              }

              @Override
              public void close() {
                throw new IllegalStateException("the guard is gone");
              }
            });
    NodeEvent pause = new Disturbance(0, 3_600_000 * MILLI, 2, Kind.PAUSE, 1);
    TurnEvents turn = TurnEvents.prepare(List.of(stubborn, pause), 0, host);
    turn.begin(System.nanoTime());
    await(host, "stop 2");
    assertThatThrownBy(turn::close).hasMessage("the guard is gone");
    assertThat(host.done).containsExactly("stop 2", "continue 2");
  }

  private static void await(Notes host, String what) {
    while (!host.done.contains(what)) {
      LockSupport.parkNanos(MILLI);
    }
  }

  /** An event with a given course. */
  private record Stubborn(NodeEvent.Running running) implements NodeEvent {
    @Override
    public long atNanos() {
      return 0;
    }

    @Override
    public long forNanos() {
      return 1;
    }

    @Override
    public int node() {
      return 1;
    }

    @Override
    public NodeEvent scaled(double factor) {
      return this;
    }

    @Override
    public String words() {
      return "stubborn";
    }

    @Override
    public Running prepare(EventHost host) {
      return running;
    }
  }

  /** A request each millisecond; the event ends at 2 s, and its effect at 2.4 s. */
  @Test
  void turnsSayWhenItWasAndHowLongItWasFelt() {
    Notes host = new Notes();
    Measured measured = new Measured(0, 5);
    List<NodeEvent> events = List.of(new Disturbance(500 * MILLI, 1_000 * MILLI, 2, Kind.PAUSE, 1));
    // Since the start of the window.
    long now = 1_500 * MILLI;
    try (TurnEvents turn = TurnEvents.prepare(events, 500 * MILLI, host, () -> now)) {
      requests(turn, 0, 1_000, MILLI);
      requests(turn, 1_000, 2_000, 10 * MILLI);
      turn.begin(0);
      // Waits for the end of the event.
      turn.marks(new Measured(0, 5));
      requests(turn, 2_000, 2_400, 10 * MILLI);
      requests(turn, 2_400, 5_000, MILLI);
      turn.marks(measured);
    }
    assertThat(host.done).containsExactly("stop 2", "continue 2");
    assertThat(measured.value("recover_ms")).isEqualTo(400);
    assertThat(measured.value("not_recovered")).isZero();
  }

  /** The window starts after 500 requests. */
  private static void requests(TurnEvents turn, int from, int to, long latencyNanos) {
    for (int i = from; i < to; i++) {
      turn.ended(i, i * MILLI, latencyNanos, i >= 500, true);
    }
  }

  /**
   * A request each millisecond; the node shall start again at 2 s, and serves from 3 s on. While it
   * boots the others answer quickly; then it is slow for 400 ms.
   */
  @Test
  void aRestartIsOverWhenTheNodeServesAgain() {
    Measured measured = restarted(3_000, 6_000);
    assertThat(measured.value("recover_ms")).isEqualTo(400);
    assertThat(measured.value("not_recovered")).isZero();
  }

  /** The turns that take longest must not be missing from the share of those without recovery. */
  @Test
  void aRestartThatTakesTheWholeWindowIsNotRecoveredFrom() {
    for (int serves : new int[] {5_401, 6_000, 9_000}) {
      Measured measured = restarted(serves, 6_000);
      assertThat(measured.value("not_recovered")).as("serves at %d", serves).isEqualTo(1);
      assertThat(measured.value("recover_ms")).isNaN();
    }
    assertThat(restarted(5_400, 6_000).value("recover_ms")).isPositive();
  }

  /** Such a window shows no recovery in any turn. */
  @Test
  void nothingIsSaidOfAWindowThatIsTooShortForThePlannedEnd() {
    assertThat(restarted(2_100, 2_599).value("not_recovered")).isNaN();
    assertThat(restarted(2_100, 2_600).value("not_recovered")).isEqualTo(1);
  }

  /**
   * A turn with a restart.
   *
   * @param servesMillis when the node serves again
   * @param requests number of requests of the turn, one each millisecond
   */
  private static Measured restarted(int servesMillis, int requests) {
    CountDownLatch serves = new CountDownLatch(1);
    Notes host =
        new Notes() {
          @Override
          public void restart(int node) {
            note("restart " + node);
            try {
              serves.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
        };
    Measured measured = new Measured(0, 6);
    List<NodeEvent> events =
        List.of(new Disturbance(500 * MILLI, 1_000 * MILLI, 2, Kind.RESTART, 1));
    AtomicLong now = new AtomicLong(1_500 * MILLI);
    try (TurnEvents turn = TurnEvents.prepare(events, 500 * MILLI, host, now::get)) {
      requests(turn, 0, 1_000, MILLI);
      turn.begin(0);
      await(host, "restart 2");
      requests(turn, 1_000, Math.min(servesMillis, requests), MILLI);
      now.set((servesMillis - 500) * MILLI);
      serves.countDown();
      turn.marks(new Measured(0, 6));
      requests(turn, servesMillis, Math.min(servesMillis + 400, requests), 10 * MILLI);
      requests(turn, servesMillis + 400, requests, MILLI);
      turn.marks(measured);
    }
    return measured;
  }
}
