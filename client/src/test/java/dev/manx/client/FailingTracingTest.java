/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.tracing.LoadEnd;
import dev.manx.client.tracing.LoadTrace;
import dev.manx.client.tracing.QueryEnd;
import dev.manx.client.tracing.QueryTrace;
import dev.manx.client.tracing.RequestTrace;
import dev.manx.client.tracing.Scope;
import dev.manx.client.tracing.Tracing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A tracer or a carrier that throws, or returns nothing, loses its trace, but no query fails. */
@Timeout(60)
class FailingTracingTest {
  private enum At {
    REQUEST,
    REQUEST_ENDED,
    QUERY,
    QUERY_ENDED,
    CALLER,
    JOINED,
    LOAD,
    LOAD_ENDED,
    ENTER,
    LEAVE,
    CAPTURE,
    CARRY
  }

  private final List<At> reached = new ArrayList<>();
  private boolean throwing;
  private At at;
  private FanoutCache cache;

  @AfterEach
  void close() {
    cache.close();
    assertThat(LoadContext.here()).isNull();
  }

  /** Fails at one point; returns whether to return nothing there. */
  private synchronized boolean fails(At here) {
    reached.add(here);
    if (here == at && throwing) {
      throw new NoSuchMethodError("in tracing");
    }
    return here == at;
  }

  private final class Failing implements Tracing, RequestTrace, QueryTrace, LoadTrace {
    @Override
    public RequestTrace request() {
      return fails(At.REQUEST) ? null : this;
    }

    @Override
    public QueryTrace query(String backend) {
      return fails(At.QUERY) ? null : this;
    }

    @Override
    public void ended(String blockedBy, boolean givenUp) {
      fails(At.REQUEST_ENDED);
    }

    @Override
    public LoadTrace load() {
      return fails(At.LOAD) ? null : this;
    }

    @Override
    public LoadTrace refresh(String backend) {
      return this;
    }

    @Override
    public void joined(LoadTrace other) {
      fails(At.JOINED);
    }

    @Override
    public void ended(QueryEnd how) {
      fails(At.QUERY_ENDED);
    }

    @Override
    public Scope enterCaller() {
      return fails(At.CALLER) ? null : () -> fails(At.LEAVE);
    }

    @Override
    public Scope enter() {
      return fails(At.ENTER) ? null : () -> fails(At.LEAVE);
    }

    @Override
    public void ended(LoadEnd how) {
      fails(At.LOAD_ENDED);
    }
  }

  @ParameterizedTest
  @EnumSource(At.class)
  void throwing(At point) throws Exception {
    throwing = true;
    answersAllTheSame(point);
  }

  @ParameterizedTest
  @EnumSource(At.class)
  void givingNothing(At point) throws Exception {
    answersAllTheSame(point);
  }

  private void answersAllTheSame(At point) throws Exception {
    at = point;
    List<CompletableFuture<Map<Integer, String>>> answers = new ArrayList<>();
    cache =
        FanoutCache.builder()
            .drivenByHost()
            .tracing(new Failing())
            .carry(() -> fails(At.CAPTURE) ? null : () -> fails(At.CARRY) ? null : () -> {})
            .open();
    Backend<Integer, String> backend =
        cache.add(
            BackendSpec.of(
                "songs",
                (key, value) -> 10,
                keys -> {
                  CompletableFuture<Map<Integer, String>> answer = new CompletableFuture<>();
                  answers.add(answer);
                  return answer;
                }));
    Backend<Integer, String> pooled =
        cache.add(
            BackendSpec.of(
                "pooled",
                (key, value) -> 10,
                Loader.onThreads(1, 10, keys -> Map.of(keys.get(0), "pooled"))));
    FanoutRequest request = cache.request();
    CompletableFuture<String> one = request.queryOne(backend, 1);
    CompletableFuture<String> same = cache.request().queryOne(backend, 1);
    answers.get(0).complete(Map.of(1, "one"));
    assertThat(one).isCompletedWithValue("one");
    assertThat(same).isCompletedWithValue("one");
    assertThat(request.queryOne(pooled, 2).get(20, TimeUnit.SECONDS)).isEqualTo("pooled");
    request.complete();
    synchronized (this) {
      assertThat(reached).contains(point);
    }
    assertThat(backend.stats().misses()).isEqualTo(2);
    assertThat(backend.stats().pending()).isZero();
    assertThat(cache.stats().requests()).isEqualTo(1);
  }
}
