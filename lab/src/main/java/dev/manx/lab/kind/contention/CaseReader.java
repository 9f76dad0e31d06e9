/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import dev.manx.contention.squeeze.SqueezeKind;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads {@code cases:}. */
final class CaseReader {
  private static final long MILLI = 1_000_000L;
  private static final Setting ROUNDS =
      Setting.whole("rounds", 3, 1, 1000, "repetitions of each arm");
  private static final Setting WINDOW =
      Setting.duration("window", "3s", "300ms", "10min", "length of each measured window");

  private static final Section CASE =
      Section.of(
          Key.optional(ROUNDS),
          Key.optional(WINDOW),
          Key.optionalItems(
                  Setting.whole(
                      "threads",
                      8,
                      1,
                      ContentionSettings.MOST_THREADS,
                      "numbers of sessions, each measured separately"))
              .otherwise("those of the file"),
          Key.optionalItems(Setting.anyText("arms", null, "names of the measured arms"))
              .otherwise("all"));

  private static final Section CASES =
      Section.of(
          Arrays.stream(SqueezeKind.values())
              .map(squeeze -> Key.optional(squeeze.label(), CASE, squeeze.meaning()))
              .toArray(Key[]::new));

  /** The keys read here. A resolved file has the first two in each case. */
  static final Key[] KEYS = {
    Key.of(ROUNDS).quiet(),
    Key.of(WINDOW).quiet(),
    Key.required("cases", CASES, "the disturbances of the sessions; each is one class of results")
  };

  private static final int QUICK_ROUNDS = 1;
  private static final long QUICK_WINDOW_NANOS = 3_000 * MILLI;

  private final Part top;
  private final List<String> arms;
  private final int threads;
  private final Choices choices;

  /**
   * @param arms arms that will run
   * @param threads number of sessions of a case without this key
   * @param choices rounds and windows of a quick run; chosen values override those of every case,
   *     except values chosen for a single case
   */
  CaseReader(Part top, List<String> arms, int threads, Choices choices) {
    this.top = top;
    this.arms = arms;
    this.threads = threads;
    this.choices = choices;
  }

  List<SqueezeCase> read() {
    Part part = top.part("cases");
    List<SqueezeCase> cases = new ArrayList<>();
    for (SqueezeKind squeeze : SqueezeKind.values()) {
      part.find(squeeze.label()).ifPresent(one -> cases.add(read(one, squeeze)));
    }
    if (cases.isEmpty()) {
      throw part.node()
          .refuse(
              "at least one of "
                  + String.join(
                      ", ", Arrays.stream(SqueezeKind.values()).map(SqueezeKind::label).toList()));
    }
    return cases;
  }

  private SqueezeCase read(Part part, SqueezeKind squeeze) {
    long rounds = shortened(part, squeeze, "rounds", QUICK_ROUNDS);
    long window = shortened(part, squeeze, "window", QUICK_WINDOW_NANOS);
    List<Integer> sessions =
        part.has("threads")
            ? part.items("threads", Long.class).stream().map(Math::toIntExact).toList()
            : List.of(threads);
    if (sessions.isEmpty() || sessions.stream().distinct().count() < sessions.size()) {
      throw part.node("threads").refuse("at least one number of sessions, each once");
    }
    SqueezeCase read = new SqueezeCase(squeeze, (int) rounds, window / MILLI, sessions, arms(part));
    part.put("rounds", rounds);
    part.put("window", read.windowMillis() * MILLI);
    part.put("threads", sessions);
    part.put("arms", read.arms());
    return read;
  }

  /** A value of a case or, without one, of all cases; its length is limited in a quick run. */
  private long shortened(Part part, SqueezeKind squeeze, String key, long most) {
    String own = "cases." + squeeze.label() + "." + key;
    return part.has(key) && (choices.gives(own) || !choices.gives(key))
        ? choices.shortened(own, part.number(key), most)
        : choices.shortened(key, top.number(key), most);
  }

  /** The classes of the results: one for each case. */
  static List<String> classes(Part top) {
    Part cases = top.part("cases");
    return Arrays.stream(SqueezeKind.values()).map(SqueezeKind::label).filter(cases::has).toList();
  }

  /** Writes rounds and window into each case. */
  static void resolve(Part top) {
    top.put("rounds", null);
    top.put("window", null);
  }

  /** The arms of the file that will run. */
  private List<String> arms(Part part) {
    if (!part.has("arms")) {
      return arms;
    }
    String[] known = top.node("arms").names().toArray(String[]::new);
    return part.node("arms").items().stream()
        .map(item -> item.oneOf(known))
        .filter(arms::contains)
        .distinct()
        .toList();
  }
}
