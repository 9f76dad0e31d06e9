/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import java.util.ArrayList;
import java.util.List;

/**
 * The report's words for experiments of a kind.
 *
 * @param on the word after {@code on:}
 * @param loadWord its word for a load
 * @param latency a sentence that defines latency
 * @param notes the method of measurement
 * @param casesApart whether its classes are cases rather than parts of a whole
 * @param ordered whether the arms of a round run one after another, in the order of {@link
 *     dev.manx.lab.stats.BalancedOrder}
 * @param engine whether an arm called {@code stock} is an engine without the hooks of Manx
 * @param correctness verification of answers; empty without answers
 * @param saturation a sentence: which arms are not compared; empty if all are
 */
public record KindWords(
    String on,
    String loadWord,
    String latency,
    List<Note> notes,
    boolean casesApart,
    boolean ordered,
    boolean engine,
    String correctness,
    String saturation) {
  /** The rule of {@link Saturation} for measured utilisations. */
  public static final String BY_UTILISATION =
      "An arm that was more than 85 % utilised, or whose backlog grew, is saturated and not"
          + " compared.";

  /** A paragraph and its first words. */
  public record Note(String head, String text) {}

  /** Words for an unknown or missing kind. */
  public static final KindWords UNKNOWN =
      new KindWords(
          "",
          "load",
          "Latency, as the experiment measured it.",
          List.of(
              new Note(
                  "Unknown kind.",
                  "The experiment file does not name its environment, or names a kind that this"
                      + " version of Manx does not know. Therefore this page cannot say how latency"
                      + " was measured.")),
          false,
          false,
          false,
          "",
          BY_UTILISATION);

  /** The head of the note on an open loop. */
  public static final String OPEN_LOOP = "Open loop.";

  /**
   * Requests that are sent at fixed times.
   *
   * @param last the subject of a request's last answer
   */
  public static Note openLoop(String last) {
    return new Note(
        OPEN_LOOP,
        "Requests are sent at times fixed in advance, whether or not earlier ones"
            + " have been answered. A request's latency counts from its intended start to"
            + " the answer of its last "
            + last
            + ". Every request that should have started during a stall therefore includes"
            + " it. The schedule lag among the metrics shows how late the generator itself"
            + " was.");
  }

  /** A fixed number of clients. */
  private static Note closedLoop(String head) {
    return new Note(
        head,
        "Each of a fixed number of clients sends its next request only when its last one has"
            + " ended, at once or after a think time. A request's latency counts from the moment"
            + " it is sent. While the nodes stall, almost none is sent, so latencies hide stalls,"
            + " and a slow arm reduces its own load. Answers per second show what an arm can"
            + " serve.");
  }

  /**
   * The method of measurement at some loads.
   *
   * @param open loads whose requests are sent at fixed times
   * @param closed loads with a fixed number of clients
   */
  public List<Note> notes(List<String> open, List<String> closed) {
    if (closed.isEmpty() || notes.stream().noneMatch(note -> note.head().equals(OPEN_LOOP))) {
      return notes;
    }
    List<Note> some = new ArrayList<>();
    for (Note note : notes) {
      if (!note.head().equals(OPEN_LOOP)) {
        some.add(note);
      } else if (open.isEmpty()) {
        some.add(closedLoop("Closed loop."));
      } else {
        some.add(new Note("Open loop (" + String.join(", ", open) + ").", note.text()));
        some.add(closedLoop("Closed loop (" + String.join(", ", closed) + ")."));
      }
    }
    return List.copyOf(some);
  }

  /**
   * Threads of one process under a squeeze.
   *
   * @param late sentences on operations that have not ended with the window
   */
  public static KindWords threads(String on, String late) {
    return new KindWords(
        on,
        "load",
        "Latency of operations, from the intended start of each to its end.",
        List.of(
            new Note(
                "Threads of one process.",
                "Each class is a case: unrestricted on all cores, pinned to few, pinned with"
                    + " some threads' priority raised in the marked window, or throughout. In an"
                    + " open loop an operation's latency counts from its intended start. "
                    + late),
            new Note(
                "Rounds.",
                "Each round runs every case, and in each case its arms one after the other"
                    + " in random order, each in a fresh process with the same arrivals. The"
                    + " metrics show the CPU time that other programs used meanwhile; noisy marks"
                    + " rounds in which it was too much.")),
        true,
        true,
        false,
        "",
        "No arm is left out as saturated: where operations remain unfinished, the latency depends"
            + " on the length of the window.");
  }
}
