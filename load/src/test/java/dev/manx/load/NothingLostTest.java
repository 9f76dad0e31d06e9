/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import static dev.manx.load.Runs.MILLI;
import static dev.manx.load.Runs.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.workload.Arrivals;
import dev.manx.workload.Fanout;
import dev.manx.workload.RequestClass;
import dev.manx.workload.Workload;
import dev.manx.workload.result.RowKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every request is counted once, for any behaviour of the target. */
class NothingLostTest {
  private static final Workload MIXED =
      Runs.workload(new Fanout.Zeta(0.6, 8.6, 100), Arrivals.POISSON);

  private final VirtualTime time = new VirtualTime();
  private final List<CompletableFuture<RequestOutcome>> silent = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void anyMixtureOfEndsIsCountedOnce(long seed) throws InterruptedException {
    Random random = new Random(seed);
    LoadResult result =
        Runs.run(
            time,
            MIXED,
            300,
            request -> misbehave(random, request.reads()),
            Runs.settings(SECOND, 10 * SECOND, 60));
    for (ClassResult one : result.classes().values()) {
      assertThat(one.offered())
          .as("seed %d class %s", seed, one.requestClass())
          .isPositive()
          .isEqualTo(one.ok() + one.errors() + one.timedOut() + one.notSent());
      assertThat(one.latencyNanos().getTotalCount())
          .as("seed %d class %s", seed, one.requestClass())
          .isEqualTo(one.ok() + one.timedOut());
    }
    ClassResult all = result.all();
    assertThat(sum(result, RequestClass.SINGLE, RequestClass.NARROW, RequestClass.WIDE))
        .isEqualTo(all.offered());
    assertThat(sum(result, RequestClass.SMALL, RequestClass.LARGE)).isEqualTo(all.offered());
    assertThat(all.notSent()).as("seed %d", seed).isPositive();
    assertThat(result.unanswered()).isEqualTo(silent.size()).isPositive();
    assertThat(all.wrong()).as("seed %d", seed).isPositive();
    assertThat(result.failures()).containsKeys("Thrown", "IllegalStateException", "no outcome");

    silent.forEach(late -> late.complete(RequestOutcome.ok(1)));
    assertThat(result.all().ok()).isEqualTo(all.ok());
  }

  @Test
  void theUnansweredCountWithAtLeastTheTimeOut() throws InterruptedException {
    LoadResult result =
        Runs.run(
            time,
            Runs.singles(Arrivals.FIXED),
            10,
            request -> new CompletableFuture<>(),
            Runs.settings(0, SECOND, 1000));
    assertThat(result.all().timedOut()).isEqualTo(10);
    assertThat(result.all().latencyNanos().getMinValue()).isGreaterThanOrEqualTo(2 * SECOND);
    RowKey key = new RowKey("e", "a", "all", "10/s", "1", "1");
    assertThat(result.all().failed()).isEqualTo(10);
    assertThat(result.metrics(key))
        .anySatisfy(
            row -> {
              assertThat(row.metric()).isEqualTo("timed_out");
              assertThat(row.value()).isEqualTo(10);
            });
  }

  /** Refused requests end within microseconds, and would be a low latency and a high throughput. */
  @Test
  void failuresAreNoThroughputAndNoLatencyOfAReport() throws InterruptedException {
    List<LoadProgress> looks = new ArrayList<>();
    Target refusing =
        request -> {
          CompletableFuture<RequestOutcome> answer = new CompletableFuture<>();
          switch ((int) (request.sequence() % 10)) {
            case 0 -> time.after(50 * MILLI, () -> answer.complete(RequestOutcome.ok(1)));
            case 1 -> time.after(90 * MILLI, () -> answer.complete(RequestOutcome.timedOut("")));
            default -> answer.complete(RequestOutcome.error("refused"));
          }
          return answer;
        };
    new LoadRun(
            Runs.singles(Arrivals.FIXED).stream(100, 1),
            refusing,
            Runs.settings(0, SECOND, 1000),
            looks::add,
            time)
        .run();
    LoadProgress last = looks.get(looks.size() - 1);
    assertThat(last.ended()).isEqualTo(100);
    assertThat(last.answered()).isEqualTo(10);
    assertThat(last.failed()).isEqualTo(90);
    assertThat(last.intervalLatencyNanos().getTotalCount()).isEqualTo(20);
    assertThat(last.intervalLatencyNanos().getMinValue()).isGreaterThan(49 * MILLI);
  }

