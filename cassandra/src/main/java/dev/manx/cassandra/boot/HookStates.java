/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.boot.Hook.State;
import dev.manx.cassandra.control.Guard;
import java.util.EnumMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hooks in Cassandra's path, and the reasons why others are not. Each is installed separately:
 * a failure is recorded and affects no other hook. Any thread may query.
 */
final class HookStates {
  private static final Logger logger = LoggerFactory.getLogger(HookStates.class);

  private final Map<Hook, State> states = new EnumMap<>(Hook.class);
  private final Map<Hook, String> details = new EnumMap<>(Hook.class);

  /** Creates states with all hooks out of the path. */
  HookStates() {
    for (Hook hook : Hook.values()) {
      note(hook, State.STOCK, "");
    }
  }

  /** Puts a hook into the path; returns a description of its coverage. */
  interface Installation {
    String install() throws ReflectiveOperationException;
  }

  /**
   * Installs a hook if this Cassandra has what it needs.
   *
   * @param needed a method listed in {@link HookShape}
   */
  void attempt(Hook hook, String needed, Installation installation) {
    try {
      HookShape.verify(needed);
      note(hook, State.INSTALLED, installation.install());
    } catch (Throwable e) {
      Guard.throwIfOfVm(e);
      note(hook, State.FAILED, e.toString());
      logger.warn("Manx: hook {} stays stock: {}", hook.label(), e.toString());
    }
  }

  /** Removes a hook from the path. */
  void attemptRemoval(Hook hook, Runnable removal) {
    try {
      removal.run();
      note(hook, State.STOCK, "");
    } catch (Throwable e) {
      Guard.throwIfOfVm(e);
      note(hook, State.FAILED, "could not be removed: " + e);
      logger.error("Manx: hook {} could not be removed", hook.label(), e);
    }
  }

  synchronized void note(Hook hook, State state, String detail) {
    states.put(hook, state);
    details.put(hook, detail);
  }

  /** Whether a hook is in the path. */
  synchronized boolean isInstalled(Hook hook) {
    return states.get(hook) == State.INSTALLED;
  }

  /** State and detail of each hook. */
  synchronized Map<Hook, Map.Entry<State, String>> report() {
    Map<Hook, Map.Entry<State, String>> report = new EnumMap<>(Hook.class);
    states.forEach((hook, state) -> report.put(hook, Map.entry(state, details.get(hook))));
    return report;
  }
}
