/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.proc;

import java.util.ArrayList;
import java.util.List;

/** A list of cores in Linux's format: {@code 0-3,8}. */
public final class CpuList {
  private CpuList() {}

  /**
   * Parses a list; keeps its ascending order.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public static List<Integer> parse(String text) {
    List<Integer> cores = new ArrayList<>();
    for (String part : text.trim().split(",", -1)) {
      String[] ends = part.split("-", -1);
      if (ends.length > 2) {
        throw new IllegalArgumentException("not a list of cores: " + text);
      }
      int first = Integer.parseInt(ends[0]);
      int last = Integer.parseInt(ends[ends.length - 1]);
      for (int core = first; core <= last; core++) {
        cores.add(core);
      }
    }
    return List.copyOf(cores);
  }

  /** Formats ascending cores as the kernel does. */
  public static String format(List<Integer> cores) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < cores.size(); i++) {
      int first = i;
      while (i + 1 < cores.size() && cores.get(i + 1) == cores.get(i) + 1) {
        i++;
      }
      out.append(out.isEmpty() ? "" : ",").append(cores.get(first));
      if (i > first) {
        out.append('-').append(cores.get(i));
      }
    }
    return out.toString();
  }
}
