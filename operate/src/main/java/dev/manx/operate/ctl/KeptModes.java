/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.load.ShutdownHook;
import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.ConnectException;
import dev.manx.load.connect.Member;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.look.NodeState.Manx;
import dev.manx.operate.text.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Switches all nodes of a cluster temporarily, and restores the former mode and strategy of each,
 * including whether the mode was persisted: at {@link #close}, or when this JVM ends. A node that
 * was switched by another user or by its breaker in the meantime is left as it is. Thread-safe.
 */
public final class KeptModes implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(KeptModes.class);

  private static final int AT_ONCE = 64;

  private final List<KeptNode> nodes;
  private final ShutdownHook hook = new ShutdownHook("manx-restores-modes", this::restoreAtExit);
  private boolean ended;

  KeptModes(List<KeptNode> nodes) {
    this.nodes = nodes;
  }

  /**
   * Reads the mode and the strategy of all nodes; changes nothing. Nodes may be without Manx; then
   * the others can only be switched off.
   *
   * @throws ConnectException if a node does not answer or may not be seen, or Manx acts on only a
   *     part of the requests
   */
  public static KeptModes of(Cluster cluster) {
    List<NodeState> before = cluster.ask(cluster.members(), NodeState::read);
    List<String> unknown =
        before.stream()
            .filter(state -> !state.isPresent() && state.manx() != Manx.ABSENT)
            .map(state -> state.node() + ": " + state.why())
            .toList();
    List<String> canaries =
        before.stream()
            .filter(NodeState::isCanary)
            .map(state -> state.node() + ": canary " + state.row("canary"))
            .toList();
    if (!canaries.isEmpty()) {
      throw new ConnectException(
          "for a comparison Manx must act on all requests: first run ./manx ctl canary end for\n  "
              + String.join("\n  ", canaries));
    }
    if (!unknown.isEmpty()) {
      throw new ConnectException(
          "every node must show its mode, so that it can be switched and restored:\n  "
              + String.join("\n  ", unknown));
    }
    List<Member> members = cluster.members();
    KeptModes kept =
        new KeptModes(
            IntStream.range(0, members.size())
                .mapToObj(i -> new KeptNode(KeptNode.Rows.of(members.get(i)), before.get(i)))
                .toList());
    kept.guard();
    return kept;
  }

  /** Makes the end of the JVM restore the nodes. */
  void guard() {
    hook.add();
  }

  /** Whether the end of the JVM restores the nodes. */
  boolean isGuarded() {
    return hook.isAdded();
  }

  /** The states of the nodes before. */
  public List<NodeState> before() {
    return nodes.stream().map(KeptNode::before).toList();
  }

  /** The nodes without Manx. */
  public List<String> without() {
    return nodes.stream().filter(KeptNode::isWithout).map(node -> node.before().node()).toList();
  }

  /** Whether Manx was on everywhere before. */
  public boolean allOn() {
    return before().stream().allMatch(node -> node.mode().equals("on"));
  }

  /** The former modes with their nodes, human-readable, of the nodes with Manx. */
  public String formerModes() {
    Map<String, List<String>> byMode =
        before().stream()
            .filter(NodeState::isPresent)
            .collect(
                Collectors.groupingBy(
                    NodeState::mode,
                    TreeMap::new,
                    Collectors.mapping(NodeState::node, Collectors.toList())));
    return byMode.entrySet().stream()
        .map(one -> one.getKey() + " on " + Words.of(one.getValue(), nodes.size()))
        .collect(Collectors.joining("; "));
  }

  /**
   * Switches every node, and reads each back.
   *
   * @param document the strategy; empty to keep it
   * @throws ConnectException if a node was switched by another user, rejects the change or does not
   *     apply it, or has no Manx and the mode is not off
   */
  public synchronized void set(String mode, String document) {
    if (ended) {
      throw new ConnectException("the nodes' former modes have been restored");
    }
    if (!mode.equals("off") && !without().isEmpty()) {
      throw new ConnectException("Manx is not on " + Words.of(without(), nodes.size()));
    }
    // Reads all before the first write: an operator who switched one node off wants none switched
    // on.
    look(KeptNode::changed, "nodes were switched, but not by this run; it ends and leaves them");
    nodes.forEach(node -> node.set(mode, document));
  }

  /**
   * Reads every node.
   *
   * @return their states
   * @throws ConnectException if one is not as it was set, its breaker opened, or a hook failed:
   *     measurements since then are invalid
   */
  public synchronized List<NodeState> stillAsSet() {
    return look(KeptNode::failed, "nodes did not stay as set, so this turn is discarded");
  }

  private List<NodeState> look(BiFunction<KeptNode, NodeState, String> wrong, String what) {
    List<NodeState> now = atOnce(KeptNode::read);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < now.size(); i++) {
      String why = wrong.apply(nodes.get(i), now.get(i));
      if (!why.isEmpty()) {
        lines.add(nodes.get(i).line(why));
      }
    }
    if (!lines.isEmpty()) {
      throw new ConnectException(what + ":\n  " + String.join("\n  ", lines));
    }
    return now;
  }

  /**
   * Restores every node's former mode and strategy, except of nodes that another user switched.
   *
   * @throws ConnectException if a node was left as it is, or could not be restored; names the node
   *     and its former mode
   */
  @Override
  public void close() {
    String not;
    try {
      not = restore();
    } finally {
      // Not earlier: a concurrent end of the JVM must wait for the last node.
      hook.remove();
    }
    if (!not.isEmpty()) {
      throw new ConnectException(not);
    }
  }

  private void restoreAtExit() {
    String not = restore();
    if (!not.isEmpty()) {
      logger.error("{}", not);
    }
  }

  private synchronized String restore() {
    if (ended) {
      return "";
    }
    ended = true;
    List<KeptNode.End> ends = atOnce(KeptNode::restore);
    List<String> left =
        ends.stream().map(KeptNode.End::left).filter(one -> !one.isEmpty()).toList();
    List<String> failed =
        ends.stream().map(KeptNode.End::failed).filter(one -> !one.isEmpty()).toList();
    List<String> parts = new ArrayList<>();
    if (!left.isEmpty()) {
      parts.add("left as they are, not as they were before:\n  " + String.join("\n  ", left));
    }
    if (!failed.isEmpty()) {
      parts.add("the former mode could not be restored:\n  " + String.join("\n  ", failed));
    }
    return String.join("\n", parts);
  }

  /** Does the same on all nodes at once: one that hangs must not delay the others. */
  private <T> List<T> atOnce(Function<KeptNode, T> task) {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            Math.min(AT_ONCE, nodes.size()),
            work -> {
              Thread thread = new Thread(work, "manx-keeps-a-node");
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<CompletableFuture<T>> all =
          nodes.stream()
              .map(node -> CompletableFuture.supplyAsync(() -> task.apply(node), threads))
              .toList();
      return all.stream().map(CompletableFuture::join).toList();
    } finally {
      threads.shutdown();
    }
  }
}
