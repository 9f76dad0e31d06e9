/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.tracing.Carrier;
import dev.manx.client.tracing.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Context that was applied to the current thread, until it is left on the same thread. */
final class Scopes {
  private final Traces traces;
  private final List<Scope> entered = new ArrayList<>();

  Scopes(Traces traces) {
    this.traces = traces;
  }

  /**
   * Applies carried context, then that of a trace, so that carried context does not override it.
   *
   * @param trace null: not traced
   */
  <T> void enter(List<Carrier.Carried> carried, T trace, Function<T, Scope> how) {
    for (Carrier.Carried one : carried) {
      add(traces.get(one, Carrier.Carried::enter));
    }
    if (trace != null) {
      add(traces.get(trace, how));
    }
  }

  private void add(Scope scope) {
    if (scope != null) {
      entered.add(scope);
    }
  }

  /** Restores the thread's previous context. */
  void leave() {
    for (int i = entered.size() - 1; i >= 0; i--) {
      traces.notifyOf(entered.get(i), Scope::close);
    }
  }
}
