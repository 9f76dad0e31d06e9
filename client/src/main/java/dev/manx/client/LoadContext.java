/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.tracing.Carrier;
import dev.manx.client.tracing.LoadEnd;
import dev.manx.client.tracing.LoadTrace;
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
    Scopes scopes = new Scopes(context.traces);
    try {
      scopes.enter(context.carried, context.trace, LoadTrace::enter);
      return loader.call();
    } finally {
      scopes.leave();
      leave(before);
    }
  }

  /** Runs code that belongs to no load, even if a loader on the current thread completes it. */
  static void outside(Runnable code) {
    LoadContext before = HERE.get();
    if (before == null) {
      code.run();
      return;
    }
    HERE.remove();
    try {
      code.run();
    } finally {
      HERE.set(before);
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
}
