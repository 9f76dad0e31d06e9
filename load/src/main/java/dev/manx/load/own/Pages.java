/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.own;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import dev.manx.load.Outcome;
import dev.manx.load.Pacer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The pages of one answer, all of them within the request's time-out: the driver's own time-out is
 * of each page by itself, and a request that has been given up must not be read on while others are
 * measured. One page at a time.
 */
final class Pages {
  private final Pacer pacer;
  private final long beganNanos;
  private final long timeoutNanos;
  private int rows;

  /** The time begins now. */
  Pages(Pacer pacer, long timeoutNanos) {
    this.pacer = pacer;
    this.timeoutNanos = timeoutNanos;
    beganNanos = pacer.nanoTime();
  }

  /** Reads a page and those after it. */
  CompletionStage<Outcome> rest(AsyncResultSet page) {
    for (Row row : page.currentPage()) {
      rows += row == null ? 0 : 1;
    }
    if (!page.hasMorePages()) {
      return CompletableFuture.completedFuture(Outcome.ok(rows));
    }
    return pacer.nanoTime() - beganNanos >= timeoutNanos
        ? CompletableFuture.completedFuture(Outcome.timedOut("more pages than fit the timeout"))
        : page.fetchNextPage().thenCompose(this::rest);
  }
}
