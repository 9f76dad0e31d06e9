/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import dev.manx.contention.engine.Repetition;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.settings.Forms;
import dev.manx.lab.settings.Items;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Quantity;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Units;
import java.util.List;

/**
 * The sessions of an experiment on a storage engine.
 *
 * @param data data of the sessions
 * @param openLoop whether operations have intended starts; otherwise sessions work without pause
 * @param loads rates, or shares of the capacity of one core; a closed loop has one unused load
 * @param threads number of sessions, unless a case sweeps it
 * @param cores that sessions of a restricted case may use
 * @param boost sessions whose priority is raised: a share if below 1, else a number
 * @param nice nice level of the boosted sessions
 * @param warmUpMillis duration of the load before each window
 */
record ContentionSettings(
    Repetition.Data data,
    boolean openLoop,
    List<Load> loads,
    int threads,
    int cores,
    double boost,
    int nice,
    long warmUpMillis) {
  static final int MOST_THREADS = 512;
  private static final long MILLI = 1_000_000L;
  private static final String UNIFORM = "uniform";

  private static final Forms POPULARITY =
      Forms.of(
          Forms.single(Setting.word("popularity", "all records alike", UNIFORM)),
          Forms.otherwise(
              "a mapping",
              Section.of(
                  Key.required(Setting.number("zipf", 0.9, 0.01, 0.999, "Zipf's exponent")))));

  private static final Section DATA =
      Section.of(
          Key.of(
              Setting.whole(
                  "records", 20_000, 1, 100_000_000, "records in the table, all in memory")),
          Key.of(Setting.size("value", "100B", "8B", "1MiB", "size of each record")),
          Key.of(
              Setting.word(
                  "mix", "updates alone, 50 % reads, or 95 % reads", "update", "ycsb-a", "ycsb-b")),
          Key.of(
              Setting.word(
                  "keys", "whether sessions work on the same records", "disjoint", "shared")),
          Key.of("popularity", POPULARITY, UNIFORM, "how often each record is used"));

  private static final Quantity LOAD =
      new Quantity(
          List.of(
              Setting.rate("rate", 1, 1, 1e7, "of operations"),
              Setting.share("share", 1, 0.01, 4, "of the capacity of one core"),
              Setting.word("closed", "the one load of a closed loop", Load.CLOSED)),
          "a share of the capacity of one core (35%) or a rate (20k/s)");

  private static final Quantity BOOST =
      new Quantity(
          List.of(
              Setting.whole("boost", 1, 1, MOST_THREADS, "sessions"),
              Setting.share("boost", 0.5, 0.001, 0.999, "of the sessions")),
          "a number of sessions, or a share of them (50%)");

  /** The keys read here, up to the warm-up. */
  static Key[] keys() {
    return new Key[] {
      Key.of("data", DATA, "the data of the sessions"),
      Key.of(Setting.word("loop", "whether operations have intended starts", "open", Load.CLOSED)),
      Key.optional("loads", new Items(LOAD), "of an open loop; each is measured separately"),
      CommonSettings.SEEDS,
      Key.of(Setting.whole("threads", 8, 1, MOST_THREADS, "sessions, each with a thread")),
      Key.of(
          Setting.whole("cores", 1, 1, 1024, "cores that sessions of a restricted case may use")),
      Key.of("boost", BOOST, "50%", "sessions whose priority is raised in a case that does so"),
      Key.of(Setting.whole("nice", -20, -20, 19, "nice level of the boosted sessions")),
      Key.of(Setting.duration("warm-up", "500ms", "0", "10min", "load before each window"))
    };
  }

  static ContentionSettings read(Part top, Choices choices) {
    boolean open = top.word("loop").equals("open");
    return new ContentionSettings(
        data(top.part("data")),
        open,
        open ? loads(top) : closed(choices),
        top.whole("threads"),
        top.whole("cores"),
        boost(top.word("boost")),
        top.whole("nice"),
        top.number("warm-up") / MILLI);
  }

  private static double boost(String text) {
    // As in the setting: a value without a fraction is a number of sessions.
    return text.matches("[0-9_]+")
        ? Long.parseLong(text.replace("_", ""))
        : Units.fraction(text).orElseThrow();
  }

  private static List<Load> loads(Part top) {
    List<ConfigNode> items = top.node("loads").items();
    for (ConfigNode item : items) {
      if (item.text().equals(Load.CLOSED)) {
        throw item.refuse(LOAD.allowed());
      }
    }
    CommonSettings.checkLoads(top, top.words("loads"), "load");
    return items.stream().map(item -> Load.of(item.text())).toList();
  }

  /** A closed loop has no rate; the loads of the file do not apply. */
  private static List<Load> closed(Choices choices) {
    choices.refuse("loads", "a closed loop has no rate; use it with --set loop=open");
    return List.of(Load.of(Load.CLOSED));
  }

  private static Repetition.Data data(Part data) {
    double reads =
        switch (data.word("mix")) {
          case "ycsb-a" -> 0.5;
          case "ycsb-b" -> 0.95;
          default -> 0;
        };
    return new Repetition.Data(
        data.number("records"),
        data.number("value"),
        reads,
        data.word("keys").equals("shared"),
        data.value("popularity") instanceof Part zipf ? zipf.real("zipf") : 0);
  }

  /** Sets the values of the resolved file. */
  void resolve(Part top) {
    top.put("loads", loads.stream().map(Load::label).toList());
    top.put("boost", boost < 1 ? boost * 100 + "%" : Integer.toString((int) boost));
    top.put("warm-up", warmUpMillis * MILLI);
  }

  /** Number of sessions with raised priority: at least one. */
  int boosted(int ofThreads) {
    return boost < 1
        ? Math.max(1, (int) Math.round(boost * ofThreads))
        : Math.min(ofThreads, (int) boost);
  }
}
