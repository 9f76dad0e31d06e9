/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.log.SparseLog;
import dev.manx.client.tracing.Carrier;
import dev.manx.client.tracing.LoadTrace;
import dev.manx.client.tracing.QueryEnd;
import dev.manx.client.tracing.QueryTrace;
import dev.manx.client.tracing.RequestTrace;
import dev.manx.client.tracing.Tracing;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What a cache carries to loaders and who follows it. What the application's tracing throws ends
 * here: it is logged, and the query goes on. Any thread.
 */
final class Traces {
  private final SparseLog log = new SparseLog(Traces.class);
  private final Tracing tracing;
  private final List<Carrier> carriers;

  /**
   * @param tracing null: none
   */
  private Traces(Tracing tracing, List<Carrier> carriers) {
    this.tracing = tracing;
    this.carriers = List.copyOf(carriers);
  }

  /** Null if there is nothing to carry and nobody follows, so that queries do nothing for it. */
  static Traces of(Tracing tracing, List<Carrier> carriers) {
    return tracing == null && carriers.isEmpty() ? null : new Traces(tracing, carriers);
  }

  /** The trace of one request. */
  OfRequest request() {
    return new OfRequest();
  }

  /** In what the loader of a refresh is called; null: in nothing. */
  LoadContext refresh(String backend) {
    LoadTrace trace = tracing == null ? null : get(tracing, of -> of.refresh(backend));
    return trace == null ? null : new LoadContext(this, List.of(), trace);
  }

  private List<Carrier.Carried> capture() {
    List<Carrier.Carried> all = new ArrayList<>(carriers.size());
    for (Carrier carrier : carriers) {
      Carrier.Carried carried = get(carrier, Carrier::capture);
      if (carried != null) {
        all.add(carried);
      }
    }
    return all;
  }

  /** What the application's code gives; null if it fails. */
  <T, R> R get(T of, Function<T, R> what) {
    try {
      return what.apply(of);
    } catch (Throwable e) {
      failed(e);
      return null;
    }
  }

  /** Tells the application's code. */
  <T> void tell(T whom, Consumer<T> what) {
    try {
      what.accept(whom);
    } catch (Throwable e) {
      failed(e);
    }
  }

  private void failed(Throwable why) {
    log.warn("tracing failed; the query goes on without it", why);
  }

  /** A request: its trace begins with its first query that waits, or is rejected. */
  final class OfRequest {
    // Guarded by this, which no hit and no answer waits for.
    private RequestTrace trace;
    private boolean begun;
    private boolean ended;

    /** A query begins to wait; on the thread of its caller. */
    QueryContext query(String backend) {
      List<Carrier.Carried> carried = capture();
      QueryTrace query = follow(backend);
      return carried.isEmpty() && query == null
          ? null
          : new QueryContext(Traces.this, carried, query);
    }

    /** A query ends without having waited; on the thread of its caller. */
    void rejected(String backend, QueryEnd how) {
      QueryTrace query = follow(backend);
      if (query != null) {
        tell(query, of -> of.ended(how));
      }
    }

    private synchronized QueryTrace follow(String backend) {
      if (tracing == null || ended) {
        return null;
      }
      if (!begun) {
        begun = true;
        trace = get(tracing, Tracing::request);
      }
      return trace == null ? null : get(trace, of -> of.query(backend));
    }

    /** The request is complete. */
    synchronized void ended(String blockedBy, boolean givenUp) {
      if (!ended && trace != null) {
        tell(trace, of -> of.ended(blockedBy, givenUp));
      }
      ended = true;
    }
  }
}
