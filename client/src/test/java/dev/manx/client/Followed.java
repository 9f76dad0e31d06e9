/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.tracing.LoadEnd;
import dev.manx.client.tracing.LoadTrace;
import dev.manx.client.tracing.QueryEnd;
import dev.manx.client.tracing.QueryTrace;
import dev.manx.client.tracing.RequestTrace;
import dev.manx.client.tracing.Scope;
import dev.manx.client.tracing.Tracing;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Records trace events as lines in order, and the load of the current thread. */
final class Followed implements Tracing {
  /** The load whose loader the thread is in. */
  static final ThreadLocal<String> HERE = new ThreadLocal<>();

  final List<String> lines = new CopyOnWriteArrayList<>();
  final List<QueryEnd> queries = new CopyOnWriteArrayList<>();
  final List<LoadEnd> loads = new CopyOnWriteArrayList<>();
  final AtomicInteger scopes = new AtomicInteger();
  private final AtomicInteger numbers = new AtomicInteger();

  @Override
  public RequestTrace request() {
    String name = "request" + numbers.incrementAndGet();
    lines.add(name);
    return new RequestTrace() {
      @Override
      public QueryTrace query(String backend) {
        String query = name + "/" + backend + numbers.incrementAndGet();
        lines.add(query);
        return new OfQuery(query);
      }

      @Override
      public void ended(String blockedBy, boolean givenUp) {
        lines.add(name + " blocked by " + blockedBy + (givenUp ? ", given up" : ""));
      }
    };
  }

  @Override
  public LoadTrace refresh(String backend) {
    lines.add("refresh " + backend);
    return new OfLoad("refresh " + backend);
  }

  private final class OfQuery implements QueryTrace {
    private final String name;

    OfQuery(String name) {
      this.name = name;
    }

    @Override
    public LoadTrace load() {
      lines.add(name + "/load");
      return new OfLoad(name + "/load");
    }

    @Override
    public void joined(LoadTrace other) {
      lines.add(name + " joined " + other);
    }

    @Override
    public void ended(QueryEnd how) {
      lines.add(name + " ended");
      queries.add(how);
    }

    @Override
    public Scope enterCaller() {
      Thread thread = Thread.currentThread();
      scopes.incrementAndGet();
      return () -> {
        if (Thread.currentThread() != thread) {
          lines.add(name + " left elsewhere");
        }
        scopes.decrementAndGet();
      };
    }
  }

  private final class OfLoad implements LoadTrace {
    private final String name;

    OfLoad(String name) {
      this.name = name;
    }

    @Override
    public Scope enter() {
      String before = HERE.get();
      Thread thread = Thread.currentThread();
      HERE.set(name);
      scopes.incrementAndGet();
      return () -> {
        if (Thread.currentThread() != thread || !name.equals(HERE.get())) {
          lines.add(name + " left elsewhere");
        }
        scopes.decrementAndGet();
        if (before == null) {
          HERE.remove();
        } else {
          HERE.set(before);
        }
      };
    }

    @Override
    public void ended(LoadEnd how) {
      lines.add(name + " " + how.outcome());
      loads.add(how);
    }

    @Override
    public String toString() {
      return name;
    }
  }
}
