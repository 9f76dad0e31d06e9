/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.spi;

import java.util.Set;

/** A capability of a host for policies, beyond planning, queueing, facts and ticket events. */
public enum Ability {
  /** Reads wait at the coordinator: {@code Request.sendDelayNanos}. */
  HOLD("holds reads back at the coordinator", "the simulator and on nodes"),
  /** Reads wait at the coordinator until a node may have them: {@code Gate}. */
  GATE("holds reads back until a node may have them", "the simulator and on nodes"),
  /** Second copies of late reads: {@code Copies.HEDGED}, without cancellation on nodes. */
  LATE_COPIES("sends a late read again", "the simulator and on nodes"),
  /** Copies of waiting reads that replicas pass on and cancel: {@code Copies.FORWARDED}. */
  TIED_COPIES("has replicas pass waiting reads on", "the simulator and on nodes"),
  /** Second copies of all kinds, and their cancellation: {@code Request.copies}. */
  COPIES("sends a read twice"),
  /** Messages to and from the credit controller. */
  CREDITS("exchanges credits with a controller", "the simulator and on nodes"),
  /** The size oracle learns from the bytes of keys. */
  KEYED_LEARNING("learns sizes from the bytes of the key"),
  /** The host reads the lines of a file into an oracle. */
  FILES("reads a file"),
  /** Separate messages between coordinators. */
  EXCHANGE("sends messages of its own between coordinators", "the simulator and on nodes"),
  /** The state of the whole cluster at once. */
  GLOBAL_STATE("sees the state of all nodes at once"),
  /** A waiting thread may keep its core for the whole wait. */
  UNBOUNDED_SPIN("spins without bound on another thread's progress", "the contention harness");

  /** The abilities of a node. */
  public static final Set<Ability> OF_NODES =
      Set.of(LATE_COPIES, TIED_COPIES, HOLD, GATE, EXCHANGE, CREDITS);

  private final String words;
  private final String host;

  Ability(String words) {
    this(words, "the simulator");
  }

  Ability(String words, String host) {
    this.words = words;
    this.host = host;
  }

  /** The hosts that provide the ability. */
  public String host() {
    return host;
  }

  /** A policy's use of the ability, as the end of a sentence. */
  public String words() {
    return words;
  }
}
