/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.recorded;

import dev.manx.policy.Request;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.record.DecisionLog;
import dev.manx.policy.record.Executed;
import dev.manx.policy.record.LogHead;
import dev.manx.policy.record.LogLine;
import dev.manx.policy.record.PlanPaging;
import dev.manx.policy.record.RecordedPlan;
import dev.manx.policy.record.RequestEnd;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Reads the decision logs of several nodes as one {@link Recording}. Each node has different ids
 * for the others; nodes are renumbered by their addresses. Confined to one thread.
 */
public final class RecordedLogs {
  private static final String ALLOWED =
      "a log with nodes, planned and ended requests: recorded by this version of Manx in mode"
          + " shadow or on, under load";

  private static final Set<String> NO_DECISIONS =
      Set.of(DecisionLog.NODE, DecisionLog.STRATEGY, DecisionLog.END);

  private final List<String> files = new ArrayList<>();
  private final Map<String, Integer> numbers = new LinkedHashMap<>();
  private final List<NodeRecord> logs = new ArrayList<>();
  private final List<RecordedRequest> requests = new ArrayList<>();
  private final List<Runnable> remote = new ArrayList<>();
  private final Request request = new Request();
  private final List<Kept> parts = new ArrayList<>();

  /**
   * The part of a log that is played.
   *
   * @param file its name
   * @param lines after the head
   * @param damaged lines that were left out
   * @param firstDamaged number of the first damaged line; 0 if there is none
   * @param why the reason for leaving out the first damaged line; empty if there is none
   * @param plans plans of requests with reads, if their checksums are right
   * @param used plans in this format whose reads all have replicas with known addresses
   * @param firstUnused line number of the first unused plan; 0 if there is none
   */
  public record Kept(
      String file,
      long lines,
      long damaged,
      long firstDamaged,
      String why,
      long plans,
      long used,
      long firstUnused) {}

  /** A plan with the ids of its log. */
  private record Planned(
      long line,
      long atNanos,
      PlanPaging paging,
      boolean remote,
      long[] hashes,
      int[][] ids,
      int[] contacts,
      int[] bytes,
      long[] nanos) {}

  /**
   * Adds a node's log. A node that does not coordinate requests has a log without requests.
   *
   * @param file the log's name in errors
   * @param bytes the whole log
   * @throws ConfigException if it is not a decision log, does not name its node, or is of a node
   *     that has been added
   */
  public void add(String file, ByteBuffer bytes) {
    DecisionLog log = new DecisionLog(file, bytes);
    Map<Integer, String> names = new HashMap<>();
    List<Planned> plans = new ArrayList<>();
    List<Executed> executed = new ArrayList<>();
    List<RequestEnd> ends = new ArrayList<>();
    double unplanned = 0;
    long reads = 0;
    long remoteReads = 0;
    long kept = 0;
    long unused = 0;
    long firstUnused = 0;
    boolean requestsOnly = true;
    boolean acted = false;
    List<String> strategies = new ArrayList<>();
    OptionalLong longestWait = OptionalLong.empty();
    long from = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    for (LogLine line = log.next(); line != null; line = log.next()) {
      try {
        switch (line.kind()) {
          case DecisionLog.NODE -> names.put((int) line.number("i"), line.text("a"));
          case DecisionLog.PLAN -> {
            Planned plan = planned(new RecordedPlan(line, log.head()), log.lineNumber());
            plans.add(plan);
            if (plan == null && request.reads() > 0) {
              firstUnused = unused++ == 0 ? log.lineNumber() : firstUnused;
            }
            reads += request.reads();
            remoteReads += remoteReads();
            acted |= line.text("m").equals("on");
          }
          case DecisionLog.STRATEGY -> {
            strategies.add(line.text("y"));
            if (!line.text("l").isEmpty()) {
              long limit = line.number("l");
              longestWait = OptionalLong.of(Math.min(limit, longestWait.orElse(limit)));
            }
          }
          case DecisionLog.EXECUTED -> executed.add(Executed.read(line));
          case DecisionLog.REQUEST -> {
            RequestEnd end = RequestEnd.read(line);
            if (end.planned()) {
              ends.add(end);
            } else {
              unplanned += end.weight();
            }
          }
          case DecisionLog.ANSWER, DecisionLog.DISPATCH -> requestsOnly = false;
          default -> {}
        }
        kept += NO_DECISIONS.contains(line.kind()) ? 0 : 1;
        if (!line.text("t").isEmpty()) {
          from = Math.min(from, line.number("t"));
          to = Math.max(to, line.number("t"));
        }
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        log.damagedHere("it is not a record of kind " + line.kind() + ": " + e.getMessage());
        if (line.kind().equals(DecisionLog.PLAN)) {
          firstUnused = unused++ == 0 ? log.lineNumber() : firstUnused;
        }
      }
    }
    plans.removeIf(Objects::isNull);
    String node = log.head().about().get("node");
    if (!names.containsValue(node) && log.damaged() > 0) {
      throw ConfigException.because(
          file,
          (int) log.firstDamaged(),
          "",
          node,
          "no line names this node, and %d of %d lines after the first are damaged; of this one %s"
              .formatted(log.damaged(), log.lineNumber() - 1, log.firstReason()));
    }
    if (!names.containsValue(node)) {
      throw new ConfigException(file, 0, "", node, ALLOWED);
    }
    int own = number(node);
    if (logs.stream().anyMatch(other -> other.node() == own)) {
      throw new ConfigException(file, 0, "node", node, "one log of each node");
    }
    boolean timed = from <= to;
    long began = began(log, timed ? from : 0);
    long dropped = log.end() == null ? 0 : Long.parseLong("0" + log.end().text("dropped"));
    files.add(file);
    logs.add(
        new NodeRecord(
            own,
            node,
            started(log),
            epoch(log),
            log.head().sample(),
            began,
            timed ? Math.max(1, to - began) : 1,
            about(log, "cores"),
            about(log, "read-threads"),
            List.copyOf(executed),
            List.copyOf(ends),
            new NodeRecord.Engine(acted, strategies, longestWait),
            new NodeRecord.Others(unplanned, reads, remoteReads),
            new NodeRecord.Lines(kept, log.damaged() + dropped, log.end() != null, requestsOnly)));
    long all = plans.size() + unused;
    for (Planned plan : plans) {
      if (!isNamed(plan, names)) {
        firstUnused = unused++ == 0 ? plan.line : Math.min(firstUnused, plan.line);
      } else if (plan.remote) {
        remote.add(() -> number(own, plan, names));
      } else {
        number(own, plan, names);
      }
    }
    parts.add(
        new Kept(
            file,
            log.lineNumber() - 1,
            log.damaged(),
            log.firstDamaged(),
            log.firstReason(),
            all,
            all - unused,
            firstUnused));
  }

