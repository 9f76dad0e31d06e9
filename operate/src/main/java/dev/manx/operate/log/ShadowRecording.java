/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.log;

import dev.manx.load.ShutdownHook;
import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.ConnectException;
import dev.manx.load.connect.Member;
import dev.manx.load.connect.NodeException;
import dev.manx.operate.look.NodeState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes nodes in mode shadow plan and record every request until {@link #close}, or until this JVM
 * ends. Thread-safe.
 */
public final class ShadowRecording implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(ShadowRecording.class);
  private static final String UPDATE = "UPDATE manx.strategy SET value = ? WHERE name = ?";
  private static final String RECORD = "record";
  private static final String FULL = "full";
  private static final String CALM_AFTER = "calm-after";
  private static final String CLOCK = "SELECT current_timestamp() AS now FROM system.local";

  private final Cluster cluster;
  private final List<Member> nodes;
  private final List<NodeState> before;
  private final Map<Member, Instant> begun;

  /** Nodes that may have been changed: all but those that forbid this user every change. */
  private final Set<Member> touched = ConcurrentHashMap.newKeySet();

  private final ShutdownHook hook = new ShutdownHook("manx-ends-recording", this::endAtExit);
  private boolean ended;

  private ShadowRecording(
      Cluster cluster, List<Member> nodes, List<NodeState> before, Map<Member, Instant> begun) {
    this.cluster = cluster;
    this.nodes = nodes;
    this.before = before;
    this.begun = begun;
  }

  /**
   * Begins; changes no node if one of them cannot record.
   *
   * @param value of the row {@code record}, such as {@code requests 10%}
   * @throws ConnectException if a node is not in mode shadow, is already recording, or rejects the
   *     change
   */
  public static ShadowRecording begin(Cluster cluster, List<Member> nodes, String value) {
    List<NodeState> before = cluster.ask(nodes, NodeState::read);
    List<String> not =
        before.stream().map(ShadowRecording::hindrance).filter(s -> !s.isEmpty()).toList();
    if (!not.isEmpty()) {
      throw new ConnectException("nothing was recorded:\n  " + String.join("\n  ", not));
    }
    ShadowRecording recording = new ShadowRecording(cluster, nodes, before, clocks(cluster, nodes));
    recording.hook.add();
    List<String> refused = recording.all(nodes, value, ignored -> "0s");
    if (!refused.isEmpty()) {
      List<String> left = recording.ended();
      throw new ConnectException(
          "nothing was recorded:\n  "
              + String.join("\n  ", refused)
              + (left.isEmpty() ? "" : "\n" + notEnded(left)));
    }
    return recording;
  }

  private static Map<Member, Instant> clocks(Cluster cluster, List<Member> nodes) {
    List<Instant> clocks = cluster.ask(nodes, ShadowRecording::clock);
    Map<Member, Instant> begun = new HashMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      begun.put(nodes.get(i), clocks.get(i));
    }
    return begun;
  }

  /** A node's clock, in whole seconds like the starts of logs. */
  private static Instant clock(Member node) {
    try {
      Instant now = (Instant) node.rows(CLOCK).get(0).get("now");
      return now.truncatedTo(ChronoUnit.SECONDS);
    } catch (NodeException e) {
      throw new ConnectException(
          "nothing was recorded:\n  " + node.address().brief() + ": " + e.getMessage());
    }
  }

  /** When it began, by the clock of each node: earlier logs are of another recording. */
  public Map<Member, Instant> begun() {
    return Map.copyOf(begun);
  }

  static String hindrance(NodeState state) {
    if (!state.isPresent()) {
      return state.node() + ": " + state.why();
    }
    if (!state.mode().equals("shadow")) {
      return state.node()
          + " is in mode "
          + state.mode()
          + ": only shadow shows stock's behaviour; ./manx ctl mode shadow";
    }
    for (String row : List.of(RECORD, CALM_AFTER)) {
      if (!state.strategy().containsKey(row)) {
        return state.node()
            + ": its Manx, version "
            + state.version()
            + ", does not support `"
            + row
            + "`: upgrade it";
      }
    }
    return state.row(RECORD).startsWith("on:")
        ? state.node() + " is already recording: end it first with ./manx ctl record off"
        : "";
  }

  /** Determines a node's {@code calm-after}: its former value, or another. */
  private interface CalmAfter {
    String of(NodeState before);
  }

  /** Sets both rows of nodes at once; returns the errors. */
  private List<String> all(List<Member> some, String record, CalmAfter calmAfter) {
    return cluster
        .ask(some, node -> set(node, record, calmAfter.of(before.get(nodes.indexOf(node)))))
        .stream()
        .filter(why -> !why.isEmpty())
        .toList();
  }

  /** Sets both rows of a node; returns the errors. */
  private String set(Member node, String record, String calmAfter) {
    boolean untouched = touched.add(node);
    String why = "";
    try {
      node.execute(UPDATE, calmAfter, CALM_AFTER);
    } catch (NodeException e) {
      if (untouched && e.kind() == NodeException.Kind.FORBIDDEN) {
        touched.remove(node);
        return node.address().brief() + ": " + e.getMessage();
      }
      why = why(node, CALM_AFTER, calmAfter, e);
    }
    try {
      node.execute(UPDATE, record, RECORD);
    } catch (NodeException e) {
      why += why(node, RECORD, record, e);
    }
    return why;
  }

  private static String why(Member node, String row, String value, NodeException e) {
    return "%s: %s cannot be set to %s: %s "
        .formatted(node.address().brief(), row, value, e.getMessage());
  }

  /**
   * The nodes whose logs are full.
   *
   * @throws ConnectException if a node has stopped recording for another reason
   */
  public List<String> full() {
    return full(cluster.ask(nodes, NodeState::read));
  }

  /** A node that does not answer for a moment may be recording all the same. */
  static List<String> full(List<NodeState> states) {
    List<String> stopped =
        states.stream()
            .filter(NodeState::isPresent)
            .filter(state -> !state.row(RECORD).startsWith("on:"))
            .filter(state -> !state.row(RECORD).startsWith(FULL))
            .map(state -> state.node() + " does not record: " + state.row(RECORD))
            .toList();
    if (!stopped.isEmpty()) {
      throw new ConnectException("the recording was ended:\n  " + String.join("\n  ", stopped));
    }
    return states.stream()
        .filter(state -> state.row(RECORD).startsWith(FULL))
        .map(NodeState::node)
        .toList();
  }

  /**
   * Ends the recording: the logs end, and {@code calm-after} is restored.
   *
   * @throws ConnectException if a node could not be set
   */
  @Override
  public void close() {
    List<String> not = ended();
    if (!not.isEmpty()) {
      throw new ConnectException(notEnded(not));
    }
  }

  /** The hook is removed only at the end: a concurrent end of the JVM waits for this. */
  private List<String> ended() {
    try {
      return end();
    } finally {
      hook.remove();
    }
  }

  private static String notEnded(List<String> not) {
    return "the recording could not be ended (./manx ctl record off, ./manx ctl calm-after):\n  "
        + String.join("\n  ", not);
  }

  private synchronized List<String> end() {
    if (ended) {
      return new ArrayList<>();
    }
    ended = true;
    return all(
        nodes.stream().filter(touched::contains).toList(), "off", state -> state.row(CALM_AFTER));
  }

  private void endAtExit() {
    end().forEach(not -> logger.error("The recording could not be ended: {}", not));
  }
}
