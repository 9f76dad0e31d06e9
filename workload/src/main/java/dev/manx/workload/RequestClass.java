/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The classes requests are reported in. By width every request is one of SINGLE, NARROW, WIDE; by
 * content it is LARGE (one of its values is) or SMALL; ALL is every request.
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
  LARGE;

  /** The name in result files. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The class of a label; the error lists what is allowed. */
  public static RequestClass ofLabel(String label) {
    for (RequestClass one : values()) {
      if (one.label().equals(label)) {
        return one;
      }
    }
    List<String> allowed = Arrays.stream(values()).map(RequestClass::label).toList();
    throw new IllegalArgumentException(
        "unknown request class '" + label + "'; allowed are " + String.join(", ", allowed));
  }

  /**
   * Whether a request belongs to this class.
   *
   * @param narrowMaxReads the widest request that is still NARROW
   */
  public boolean holds(Request request, int narrowMaxReads) {
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
    };
  }

  /** All classes of a request among those declared, in their order. */
  public static List<RequestClass> of(
      Request request, List<RequestClass> declared, int narrowMaxReads) {
    List<RequestClass> out = new ArrayList<>(declared.size());
    for (RequestClass one : declared) {
      if (one.holds(request, narrowMaxReads)) {
        out.add(one);
      }
    }
    return out;
  }
}
