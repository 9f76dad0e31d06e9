/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.kind.TwoSteps;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.Setting;
import java.util.Arrays;

/**
 * A fault or additional work of a node.
 *
 * @param atNanos since the start of the window
 * @param forNanos duration; of a restart, the time for which the node is down
 * @param node from 1
 * @param kind kind of the disturbance
 * @param times how much slower the modelled storage is; 1 unless {@code kind} is {@code SLOW}
 */
public record Disturbance(long atNanos, long forNanos, int node, Kind kind, double times)
    implements NodeEvent {
  private static final double SLOWEST = 100;

  public enum Kind {
    SLOW("slow", "its modelled storage takes longer"),
    /** The node's process is stopped by a signal and later continues. */
    PAUSE("pause", "its process is stopped by a signal"),
    /** The node's process is killed and restarted on its data. */
    RESTART("restart", "its process is killed, and restarted after `for`"),
    COMPACTION("compaction", "it flushes and compacts its tables repeatedly");

    private final String key;
    private final String meaning;

    Kind(String key, String meaning) {
      this.key = key;
      this.meaning = meaning;
    }

    private Section section() {
      Section section = Section.of(ClusterReader.NODE);
      return this == SLOW
          ? section.and(Key.required(Setting.number("times", 1, 1, SLOWEST, "factor on its time")))
          : section;
    }
  }

  /** The keys of events of these kinds. */
  static Key[] keys() {
    return Arrays.stream(Kind.values())
        .map(kind -> Key.optional(kind.key, kind.section(), kind.meaning))
        .toArray(Key[]::new);
  }

  /**
   * Reads the value of one of the keys.
   *
   * @param modelled whether the nodes have modelled storage, which `slow` needs
   */
  static Disturbance read(
      Part what, String key, long at, long duration, int nodes, boolean modelled) {
    Kind kind =
        Arrays.stream(Kind.values()).filter(one -> one.key.equals(key)).findFirst().orElseThrow();
    if (kind == Kind.SLOW && !modelled) {
      throw what.node().refuse("slow only with service-model, which it slows down");
    }
    return new Disturbance(
        at,
        duration,
        what.whole("node", 1, nodes),
        kind,
        kind == Kind.SLOW ? what.real("times") : 1);
  }

  /** Whether an event replaces a node's process. */
  static boolean isRestart(NodeEvent event) {
    return event instanceof Disturbance disturbance && disturbance.kind() == Kind.RESTART;
  }

  @Override
  public Disturbance scaled(double factor) {
    return new Disturbance(
        (long) (atNanos * factor), (long) (forNanos * factor), node, kind, times);
  }

  @Override
  public String words() {
    return "node"
        + node
        + ": "
        + switch (kind) {
          case SLOW -> "storage takes " + times + " times as long";
          case PAUSE -> "stopped";
          case RESTART -> "killed and restarted";
          case COMPACTION -> "compacts";
        };
  }

  @Override
  public Running prepare(EventHost host) {
    return new TwoSteps(
        words(),
        () -> {
          switch (kind) {
            case SLOW -> host.slow(node, times);
            case PAUSE -> host.signal(node, true);
            case RESTART -> host.kill(node);
            case COMPACTION -> compact(host);
          }
        },
        () -> {
          switch (kind) {
            case SLOW -> host.slow(node, 1);
            case PAUSE -> host.signal(node, false);
            case RESTART -> host.restart(node);
            case COMPACTION -> {}
          }
        });
  }

  private void compact(EventHost host) {
    long beganNanos = System.nanoTime();
    do {
      host.compact(node);
    } while (System.nanoTime() - beganNanos < forNanos);
  }
}
