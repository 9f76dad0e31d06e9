/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.experiment.PhaseMetric;
import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Faults of backends of any kind in each turn, for a limited time. Cache space alone does not help
 * against them.
 *
 * @param late loads of a backend are delayed
 * @param errors loads of a backend fail
 * @param shift other keys of a backend become popular
 */
record BackendFaults(Optional<Late> late, Optional<Errors> errors, Optional<Shift> shift) {
  static final Key BACKEND = Key.required(Setting.anyText("backend", null, "name of the backend"));

  static final Key FROM =
      Key.required(Setting.duration("from", "0", "0", "1h", "since the window's start"));

  static final Key DURING =
      Key.required(
          Setting.duration("for", "1ns", "1ns", "1h", "duration; it ends within the window"));

  static final Key LATE =
      Key.optional(
          "late",
          Section.of(
              BACKEND,
              Key.required(Setting.duration("by", "1us", "1us", "1h", "added latency")),
              FROM,
              DURING),
          "loads of a backend are delayed in each turn, without a queue");

  static final Key ERRORS =
      Key.optional(
          "errors",
          Section.of(
              BACKEND,
              Key.required(Setting.share("part", 1, 0.001, 1, "share of the loads")),
              FROM,
              DURING),
          "loads of a backend fail at once in each turn");

  static final Key SHIFT =
      Key.optional(
          "shift",
          Section.of(
              BACKEND,
              Key.required(
                  Setting.share(
                      "part", 0.5, 0.001, 0.999, "share of the key space by which it moves")),
              Key.optional(Setting.duration("every", "1ms", "1ms", "1h", "again after this time"))
                  .otherwise("once"),
              FROM,
              DURING),
          "the popularity of a backend's keys moves on in each turn");

  /**
   * A delay of each load, without occupying a thread: slow, but without a queue.
   *
   * @param byNanos the delay
   */
  record Late(String backend, long byNanos, long fromNanos, long forNanos) implements Phase {
    @Override
    public PhaseMetric metric() {
      return PhaseMetric.LATE;
    }
  }

  /**
   * Immediate failures of some loads.
   *
   * @param part fraction of the loads
   */
  record Errors(String backend, double part, long fromNanos, long forNanos) implements Phase {
    @Override
    public PhaseMetric metric() {
      return PhaseMetric.ERRING;
    }
  }

  /**
   * A shift of all keys' popularity by a fraction of the key space, once or repeatedly.
   *
   * @param part fraction of the key space for each shift
   * @param everyNanos interval of the shifts; 0: once
   */
  record Shift(String backend, double part, long everyNanos, long fromNanos, long forNanos)
      implements Phase {
    @Override
    public PhaseMetric metric() {
      return PhaseMetric.SHIFTED;
    }

    /** The number of keys by which the popularity has moved. */
    int keys(BackendPlan plan, long sinceWindowNanos) {
      if (!plan.name().equals(backend) || !holds(sinceWindowNanos)) {
        return 0;
      }
      long times = everyNanos == 0 ? 1 : 1 + (sinceWindowNanos - fromNanos) / everyNanos;
      return (int) (step(plan) * times % plan.keys());
    }

    /** The number of keys by which the popularity moves each time. */
    long step(BackendPlan plan) {
      return Math.round(part * plan.keys()) % plan.keys();
    }
  }

  List<Phase> phases() {
    List<Phase> all = new ArrayList<>();
    late.ifPresent(all::add);
    errors.ifPresent(all::add);
    shift.ifPresent(all::add);
    return all;
  }

  static BackendFaults read(Part top, List<BackendPlan> backends) {
    Optional<Shift> shift =
        read(
            top,
            "shift",
            backends.stream().filter(b -> b.zipf() > 0).toList(),
            BackendFaults::shift);
    for (BackendPlan plan : backends) {
      if (shift
          .filter(one -> one.backend().equals(plan.name()) && one.step(plan) == 0)
          .isPresent()) {
        throw top.node("shift")
            .at("part")
            .refuse("a part of at least one of %d keys, and not all".formatted(plan.keys()));
      }
    }
    return new BackendFaults(
        read(top, "late", backends, BackendFaults::late),
        read(top, "errors", backends, BackendFaults::errors),
        shift);
  }

  private static <T> Optional<T> read(
      Part top, String key, List<BackendPlan> able, BiFunction<Part, String, T> fault) {
    return top.find(key)
        .map(
            part -> {
              String[] names = able.stream().map(BackendPlan::name).toArray(String[]::new);
              if (names.length == 0) {
                throw part.node()
                    .refuseBecause(
                        "it has no effect, because all keys of every backend are equally popular");
              }
              return fault.apply(part, part.node("backend").oneOf(names));
            });
  }

  private static Late late(Part part, String backend) {
    return new Late(backend, part.number("by"), part.number("from"), part.number("for"));
  }

  private static Errors errors(Part part, String backend) {
    return new Errors(backend, part.real("part"), part.number("from"), part.number("for"));
  }

  private static Shift shift(Part part, String backend) {
    return new Shift(
        backend,
        part.real("part"),
        part.has("every") ? part.number("every") : 0,
        part.number("from"),
        part.number("for"));
  }
}
