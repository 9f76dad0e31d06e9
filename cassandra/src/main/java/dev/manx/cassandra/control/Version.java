/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of this Manx. */
public final class Version {
  private static final Pattern PARTS = Pattern.compile("(\\d{1,5})\\.(\\d{1,3})\\.(\\d{1,3})");

  private Version() {}

  /** As in the jar's manifest; {@code unpackaged} for classes loaded from elsewhere. */
  public static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }

  /** The version as a number: 1.2.3 is 1002003; 0 if unknown. */
  public static long number() {
    return number(text());
  }

  static long number(String version) {
    Matcher parts = PARTS.matcher(version);
    if (!parts.lookingAt()) {
      return 0;
    }
    long number = 0;
    for (int part = 1; part <= 3; part++) {
      number = number * 1_000 + Long.parseLong(parts.group(part));
    }
    return number;
  }
}
