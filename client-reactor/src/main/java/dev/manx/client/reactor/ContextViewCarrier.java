/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.reactor;

import dev.manx.client.tracing.Carrier;
import dev.manx.client.tracing.Scope;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Carries the subscriber's context to loaders and to callbacks; caches find it through its service
 * file.
 */
public final class ContextViewCarrier implements Carrier {
  private static final ThreadLocal<ContextView> HERE = new ThreadLocal<>();

  /** Not null: the loader or the callback must not have the context of another query. */
  private static final Carried EMPTY = () -> enter(Context.empty());

  /** Creates an instance, for the service loader. */
  public ContextViewCarrier() {}

  @Override
  public Carried capture() {
    ContextView view = HERE.get();
    return view == null || view.isEmpty() ? EMPTY : () -> enter(view);
  }

  /** The context of the query that the current thread makes or loads for. */
  static ContextView here() {
    ContextView view = HERE.get();
    return view == null ? Context.empty() : view;
  }

  static Scope enter(ContextView view) {
    ContextView before = HERE.get();
    HERE.set(view);
    return () -> leave(before);
  }

  private static void leave(ContextView before) {
    if (before == null) {
      HERE.remove();
    } else {
      HERE.set(before);
    }
  }
}