  /** The part of each added log that is played. */
  public List<Kept> kept() {
    return List.copyOf(parts);
  }

  /**
   * Combines the added logs. Plans with replicas in several datacenters are left out if fewer than
   * {@link Recording#MOST_REMOTE} of the reads have such replicas.
   *
   * @throws IllegalStateException if no log was added
   * @throws ConfigException if no log has planned requests, or no log has ended requests
   */
  public Recording recording() {
    if (logs.isEmpty()) {
      throw new IllegalStateException("no log was added");
    }
    long ends = logs.stream().mapToLong(log -> log.ends().size()).sum();
    if (Recording.remoteShare(logs) >= Recording.MOST_REMOTE) {
      remote.forEach(Runnable::run);
    }
    remote.clear();
    if (requests.isEmpty() || ends == 0) {
      throw new ConfigException(
          String.join(", ", files), 0, "", requests.size() + " plans, " + ends + " ends", ALLOWED);
    }
    return new Recording(List.copyOf(numbers.keySet()), logs, requests);
  }

  /**
   * When the log began, by the clock of its times: with its first line, or when its head says, to
   * the second. The first line of a node with few requests may come much later.
   *
   * @param firstNanos time of the first line
   */
  private static long began(DecisionLog log, long firstNanos) {
    Optional<Instant> started = started(log);
    OptionalLong epoch = epoch(log);
    if (started.isEmpty() || epoch.isEmpty()) {
      return firstNanos;
    }
    long second = TimeUnit.SECONDS.toNanos(started.get().getEpochSecond() + 1);
    return Math.min(firstNanos, second - epoch.getAsLong());
  }

  private static Optional<Instant> started(DecisionLog log) {
    String text = log.head().about().getOrDefault("started", "");
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static OptionalLong epoch(DecisionLog log) {
    try {
      return OptionalLong.of(Long.parseLong(log.head().about().getOrDefault(LogHead.EPOCH, "")));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  private static int about(DecisionLog log, String key) {
    String text = log.head().about().get(key);
    return text.isEmpty() ? 0 : Integer.parseInt(text);
  }

  private int number(String address) {
    return numbers.computeIfAbsent(address, a -> numbers.size());
  }

  /** Reads a plan into the request; null if it has no reads. */
  private Planned planned(RecordedPlan plan, long line) {
    plan.begin(request);
    int reads = request.reads();
    if (reads == 0 || anyWithoutReplicas(reads)) {
      return null;
    }
    long[] hashes = new long[reads];
    int[][] ids = new int[reads][];
    int[] contacts = new int[reads];
    int[] bytes = new int[reads];
    long[] nanos = new long[reads];
    for (int read = 0; read < reads; read++) {
      hashes[read] = request.keyHash(read);
      int start = request.replicaStart(read);
      ids[read] = Arrays.copyOfRange(request.replicas(), start, start + request.replicaCount(read));
      bytes[read] = (int) Math.min(Integer.MAX_VALUE, request.sizeBytes(read));
      nanos[read] = Math.max(1, request.costNanos(read));
      contacts[read] = request.contacts(read);
    }
    return new Planned(
        line,
        plan.nowNanos(),
        plan.paging(),
        remoteReads() > 0,
        hashes,
        ids,
        contacts,
        bytes,
        nanos);
  }

  /** Reads of the request with replicas in more than one datacenter. */
  private long remoteReads() {
    long remote = 0;
    for (int read = 0, reads = request.reads(); read < reads; read++) {
      int start = request.replicaStart(read);
      int last = start + request.replicaCount(read) - 1;
      remote += last <= start || request.groups()[start] == request.groups()[last] ? 0 : 1;
    }
    return remote;
  }

  private boolean anyWithoutReplicas(int reads) {
    for (int read = 0; read < reads; read++) {
      if (request.replicaCount(read) == 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether the log has the address of every node of a plan. */
  private static boolean isNamed(Planned plan, Map<Integer, String> names) {
    return Arrays.stream(plan.ids).flatMapToInt(Arrays::stream).allMatch(names::containsKey);
  }

  /** Adds a plan, with its nodes renumbered. */
  private void number(int coordinator, Planned plan, Map<Integer, String> names) {
    int[][] replicas = new int[plan.ids.length][];
    for (int read = 0; read < replicas.length; read++) {
      replicas[read] = Arrays.stream(plan.ids[read]).map(id -> number(names.get(id))).toArray();
    }
    requests.add(
        new RecordedRequest(
            plan.atNanos,
            coordinator,
            plan.paging,
            plan.hashes,
            replicas,
            plan.contacts,
            plan.bytes,
            plan.nanos));
  }
}
