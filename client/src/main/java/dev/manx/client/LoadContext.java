/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.tracing.Carrier;
import dev.manx.client.tracing.LoadEnd;
import dev.manx.client.tracing.LoadTrace;
import dev.manx.client.tracing.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * The context in which the loader of one load is called, on any thread: the context of the query's
 * caller, and the load's trace.
 */
final class LoadContext {
  private static final ThreadLocal<LoadContext> HERE = new ThreadLocal<>();

  private final Traces traces;
  private final List<Carrier.Carried> carried;
  private final LoadTrace trace;

  /**
   * @param trace null: the load is not traced
   */
  LoadContext(Traces traces, List<Carrier.Carried> carried, LoadTrace trace) {
    this.traces = traces;
    this.carried = carried;
    this.trace = trace;
  }

  /** The context of the load whose loader the current thread is calling; null if none. */
  static LoadContext here() {
    return HERE.get();
  }

  /** The load's trace, or null. */
  LoadTrace trace() {
    return trace;
  }

  /** Ends the trace; {@code how} is evaluated only if the load is traced, and may fail. */
  void ended(Supplier<LoadEnd> how) {
    if (trace != null) {
      traces.notifyOf(trace, of -> of.ended(how.get()));
    }
  }

  /**
   * Calls a loader, or its code on a thread of a pool.
   *
   * @param context null: none
   * @throws Exception if the loader throws
   */
  static <T> T call(LoadContext context, Callable<T> loader) throws Exception {
    if (context == null) {
      return loader.call();
    }
    LoadContext before = HERE.get();
    HERE.set(context);
    List<Scope> scopes = context.enter();
    try {
      return loader.call();
    } finally {
      for (int i = scopes.size() - 1; i >= 0; i--) {
        context.traces.notifyOf(scopes.get(i), Scope::close);
      }
      leave(before);
    }
  }

  /** A loader may query another backend, whose loader is then called within the first call. */
  private static void leave(LoadContext before) {
    if (before == null) {
      HERE.remove();
    } else {
      HERE.set(before);
    }
  }

  /** Enters the trace last, so that carried context does not override it. */
  private List<Scope> enter() {
    List<Scope> scopes = new ArrayList<>(carried.size() + 1);
    for (Carrier.Carried one : carried) {
      add(scopes, traces.get(one, Carrier.Carried::enter));
    }
    add(scopes, trace == null ? null : traces.get(trace, LoadTrace::enter));
    return scopes;
  }

  private static void add(List<Scope> scopes, Scope scope) {
    if (scope != null) {
      scopes.add(scope);
    }
  }
}
