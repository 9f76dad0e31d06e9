/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that the second level had are answered at a request's deadline. */
@Timeout(60)
class LateQueryTest extends SecondLevelServers {
  /** A request whose deadline is triggered by the test. */
  private static final class Page extends FanoutRequest {
    Page(FanoutCache cache) {
      super(cache, 0);
    }

    @Override
    long ended(Query<?, ?> query) {
      return 0;
    }
  }

  private static Freshness freshness(boolean stale) {
    return stale
        ? Freshness.timeToLive(Duration.ofHours(1)).withStaleIfError(Duration.ofHours(1))
        : Freshness.FOREVER;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void eachKeyThatIsFoundBelowIsAnswered(boolean stale) throws Exception {
    warm(1, "one");
    Server second = server(freshness(stale));
    Map<Integer, Throwable> failed = new HashMap<>();
    Query<Integer, String> query =
        new Query<>(new Page(second.cache), second.songs, 0, new HashMap<>(), 0, true);
    query.each(List.of(1, 2), failed);
    query.misses(List.of(1, 2));
    query.load(List.of(1, 2));
    assertThat(second.call(0).keys()).containsExactly(2);
    query.late(new TimeoutException("the deadline"));
    assertThat(query.answer.get(20, TimeUnit.SECONDS)).containsOnly(Map.entry(1, "one"));
    assertThat(failed).containsOnlyKeys(2);
    assertThat(failed.get(2)).hasMessage("the deadline");
    assertThat(second.songs.stats().staleAnswers()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aQueryThatNeedsAllOfItsKeysFails(boolean stale) throws Exception {
    warm(1, "one");
    Server second = server(freshness(stale));
    Query<Integer, String> query =
        new Query<>(new Page(second.cache), second.songs, 0, new HashMap<>(), 0, true);
    query.misses(List.of(1, 2));
    query.load(List.of(1, 2));
    assertThat(second.call(0).keys()).containsExactly(2);
    query.late(new TimeoutException("the deadline"));
    assertThat(query.answer).isCompletedExceptionally();
  }
}
