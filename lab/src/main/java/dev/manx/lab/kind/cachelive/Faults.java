/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import dev.manx.policy.config.ConfigNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * What happens to backends of any kind in each turn, for a while: space in the cache helps against
 * none of it by itself.
 *
 * @param late loads of a backend answer later
 * @param errors loads of a backend fail
 * @param shift other keys of a backend are popular
 */
record Faults(Optional<Late> late, Optional<Errors> errors, Optional<Shift> shift) {
  static final Faults NONE = new Faults(Optional.empty(), Optional.empty(), Optional.empty());

  private static final long HOUR = 3_600_000_000_000L;

  /**
   * Each load takes so much longer and holds no thread meanwhile: slow, but without a queue.
   *
   * @param byNanos how much
   */
  record Late(String backend, long byNanos, long fromNanos, long forNanos) implements Phase {
    @Override
    public String word() {
      return "late";
    }
  }

  /**
   * Some loads fail at once.
   *
   * @param part of them
   */
  record Errors(String backend, double part, long fromNanos, long forNanos) implements Phase {
    @Override
    public String word() {
      return "erring";
    }
  }

  /**
   * The popularity of all keys moves on by a part of the key space, once or again and again.
   *
   * @param part of the key space, each time
   * @param everyNanos after which it moves on again; 0: once
   */
  record Shift(String backend, double part, long everyNanos, long fromNanos, long forNanos)
      implements Phase {
    @Override
    public String word() {
      return "shifted";
    }

    /** By how many of its keys the popularity has moved. */
    int keys(BackendPlan plan, long sinceWindowNanos) {
      if (!plan.name().equals(backend) || !holds(sinceWindowNanos)) {
        return 0;
      }
      long times = everyNanos == 0 ? 1 : 1 + (sinceWindowNanos - fromNanos) / everyNanos;
      return (int) (Math.round(part * plan.keys()) * times % plan.keys());
    }
  }

  /** Those that there are. */
  List<Phase> phases() {
    List<Phase> all = new ArrayList<>();
    late.ifPresent(all::add);
    errors.ifPresent(all::add);
    shift.ifPresent(all::add);
    return all;
  }

  static Faults read(ConfigNode top, List<BackendPlan> backends) {
    return new Faults(
        read(top, "late", backends, Faults::late),
        read(top, "errors", backends, Faults::errors),
        read(top, "shift", backends.stream().filter(b -> b.zipf() > 0).toList(), Faults::shift));
  }

  private static <T> Optional<T> read(
      ConfigNode top, String key, List<BackendPlan> able, BiFunction<ConfigNode, String, T> fault) {
    return top.find(key)
        .map(
            node -> {
              String[] names = able.stream().map(BackendPlan::name).toArray(String[]::new);
              if (names.length == 0) {
                throw node.refuse("nothing: all keys of every backend are equally popular");
              }
              T read = fault.apply(node, node.at("backend").oneOf(names));
              node.noOtherKeys();
              return read;
            });
  }

  private static Late late(ConfigNode node, String backend) {
    return new Late(backend, node.at("by").durationNanos(1_000, HOUR), from(node), during(node));
  }

  private static Errors errors(ConfigNode node, String backend) {
    return new Errors(backend, node.at("part").fraction(0.001, 1), from(node), during(node));
  }

  private static Shift shift(ConfigNode node, String backend) {
    return new Shift(
        backend,
        node.at("part").fraction(0.001, 0.999),
        node.find("every").map(n -> n.durationNanos(1_000_000, HOUR)).orElse(0L),
        from(node),
        during(node));
  }

  private static long from(ConfigNode node) {
    return node.at("from").durationNanos(0, HOUR);
  }

  private static long during(ConfigNode node) {
    return node.at("for").durationNanos(1, HOUR);
  }
}
