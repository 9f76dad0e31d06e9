/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of this Manx. */
public final class Version {
  private static final Pattern PARTS = Pattern.compile("(\\d{1,5})\\.(\\d{1,3})\\.(\\d{1,3})");

  /** So many digits of a commit and a version fit into a double. */
  private static final Pattern COMMIT = Pattern.compile("\\((\\p{XDigit}{6})");

  private static final double COMMITS = 1 << 24;

  private Version() {}

  /**
   * As in the jar's manifest, with the commit if it was built in a repository: {@code 1.2.3
   * (abc12345)}; {@code unpackaged} for classes loaded from elsewhere.
   */
  public static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }

  /**
   * The version as a number: 1.2.3 is 1002003, plus a fraction that differs between commits; 0 if
   * unknown.
   */
  public static double number() {
    return number(text());
  }

  static double number(String version) {
    Matcher parts = PARTS.matcher(version);
    if (!parts.lookingAt()) {
      return 0;
    }
    long number = 0;
    for (int part = 1; part <= 3; part++) {
      number = number * 1_000 + Long.parseLong(parts.group(part));
    }
    Matcher commit = COMMIT.matcher(version);
    return commit.find() ? number + Integer.parseInt(commit.group(1), 16) / COMMITS : number;
  }
}
