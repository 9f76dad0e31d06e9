/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.look;

import dev.manx.load.connect.Member;
import dev.manx.load.connect.NodeException;
import dev.manx.policy.config.Units;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The state of Manx on one node, as the node reports it.
 *
 * @param node its address
 * @param datacenter its datacenter
 * @param manx whether Manx answers there
 * @param why why it does not; empty if it does
 * @param strategy the rows of {@code manx.strategy}
 * @param hooks the rows of {@code manx.hooks}
 * @param counters the rows of {@code manx.counters}
 * @param nanos when its counters were read, on this machine's monotonic clock
 */
public record NodeState(
    String node,
    String datacenter,
    Manx manx,
    String why,
    Map<String, String> strategy,
    Map<String, Hook> hooks,
    Map<String, Long> counters,
    long nanos) {
  private static final String PERSISTED = "persisted.";
  private static final String DOCUMENT = "document";
  private static final String BREAKER_OPENED = "breaker_opened";
  private static final String POLICY = "policy.";

  /** Whether Manx answers. */
  public enum Manx {
    /** Manx answers. */
    PRESENT,
    /** The node answers but has no keyspace {@code manx}. */
    ABSENT,
    /** The user may not see it. */
    HIDDEN,
    /** The node does not answer. */
    UNREACHABLE
  }

  /** Whether reads wait for a read thread at any node. */
  public enum Queues {
    /** Manx is off there, or does not answer. */
    UNKNOWN,
    /** None does, and requests are left to stock. */
    CALM,
    /** None has for a while, but requests are planned nevertheless. */
    NONE,
    /** One did lately. */
    SOME
  }

  /** A hook's state (stock, installed, failed) and details. */
  public record Hook(String state, String detail) {}

  /** A CQL query to a node. */
  public interface Question {
    /** Returns the rows; throws {@link NodeException} without an answer, or for an error. */
    List<Map<String, Object>> rows(String cql);
  }

  /** Reads a node. Never throws for an error of the node. */
  public static NodeState read(Member member) {
    String node = member.address().brief();
    return read(node, member.datacenter(), cql -> member.rows(cql), System::nanoTime);
  }

  /**
   * Reads a node over any connection. Never throws for a {@link NodeException}.
   *
   * @param nanoTime a monotonic clock
   */
  public static NodeState read(
      String node, String datacenter, Question question, LongSupplier nanoTime) {
    try {
      Map<String, String> strategy = new TreeMap<>();
      question
          .rows("SELECT name, value FROM manx.strategy")
          .forEach(row -> strategy.put(text(row.get("name")), text(row.get("value"))));
      Map<String, Hook> hooks = new TreeMap<>();
      question
          .rows("SELECT name, state, detail FROM manx.hooks")
          .forEach(
              row ->
                  hooks.put(
                      text(row.get("name")),
                      new Hook(text(row.get("state")), text(row.get("detail")))));
      // After the first query, which may have had to connect: otherwise rates would be too low.
      long asked = nanoTime.getAsLong();
      Map<String, Long> counters = new TreeMap<>();
      question
          .rows("SELECT name, value FROM manx.counters")
          .forEach(row -> counters.put(text(row.get("name")), (Long) row.get("value")));
      long nanos = asked + (nanoTime.getAsLong() - asked) / 2;
      return new NodeState(node, datacenter, Manx.PRESENT, "", strategy, hooks, counters, nanos);
    } catch (NodeException e) {
      return not(node, datacenter, e, nanoTime.getAsLong());
    }
  }

  private static NodeState not(String node, String datacenter, NodeException e, long nanos) {
    Manx manx =
        switch (e.kind()) {
          case ABSENT -> Manx.ABSENT;
          case FORBIDDEN -> Manx.HIDDEN;
          case UNREACHABLE, UNANSWERED, REFUSED -> Manx.UNREACHABLE;
        };
    String why =
        switch (manx) {
          case ABSENT -> "Manx is not on this node";
          case HIDDEN -> "this user may not see it: " + e.getMessage();
          default -> "unreachable: " + e.getMessage();
        };
    return without(node, datacenter, manx, why, nanos);
  }

  /** A node whose tables could not be read. */
  public static NodeState without(Member member, Manx manx, String why, long nanos) {
    return without(member.address().brief(), member.datacenter(), manx, why, nanos);
  }

  private static NodeState without(
      String node, String datacenter, Manx manx, String why, long nanos) {
    return new NodeState(node, datacenter, manx, why, Map.of(), Map.of(), Map.of(), nanos);
  }

  private static String text(Object value) {
    return value == null ? "" : value.toString();
  }

  /** Whether requests are never left to stock, as while {@code manx advise --record} runs. */
  public boolean isNeverCalm() {
    return Units.durationNanos(row("calm-after")).equals(OptionalLong.of(0));
  }

  /** Whether Manx acts on only a part of the requests. */
  public boolean isCanary() {
    return !row("canary").matches("|1(\\.0*)?|100%");
  }

  /** The node's state after a restart, as far as determined by persisted settings. */
  public NodeState asPersisted() {
    Map<String, String> rows = new TreeMap<>(strategy);
    strategy.forEach(
        (name, value) -> {
          if (name.startsWith(PERSISTED)) {
            rows.put(name.substring(PERSISTED.length()), value);
          }
        });
    if (isPersisted(DOCUMENT) && !rows.get(DOCUMENT).equals(row(DOCUMENT))) {
      // Nodes persist the document alone.
      rows.keySet().removeIf(name -> name.startsWith(POLICY));
      StrategyNames.policiesOf(rows.get(DOCUMENT))
          .forEach((family, name) -> rows.put(POLICY + family, name));
    }
    return new NodeState(node, datacenter, manx, why, rows, hooks, counters, nanos);
  }

  /** Whether a row of {@code manx.strategy} was persisted. */
  public boolean isPersisted(String row) {
    return strategy.containsKey(PERSISTED + row);
  }

  /** Whether Manx answers there. */
  public boolean isPresent() {
    return manx == Manx.PRESENT;
  }

  /** A row of {@code manx.strategy}; empty if missing. */
  public String row(String name) {
    return strategy.getOrDefault(name, "");
  }

  /** off, shadow or on; empty if Manx does not answer. */
  public String mode() {
    return row("mode");
  }

  /** Whether reads wait, as the node knows. */
  public Queues queues() {
    String queues = row("queues");
    if (queues.isEmpty()) {
      return Queues.UNKNOWN;
    }
    if (queues.startsWith("none")) {
      return Queues.CALM;
    }
    return queues.startsWith("no read has waited") ? Queues.NONE : Queues.SOME;
  }

  /** Manx's version there. */
  public String version() {
    return row("version");
  }

  /** The breaker's state without its reasons; empty if Manx does not answer. */
  public String breaker() {
    return row("breaker").split("[:,]", 2)[0];
  }

  /** Whether the breaker is closed. */
  public boolean isBreakerClosed() {
    return row("breaker").startsWith("closed");
  }

  /**
   * Why stock made decisions since an earlier state in which Manx acted: its breaker opened, even
   * if it has closed again, or hooks failed. Empty if neither.
   */
  public String fellBackSince(NodeState earlier) {
    if (!isBreakerClosed() || counter(BREAKER_OPENED) != earlier.counter(BREAKER_OPENED)) {
      return "its breaker opened: " + row("breaker");
    }
    List<String> failed =
        hooks.entrySet().stream()
            .filter(hook -> hook.getValue().state().equals("failed"))
            .map(Map.Entry::getKey)
            .toList();
    return failed.isEmpty() ? "" : "hooks failed and stayed stock: " + String.join(", ", failed);
  }

  /** A counter; 0 if it does not exist. */
  public long counter(String name) {
    return counters.getOrDefault(name, 0L);
  }
}
