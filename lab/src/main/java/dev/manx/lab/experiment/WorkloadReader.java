/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.lab.settings.Forms;
import dev.manx.lab.settings.Items;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Named;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.workload.Arrivals;
import dev.manx.workload.CheckedValues;
import dev.manx.workload.Fanout;
import dev.manx.workload.Popularity;
import dev.manx.workload.RequestShape;
import dev.manx.workload.SizeClass;
import dev.manx.workload.WorkloadSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/** Reads {@code workload:}. */
public final class WorkloadReader {
  private static final int MOST_KEYS = 50_000_000;
  private static final int WIDEST = 10_000;
  private static final String UNIFORM = "uniform";

  private static final Section SIZE =
      Section.of(
          Key.required(
              Setting.size(
                  "bytes", "1KiB", CheckedValues.MIN_BYTES + "B", "8MiB", "size of a value")),
          Key.required(Setting.share("share", 1, 0, 1, "share of the keys")));

  private static final Forms POPULARITY =
      Forms.of(
          Forms.single(Setting.word("popularity", "all keys alike", UNIFORM)),
          Forms.otherwise(
              "a mapping",
              Section.of(Key.required(Setting.number("zipf", 1, 0, 10, "Zipf's exponent")))));

  private static final Section REQUEST_KIND =
      Section.of(
          Key.of(Setting.share("share", 1, 0, 1, "share of the requests")),
          Key.required(Setting.whole("reads", 1, 1, WIDEST, "reads of each request")),
          Key.optional(Setting.share("large", 0, 0, 1, "share of large values among its reads"))
              .otherwise("by popularity alone"));

  private static final Forms FAN_OUT =
      Forms.byKind(
          Setting.word(
                  "kind", "the distribution of reads", "heavy-tailed", "fixed", "lognormal", "mix")
              .withoutStandard(),
          Map.of(
              "heavy-tailed",
              Section.of(
                  Key.required(Setting.share("single", 1, 0, 1, "share of requests with one read")),
                  Key.required(Setting.number("mean", 1, 1, WIDEST, "mean reads of a request")),
                  Key.required(Setting.whole("max", 2, 2, WIDEST, "reads of the widest request"))),
              "fixed",
              Section.of(
                  Key.required(Setting.whole("reads", 1, 1, WIDEST, "reads of every request"))),
              "lognormal",
              Section.of(
                  Key.required(Setting.number("mu", 1, -5, 10, "mean of the logarithm")),
                  Key.required(
                      Setting.number("sigma", 1, 1e-6, 5, "standard deviation of the logarithm")),
                  Key.required(Setting.whole("max", 1, 1, WIDEST, "reads of the widest request"))),
              "mix",
              Section.of(
                  Key.required(
                      "requests",
                      new Named(".+", "names of kinds of requests", REQUEST_KIND),
                      "kinds of requests by name, with shares that add up to 100%"))));

  public static final Key NARROW_TO =
      Key.of(
          Setting.whole(
              "narrow-to",
              WorkloadSpec.NARROW_MAX_READS,
              1,
              WIDEST,
              "widest request of class `narrow`; wider ones are `wide`"));

  public static final Key ARRIVALS =
      Key.of(Setting.choice("arrivals", Arrivals.class, "Poisson, or at equal gaps"));

  public static final Section SECTION =
      Section.of(
          Key.required(
              Setting.whole(
                  "keys", 1, 1, MOST_KEYS, "number of keys, at least twice the widest request")),
          Key.required(
              "values", new Items(SIZE), "sizes of values, and shares that add up to 100%"),
          Key.of(
              Setting.size(
                  "large-from",
                  "64KiB",
                  "1B",
                  Integer.MAX_VALUE + "B",
                  "requests with a value of this size or more are `large`")),
          Key.of(
              Setting.whole(
                  "data-seed",
                  1,
                  Long.MIN_VALUE,
                  Long.MAX_VALUE,
                  "determines which keys are large and which are popular")),
          Key.of("popularity", POPULARITY, UNIFORM, "how often each key is read"),
          Key.required("fan-out", FAN_OUT, "number of keys per request"),
          ARRIVALS,
          NARROW_TO);

  private WorkloadReader() {}

  public static WorkloadSpec read(Part part) {
    List<SizeClass> sizes = sizes(part);
    Popularity popularity =
        part.value("popularity") instanceof Part zipf
            ? new Popularity.Zipf(zipf.real("zipf"))
            : new Popularity.Uniform();
    Fanout fanout = fanout(part.part("fan-out"));
    return checked(
        part.node("keys"),
        () ->
            new WorkloadSpec(
                part.whole("keys"),
                sizes,
                part.whole("large-from"),
                part.number("data-seed"),
                popularity,
                fanout,
                part.choice("arrivals", Arrivals.class),
                part.whole("narrow-to")));
  }

  private static List<SizeClass> sizes(Part part) {
    List<SizeClass> sizes = new ArrayList<>();
    for (Part item : part.parts("values")) {
      double share = item.real("share");
      sizes.add(checked(item.node(), () -> new SizeClass(item.whole("bytes"), share)));
    }
    checkShares(part.node("values"), sizes.stream().map(SizeClass::share).toList());
    return sizes;
  }

  /** Refuses shares that do not add up to 100 %, as none do if there are none. */
  public static void checkShares(ConfigNode node, Collection<Double> shares) {
    double sum = shares.stream().mapToDouble(Double::doubleValue).sum();
    if (Math.abs(sum - 1) > 1e-9) {
      throw node.refuse("shares that add up to 100%, not " + Math.round(sum * 1e6) / 1e4 + "%");
    }
  }

  private static Fanout fanout(Part part) {
    return switch (part.word("kind")) {
      case "fixed" -> new Fanout.Fixed(part.whole("reads"));
      case "lognormal" ->
          checked(
              part.node("max"),
              () -> new Fanout.Lognormal(part.real("mu"), part.real("sigma"), part.whole("max")));
      case "mix" -> checked(part.node("requests"), () -> new Fanout.Mix(kinds(part)));
      default ->
          checked(
              part.node(),
              () -> new Fanout.Zeta(part.real("single"), part.real("mean"), part.whole("max")));
    };
  }

  private static List<RequestShape> kinds(Part part) {
    List<RequestShape> kinds = new ArrayList<>();
    part.named("requests", Part.class)
        .forEach((name, one) -> kinds.add(checked(one.node(), () -> kind(name, one))));
    return kinds;
  }

  private static RequestShape kind(String name, Part one) {
    OptionalDouble large =
        one.has("large") ? OptionalDouble.of(one.real("large")) : OptionalDouble.empty();
    return new RequestShape(name, one.real("share"), one.whole("reads"), large);
  }

  /** Converts an error of the workload's checks into one with its position in the file. */
  private static <T> T checked(ConfigNode node, Supplier<T> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw node.refuse(e.getMessage());
    }
  }
}
