/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.ConnectException;
import dev.manx.load.connect.Member;
import dev.manx.load.connect.NodeException;
import dev.manx.operate.look.NodeState;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Switches all nodes of a cluster for a while, and restores the former mode and strategy of each,
 * and that the mode was persisted: at {@link #close}, or when this JVM ends. Any thread.
 */
public final class KeptModes implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(KeptModes.class);
  private static final String UPDATE = "UPDATE manx.strategy SET value = ? WHERE name = ?";
  private static final String MODE = "mode";
  private static final List<String> KEPT = List.of("document", MODE);

  private final List<Member> nodes;
  private final List<NodeState> before;
  private final Thread hook = new Thread(this::restoreAtExit, "manx-restores-modes");
  private boolean changed;
  private boolean ended;

  private KeptModes(List<Member> nodes, List<NodeState> before) {
    this.nodes = nodes;
    this.before = before;
  }

  /**
   * Reads the mode and the strategy of all nodes; changes nothing.
   *
   * @throws ConnectException if Manx does not answer on one of them
   */
  public static KeptModes of(Cluster cluster) {
    List<NodeState> before = cluster.ask(cluster.members(), NodeState::read);
    List<String> without =
        before.stream()
            .filter(state -> !state.isPresent())
            .map(state -> state.node() + ": " + state.why())
            .toList();
    List<String> canaries =
        before.stream()
            .filter(NodeState::isCanary)
            .map(state -> state.node() + ": canary " + state.row("canary"))
            .toList();
    if (!canaries.isEmpty()) {
      throw new ConnectException(
          "Manx must act on all requests to be compared: ./manx ctl canary end, for\n  "
              + String.join("\n  ", canaries));
    }
    if (!without.isEmpty()) {
      throw new ConnectException(
          "every node must have Manx, to be switched and switched back:\n  "
              + String.join("\n  ", without));
    }
    KeptModes kept = new KeptModes(cluster.members(), before);
    Runtime.getRuntime().addShutdownHook(kept.hook);
    return kept;
  }

  /** The nodes as they were before. */
  public List<NodeState> before() {
    return before;
  }

  /**
   * Switches every node, and reads each back.
   *
   * @param document the strategy; empty to leave it
   * @throws ConnectException if a node refuses or does not follow
   */
  public synchronized void set(String mode, String document) {
    if (ended) {
      throw new ConnectException("the nodes' former modes have been restored");
    }
    changed = true;
    for (Member node : nodes) {
      try {
        if (!document.isEmpty()) {
          node.execute(UPDATE, document, "document");
        }
        node.execute(UPDATE, mode, MODE);
      } catch (NodeException e) {
        throw new ConnectException(node.address().brief() + " refuses: " + e.getMessage(), e);
      }
      NodeState after = NodeState.read(node);
      if (!after.mode().equals(mode)) {
        throw new ConnectException(
            node.address().brief()
                + " should be in mode "
                + mode
                + " and is not: "
                + (after.isPresent() ? after.mode() + " " + after.row("trouble") : after.why()));
      }
    }
  }

  /**
   * Restores every node's former mode and strategy.
   *
   * @throws ConnectException if a node could not be restored; names the node and its former mode
   */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // the JVM is ending, and the hook does the same
    }
    List<String> not = restore();
    if (!not.isEmpty()) {
      throw new ConnectException(
          "the former mode could not be restored:\n  " + String.join("\n  ", not));
    }
  }

  private void restoreAtExit() {
    for (String not : restore()) {
      logger.error("The former mode could not be restored: {}", not);
    }
  }

  private synchronized List<String> restore() {
    List<String> not = new ArrayList<>();
    if (!changed || ended) {
      ended = true;
      return not;
    }
    ended = true;
    for (int i = 0; i < nodes.size(); i++) {
      NodeState wanted = before.get(i);
      // A strategy that cannot be restored must not keep the mode from it, nor one node the others.
      String refused = "";
      for (String row : KEPT) {
        refused += restored(nodes.get(i), row, wanted);
      }
      refused += persistedAgain(nodes.get(i), wanted);
      NodeState after = NodeState.read(nodes.get(i));
      if (!after.mode().equals(wanted.mode())) {
        not.add(instead(wanted, "it is in mode '" + after.mode() + "' " + refused));
      } else if (!refused.isEmpty()) {
        not.add(instead(wanted, refused));
      }
    }
    return not;
  }

  /** Sets a row as it was; what hindered it, or nothing. */
  private static String restored(Member node, String row, NodeState wanted) {
    try {
      node.execute(UPDATE, wanted.row(row), row);
      return "";
    } catch (RuntimeException e) {
      return row + ": " + e.getMessage() + " ";
    }
  }

  /** Persists the mode again if it was persisted, because a switch to off ends that. */
  private static String persistedAgain(Member node, NodeState wanted) {
    NodeState now = NodeState.read(node);
    if (!wanted.isPersisted(MODE) || now.isPersisted(MODE)) {
      return "";
    }
    String persisted = wanted.asPersisted().mode();
    // A node persists the mode that it is in.
    if (!persisted.equals(wanted.mode()) || !persisted.equals(now.mode())) {
      return "its persisted mode, " + persisted + ", was ended";
    }
    try {
      node.execute(UPDATE, MODE, Change.PERSISTED);
      return "";
    } catch (RuntimeException e) {
      return "its mode could not be persisted again: " + e.getMessage();
    }
  }

  private static String instead(NodeState wanted, String why) {
    return wanted.node()
        + " had mode "
        + wanted.mode()
        + " (./manx ctl mode "
        + wanted.mode()
        + " --nodes "
        + wanted.node()
        + "): "
        + why;
  }
}
