/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.own;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import dev.manx.load.Pacer;
import dev.manx.load.RequestOutcome;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An answer of many pages. */
@Timeout(10)
class PagesTest {
  private static final long MILLI = 1_000_000L;

  private long now;
  private int fetched;

  private final Pacer time =
      new Pacer() {
        @Override
        public long nanoTime() {
          return now;
        }

        @Override
        public void await(long nanoTime) {
          now = nanoTime;
        }
      };

  /** A page of two rows with the given number of pages after it, each of which takes 100 ms. */
  private AsyncResultSet page(int more) {
    List<Row> rows = Collections.nCopies(2, row());
    return (AsyncResultSet)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {AsyncResultSet.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "currentPage" -> rows;
                  case "hasMorePages" -> more > 0;
                  case "fetchNextPage" -> {
                    fetched++;
                    now += 100 * MILLI;
                    yield CompletableFuture.completedFuture(page(more - 1));
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private Row row() {
    return (Row)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Row.class},
            (proxy, method, arguments) -> {
              throw new UnsupportedOperationException(method.getName());
            });
  }

  private RequestOutcome read(int more, long timeoutMillis) {
    return new Pages(time, timeoutMillis * MILLI).rest(page(more)).toCompletableFuture().join();
  }

  @Test
  void allPagesAreRead() {
    assertThat(read(3, 500)).isEqualTo(RequestOutcome.ok(8));
    assertThat(fetched).isEqualTo(3);
  }

  @Test
  void noPageIsAskedForAfterTheTimeOutOfTheRequest() {
    RequestOutcome outcome = read(1_000, 500);
    assertThat(outcome.kind()).isEqualTo(RequestOutcome.Kind.TIMED_OUT);
    assertThat(fetched).isEqualTo(5);
  }
}
