/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The classes of requests in reports. By width a request is SINGLE, NARROW or WIDE; by content it
 * is LARGE (at least one value is) or SMALL; ALL contains every request. SCAN, INDEX and WRITE are
 * background work and contain no requests.
 */
public enum RequestClass {
  /** Every request. */
  ALL,
  /** One read. */
  SINGLE,
  /** Several reads, up to the threshold. */
  NARROW,
  /** More reads than the threshold. */
  WIDE,
  /** No value is large. */
  SMALL,
  /** At least one value is large. */
  LARGE,
  /** Range scans of the background. */
  SCAN,
  /** Reads of a secondary index, of the background. */
  INDEX,
  /** Writes of the background. */
  WRITE;

  /** The classes of requests, ALL first. */
  public static final List<RequestClass> OF_REQUESTS =
      List.of(ALL, SINGLE, NARROW, WIDE, SMALL, LARGE);

  /** The name in result files. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The class of a label; the error lists the allowed labels. */
  public static RequestClass ofLabel(String label) {
    for (RequestClass one : OF_REQUESTS) {
      if (one.label().equals(label)) {
        return one;
      }
    }
    List<String> allowed = OF_REQUESTS.stream().map(RequestClass::label).toList();
    throw new IllegalArgumentException(
        "unknown request class '" + label + "'; allowed are " + String.join(", ", allowed));
  }

  /**
   * Whether a request belongs to this class.
   *
   * @param narrowMaxReads the widest request that is still NARROW
   */
  public boolean holds(PlannedRequest request, int narrowMaxReads) {
    return holds(request.reads(), request.large(), narrowMaxReads);
  }

  /**
   * Whether a request belongs to this class.
   *
   * @param reads of the request
   * @param large whether one of its values is large
   * @param narrowMaxReads the widest request that is still NARROW
   */
  public boolean holds(int reads, boolean large, int narrowMaxReads) {
    return switch (this) {
      case ALL -> true;
      case SINGLE -> reads == 1;
      case NARROW -> reads > 1 && reads <= narrowMaxReads;
      case WIDE -> reads > 1 && reads > narrowMaxReads;
      case SMALL -> !large;
      case LARGE -> large;
      case SCAN, INDEX, WRITE -> false;
    };
  }

  /** All classes of a request among those declared, in their order. */
  public static List<RequestClass> of(
      PlannedRequest request, List<RequestClass> declared, int narrowMaxReads) {
    List<RequestClass> out = new ArrayList<>(declared.size());
    for (RequestClass one : declared) {
      if (one.holds(request, narrowMaxReads)) {
        out.add(one);
      }
    }
    return out;
  }
}
