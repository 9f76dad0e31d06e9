/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.own;

import java.util.Locale;
import java.util.Set;

/**
 * A statement of a user's application.
 *
 * @param name name for users
 * @param cql with bind markers
 * @param weight relative weight in the mix
 * @param leastKeys smallest number of values bound to a marker {@code IN ?}
 * @param mostKeys largest number; all numbers between are equally likely
 */
public record OwnStatement(String name, String cql, double weight, int leastKeys, int mostKeys) {
  private static final Set<String> WRITES = Set.of("INSERT", "UPDATE", "DELETE");

  /** Whether it only reads. */
  public boolean reads() {
    return word().equals("SELECT");
  }

  /** Whether it writes rows; other statements are not sent. */
  public boolean writes() {
    return WRITES.contains(word());
  }

  /** Whether it may change a part of a value. */
  boolean updates() {
    return word().equals("UPDATE");
  }

  private String word() {
    return cql.strip().split("\\s+", 2)[0].toUpperCase(Locale.ROOT);
  }
}
