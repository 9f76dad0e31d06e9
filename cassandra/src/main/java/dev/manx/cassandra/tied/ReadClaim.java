/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether a queued read must still be served here, when another replica may serve it instead. Any
 * thread.
 */
final class ReadClaim {
  private enum State {
    /** In the queue, and not started anywhere. */
    WAITING,
    /** Started here. */
    STARTED,
    /** In the queue, but the other replica serves it. */
    CEDED,
    /** Its turn came here while it was ceded, and was skipped. */
    PASSED,
    /** Its turn was skipped, and the other replica failed it: it is served here all the same. */
    FAILED
  }

  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

  /** Starts it when its turn has come; false if it must not run here. */
  boolean start() {
    while (true) {
      if (state.compareAndSet(State.WAITING, State.STARTED)) {
        return true;
      }
      if (state.compareAndSet(State.CEDED, State.PASSED)) {
        return false;
      }
      State now = state.get();
      if (now != State.WAITING && now != State.CEDED) {
        return false;
      }
    }
  }

  /** Cedes it to the other replica; false if it has started here, or was already ceded. */
  boolean cede() {
    return state.compareAndSet(State.WAITING, State.CEDED);
  }

  /** Takes it back after the other replica failed it; false unless it is still in the queue. */
  boolean giveBack() {
    return state.compareAndSet(State.CEDED, State.WAITING);
  }

  /** Whether it has neither started nor been ceded. */
  boolean isWaiting() {
    return state.get() == State.WAITING;
  }

  /** Whether the other replica serves it. */
  boolean isCeded() {
    State now = state.get();
    return now == State.CEDED || now == State.PASSED || now == State.FAILED;
  }

  /**
   * Records that the other replica failed it after its turn here was skipped; true for one caller.
   */
  boolean fails() {
    return state.compareAndSet(State.PASSED, State.FAILED);
  }
}
