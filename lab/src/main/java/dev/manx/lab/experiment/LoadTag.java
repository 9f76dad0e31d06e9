/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import java.util.List;

/** The load in files without a column for it, if an experiment has several loads. */
public final class LoadTag {
  private static final char AT = '@';

  private LoadTag() {}

  /** The tag of a line of a histogram log: {@code 70%;s1r3}. */
  static String ofLog(String load, String turn) {
    return prefix(load) + turn;
  }

  /** Whether a tag of a line of a histogram log, which may be null, names a load. */
  public static boolean isOf(String tag, String load) {
    return tag != null && tag.startsWith(prefix(load));
  }

  private static String prefix(String load) {
    return load.replaceAll("[,\\s]", "_") + ";";
  }

  /** The entity of a row of a timeline: {@code node1@70%}. */
  static String ofEntity(String entity, String load) {
    return entity + AT + load;
  }

  /** The load at the end of an entity, one of {@code loads}; empty if there is none. */
  public static String load(String entity, List<String> loads) {
    int at = entity.lastIndexOf(AT);
    String load = entity.substring(at + 1);
    return at > 0 && loads.contains(load) ? load : "";
  }

  /** An entity without the load at its end. */
  public static String entity(String entity, List<String> loads) {
    return load(entity, loads).isEmpty() ? entity : entity.substring(0, entity.lastIndexOf(AT));
  }
}
