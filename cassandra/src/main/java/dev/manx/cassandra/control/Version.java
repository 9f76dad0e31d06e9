/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

/** Which Manx this is. */
public final class Version {
  private Version() {}

  /** As in the jar's manifest; {@code unpackaged} for classes that came from no jar. */
  public static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }
}
