/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.own;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import dev.manx.load.Pacer;
import dev.manx.load.RequestOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads the pages of one answer, all within the request's time-out: the driver's time-out applies
 * to each page separately, and reading must stop at the time-out, because other requests are being
 * measured. One page at a time.
 */
final class Pages {
  private final Pacer pacer;
  private final long beganNanos;
  private final long timeoutNanos;
  private int rows;

  /** Starts the time-out. */
  Pages(Pacer pacer, long timeoutNanos) {
    this.pacer = pacer;
    this.timeoutNanos = timeoutNanos;
    beganNanos = pacer.nanoTime();
  }

  /** Reads a page and the following ones. */
  CompletionStage<RequestOutcome> rest(AsyncResultSet page) {
    for (Row row : page.currentPage()) {
      rows += row == null ? 0 : 1;
    }
    if (!page.hasMorePages()) {
      return CompletableFuture.completedFuture(RequestOutcome.ok(rows));
    }
    return pacer.nanoTime() - beganNanos >= timeoutNanos
        ? CompletableFuture.completedFuture(
            RequestOutcome.timedOut("more pages than fit the timeout"))
        : page.fetchNextPage().thenCompose(this::rest);
  }
}
