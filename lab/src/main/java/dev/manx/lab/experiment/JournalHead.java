/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The first line of the {@link Journal}: all turns below it were played under these circumstances.
 *
 * @param revision of the project
 * @param start of the first part of the run, ISO 8601 in UTC
 * @param arms that can be played
 * @param conditions of the environment, by name
 * @param calibrated values that the turns depend on
 * @param continuations of the run after interruptions
 */
record JournalHead(
    String revision,
    String start,
    List<String> arms,
    Map<String, String> conditions,
    Map<String, Double> calibrated,
    List<Continuation> continuations) {
  private static final ObjectReader JSON =
      new ObjectMapper()
          .readerFor(JournalHead.class)
          .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private static final String ARMS = "the list of arms";
  private static final int MOST_NAMED = 3;
  private static final int MOST_LETTERS = 60;

  /**
   * A part of a run after an interruption.
   *
   * @param turns finished before it
   * @param round of its first turn; 0 if rounds are not played one after another
   * @param start ISO 8601 in UTC
   */
  record Continuation(int turns, int round, String start) {
    private String words() {
      return turns
          + " finished turns"
          + (round > 0 ? " (from round " + round + ")" : "")
          + " at "
          + start;
    }
  }

  /** Replaces values that a line of another version lacks. */
  JournalHead {
    revision = revision == null ? "" : revision;
    start = start == null ? "" : start;
    arms = arms == null ? List.of() : List.copyOf(arms);
    conditions = conditions == null ? Map.of() : Map.copyOf(conditions);
    calibrated = calibrated == null ? Map.of() : Map.copyOf(calibrated);
    continuations = continuations == null ? List.of() : List.copyOf(continuations);
  }

  static JournalHead of(JsonNode line) throws IOException {
    return JSON.readValue(line);
  }

  static JournalHead first(String revision, Instant start) {
    return new JournalHead(revision, start.toString(), List.of(), Map.of(), Map.of(), List.of());
  }

  JournalHead under(List<String> playable, Map<String, String> now) {
    return new JournalHead(revision, start, playable, now, calibrated, continuations);
  }

  JournalHead with(Map<String, Double> values) {
    return new JournalHead(revision, start, arms, conditions, values, continuations);
  }

  /** Adds a part of the run; an earlier part without remaining turns is forgotten. */
  JournalHead continued(Continuation next) {
    List<Continuation> all = new ArrayList<>(continuations);
    all.removeIf(earlier -> earlier.turns() >= next.turns());
    all.add(next);
    return new JournalHead(revision, start, arms, conditions, calibrated, all);
  }

  /** The continuations for readers of the result; empty without any. */
  String interruptions() {
    return continuations.isEmpty()
        ? ""
        : "resumed after "
            + continuations.stream()
                .map(Continuation::words)
                .collect(Collectors.joining(", after "));
  }

  /** The differences from another head, in words; empty if turns of both may be mixed. */
  String changes(JournalHead now) {
    Map<String, String> before = withArms();
    Map<String, String> after = now.withArms();
    Set<String> names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    List<String> changes =
        names.stream()
            .filter(name -> !Objects.equals(before.get(name), after.get(name)))
            .map(name -> change(name, shortened(before.get(name)), shortened(after.get(name))))
            .toList();
    int others = changes.size() - MOST_NAMED;
    return String.join("; ", changes.subList(0, Math.min(MOST_NAMED, changes.size())))
        + (others > 0 ? "; and " + others + " more" : "");
  }

  private Map<String, String> withArms() {
    Map<String, String> all = new TreeMap<>(conditions);
    all.put(ARMS, String.join(", ", arms));
    return all;
  }

  private static String change(String name, String before, String now) {
    return before.equals(now) ? name + " has changed" : name + " was " + before + " and is " + now;
  }

  private static String shortened(String value) {
    if (value == null) {
      return "missing";
    }
    String line = value.replaceAll("\\s+", " ").strip();
    return line.length() > MOST_LETTERS ? line.substring(0, MOST_LETTERS) + "..." : line;
  }
}
