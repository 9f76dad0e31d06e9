/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.policy.config.Units;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The positions of loads or of a swept parameter's values on an axis: numbers to scale, other
 * values evenly spaced.
 *
 * @param kind division of the axis
 * @param unit of the positions, or empty
 * @param positions of each label, in the order of the axis
 */
record Scale(Kind kind, String unit, Map<String, Double> positions) {
  /** Divisions. */
  enum Kind {
    LINEAR,
    LOGARITHMIC,
    /** Evenly, in the order given. */
    NAMES
  }

  /**
   * Ratio of the largest to the smallest value from which a linear axis would crowd small values.
   */
  private static final double WIDE = 20;

  private static final double NANOS_PER_MS = 1e6;
  private static final double BYTES_PER_KIB = 1024;

  /** The ways to read a text. */
  private enum Reading {
    NUMBER("") {
      @Override
      OptionalDouble of(String text) {
        return text.endsWith("%")
            ? OptionalDouble.empty()
            : Units.fraction(text.replaceAll("(?<=[0-9])_(?=[0-9])", ""));
      }
    },
    /** A share, with or without the sign: a resolved file has 0.05 where the experiment has 5%. */
    SHARE("%") {
      @Override
      OptionalDouble of(String text) {
        return Units.fraction(text).stream().map(share -> share * 100).findFirst();
      }
    },
    RATE("/s") {
      @Override
      OptionalDouble of(String text) {
        return Units.perSecond(text);
      }
    },
    DURATION("ms") {
      @Override
      OptionalDouble of(String text) {
        return Units.durationNanos(text).stream()
            .mapToDouble(nanos -> nanos / NANOS_PER_MS)
            .findFirst();
      }
    },
    SIZE("KiB") {
      @Override
      OptionalDouble of(String text) {
        return Units.bytes(text).stream().mapToDouble(b -> b / BYTES_PER_KIB).findFirst();
      }
    };

    private final String unit;

    Reading(String unit) {
      this.unit = unit;
    }

    abstract OptionalDouble of(String text);
  }

  /** The scale of labels; numeric only if all are of one kind of quantity. */
  static Scale of(Collection<String> labels) {
    for (Reading reading : Reading.values()) {
      Map<String, Double> read = new LinkedHashMap<>();
      for (String label : labels) {
        OptionalDouble value = reading.of(label);
        if (value.isPresent()) {
          read.put(label, value.getAsDouble());
        }
      }
      if (!read.isEmpty() && read.keySet().containsAll(labels)) {
        return numbers(reading.unit, read);
      }
    }
    Map<String, Double> side = new LinkedHashMap<>();
    for (String label : labels) {
      side.putIfAbsent(label, (double) side.size());
    }
    return new Scale(Kind.NAMES, "", side);
  }

  private static Scale numbers(String unit, Map<String, Double> read) {
    List<Map.Entry<String, Double>> entries = new ArrayList<>(read.entrySet());
    entries.sort(Comparator.comparingDouble(Map.Entry::getValue));
    Map<String, Double> sorted = new LinkedHashMap<>();
    entries.forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
    double least = entries.get(0).getValue();
    double most = entries.get(entries.size() - 1).getValue();
    return new Scale(
        least > 0 && most / least >= WIDE ? Kind.LOGARITHMIC : Kind.LINEAR, unit, sorted);
  }

  /** Labels in the order of the axis. */
  List<String> labels() {
    return List.copyOf(positions.keySet());
  }

  /** The number of different positions. */
  long places() {
    return positions.values().stream().distinct().count();
  }
}
