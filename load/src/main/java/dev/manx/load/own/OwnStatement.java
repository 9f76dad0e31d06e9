/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.own;

import java.util.Locale;
import java.util.Set;

/**
 * A statement of a user's application.
 *
 * @param name for people
 * @param cql with bind markers
 * @param weight its part of the mix, relative to the others'
 * @param leastKeys values bound to a marker {@code IN ?}, at least
 * @param mostKeys and at most; all numbers between are equally likely
 */
public record OwnStatement(String name, String cql, double weight, int leastKeys, int mostKeys) {
  private static final Set<String> WRITES = Set.of("INSERT", "UPDATE", "DELETE");

  /** Whether it only reads. */
  public boolean reads() {
    return word().equals("SELECT");
  }

  /** Whether it writes rows; what is neither is not sent at all. */
  public boolean writes() {
    return WRITES.contains(word());
  }

  private String word() {
    return cql.strip().split("\\s+", 2)[0].toUpperCase(Locale.ROOT);
  }
}