  @Test
  void onTheMachinesClockWithManyThreads() throws InterruptedException {
    List<LoadProgress> looks = Collections.synchronizedList(new ArrayList<>());
    LoadSettings settings =
        new LoadSettings(
            50 * MILLI, 300 * MILLI, 20 * SECOND, 1000, 50 * MILLI, List.of(RequestClass.WIDE), 10);
    Target target =
        request ->
            CompletableFuture.supplyAsync(
                () -> RequestOutcome.ok(request.reads()),
                CompletableFuture.delayedExecutor(request.sequence() % 20, TimeUnit.MILLISECONDS));
    LoadResult result = new LoadRun(MIXED.stream(1000, 1), target, settings, looks::add).run();
    ClassResult all = result.all();
    assertThat(result.classes()).containsOnlyKeys(RequestClass.ALL, RequestClass.WIDE);
    assertThat(all.offered()).isPositive().isEqualTo(all.ok());
    assertThat(looks).isNotEmpty();
    LoadProgress last = looks.get(looks.size() - 1);
    assertThat(last.outstanding()).isZero();
    assertThat(last.ended()).isEqualTo(last.offered()).isEqualTo(all.ok() + result.warmUpSent());
    assertThat(looks.stream().mapToLong(one -> one.intervalLatencyNanos().getTotalCount()).sum())
        .isEqualTo(last.ended());
  }

  @Test
  void aListenersFailureIsNotSwallowed() {
    LoadRun run =
        new LoadRun(
            MIXED.stream(10, 1),
            request -> CompletableFuture.completedFuture(RequestOutcome.ok(1)),
            Runs.settings(0, SECOND, 10),
            progress -> {
              throw new IllegalStateException("no terminal");
            },
            time);
    assertThatThrownBy(run::run).hasMessage("no terminal");
  }

  @Test
  void anInterruptEndsTheRun() throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    LoadRun run =
        new LoadRun(
            MIXED.stream(0.001, 1),
            request -> CompletableFuture.completedFuture(RequestOutcome.ok(1)),
            Runs.settings(0, 100_000 * SECOND, 10),
            progress -> {});
    Thread runner =
        new Thread(
            () -> {
              try {
                run.run();
              } catch (InterruptedException | RuntimeException e) {
                thrown.set(e);
              }
            });
    runner.start();
    runner.interrupt();
    runner.join(30_000);
    assertThat(runner.isAlive()).isFalse();
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
  }

  private CompletionStage<RequestOutcome> misbehave(Random random, int reads) {
    CompletableFuture<RequestOutcome> answer = new CompletableFuture<>();
    int kind = random.nextInt(40);
    RequestOutcome outcome =
        switch (kind) {
          case 0 -> RequestOutcome.error("Error" + random.nextInt(3));
          case 1 -> RequestOutcome.timedOut("Slow");
          case 2 -> new RequestOutcome(RequestOutcome.Kind.OK, reads, 1, 2, 3, "");
          default -> RequestOutcome.ok(reads);
        };
    switch (kind) {
      case 3 -> throw new Thrown();
      case 4 -> answer.completeExceptionally(new IllegalStateException("failed"));
      case 5 -> answer.complete(null);
      case 6 -> silent.add(answer);
      default -> time.after(random.nextInt(100) * MILLI, () -> answer.complete(outcome));
    }
    return answer;
  }

  private static long sum(LoadResult result, RequestClass... classes) {
    long sum = 0;
    for (RequestClass one : classes) {
      sum += result.classes().get(one).offered();
    }
    return sum;
  }

  private static final class Thrown extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
