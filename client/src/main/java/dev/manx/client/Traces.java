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
 * The carriers and the tracing of a cache. Exceptions of the application's tracing end here: they
 * are logged, and the query continues. Thread-safe.
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

  /** Null without carriers and tracing, so that queries skip this work. */
  static Traces of(Tracing tracing, List<Carrier> carriers) {
    return tracing == null && carriers.isEmpty() ? null : new Traces(tracing, carriers);
  }

  /** The trace of one request. */
  OfRequest request() {
    return new OfRequest();
  }

  /** The context in which the loader of a refresh is called; null: none. */
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

  /** The result of the application's code; null if it fails. */
  <T, R> R get(T of, Function<T, R> what) {
    try {
      return what.apply(of);
    } catch (Throwable e) {
      failed(e);
      return null;
    }
  }

  /** Calls the application's code. */
  <T> void notifyOf(T whom, Consumer<T> what) {
    try {
      what.accept(whom);
    } catch (Throwable e) {
      failed(e);
    }
  }

  private void failed(Throwable why) {
    log.warn("tracing failed; the query continues without it", why);
  }

  /** A request: its trace begins with its first query that waits or is rejected. */
  final class OfRequest {
    // Guarded by this lock, for which hits and answers never wait.
    private RequestTrace trace;
    private boolean begun;
    private boolean ended;

    /** A query begins to wait; called on its caller's thread. */
    QueryContext query(String backend) {
      List<Carrier.Carried> carried = capture();
      return new QueryContext(Traces.this, carried, follow(backend));
    }

    /** A query ends without having waited; called on its caller's thread. */
    void rejected(String backend, QueryEnd how) {
      QueryTrace query = follow(backend);
      if (query != null) {
        notifyOf(query, of -> of.ended(how));
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
        notifyOf(trace, of -> of.ended(blockedBy, givenUp));
      }
      ended = true;
    }
  }
}
